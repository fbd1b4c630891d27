// Probabilities made of normal numbers.
#pragma once
#include <tenon/distributions/normal.hpp>
#include <tenon/distributions/transformed_distribution.hpp>

namespace tenon::distributions {

/// Vectors of n + 1 nonnegative numbers with sum 1: what StickBreakingTransform makes of n normal ones. Shapes: loc and
/// scale broadcast to (.., n), one number counts as n = 1; the event is (n + 1). Errors: ValueError unless scale > 0.
/// It has no formula for its moments. Source: torch.distributions.LogisticNormal of PyTorch 2.15.
struct LogisticNormal {
  Parameter loc, scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION_WITHOUT_MOMENTS(LogisticNormal)
  TENON_INTERNAL_RSAMPLE
  /// The normal numbers and the map.
  TransformedDistribution<Normal, StickBreakingTransform> base() const { return {{loc, scale, false}, {}, false}; }
};

}  // namespace tenon::distributions
