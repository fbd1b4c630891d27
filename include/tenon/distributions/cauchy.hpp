// Quotients of normal numbers.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Numbers around `loc` without a mean; half of them lie within `scale` of it. Errors: ValueError unless scale > 0.
/// Source: torch.distributions.Cauchy of PyTorch 2.15.
struct Cauchy {
  Parameter loc, scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Cauchy)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

/// |x| for x of a Cauchy distribution around 0. Errors: ValueError unless scale > 0.
/// Source: torch.distributions.HalfCauchy of PyTorch 2.15.
struct HalfCauchy {
  Parameter scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(HalfCauchy)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
  /// The distribution with both signs.
  Cauchy base() const { return {0, scale, false}; }
};

}  // namespace tenon::distributions
