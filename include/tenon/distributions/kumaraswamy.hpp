// Numbers of [0, 1] whose distribution function has an inverse.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// (1 - (1 - u)^(1 / concentration0))^(1 / concentration1) for u uniform in [0, 1): much as Beta, with a formula for
/// the distribution function. Errors: ValueError unless both are > 0. Source: torch.distributions.Kumaraswamy of
/// PyTorch 2.15.
struct Kumaraswamy {
  Parameter concentration1, concentration0;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Kumaraswamy)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  /// NaN where a concentration is below 1: the density has no greatest value there. PyTorch gives NaN for
  /// concentration0 > 1 too, the logarithm of a negative number.
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
