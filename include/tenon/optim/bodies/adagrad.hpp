// The steps of Adagrad.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/optim/adagrad.hpp>

namespace tenon::optim::detail {

TENON_BODY void AdagradRule::check(const AdagradOptions& o) {
  check_not_negative(name, "lr", o.lr);
  check_not_negative(name, "lr_decay", o.lr_decay);
  check_not_negative(name, "weight_decay", o.weight_decay);
  check_not_negative(name, "initial_accumulator_value", o.initial_accumulator_value);
  check_not_negative(name, "eps", o.eps);
}
TENON_BODY void AdagradRule::step(const AdagradOptions& o, StepWork<AdagradState>& work) {
  double start = o.initial_accumulator_value;
  for (std::size_t i = 0; i < work.states.size(); ++i) {  // real and imaginary parts are summed apart
    const Tensor& p = work.parameters[i];
    make_filled(work.states[i]->sum, p, p.is_complex() ? Scalar(Complex<double>(start, start)) : Scalar(start));
  }
  ops::_fused_adagrad_(work.parameters, work.grads, work.field(&AdagradState::sum),
                       counts_beside(work.parameters, work.field(&AdagradState::step)), "lr"_a = o.lr,
                       "lr_decay"_a = o.lr_decay, "weight_decay"_a = o.weight_decay, "eps"_a = o.eps,
                       "maximize"_a = o.maximize);
}

}  // namespace tenon::optim::detail
