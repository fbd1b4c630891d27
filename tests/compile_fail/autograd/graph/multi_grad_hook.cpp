// expect-error: a hook of several tensors cannot be called with what it gets: \(TensorList grads\), by Any
#include <tenon/autograd/graph/multi_grad_hook.hpp>

using namespace tenon;

#ifdef FIXED
auto of(const Tensor& a, const Tensor& b) {
  return autograd::register_multi_grad_hook({a, b}, [](TensorList) {});
}
#else
auto of(const Tensor& a, const Tensor& b) {
  return autograd::register_multi_grad_hook({a, b}, [](const Tensor&) {});
}
#endif
