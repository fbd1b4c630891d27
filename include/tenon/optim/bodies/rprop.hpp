// The steps of resilient backpropagation.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/rprop.hpp>

namespace tenon::optim::detail {

TENON_BODY void RpropRule::check(const RpropOptions& o) {
  check_not_negative(name, "lr", o.lr);
  TENON_CHECK(o.etas.first > 0 && o.etas.first < 1 && o.etas.second > 1, ValueError, name,
              ": option 'etas': expected one number in (0, 1) and one above 1, got ", o.etas.first, " and ",
              o.etas.second);
}
TENON_BODY void RpropRule::step(const RpropOptions& o, StepWork<RpropState>& work) {
  make_state(work, &RpropState::prev);
  for (std::size_t i = 0; i < work.states.size(); ++i) {  // real and imaginary parts have steps of their own
    const Tensor& p = work.parameters[i];
    make_filled(work.states[i]->step_size, p, p.is_complex() ? Scalar(Complex<double>(o.lr, o.lr)) : Scalar(o.lr));
  }
  ops::_fused_rprop_(work.parameters, work.grads, work.field(&RpropState::prev), work.field(&RpropState::step_size),
                     "etaminus"_a = o.etas.first, "etaplus"_a = o.etas.second, "step_size_min"_a = o.step_sizes.first,
                     "step_size_max"_a = o.step_sizes.second, "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
