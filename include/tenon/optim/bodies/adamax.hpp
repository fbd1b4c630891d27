// The steps of Adamax.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/adamax.hpp>

namespace tenon::optim::detail {

TENON_BODY void AdamaxRule::check(const AdamaxOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "eps", o.eps);
  check_not_negative(name, "weight_decay", o.weight_decay);
  check_betas(name, o.betas);
}
TENON_BODY void AdamaxRule::step(const AdamaxOptions& o, StepWork<AdamaxState>& work) {
  make_state(work, &AdamaxState::exp_avg);
  make_state(work, &AdamaxState::exp_inf);
  ops::_fused_adamax_(work.parameters, work.grads, work.field(&AdamaxState::exp_avg), work.field(&AdamaxState::exp_inf),
                      work.field(&AdamaxState::step), "lr"_a = o.lr, "beta1"_a = o.betas.first,
                      "beta2"_a = o.betas.second, "weight_decay"_a = o.weight_decay, "eps"_a = o.eps,
                      "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
