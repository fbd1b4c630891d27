// Numbers of rare events.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// The number of events of which `rate` are expected. Errors: ValueError unless rate >= 0.
/// Source: torch.distributions.Poisson of PyTorch 2.15.
struct Poisson {
  Parameter rate;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Poisson)
  Tensor mode() const;
};

}  // namespace tenon::distributions
