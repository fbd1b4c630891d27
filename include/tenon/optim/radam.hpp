// RAdam: Adam that takes steps of momentum alone until the variance of its divisor is known.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct RAdamOptions {
  double lr = 1e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled_weight_decay = false;  ///< as AdamW decays
  bool maximize = false;
  TENON_FIELDS(lr, betas, eps, weight_decay, decoupled_weight_decay, maximize)
};
struct RAdamState {
  Tensor step, exp_avg, exp_avg_sq;
  TENON_FIELDS(step, exp_avg, exp_avg_sq)
};

namespace detail {

struct RAdamRule {
  static constexpr const char* name = "RAdam";
  static void check(const RAdamOptions& o);
  static void step(const RAdamOptions& o, StepWork<RAdamState>& work);
};

}  // namespace detail

/// RAdam (Liu et al., arXiv 1908.03265). Options, defaults and results are those of torch.optim.RAdam.
using RAdam = RuleOptimizer<detail::RAdamRule, RAdamOptions, RAdamState>;

}  // namespace tenon::optim
