// Sums of waiting times, and of squares.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// The gamma distribution of shape `concentration` and mean `concentration / rate`. Errors: ValueError unless both
/// are > 0. `rsample` differentiates implicitly, by `_standard_gamma_grad`.
/// Source: torch.distributions.Gamma of PyTorch 2.15.
struct Gamma {
  Parameter concentration, rate;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Gamma)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
  Tensor cdf(const Tensor& value) const;
};

/// The sum of the squares of `df` standard normal numbers: a gamma distribution of shape df / 2 and rate 1 / 2.
/// Errors: ValueError unless df > 0.
/// Source: torch.distributions.Chi2 of PyTorch 2.15.
struct Chi2 {
  Parameter df;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Chi2)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
  Tensor cdf(const Tensor& value) const;
  Gamma base() const;
};

/// 1 / x for x of a gamma distribution. Errors: ValueError unless both are > 0.
/// Source: torch.distributions.InverseGamma of PyTorch 2.15.
struct InverseGamma {
  Parameter concentration, rate;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(InverseGamma)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
  Tensor cdf(const Tensor& value) const;
  /// The distribution of the reciprocal.
  Gamma base() const { return {concentration, rate, false}; }
};

}  // namespace tenon::distributions
