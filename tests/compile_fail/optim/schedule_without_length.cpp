// A schedule's length is given: there is no default that anyone means.
#include <tenon/optim.hpp>

using namespace tenon;

// expect-error: StepLR
void train(optim::Optimizer& optimizer) {
#ifdef FIXED
  optim::StepLR schedule(optimizer, {.step_size = 30, .gamma = 0.5});
#else
  optim::StepLR schedule(optimizer, {.gamma = 0.5});
#endif
}
