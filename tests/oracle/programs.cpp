// Replays recorded straight-line programs of views, in-place writes and gradients: programs FILE [--device NAME]
// [--verbose] [--here]
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "lines.hpp"

using namespace oracle;

namespace {

/// How often the names of gradient functions agreed; shared by all processes, for the report only.
struct NodeNames {
  long same = 0, different = 0;
};
NodeNames* node_names = nullptr;

/// The strides that an elementwise operator gives its result. Alone an operand keeps its own if it is dense; beside a
/// number, or with gaps, its order of dimensions counts.
DimVector result_strides(const Tensor& t, bool beside_number) {
  if (!beside_number) {
    if (t.is_contiguous()) return contiguous_strides(t.sizes());
    if (t.is_contiguous(MemoryFormat::ChannelsLast)) return strides_for(t.sizes(), MemoryFormat::ChannelsLast);
    if (t.is_non_overlapping_and_dense()) return DimVector(t.strides());
  }
  std::size_t n = t.sizes().size();
  std::vector<std::size_t> order;  // innermost first
  for (std::size_t d = n; d-- > 0;) order.push_back(d);
  auto compare_dims = [&](std::size_t a, std::size_t b) {
    std::int64_t x = t.strides()[a], y = t.strides()[b];
    if (x == 0 || y == 0) return 0;
    if (x != y) return x < y ? -1 : 1;
    return t.sizes()[a] > t.sizes()[b] ? 1 : 0;
  };
  for (std::size_t i = 1; i < n; ++i) {
    std::size_t here = i;
    for (std::size_t j = i; j-- > 0;) {
      int c = compare_dims(order[j], order[here]);
      if (c < 0) break;
      if (c > 0) {
        std::swap(order[j], order[here]);
        here = j;
      }
    }
  }
  // Only another order than this one gives strides of 0 outside a size of 0.
  if (std::is_sorted(order.rbegin(), order.rend())) return contiguous_strides(t.sizes());
  DimVector strides(n);
  std::int64_t step = 1;
  for (std::size_t d : order) {
    strides[d] = step;
    step *= t.sizes()[d];
  }
  return strides;
}

/// A fresh tensor of `f(x)` for the elements x of a float64 tensor.
template <class T, class F>
Tensor map(const Tensor& t, F&& f) {
  Tensor out = make_tensor(t.sizes(), result_strides(t, std::is_same_v<T, bool>), scalar_type_v<T>), here = on_host(t);
  const auto* from = static_cast<const char*>(here.data_ptr());
  auto* base = static_cast<char*>(out.data_ptr());
  for_each_pair(t.sizes(), from, t.strides(), base, out.strides(), 1, [&](const char* p, const char* q, const auto&) {
    double x;
    std::memcpy(&x, from + (p - from) * static_cast<std::ptrdiff_t>(sizeof x), sizeof x);
    T y = f(x);
    std::memcpy(base + (q - base) * static_cast<std::ptrdiff_t>(sizeof y), &y, sizeof y);
  });
  return on_judged_device(out);
}

class Program : public TensorSource {
 public:
  explicit Program(const json& p) : program_(p) {
    for (const json& leaf : p.at("leaves")) {
      if (dtype_of(leaf) != kDouble) mismatch("the program has a leaf of dtype ", dtype_of(leaf));
      Tensor t = on_judged_device(written_tensor(leaf));
      if (leaf.at("requires_grad").get<bool>()) t.set_requires_grad(true);
      variables_.push_back(t);
    }
  }

  bool is(const json& v) const override {
    return v.is_object() && (v.contains("v") || v.contains("cmp") || v.contains("neg_of") || v.contains("index"));
  }
  Tensor get(const json& v) override {
    if (v.contains("v")) return variable(v.at("v"));
    if (v.contains("cmp")) return map<bool>(variable(v.at("cmp")), [](double x) { return x > 0; });
    if (v.contains("neg_of")) return map<double>(variable(v.at("neg_of")), [](double x) { return -x; });
    return index_tensor(v);
  }

  void run() {
    std::size_t n = 0;
    for (const json& step : program_.at("steps")) run_step(n++, step);
    const json& expected = program_.at("variables");
    if (expected.size() != variables_.size())
      mismatch("expected ", expected.size(), " variables, got ", variables_.size());
    for (std::size_t i = 0; i < expected.size(); ++i) check_variable(i, expected[i]);
    if (program_.contains("backward")) check_backward(program_.at("backward"));
  }

 private:
  Tensor variable(const json& number) const {
    auto i = number.get<std::size_t>();
    if (i >= variables_.size()) mismatch("the program uses variable ", i, " before it exists");
    return variables_[i];
  }

  void run_step(std::size_t n, const json& step) {
    auto name = step.at("op").get<std::string>();
    std::string what = concat("step ", n, " (", name, ")");
    OperatorHandle op = find(name);
    Stack stack =
        arguments(op.schema(), step.at("args"), step.contains("kwargs") ? step.at("kwargs") : json::object(), *this);
    bool raises = step.contains("raises");
    try {
      AutoGradMode mode(!step.value("no_grad", false));
      op.call_boxed(stack);
    } catch (const Error& e) {
      if (raises) return;
      mismatch(what, ": unexpected error: ", e.what());
    }
    if (raises) mismatch(what, ": expected an error: ", step.at("raises").get<std::string>());
    std::vector<Tensor> got;
    for (const Value& v : stack) collect(v, got);
    const json& results = step.at("results");
    if (got.size() != results.size()) mismatch(what, ": expected ", results.size(), " tensors, got ", got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      auto number = results[i].get<std::size_t>();
      std::size_t same = 0;
      while (same < variables_.size() && !variables_[same].is_same(got[i])) ++same;
      if (number < variables_.size() && same != number)
        mismatch(what, ": expected variable ", number, " itself to be returned");
      if (number >= variables_.size() && same < variables_.size())
        mismatch(what, ": expected a new tensor, got variable ", same, " itself");
      if (number > variables_.size()) mismatch("the program skips variable ", variables_.size());
      if (number == variables_.size()) variables_.push_back(got[i]);
    }
  }

  static void compare_values(const std::string& what, const Tensor& t, const json& e) {
    if (!t.defined()) mismatch(what, ": expected a tensor, got an undefined one");
    if (t.dtype() != dtype_of(e)) mismatch(what, ": expected dtype ", dtype_of(e), ", got ", t.dtype());
    auto sizes = ints(e.at("size"));
    if (!(t.sizes() == IntArrayRef(sizes))) mismatch(what, ": expected size ", sizes, ", got ", t.sizes());
    const json& data = e.at("data");
    std::vector<double> values;
    for (const json& v : data) values.push_back(number(v));
    if (static_cast<std::int64_t>(values.size()) != t.numel())
      mismatch("the program's data have ", values.size(), " elements for size ", sizes);
    if (storage_bytes(t.sizes(), t.strides(), sizeof(double), t.storage_offset()) > t.storage().nbytes())
      mismatch(what, ": it lies outside its storage");
    compare_elements(what, on_host(t), reinterpret_cast<const char*>(values.data()), contiguous_strides(sizes), kDouble,
                     tolerance_of(kDouble));
  }

  void check_variable(std::size_t i, const json& e) {
    const Tensor& t = variables_[i];
    std::string what = concat("variable ", i);
    compare_values(what, t, e);
    auto strides = ints(e.at("stride"));
    if (!(t.strides() == IntArrayRef(strides))) mismatch(what, ": expected strides ", strides, ", got ", t.strides());
    auto same = [&](const char* name, auto got, auto expected) {
      if (got != expected) mismatch(what, ": expected ", name, " ", expected, ", got ", got);
    };
    same("offset", t.storage_offset(), e.at("offset").get<std::int64_t>());
    same("version", static_cast<std::int64_t>(t.version()), e.at("version").get<std::int64_t>());
    same("is_view", t.is_view(), e.at("is_view").get<bool>());
    std::string node;
    try {
      if (auto function = t.grad_fn()) node = function->name();
    } catch (const Error& error) {
      if (e.contains("raises")) return;
      mismatch(what, ": unexpected error on asking for its gradient function: ", error.what());
    }
    if (e.contains("raises"))
      mismatch(what, ": expected an error on asking for its gradient function: ", e.at("raises").get<std::string>());
    same("requires_grad", t.requires_grad(), e.at("requires_grad").get<bool>());
    same("is_leaf", t.is_leaf(), e.at("is_leaf").get<bool>());
    bool agrees = (e.at("node").is_null() ? std::string() : e.at("node").get<std::string>()) == node;
    __atomic_fetch_add(agrees ? &node_names->same : &node_names->different, 1, __ATOMIC_RELAXED);
  }

  void check_backward(const json& b) {
    Tensor of = variable(b.at("of"));
    std::vector<Tensor> leaves, grads;
    if (b.contains("leaves"))
      for (const json& leaf : b.at("leaves")) leaves.push_back(variable(leaf));
    else
      // A view that cannot be followed refuses the question whether it is a leaf.
      for (std::size_t i = 0; i < variables_.size(); ++i)
        if (!program_.at("variables").at(i).contains("raises") && variables_[i].requires_grad() &&
            variables_[i].is_leaf())
          leaves.push_back(variables_[i]);
    try {
      grads = autograd::grad({ops::sum(of)}, leaves, {}, std::nullopt, false, true);
    } catch (const Error& error) {
      if (b.contains("raises")) return;
      mismatch("backward: unexpected error: ", error.what());
    }
    if (b.contains("raises")) mismatch("backward: expected an error: ", b.at("raises").get<std::string>());
    const json& expected = b.at("grads");
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::string what = concat("gradient of variable ", b.at("leaves").at(i).get<int>());
      if (!expected[i].is_null())
        compare_values(what, grads[i], expected[i]);
      else if (grads[i].defined())
        mismatch(what, ": expected none, got one");
    }
  }

  const json& program_;
  std::vector<Tensor> variables_;
};

}  // namespace

int main(int argc, char** argv) {
  node_names = static_cast<NodeNames*>(
      ::mmap(nullptr, sizeof(NodeNames), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (node_names == MAP_FAILED) return 2;
  return run_lines(
      "programs", argc, argv, [](const json& p, const std::string&) { Program(p).run(); },
      [] {
        std::printf("names of gradient functions: %ld as recorded, %ld others\n", node_names->same,
                    node_names->different);
      });
}
