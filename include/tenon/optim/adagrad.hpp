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
  TENON_FIELDS(lr, lr_decay, weight_decay, initial_accumulator_value, eps, maximize)
};
struct AdagradState {
  Tensor step, sum;
  TENON_FIELDS(step, sum)
};

namespace detail {

struct AdagradRule {
  static constexpr const char* name = "Adagrad";
  static void check(const AdagradOptions& o);
  static void step(const AdagradOptions& o, StepWork<AdagradState>& work);
};

}  // namespace detail

/// Adagrad (Duchi, Hazan and Singer, JMLR 12, 2011). Options, defaults and results are those of torch.optim.Adagrad.
using Adagrad = RuleOptimizer<detail::AdagradRule, AdagradOptions, AdagradState>;

}  // namespace tenon::optim
