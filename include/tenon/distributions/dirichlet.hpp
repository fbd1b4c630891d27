// Probabilities that are drawn themselves.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Vectors of nonnegative numbers with sum 1, of mean concentration / sum(concentration). Shapes: concentration
/// (.., n), whose last dimension is the event's. Errors: ValueError unless all are > 0.
/// `sample` and `rsample` draw the same numbers, PyTorch's; `rsample` differentiates implicitly and once, by
/// `_dirichlet_grad`. Source: torch.distributions.Dirichlet of PyTorch 2.15.
struct Dirichlet {
  Parameter concentration;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Dirichlet)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
};

/// Numbers of [0, 1], of mean concentration1 / (concentration1 + concentration0): the first of two of a Dirichlet
/// distribution, drawn and differentiated as there. Errors: ValueError unless both are > 0.
/// Source: torch.distributions.Beta of PyTorch 2.15.
struct Beta {
  Parameter concentration1, concentration0;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Beta)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
  /// The distribution of the number and of what it lacks to 1.
  Dirichlet base() const;
};

}  // namespace tenon::distributions
