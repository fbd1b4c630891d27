// The steps of RMSprop.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/rmsprop.hpp>

namespace tenon::optim::detail {

TENON_BODY void RMSpropRule::check(const RMSpropOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "alpha", o.alpha);
  check_not_negative(name, "eps", o.eps);
  check_not_negative(name, "weight_decay", o.weight_decay);
  check_not_negative(name, "momentum", o.momentum);
}
TENON_BODY void RMSpropRule::step(const RMSpropOptions& o, StepWork<RMSpropState>& work) {
  make_state(work, &RMSpropState::square_avg);
  std::vector<Tensor> grad_avgs, buffers;
  if (o.centered) {
    make_state(work, &RMSpropState::grad_avg);
    grad_avgs = work.field(&RMSpropState::grad_avg);
  }
  if (o.momentum > 0) {
    make_state(work, &RMSpropState::momentum_buffer);
    buffers = work.field(&RMSpropState::momentum_buffer);
  }
  ops::_fused_rmsprop_(work.parameters, work.grads, work.field(&RMSpropState::square_avg), grad_avgs, buffers,
                       "lr"_a = o.lr, "alpha"_a = o.alpha, "eps"_a = o.eps, "weight_decay"_a = o.weight_decay,
                       "momentum"_a = o.momentum, "centered"_a = o.centered, "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
