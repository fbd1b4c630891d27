// The steps of Adam and AdamW.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/adam.hpp>

namespace tenon::optim::detail {

template <class Options>
void AdamRule<Options>::check(const Options& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "eps", o.eps);
  check_not_negative(name, "weight_decay", o.weight_decay);
  check_betas(name, o.betas);
}
template <class Options>
void AdamRule<Options>::step(const Options& o, StepWork<AdamState>& work) {
  make_state(work, &AdamState::exp_avg);
  make_state(work, &AdamState::exp_avg_sq);
  std::vector<Tensor> greatest;
  if (o.amsgrad) {
    make_state(work, &AdamState::max_exp_avg_sq);
    greatest = work.field(&AdamState::max_exp_avg_sq);
  }
  auto call = [&](const auto& op) {
    op(work.parameters, work.grads, work.field(&AdamState::exp_avg), work.field(&AdamState::exp_avg_sq), greatest,
       counts_beside(work.parameters, work.field(&AdamState::step)), "lr"_a = o.lr, "beta1"_a = o.betas.first,
       "beta2"_a = o.betas.second, "weight_decay"_a = o.weight_decay, "eps"_a = o.eps, "amsgrad"_a = o.amsgrad,
       "maximize"_a = o.maximize);
  };
  bool shrinks = decoupled;
  if constexpr (requires { o.decoupled_weight_decay; }) shrinks = o.decoupled_weight_decay;
  if (shrinks)
    call(ops::_fused_adamw_);
  else
    call(ops::_fused_adam_);
}
template struct AdamRule<AdamOptions>;
template struct AdamRule<AdamWOptions>;

}  // namespace tenon::optim::detail
