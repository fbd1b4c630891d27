// expect-error: a function's backward returns something else than gradients
#include <tenon/autograd/graph/function.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

struct Scale : autograd::Function<Scale> {
  static Tensor forward(autograd::AutogradContext&, const Tensor& x) { return ops::mul(x, 2); }
#ifdef FIXED
  static Tensor backward(autograd::AutogradContext&, TensorList grads) { return grads[0]; }
#else
  static double backward(autograd::AutogradContext&, TensorList) { return 2; }
#endif
};

Tensor scaled(const Tensor& x) { return Scale::apply(x); }
