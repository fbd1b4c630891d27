// Muon: the momentum of a matrix, made orthogonal.
#pragma once
#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct MuonOptions {
  double lr = 1e-3;
  double weight_decay = 0.1;
  double momentum = 0.95;
  bool nesterov = true;
  std::array<double, 3> ns_coefficients = {3.4445, -4.7750, 2.0315};
  double eps = 1e-7;
  std::int64_t ns_steps = 5;
  std::string adjust_lr_fn = "original";  ///< or `match_rms_adamw`
  TENON_FIELDS(lr, weight_decay, momentum, nesterov, ns_coefficients, eps, ns_steps, adjust_lr_fn)
};
struct MuonState {
  Tensor momentum_buffer;
  TENON_FIELDS(momentum_buffer)
};

namespace detail {

struct MuonRule {
  static constexpr const char* name = "Muon";
  static void check(const MuonOptions& o);
  static void step(const MuonOptions& o, StepWork<MuonState>& work);
};

}  // namespace detail

/// Muon (Jordan et al., 2024, https://kellerjordan.github.io/posts/muon). Options, defaults and results are those of
/// torch.optim.Muon, which computes the orthogonal factor in bfloat16. Errors: ValueError for a parameter that is no
/// matrix.
using Muon = RuleOptimizer<detail::MuonRule, MuonOptions, MuonState>;

}  // namespace tenon::optim
