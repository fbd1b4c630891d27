// The steps of NAdam.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/nadam.hpp>

namespace tenon::optim::detail {

TENON_BODY void NAdamRule::check(const NAdamOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "eps", o.eps);
  check_not_negative(name, "weight_decay", o.weight_decay);
  check_not_negative(name, "momentum_decay", o.momentum_decay);
  check_betas(name, o.betas);
}
TENON_BODY void NAdamRule::step(const NAdamOptions& o, StepWork<NAdamState>& work) {
  make_state(work, &NAdamState::exp_avg);
  make_state(work, &NAdamState::exp_avg_sq);
  for (NAdamState* s : work.states) make_number(s->mu_product, 1);
  ops::_fused_nadam_(work.parameters, work.grads, work.field(&NAdamState::exp_avg), work.field(&NAdamState::exp_avg_sq),
                     work.field(&NAdamState::mu_product), work.field(&NAdamState::step), "lr"_a = o.lr,
                     "beta1"_a = o.betas.first, "beta2"_a = o.betas.second, "weight_decay"_a = o.weight_decay,
                     "momentum_decay"_a = o.momentum_decay, "eps"_a = o.eps,
                     "decoupled_weight_decay"_a = o.decoupled_weight_decay, "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
