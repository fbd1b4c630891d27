// NAdam: Adam with the momentum of Nesterov.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct NAdamOptions {
  double lr = 2e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum_decay = 4e-3;
  bool decoupled_weight_decay = false;  ///< as AdamW decays
  bool maximize = false;
  TENON_FIELDS(lr, betas, eps, weight_decay, momentum_decay, decoupled_weight_decay, maximize)
};
struct NAdamState {
  Tensor step, mu_product, exp_avg, exp_avg_sq;
  static detail::StateForm form_of(const std::string& field, const Tensor& p) {
    return detail::number_or_like(field == "step" || field == "mu_product", p);
  }
  TENON_FIELDS(step, mu_product, exp_avg, exp_avg_sq)
};

namespace detail {

struct NAdamRule {
  static constexpr const char* name = "NAdam";
  static void check(const NAdamOptions& o);
  static void step(const NAdamOptions& o, StepWork<NAdamState>& work);
};

}  // namespace detail

/// NAdam (Dozat, ICLR 2016). Options, defaults and results are those of torch.optim.NAdam.
using NAdam = RuleOptimizer<detail::NAdamRule, NAdamOptions, NAdamState>;

}  // namespace tenon::optim
