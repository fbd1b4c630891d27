// The steps of RAdam.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/radam.hpp>

namespace tenon::optim::detail {

TENON_BODY void RAdamRule::check(const RAdamOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "eps", o.eps);
  check_not_negative(name, "weight_decay", o.weight_decay);
  check_betas(name, o.betas);
}
TENON_BODY void RAdamRule::step(const RAdamOptions& o, StepWork<RAdamState>& work) {
  make_state(work, &RAdamState::exp_avg);
  make_state(work, &RAdamState::exp_avg_sq);
  ops::_fused_radam_(work.parameters, work.grads, work.field(&RAdamState::exp_avg), work.field(&RAdamState::exp_avg_sq),
                     work.field(&RAdamState::step), "lr"_a = o.lr, "beta1"_a = o.betas.first,
                     "beta2"_a = o.betas.second, "weight_decay"_a = o.weight_decay, "eps"_a = o.eps,
                     "decoupled_weight_decay"_a = o.decoupled_weight_decay, "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
