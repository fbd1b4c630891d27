// Shades between no and yes.
#pragma once
#include <utility>

#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Numbers x of [0, 1] of density in proportion to probs^x (1 - probs)^(1 - x), as likelihood of pixels say
/// (Loaiza-Ganem and Cunningham, arXiv 1907.06845): `ContinuousBernoulli{.probs = p}` or `.logits`; the other follows.
/// `probs` is kept off 0 and 1, and is not the mean. `lims`: between these values of `probs` formulas are Taylor
/// expansions around 1/2, where the exact ones divide by 0. Errors: ValueError unless one of `probs` and `logits` is
/// given, and for probs outside [0, 1]. Source: torch.distributions.ContinuousBernoulli of PyTorch 2.15.
struct ContinuousBernoulli {
  Parameter probs = {}, logits = {};
  std::pair<double, double> lims = {0.499, 0.501};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(ContinuousBernoulli)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor entropy() const;
};

namespace detail {
/// The logarithm of what the density is multiplied by, so that its integral is 1.
Tensor log_norm(const ContinuousBernoulli& d);
}  // namespace detail

}  // namespace tenon::distributions
