// A plugin: operators of its own, one of which calls an operator of the program's kernels.
#include <tenon/autograd/mode.hpp>
#include <tenon/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/tensor/generator.hpp>

TENON_LIBRARY(plug, m) {
  m.def("one(Tensor x) -> int", [](const tenon::Tensor& x) { return x.dim() + 1; });
  m.def("twice(Tensor x) -> Tensor", [](const tenon::Tensor& x) { return tenon::ops::add(x, x); });
  m.def("records() -> bool", [] { return tenon::is_grad_enabled(); });
  m.def("seed() -> int", [] { return static_cast<std::int64_t>(tenon::default_generator().initial_seed()); });
}
