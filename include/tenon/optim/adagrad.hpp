// Adagrad: steps divided by the root of the sum of squared gradients.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct AdagradOptions {
  double lr = 1e-2;
  double lr_decay = 0;
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double eps = 1e-10;
  bool maximize = false;
};
struct AdagradState {
  Tensor step, sum;
  TENON_FIELDS(step, sum)
};

namespace detail {

struct AdagradRule {
  static constexpr const char* name = "Adagrad";
  static void check(const AdagradOptions& o) {
    check_not_negative(name, "lr", o.lr);
    check_not_negative(name, "lr_decay", o.lr_decay);
    check_not_negative(name, "weight_decay", o.weight_decay);
    check_not_negative(name, "initial_accumulator_value", o.initial_accumulator_value);
    check_not_negative(name, "eps", o.eps);
  }
  static void step(const AdagradOptions& o, StepWork<AdagradState>& work) {
    make_state(work, &AdagradState::sum, o.initial_accumulator_value);
    ops::_fused_adagrad_(work.parameters, work.grads, work.field(&AdagradState::sum), work.field(&AdagradState::step),
                         "lr"_a = o.lr, "lr_decay"_a = o.lr_decay, "weight_decay"_a = o.weight_decay, "eps"_a = o.eps,
                         "maximize"_a = o.maximize);
  }
};

}  // namespace detail

/// Adagrad (Duchi, Hazan and Singer, JMLR 12, 2011). Options, defaults and results are those of torch.optim.Adagrad.
using Adagrad = RuleOptimizer<detail::AdagradRule, AdagradOptions, AdagradState>;

}  // namespace tenon::optim
