// expect-error: the second of two saved-tensor hooks does not turn what the first returns into a Tensor
#include <tenon/autograd/graph/saved_hooks.hpp>
#include <tenon/ops/arithmetic.hpp>

using namespace tenon;

void run() {
#ifdef FIXED
  autograd::SavedTensorHooks hooks([](const Tensor& t) { return t; }, [](const Tensor& t) { return t; });
#else
  autograd::SavedTensorHooks hooks([](const Tensor&) { return std::string("kept"); },
                                   [](const Tensor& t) { return t; });
#endif
}
