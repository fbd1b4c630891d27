// L-BFGS: quasi-Newton steps from the last changes of parameters and gradients, with a line search.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct LBFGSOptions {
  double lr = 1;
  std::int64_t max_iter = 20;                 ///< per step
  std::optional<std::int64_t> max_eval = {};  ///< calls of the closure per step; 5/4 max_iter if not given
  double tolerance_grad = 1e-7;
  double tolerance_change = 1e-9;
  std::int64_t history_size = 100;
  std::string line_search_fn = "";  ///< or `strong_wolfe`
  bool maximize = false;
  TENON_FIELDS(lr, max_iter, max_eval, tolerance_grad, tolerance_change, history_size, line_search_fn, maximize)
};

namespace detail {

/// What one step leaves for the next. Vectors hold all parameters one after another.
struct LBFGSState {
  std::int64_t func_evals = 0, n_iter = 0;
  double t = 0, h_diag = 1, prev_loss = 0;
  Tensor d, prev_flat_grad;
  std::vector<Tensor> old_dirs, old_stps;
  std::vector<double> ro;
};

}  // namespace detail

/// L-BFGS (Nocedal and Wright, Numerical Optimization, 2006, algorithms 7.4, 3.5 and 3.6). Options, defaults and
/// results are those of torch.optim.LBFGS. All parameters form one group, of one real dtype.
/// Errors: as the other optimisers'; ValueError for step() without a closure.
class LBFGS : public Optimizer {
 public:
  using options_type = LBFGSOptions;
  explicit LBFGS(std::vector<Tensor> parameters, LBFGSOptions options = {});

  /// Refused: the loss is needed at several places.
  void step() override;
  Tensor step(Closure closure) override;

  LBFGSOptions& options() { return options_; }
  const LBFGSOptions& options() const { return options_; }
  std::size_t group_count() const override { return 1; }
  std::vector<OptionRef> option_refs(std::size_t) override;

 protected:
  nn::NamedTensors rule_state() const override;
  void load_rule_state(nn::NamedTensors& tensors) override;

 private:
  struct Point {
    double loss;
    Tensor grad;
  };
  void check() const;
  Tensor minimize(Closure closure);
  Tensor flat_gradient() const;
  void move(const Tensor& direction, double length) const;
  void restore(const std::vector<Tensor>& values) const;
  void update_direction(const Tensor& grad);
  /// Of the loss that is made small.
  double sign() const { return options_.maximize ? -1 : 1; }
  Point search_line(Closure closure, const Point& from, double slope, double& length, std::int64_t most_evaluations,
                    std::int64_t& evaluations) const;

  LBFGSOptions options_;
  detail::LBFGSState state_;
};

}  // namespace tenon::optim
