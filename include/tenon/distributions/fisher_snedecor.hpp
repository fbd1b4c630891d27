// Ratios of spreads.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// (x / df1) / (y / df2) for x and y of Chi2 with `df1` and `df2`: the F distribution. Its mean exists for df2 > 2, its
/// mode for df1 > 2, its variance for df2 > 4, else they are NaN. Errors: ValueError unless both are > 0.
/// Source: torch.distributions.FisherSnedecor of PyTorch 2.15.
struct FisherSnedecor {
  Parameter df1, df2;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(FisherSnedecor)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
};

}  // namespace tenon::distributions
