// The steps of Adadelta.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/adadelta.hpp>

namespace tenon::optim::detail {

TENON_BODY void AdadeltaRule::check(const AdadeltaOptions& o) {
  check_not_negative(name, "lr", o.lr);
  TENON_CHECK(o.rho >= 0 && o.rho <= 1, ValueError, name, ": option 'rho': expected a number in [0, 1], got ", o.rho);
  check_not_negative(name, "eps", o.eps);
  check_not_negative(name, "weight_decay", o.weight_decay);
}
TENON_BODY void AdadeltaRule::step(const AdadeltaOptions& o, StepWork<AdadeltaState>& work) {
  make_state(work, &AdadeltaState::square_avg);
  make_state(work, &AdadeltaState::acc_delta);
  ops::_fused_adadelta_(work.parameters, work.grads, work.field(&AdadeltaState::square_avg),
                        work.field(&AdadeltaState::acc_delta), "lr"_a = o.lr, "rho"_a = o.rho, "eps"_a = o.eps,
                        "weight_decay"_a = o.weight_decay, "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
