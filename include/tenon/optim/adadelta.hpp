// Adadelta: steps as long as the last ones, divided by the root of a mean of squared gradients.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct AdadeltaOptions {
  double lr = 1.0;
  double rho = 0.9;
  double eps = 1e-6;
  double weight_decay = 0;
  bool maximize = false;
  TENON_FIELDS(lr, rho, eps, weight_decay, maximize)
};
struct AdadeltaState {
  Tensor step, square_avg, acc_delta;
  TENON_FIELDS(step, square_avg, acc_delta)
};

namespace detail {

struct AdadeltaRule {
  static constexpr const char* name = "Adadelta";
  static void check(const AdadeltaOptions& o);
  static void step(const AdadeltaOptions& o, StepWork<AdadeltaState>& work);
};

}  // namespace detail

/// Adadelta (Zeiler, arXiv 1212.5701). Options, defaults and results are those of torch.optim.Adadelta.
using Adadelta = RuleOptimizer<detail::AdadeltaRule, AdadeltaOptions, AdadeltaState>;

}  // namespace tenon::optim
