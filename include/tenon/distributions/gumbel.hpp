// Greatest of many.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// The distribution of loc - scale * log(x) for an exponential x of rate 1. Errors: ValueError unless scale > 0.
/// Source: torch.distributions.Gumbel of PyTorch 2.15.
struct Gumbel {
  Parameter loc, scale;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Gumbel)
  TENON_INTERNAL_RSAMPLE
  TENON_INTERNAL_CDF
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
