// A decay without a factor says nothing.
#include <tenon/optim.hpp>

using namespace tenon;

// expect-error: ExponentialLR
void train(optim::Optimizer& optimizer) {
#ifdef FIXED
  optim::ExponentialLR schedule(optimizer, {.gamma = 0.9});
#else
  optim::ExponentialLR schedule(optimizer, {});
#endif
}
