// Numbers of an interval, all alike.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// The uniform distribution on [low, high): `Uniform{.low = 0, .high = 2}`. Errors: ValueError unless low < high.
/// Values are checked against the closed interval, as PyTorch does. Source: torch.distributions.Uniform of
/// PyTorch 2.15.
struct Uniform {
  Parameter low, high;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Uniform)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
