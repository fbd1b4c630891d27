// expect-error: a function's jvp cannot be called with \(AutogradContext&, TensorList tangents\)
#include <tenon/autograd/graph/function.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

struct Scale : autograd::Function<Scale> {
  static Tensor forward(autograd::AutogradContext&, const Tensor& x) { return ops::mul(x, 2); }
  static Tensor backward(autograd::AutogradContext&, TensorList grads) { return ops::mul(grads[0], 2); }
#ifdef FIXED
  static Tensor jvp(autograd::AutogradContext&, TensorList tangents) { return ops::mul(tangents[0], 2); }
#else
  static Tensor jvp(const Tensor& tangent) { return ops::mul(tangent, 2); }
#endif
};

Tensor scaled(const Tensor& x) { return Scale::apply(x); }
