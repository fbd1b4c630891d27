// Waiting times, and powers and exponentials of them.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// The exponential distribution of mean 1 / `rate`: `Exponential{.rate = r}`. Errors: ValueError unless rate > 0.
/// Source: torch.distributions.Exponential of PyTorch 2.15.
struct Exponential {
  Parameter rate;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Exponential)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

/// scale * x^(1 / concentration) for an exponential x of rate 1. Errors: ValueError unless both are > 0.
/// Source: torch.distributions.Weibull of PyTorch 2.15.
struct Weibull {
  Parameter scale, concentration;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Weibull)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

/// scale * exp(x) for an exponential x of rate `alpha`. Errors: ValueError unless both are > 0.
/// Source: torch.distributions.Pareto of PyTorch 2.15.
struct Pareto {
  Parameter scale, alpha;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Pareto)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
