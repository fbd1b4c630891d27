// Adam and AdamW: decaying means of gradients over the root of decaying means of their squares.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct AdamOptions {
  double lr = 1e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool amsgrad = false;
  bool maximize = false;
  bool decoupled_weight_decay = false;  ///< as AdamW decays
  TENON_FIELDS(lr, betas, eps, weight_decay, amsgrad, maximize, decoupled_weight_decay)
};
struct AdamWOptions {
  double lr = 1e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 1e-2;
  bool amsgrad = false;
  bool maximize = false;
  TENON_FIELDS(lr, betas, eps, weight_decay, amsgrad, maximize)
};
struct AdamState {
  Tensor step, exp_avg, exp_avg_sq, max_exp_avg_sq;
  TENON_FIELDS(step, exp_avg, exp_avg_sq, max_exp_avg_sq)
};

namespace detail {

template <class Options>
struct AdamRule {
  static constexpr bool decoupled = std::is_same_v<Options, AdamWOptions>;
  static constexpr const char* name = decoupled ? "AdamW" : "Adam";
  static void check(const Options& o);
  static void step(const Options& o, StepWork<AdamState>& work);
};

}  // namespace detail

/// Adam (Kingma and Ba, arXiv 1412.6980; amsgrad: Reddi, Kale and Kumar, ICLR 2018). Options, defaults and results are
/// those of torch.optim.Adam.
using Adam = RuleOptimizer<detail::AdamRule<AdamOptions>, AdamOptions, AdamState>;
/// Adam whose weight decay shrinks the parameter itself (Loshchilov and Hutter, arXiv 1711.05101), as
/// torch.optim.AdamW.
using AdamW = RuleOptimizer<detail::AdamRule<AdamWOptions>, AdamWOptions, AdamState>;

}  // namespace tenon::optim
