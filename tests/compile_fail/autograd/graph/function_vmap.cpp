// expect-error: a function's vmap cannot be called with \(int64_t examples, in_dims, the arguments of apply
#include <tenon/autograd/graph/function.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;
using Dims = std::vector<std::optional<std::int64_t>>;

struct Scale : autograd::Function<Scale> {
  static Tensor forward(autograd::AutogradContext&, const Tensor& x) { return ops::mul(x, 2); }
  static Tensor backward(autograd::AutogradContext&, TensorList grads) { return ops::mul(grads[0], 2); }
#ifdef FIXED
  static std::pair<Tensor, Dims> vmap(std::int64_t, const Dims& in_dims, const Tensor& x) {
    return {apply(x), in_dims};
  }
#else
  static Tensor vmap(std::int64_t, const Dims&, const Tensor& x) { return apply(x); }
#endif
};

Tensor scaled(const Tensor& x) { return Scale::apply(x); }
