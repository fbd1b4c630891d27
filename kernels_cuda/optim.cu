// Kernels of the optimisers.
#include <tenon/cuda/optim.hpp>

namespace tenon::cuda {
namespace {

template <template <class> class Rule, int States, class Step>
void run(const OptimCall& c, const Step& step, void* stream) {
  if (c.wide)
    launch<optim_elements<Rule, States, double>>(shape_for(c.n), stream, c, Rule<OneNumber<double>>(step));
  else
    launch<optim_elements<Rule, States, float>>(shape_for(c.n), stream, c, Rule<OneNumber<float>>(step));
}

}  // namespace

void optim_step(const OptimCall& c, const math::steps::SgdStep& step, void* stream) {
  run<math::steps::SgdRule, 1>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::AdagradStep& step, void* stream) {
  run<math::steps::AdagradRule, 1>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::RmspropStep& step, void* stream) {
  run<math::steps::RmspropRule, 3>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::AdamStep& step, void* stream) {
  run<math::steps::AdamRule, 3>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::AdadeltaStep& step, void* stream) {
  run<math::steps::AdadeltaRule, 2>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::AdamaxStep& step, void* stream) {
  run<math::steps::AdamaxRule, 2>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::NadamStep& step, void* stream) {
  run<math::steps::NadamRule, 2>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::RadamStep& step, void* stream) {
  run<math::steps::RadamRule, 2>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::AsgdStep& step, void* stream) {
  run<math::steps::AsgdRule, 1>(c, step, stream);
}
void optim_step(const OptimCall& c, const math::steps::RpropStep& step, void* stream) {
  run<math::steps::RpropRule, 2>(c, step, stream);
}

}  // namespace tenon::cuda
