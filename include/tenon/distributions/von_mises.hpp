// Angles.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Angles around `loc`, in radians within [-pi, pi), denser the larger `concentration` is. `variance` is the circular
/// one. Drawn by rejection (Best and Fisher, Applied Statistics 28:2, 1979). Errors: ValueError unless concentration >
/// 0. Source: torch.distributions.VonMises of PyTorch 2.15.
struct VonMises {
  Parameter loc, concentration;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(VonMises)
  Tensor mode() const;
};

}  // namespace tenon::distributions
