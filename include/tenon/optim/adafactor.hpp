// Adafactor: of a matrix, the mean squares of rows and columns are kept alone.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct AdafactorOptions {
  double lr = 1e-2;
  double beta2_decay = -0.8;
  std::pair<std::optional<double>, double> eps = {std::nullopt, 1e-3};  ///< without the first, that of the dtype
  double d = 1.0;                                                       ///< above it a step's root mean square is cut
  double weight_decay = 0;
  bool maximize = false;
  TENON_FIELDS(lr, beta2_decay, eps, d, weight_decay, maximize)
};
struct AdafactorState {
  Tensor step, row_var, col_var, variance;
  static detail::StateForm form_of(const std::string& field, const Tensor& p);
  TENON_FIELDS(step, row_var, col_var, variance)
};

namespace detail {

struct AdafactorRule {
  static constexpr const char* name = "Adafactor";
  static void check(const AdafactorOptions& o);
  static void step_one(const AdafactorOptions& o, const Tensor& p, const Tensor& grad, AdafactorState& s);
  static void step(const AdafactorOptions& o, StepWork<AdafactorState>& work);
};

}  // namespace detail

/// Adafactor (Shazeer and Stern, arXiv 1804.04235). Options, defaults and results are those of torch.optim.Adafactor.
/// Errors: TypeError for complex parameters.
using Adafactor = RuleOptimizer<detail::AdafactorRule, AdafactorOptions, AdafactorState>;

}  // namespace tenon::optim
