// RMSprop: steps divided by the root of a decaying mean of squared gradients.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct RMSpropOptions {
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
  bool maximize = false;
  TENON_FIELDS(lr, alpha, eps, weight_decay, momentum, centered, maximize)
};
struct RMSpropState {
  Tensor step, square_avg, grad_avg, momentum_buffer;
  TENON_FIELDS(step, square_avg, grad_avg, momentum_buffer)
};

namespace detail {

struct RMSpropRule {
  static constexpr const char* name = "RMSprop";
  static void check(const RMSpropOptions& o);
  static void step(const RMSpropOptions& o, StepWork<RMSpropState>& work);
};

}  // namespace detail

/// RMSprop (Hinton's lectures of 2012; centred: Graves, arXiv 1308.0850). Options, defaults and results are those of
/// torch.optim.RMSprop.
using RMSprop = RuleOptimizer<detail::RMSpropRule, RMSpropOptions, RMSpropState>;

}  // namespace tenon::optim
