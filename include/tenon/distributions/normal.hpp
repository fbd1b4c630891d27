// Normal numbers, their exponentials and their sizes.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// The normal distribution of mean `loc` and deviation `scale`: `Normal{.loc = mu, .scale = sigma}`, `Normal{0, 1}`.
/// Parameters broadcast. Errors: ValueError unless scale > 0.
/// Source: torch.distributions.Normal of PyTorch 2.15, as each distribution has its namesake there; one seed, one
/// sample.
struct Normal {
  Parameter loc, scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Normal)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

/// exp(x) for a normal x of mean `loc` and deviation `scale`. Errors: ValueError unless scale > 0.
struct LogNormal {
  Parameter loc, scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(LogNormal)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
  /// The distribution of the logarithm.
  Normal base() const { return {loc, scale, false}; }
};

/// |x| for a normal x of mean 0 and deviation `scale`. Errors: ValueError unless scale > 0.
struct HalfNormal {
  Parameter scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(HalfNormal)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
  /// The distribution with both signs.
  Normal base() const { return {0, scale, false}; }
};

}  // namespace tenon::distributions
