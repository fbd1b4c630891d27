// expect-error: a function of one's own lacks `static R backward\(AutogradContext& ctx, TensorList grads\)`
#include <tenon/autograd/graph/function.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

struct Twice : autograd::Function<Twice> {
  static Tensor forward(autograd::AutogradContext&, const Tensor& x) { return ops::mul(x, 2); }
#ifdef FIXED
  static Tensor backward(autograd::AutogradContext&, TensorList grads) { return ops::mul(grads[0], 2); }
#else
  static Tensor backward(autograd::AutogradContext&, double grad);
#endif
};

Tensor twice(const Tensor& x) { return Twice::apply(x); }
