// Checking an operator by its schema alone.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/testing/opcheck.hpp>
#include <tenon/testing/samples.hpp>

namespace tenon::testing {

namespace detail {

/// Results of one operator that a run with another instruction set, processor or version left, as a file of the folder
/// that the environment's TENON_OPCHECK_RESULTS names.
class Remembered {
 public:
  explicit Remembered(std::string_view op) {
    const char* folder = std::getenv("TENON_OPCHECK_RESULTS");
    if (!folder || !*folder) return;
    path_ = std::string(folder) + "/" + std::string(op) + ".safetensors";
    if (!std::filesystem::exists(path_)) return;
    for (auto& [name, tensor] : SafetensorsFile::open(path_).tensors()) known_.emplace(name, ops::clone(tensor));
  }
  bool asked() const { return !path_.empty(); }
  /// Compares results with those of the same call in the file; those that it lacks are added to it by `save()`.
  void compare(const std::string& call, const std::vector<Tensor>& results, const CloseOptions& close) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      Tensor t = results[i].is_complex() ? ops::view_as_real(results[i]) : results[i];
      auto [at, is_new] = known_.try_emplace(concat(call, " -> ", i), ops::clone(t.detach()));
      added_ = added_ || is_new;
      if (!is_new) assert_close(t, at->second, close);
    }
  }
  void save() const {
    if (added_) save_safetensors(path_, NamedTensors(known_.begin(), known_.end()));
  }

 private:
  std::string path_;
  std::map<std::string, Tensor> known_;
  bool added_ = false;
};

}  // namespace detail

/// Checks an operator by the calls that `samples()` makes: as opcheck_results() does for an example, and
/// sets    the results are close to those that an earlier run left in the folder TENON_OPCHECK_RESULTS, one with
///         another instruction set for example (TENON_CPU_CAPABILITY); without that variable it is left out.
/// Returns one result for each check, with the problems of all samples, each after the sample's text.
/// Errors: those of samples().
inline std::vector<CheckResult> opcheck_samples_results(std::string_view name, const SampleOptions& sample_options = {},
                                                        OpcheckOptions options = {}) {
  using Kind = Sample::Kind;
  options.close.equal_nan = true;
  std::vector<Sample> made = samples(name, sample_options);
  OperatorHandle op = Registry::get().find_schema(name);
  detail::Remembered remembered(name);
  std::vector<CheckResult> results;
  auto run = [&](const char* check, auto has, auto f) {
    std::string problems;
    bool any = false;
    for (const Sample& sample : made) {
      if (!has(sample.kind)) continue;
      std::string why;
      try {
        any = f(detail::Checked(op, sample.arguments, options), sample) || any;
      } catch (const std::exception& e) {
        any = true;
        why = *e.what() ? e.what() : "an error without a message";
      }
      if (!why.empty()) problems += concat(problems.empty() ? "" : "\n", "with ", sample.text, ": ", why);
    }
    if (any) results.push_back({check, std::move(problems)});
  };
  auto all_short = [](Kind k) { return k != Kind::Long; };
  auto always = [](auto f) { return [f](const detail::Checked& c, const Sample&) { return f(c), true; }; };
  run("schema", all_short, always([](const auto& c) { c.schema(); }));
  run("repeat", all_short, always([](const auto& c) { c.repeated(); }));
  run(
      "threads", [](Kind k) { return k == Kind::Long; }, always([](const auto& c) { c.threads(); }));
  run("strides", all_short, always([](const auto& c) { c.strided(); }));
  if (options.meta) run("meta", all_short, always([](const auto& c) { c.meta(); }));
  run(
      "hostile", [](Kind k) { return k == Kind::Base || k == Kind::Optional; },
      always([](const auto& c) { c.hostile(); }));
  run("in-place", all_short, [](const detail::Checked& c, const Sample&) { return c.in_place(); });
  run("out", all_short, [](const detail::Checked& c, const Sample&) { return c.out(); });
  auto of_floats = [](Kind k) { return k == Kind::Base || k == Kind::Broadcast || k == Kind::Optional; };
  if (options.gradients) run("gradients", of_floats, always([](const auto& c) { c.gradients(); }));
  if (options.gradients && options.second_gradients && results.back().problem.empty())
    run("second gradients", of_floats, [](const detail::Checked& c, const Sample&) { return c.second_gradients(); });
  if (options.vmap) run("vmap", of_floats, [](const detail::Checked& c, const Sample&) { return c.vmap(); });
  if (remembered.asked() && !op.entry().has_tag(Tag::nondeterministic_seeded)) {
    run(
        "sets", [](Kind) { return true; },
        [&](const detail::Checked& c, const Sample& sample) {
          remembered.compare(sample.text, c.call(c.fresh()), options.close);
          return true;
        });
    remembered.save();
  }
  return results;
}

/// The same; throws AssertionError that lists what failed.
inline void opcheck_samples(std::string_view name, const SampleOptions& sample_options = {},
                            const OpcheckOptions& options = {}) {
  std::string problems;
  for (const CheckResult& r : opcheck_samples_results(name, sample_options, options))
    if (!r.problem.empty()) problems += "\n" + r.check + ": " + r.problem;
  if (!problems.empty()) throw AssertionError(concat("opcheck(): ", name, problems));
}
/// Checks an operator by its schema alone; throws AssertionError that lists what failed.
inline void opcheck(std::string_view name) { opcheck_samples(name); }

}  // namespace tenon::testing
