// expect-error: a module's backward hook cannot be called with what it gets
#include <tenon/nn/dynamic/hooks.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

void watch(nn::Hooked<nn::Linear>& layer) {
#ifdef FIXED
  layer.register_full_backward_hook([](const std::vector<Tensor>&, const std::vector<Tensor>&) {});
#else
  layer.register_full_backward_hook([](const Tensor&, const Tensor&) {});
#endif
}
