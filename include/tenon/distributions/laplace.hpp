// Differences of waiting times.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// The distribution with density exp(-|x - loc| / scale) / (2 scale). Errors: ValueError unless scale > 0.
/// Source: torch.distributions.Laplace of PyTorch 2.15.
struct Laplace {
  Parameter loc, scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Laplace)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
