// Replays recorded operator calls: cases DIR [--only NAME]... [--device NAME] [--verbose] [--here] [--check-schemas]
#include <cstdio>
#include <fstream>

#include <tenon/tenon.hpp>

#include "case_folder.hpp"
#include "forked.hpp"
#include "replay.hpp"

using namespace oracle;

namespace {

/// Tensors of one call, in the order in which the case names them.
class CaseTensors : public TensorSource {
 public:
  explicit CaseTensors(const SafetensorsFile& file) : file_(file) {}
  bool is(const json& v) const override { return is_tensor(v); }
  Tensor get(const json& v) override {
    all.push_back(make(v, file_));
    if (requires_grad && is_differentiable_type(all.back().dtype())) {
      all.back().set_requires_grad(true);
      differentiable.push_back(all.back());
    }
    return all.back();
  }
  bool requires_grad = false;
  std::vector<Tensor> all, differentiable;

 private:
  const SafetensorsFile& file_;
};

/// The returned values: of an operator that returns one list, its elements.
Stack results(const json& c, const Stack& stack) {
  if (!c.value("out_list", false)) return stack;
  if (stack.size() != 1 || !stack[0].is_list())
    mismatch("expected one list to be returned, got ", stack.size(), " values");
  return stack[0].to_list();
}

void check_forward(const json& c, const OperatorHandle& op, const SafetensorsFile& file) {
  CaseTensors tensors(file);
  Stack given = arguments(op.schema(), c.at("args"), c.at("kwargs"), tensors);
  Stack stack = given;
  op.call_boxed(stack);
  Stack out = results(c, stack);
  const json& expected = c.at("out");
  if (out.size() != expected.size()) mismatch("expected ", expected.size(), " results, got ", out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const json& e = expected[i];
    std::string what = concat("result ", i);
    compare_value(what, out[i], e, file);
    if (!is_tensor(e)) continue;
    const Tensor& got = out[i].to_tensor();
    if (e.contains("check_stride")) {
      auto strides = ints(e.at("check_stride"));
      if (!(got.strides() == IntArrayRef(strides)))
        mismatch(what, ": expected strides ", strides, ", got ", got.strides());
    }
    if (e.contains("alias")) {
      auto from = e.at("alias").get<std::size_t>();
      if (from >= given.size() || !given[from].is_tensor())
        mismatch("the case names argument ", from, ", which is no tensor");
      if (!(given[from].to_tensor().storage() == got.storage()))
        mismatch(what, ": expected the storage of argument ", from);
      if (auto offset = e.at("offset").get<std::int64_t>(); got.storage_offset() != offset)
        mismatch(what, ": expected it to start at element ", offset, ", got ", got.storage_offset());
    }
  }
  if (!c.contains("after")) return;
  for (const auto& [position, e] : c.at("after").items()) {
    std::size_t i = std::stoul(position);
    if (i >= given.size()) mismatch("the case names argument ", i, ", which the schema lacks");
    compare_value(concat("argument ", i, " after the call"), given[i], e, file);
  }
}

void check_gradients(const json& c, const OperatorHandle& op, const SafetensorsFile& file) {
  const json& g = c.at("grad");
  CaseTensors tensors(file);
  tensors.requires_grad = true;
  Stack stack = arguments(op.schema(), c.at("args"), c.at("kwargs"), tensors);
  op.call_boxed(stack);
  std::vector<Tensor> flat, outputs, cotangents;
  for (const Value& v : stack) collect(v, flat);
  for (const json& of : g.at("of")) {
    auto i = of.get<std::size_t>();
    if (i >= flat.size()) mismatch("gradient: expected at least ", i + 1, " returned tensors, got ", flat.size());
    outputs.push_back(flat[i]);
  }
  for (const json& v : g.at("cotangents")) cotangents.push_back(make(v, file));
  const json& expected = g.at("inputs");
  if (expected.size() != tensors.differentiable.size())
    mismatch("the case has ", expected.size(), " gradients for ", tensors.differentiable.size(), " tensors");
  std::vector<Tensor> got = autograd::grad(outputs, tensors.differentiable, cotangents, std::nullopt, false, true);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!expected[i].is_null())
      compare(concat("gradient ", i), got[i], expected[i], file);
    else if (got[i].defined())
      mismatch("gradient ", i, ": expected none, got one");
  }
}

constexpr int kShown = 20;  // failures per operator

Counts run_operator(const std::filesystem::path& lines, bool verbose, bool here, bool check_schemas) {
  std::vector<std::string> cases;
  std::optional<SafetensorsFile> file;
  Suite suite;
  auto read = [&] {
    std::ifstream in(lines);
    cases.clear();
    for (std::string line; std::getline(in, line);)
      if (!line.empty()) cases.push_back(line);
    auto data = lines;
    file = SafetensorsFile::open(data.replace_extension(".safetensors").string());
    return cases.size();
  };
  suite.open = read;
  suite.id = [&](std::size_t i) {
    json c = json::parse(cases[i], nullptr, false);
    return c.is_object() && c.contains("id") ? c.at("id").get<std::string>() : concat("line ", i + 1);
  };
  suite.run = [&](std::size_t i) -> std::string {
    try {
      json c = json::parse(cases[i]);
      OperatorHandle op = find(c.at("op").get<std::string>());
      std::optional<SchemaCheckGuard> checked;
      if (check_schemas) checked.emplace();
      check_forward(c, op, *file);
      if (c.contains("grad")) check_gradients(c, op, *file);
      return {};
    } catch (const std::exception& e) { return *e.what() ? e.what() : "an error without a text"; }
  };
  std::vector<Outcome> outcomes;
  try {
    outcomes = run_all(suite, here);
  } catch (const std::exception& e) { outcomes.push_back({"reading the cases", e.what(), false}); }
  std::string name = lines.stem().string();
  Counts counts;
  for (const Outcome& o : outcomes) {
    ++(o.passed ? counts.passed : counts.failed);
    if (!o.passed && verbose && counts.failed <= kShown)
      std::printf("FAILED: %s: %s: %s\n", name.c_str(), o.id.c_str(), o.failure.c_str());
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  CaseFolder folder;
  if (!folder.parse(argc, argv, {"--device", "--verbose", "--here", "--check-schemas"})) {
    std::fprintf(
        stderr,
        "usage: cases DIR [--only NAME]... [--device NAME] [--verbose] [--here] [--check-schemas]\n"
        "DIR holds NAME.jsonl with NAME.safetensors; --verbose prints what differs in the first failed cases of each\n"
        "operator; --device NAME puts the tensors there; --here runs without child processes; --check-schemas holds each call, and those inside of it, against\n"
        "its schema and its Meta kernel\n");
    return 2;
  }
  judge_on(folder.device());
  return folder.run([&](const auto& file) {
    return run_operator(file, folder.has("--verbose"), folder.has("--here"), folder.has("--check-schemas"));
  });
}
