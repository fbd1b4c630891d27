// What lies beyond a threshold.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Numbers from `loc` on with a tail by `concentration`: as a power for > 0, exponential for 0; for < 0 it ends at
/// loc - scale / concentration. The mean is NaN from a concentration of 1 on, the variance from 1/2 on.
/// Errors: ValueError unless scale > 0. Source: torch.distributions.GeneralizedPareto of PyTorch 2.15.
struct GeneralizedPareto {
  Parameter loc, scale, concentration;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(GeneralizedPareto)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  /// Logarithms of `1 - cdf(value)`, exact far out too, and of `cdf(value)`.
  Tensor log_survival_function(const Tensor& value) const;
  Tensor log_cdf(const Tensor& value) const;
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
