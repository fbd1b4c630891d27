// The steps of stochastic gradient descent.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/sgd.hpp>

namespace tenon::optim::detail {

TENON_BODY void SGDRule::check(const SGDOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "momentum", o.momentum);
  check_not_negative(name, "weight_decay", o.weight_decay);
  TENON_CHECK(!o.nesterov || (o.momentum > 0 && o.dampening == 0), ValueError, name,
              ": option 'nesterov': expected a positive momentum and no dampening, got momentum ", o.momentum,
              " and dampening ", o.dampening);
}
TENON_BODY void SGDRule::step(const SGDOptions& o, StepWork<SGDState>& work) {
  if (o.momentum == 0) return run(o, work, false);
  // The first gradient of a parameter is its buffer; a parameter may come later than others.
  StepWork<SGDState> first, later;
  for (std::size_t i = 0; i < work.states.size(); ++i) {
    Tensor& buffer = work.states[i]->momentum_buffer;
    StepWork<SGDState>& to = buffer.defined() ? later : first;
    if (!buffer.defined()) buffer = ops::empty_like(work.parameters[i]);
    to.add(work.parameters[i], work.grads[i], *work.states[i]);
  }
  if (!first.states.empty()) run(o, first, true);
  if (!later.states.empty()) run(o, later, false);
}

TENON_BODY void SGDRule::run(const SGDOptions& o, const StepWork<SGDState>& work, bool first) {
  std::vector<Tensor> buffers;
  if (o.momentum != 0) buffers = work.field(&SGDState::momentum_buffer);
  ops::_fused_sgd_(work.parameters, work.grads, buffers, "weight_decay"_a = o.weight_decay, "momentum"_a = o.momentum,
                   "lr"_a = o.lr, "dampening"_a = o.dampening, "nesterov"_a = o.nesterov, "maximize"_a = o.maximize,
                   "is_first_step"_a = first);
}

}  // namespace tenon::optim::detail
