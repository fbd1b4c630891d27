// Averaged stochastic gradient descent.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct ASGDOptions {
  double lr = 1e-2;
  double lambd = 1e-4;
  double alpha = 0.75;
  double t0 = 1e6;  ///< the step from which parameters are averaged
  double weight_decay = 0;
  bool maximize = false;
  TENON_FIELDS(lr, lambd, alpha, t0, weight_decay, maximize)
};
struct ASGDState {
  Tensor step, eta, mu, ax;
  static detail::StateForm form_of(const std::string& field, const Tensor& p) {
    return detail::number_or_like(field != "ax", p);
  }
  TENON_FIELDS(step, eta, mu, ax)
};

namespace detail {

struct ASGDRule {
  static constexpr const char* name = "ASGD";
  static void check(const ASGDOptions& o);
  static void step(const ASGDOptions& o, StepWork<ASGDState>& work);
};

}  // namespace detail

/// Averaged SGD (Polyak and Juditsky, SIAM J. Control Optim. 30:4, 1992); the averages are `ax` of state(). Options,
/// defaults and results are those of torch.optim.ASGD.
using ASGD = RuleOptimizer<detail::ASGDRule, ASGDOptions, ASGDState>;

}  // namespace tenon::optim
