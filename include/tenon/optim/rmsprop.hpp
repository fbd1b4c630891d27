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
};
struct RMSpropState {
  Tensor step, square_avg, grad_avg, momentum_buffer;
  TENON_FIELDS(step, square_avg, grad_avg, momentum_buffer)
};

namespace detail {

struct RMSpropRule {
  static constexpr const char* name = "RMSprop";
  static void check(const RMSpropOptions& o) {
    check_not_negative(name, "lr", o.lr);
    check_not_negative(name, "alpha", o.alpha);
    check_not_negative(name, "eps", o.eps);
    check_not_negative(name, "weight_decay", o.weight_decay);
    check_not_negative(name, "momentum", o.momentum);
  }
  static void step(const RMSpropOptions& o, StepWork<RMSpropState>& work) {
    make_state(work, &RMSpropState::square_avg);
    std::vector<Tensor> grad_avgs, buffers;
    if (o.centered) {
      make_state(work, &RMSpropState::grad_avg);
      grad_avgs = work.field(&RMSpropState::grad_avg);
    }
    if (o.momentum > 0) {
      make_state(work, &RMSpropState::momentum_buffer);
      buffers = work.field(&RMSpropState::momentum_buffer);
    }
    ops::_fused_rmsprop_(work.parameters, work.grads, work.field(&RMSpropState::square_avg), grad_avgs, buffers,
                         "lr"_a = o.lr, "alpha"_a = o.alpha, "eps"_a = o.eps, "weight_decay"_a = o.weight_decay,
                         "momentum"_a = o.momentum, "centered"_a = o.centered, "maximize"_a = o.maximize);
  }
};

}  // namespace detail

/// RMSprop (Hinton's lectures of 2012; centred: Graves, arXiv 1308.0850). Options, defaults and results are those of
/// torch.optim.RMSprop.
using RMSprop = RuleOptimizer<detail::RMSpropRule, RMSpropOptions, RMSpropState>;

}  // namespace tenon::optim
