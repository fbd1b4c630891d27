// Resilient backpropagation: steps that grow while a gradient keeps its sign.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct RpropOptions {
  double lr = 1e-2;  ///< the first steps' length
  std::pair<double, double> etas = {0.5, 1.2};
  std::pair<double, double> step_sizes = {1e-6, 50};
  bool maximize = false;
  TENON_FIELDS(lr, etas, step_sizes, maximize)
};
struct RpropState {
  Tensor step, prev, step_size;
  TENON_FIELDS(step, prev, step_size)
};

namespace detail {

struct RpropRule {
  static constexpr const char* name = "Rprop";
  static void check(const RpropOptions& o);
  static void step(const RpropOptions& o, StepWork<RpropState>& work);
};

}  // namespace detail

/// Rprop (Riedmiller and Braun, ICNN 1993). Options, defaults and results are those of torch.optim.Rprop.
using Rprop = RuleOptimizer<detail::RpropRule, RpropOptions, RpropState>;

}  // namespace tenon::optim
