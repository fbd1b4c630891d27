// The steps of averaged stochastic gradient descent.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/asgd.hpp>

namespace tenon::optim::detail {

TENON_BODY void ASGDRule::check(const ASGDOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "weight_decay", o.weight_decay);
}
TENON_BODY void ASGDRule::step(const ASGDOptions& o, StepWork<ASGDState>& work) {
  make_state(work, &ASGDState::ax);
  for (ASGDState* s : work.states) {
    make_number(s->eta, o.lr);
    make_number(s->mu, 1);
  }
  ops::_fused_asgd_(work.parameters, work.grads, work.field(&ASGDState::ax), work.field(&ASGDState::mu),
                    work.field(&ASGDState::eta), work.field(&ASGDState::step), "lr"_a = o.lr, "lambd"_a = o.lambd,
                    "alpha"_a = o.alpha, "t0"_a = o.t0, "weight_decay"_a = o.weight_decay, "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
