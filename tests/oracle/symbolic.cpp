// Repeats recorded operator calls on Meta tensors: with symbolic sizes they have the shapes of plain ones, and the
// guards tell for which other sizes the shapes hold: symbolic DIR [--only NAME]... [--verbose]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>

#include <tenon/tenon.hpp>

#include "case_folder.hpp"
#include "replay.hpp"

using namespace oracle;

namespace {

/// The sizes of a call: every size of 2 or more is a number of its own, which a run may replace or make a symbol.
struct Sizes {
  std::map<std::int64_t, std::size_t> number;
  std::vector<std::int64_t> values;
  void add(std::int64_t size) {
    if (size >= 2 && number.try_emplace(size, values.size()).second) values.push_back(size);
  }
};

/// Meta tensors in place of the recorded ones.
class MetaTensors : public TensorSource {
 public:
  MetaTensors(const Sizes& sizes, const std::vector<std::int64_t>& values, SymEnv* env) : sizes_(sizes) {
    for (std::int64_t v : values) values_.push_back(env ? env->symbol(v) : SymInt(v));
  }
  bool is(const json& v) const override { return is_tensor(v); }
  Tensor get(const json& v) override {
    SymDimVector sizes;
    for (std::int64_t s : ints(v.at("size"))) sizes.push_back(s >= 2 ? values_[sizes_.number.at(s)] : SymInt(s));
    auto strides = v.contains("stride") ? ints(v.at("stride")) : std::vector<std::int64_t>();
    return make_tensor_symbolic(sizes, strides_like(ints(v.at("size")), strides, sizes), dtype_of(v), kMeta);
  }

 private:
  /// Dense strides in the order of recorded ones; those of repeated elements stay 0.
  static SymDimVector strides_like(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
                                   const SymDimVector& of) {
    SymDimVector out(strides.size());
    std::vector<std::size_t> order(strides.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return strides[a] != strides[b] ? strides[a] < strides[b] : a > b; });
    SymInt step = 1;
    for (std::size_t d : order) {
      if (strides[d] == 0) continue;
      out[d] = step;
      if (sizes[d] != 0) step = step * of[d];
    }
    return out;
  }

  const Sizes& sizes_;
  SymDimVector values_;
};

void add_sizes(const json& v, Sizes& sizes) {
  if (is_tensor(v)) {
    for (std::int64_t s : ints(v.at("size"))) sizes.add(s);
  } else if (v.is_array() || v.is_object()) {
    for (const auto& item : v) add_sizes(item, sizes);
  }
}

/// What a call leaves: the geometry of its results and arguments, as written and as numbers, or an error.
struct Run {
  intrusive_ptr<SymEnv> env = make_intrusive<SymEnv>();
  bool failed = false;
  std::string text, numbers, places;
  std::vector<bool> holds;  ///< the guards, for each of `others`
};
using Values = std::vector<std::int64_t>;
Run run(const json& c, const OperatorHandle& op, const Sizes& sizes, const Values& values, bool symbolic,
        const std::vector<Values>& others = {}) {
  Run r;
  std::vector<Tensor> all;
  try {
    MetaTensors tensors(sizes, values, symbolic ? r.env.get() : nullptr);
    Stack given = arguments(op.schema(), c.at("args"), c.at("kwargs"), tensors), stack = given;
    if (int device = op.schema().find_argument("device"); device >= 0)
      stack[static_cast<std::size_t>(device)] = Value(kMeta);
    op.call_boxed(stack);
    for (const Value& v : stack) collect(v, all);
    for (const Value& v : given) collect(v, all);
  } catch (const std::exception& e) {
    r.failed = true;
    r.text = e.what();
  }
  // The numbers come last: they are guards too.
  for (const Values& other : others) r.holds.push_back(r.env->holds_for(other));
  for (const Tensor& t : all) {
    if (!t.defined()) continue;
    r.text +=
        concat(t.dtype(), " ", t.sym_sizes(), " ", t.sym_strides(), " + ", to_string(t.sym_storage_offset()), "; ");
    DimVector sizes, strides;
    for (const SymInt& s : t.sym_sizes()) sizes.push_back(s.guard_int());
    for (const SymInt& s : t.sym_strides()) strides.push_back(s.guard_int());
    std::int64_t offset = t.sym_storage_offset().guard_int();
    r.numbers += concat(t.dtype(), " ", sizes, " ", strides, " + ", offset, "; ");
    // The stride of a single element means nothing: no guard is spent on it.
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] == 1) strides[d] = 0;
    r.places += concat(t.dtype(), " ", sizes, " ", strides, " + ", offset, "; ");
  }
  return r;
}

/// Throws Mismatch where symbolic sizes give another shape than plain ones; false if the operator has none for Meta.
bool check(const json& c, const OperatorHandle& op) {
  Sizes sizes;
  add_sizes(c.at("args"), sizes);
  add_sizes(c.at("kwargs"), sizes);
  if (sizes.values.empty()) return false;
  std::vector<Values> others;
  for (int kind = 0; kind < 3; ++kind) {
    Values other = sizes.values;
    for (std::size_t i = 0; i < other.size(); ++i)
      other[i] = kind == 0 ? other[i] + 1 + static_cast<std::int64_t>(i) : kind == 1 ? 7 : i == 0 ? 1 : other[i];
    others.push_back(other);
  }
  Run plain = run(c, op, sizes, sizes.values, false), first = run(c, op, sizes, sizes.values, true, others);
  if (plain.failed) return false;
  if (first.failed) mismatch(first.text);
  if (first.numbers != plain.numbers) mismatch("expected ", plain.numbers, "got ", first.numbers, "from ", first.text);
  for (std::size_t i = 0; i < others.size(); ++i) {
    Run again = run(c, op, sizes, others[i], true), wanted = run(c, op, sizes, others[i], false);
    if (wanted.failed ? !again.failed : wanted.places != again.places)
      mismatch("sizes ", others[i], ": expected ", wanted.failed ? wanted.text : wanted.numbers, ", got ", again.text);
    if (first.holds[i] && again.text != first.text)
      mismatch("the guards of sizes ", sizes.values, " hold for ", others[i], ", but the first are ", first.text,
               "and the others ", again.text);
  }
  return true;
}

Counts run_operator(const std::filesystem::path& lines, bool verbose) {
  Counts counts;
  std::string name = lines.stem().string();
  std::ifstream in(lines);
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    json c = json::parse(line);
    try {
      OperatorHandle op = Registry::get().find_schema(c.at("op").get<std::string>());
      ++(op && check(c, op) ? counts.passed : counts.skipped);
    } catch (const std::exception& e) {
      if (verbose && counts.failed < 3)
        std::printf("FAILED: %s: %s: %s\n", name.c_str(), c.at("id").get<std::string>().c_str(), e.what());
      ++counts.failed;
    }
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  CaseFolder folder;
  if (!folder.parse(argc, argv, {"--verbose"})) {
    std::fprintf(stderr,
                 "usage: symbolic DIR [--only NAME]... [--verbose]\nDIR holds NAME.jsonl, as for cases; skipped are "
                 "those without an operator, sizes or a shape for Meta\n");
    return 2;
  }
  return folder.run([&](const auto& file) { return run_operator(file, folder.has("--verbose")); });
}
