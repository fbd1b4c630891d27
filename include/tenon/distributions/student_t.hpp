// Means of few normal numbers.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// loc + scale * x / sqrt(y / df) for a standard normal x and y of Chi2 with `df`. Errors: ValueError unless df and
/// scale are > 0.
/// Source: torch.distributions.StudentT of PyTorch 2.15.
struct StudentT {
  Parameter df, loc = 0.0, scale = 1.0;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(StudentT)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
