// expect-error: a hook cannot be called with what it gets
#include <tenon/autograd/graph/hooks.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

#ifdef FIXED
void watch(const Tensor& x) {
  x.register_hook([](const Tensor&) {});
}
#else
void watch(const Tensor& x) {
  x.register_hook([](double) {});
}
#endif
