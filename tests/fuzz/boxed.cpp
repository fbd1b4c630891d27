// Boxed calls with random stacks: each ends with results or a typed error, and leaves what was below the arguments.
#include <cstdlib>
#include <map>

#include <tenon/library/library.hpp>

#include "values.hpp"

namespace {
using namespace tenon;

TENON_LIBRARY(fuzz_boxed, m) {
  m.def("numbers(int a, float b, bool c, Scalar d) -> (int, float)",
        [](std::int64_t a, double b, bool c, const Scalar& d) { return std::tuple(c ? a : 0, b + d.to_double()); });
  m.def("tensors(Tensor a, Tensor? b, Tensor[] c, Tensor?[] d) -> Tensor",
        [](const Tensor& a, const std::optional<Tensor>& b, TensorList c, ArrayRef<std::optional<Tensor>>) {
          return b ? *b : c.empty() ? a : c[0];
        });
  m.def("lists(int[] a, float[] b, bool[] c, str[] d) -> int[]",
        [](IntArrayRef a, ArrayRef<double>, ArrayRef<bool>, ArrayRef<std::string_view>) {
          return std::vector<std::int64_t>(a.begin(), a.end());
        });
  m.def("symbols(SymInt a, SymInt[] b, SymInt? c) -> SymInt", [](SymInt a, SymIntArrayRef b, std::optional<SymInt> c) {
    return b.empty() ? a : c ? *c : b[0];
  });
  m.def("nested(Dict(str, int[]) a, (int, str) b) -> Dict(str, int[])",
        [](std::map<std::string, std::vector<std::int64_t>> a, std::tuple<std::int64_t, std::string>) { return a; });
  m.def("words(str a, Device b, ScalarType c, complex d) -> str",
        [](std::string_view a, Device, ScalarType, Complex<double>) { return std::string(a); });
  m.def("written(Tensor(a!) a, *, Tensor(b!) out) -> Tensor(b!)", [](Tensor&, Tensor& out) -> Tensor& { return out; });
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto operators = [] {
    auto all = Registry::get().operators();
    std::erase_if(all, [](const auto& o) { return !o.name().starts_with("fuzz_boxed::"); });
    return all;
  }();
  fuzz::Bytes in(data, size);
  const OperatorHandle& op = operators[in.byte() % operators.size()];
  std::size_t below = in.byte() % 3, n = op.schema().n_args() - (in.byte() % 16 == 0);
  Stack stack;
  for (std::size_t i = 0; i < below; ++i) stack.emplace_back(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < n; ++i) stack.push_back(fuzz::value(in));
  try {
    std::size_t given = stack.size();
    op.call_boxed(stack);
    if (stack.size() != given - op.schema().n_args() + op.schema().n_returns()) std::abort();
    below -= op.schema().n_args() - n;  // an argument too few was taken from below
    for (std::size_t i = 0; i < below; ++i)
      if (stack[i].to_int() != static_cast<std::int64_t>(i)) std::abort();
  } catch (const Error&) {}
  return 0;
}
