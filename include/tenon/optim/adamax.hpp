// Adamax: decaying means of gradients over a decaying maximum of their sizes.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct AdamaxOptions {
  double lr = 2e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool maximize = false;
  TENON_FIELDS(lr, betas, eps, weight_decay, maximize)
};
struct AdamaxState {
  Tensor step, exp_avg, exp_inf;
  TENON_FIELDS(step, exp_avg, exp_inf)
};

namespace detail {

struct AdamaxRule {
  static constexpr const char* name = "Adamax";
  static void check(const AdamaxOptions& o);
  static void step(const AdamaxOptions& o, StepWork<AdamaxState>& work);
};

}  // namespace detail

/// Adamax (Kingma and Ba, arXiv 1412.6980, section 7). Options, defaults and results are those of torch.optim.Adamax.
using Adamax = RuleOptimizer<detail::AdamaxRule, AdamaxOptions, AdamaxState>;

}  // namespace tenon::optim
