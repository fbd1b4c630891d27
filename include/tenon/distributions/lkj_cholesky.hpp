// Correlations.
#pragma once
#include <cstdint>

#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Lower triangles l of correlation matrices l @ l^T of `dim` rows, whose density goes with
/// det(l @ l^T)^(concentration - 1): all are alike for 1, the identity is near for large ones. Drawn by the onion
/// method (Lewandowski, Kurowicka and Joe, 2009, section 3). Shapes: the event is (dim, dim). Errors: ValueError for a
/// dim below 2 and unless concentration > 0. It has no draws with derivatives, moments or entropy in PyTorch either.
/// Source: torch.distributions.LKJCholesky of PyTorch 2.15.
struct LKJCholesky {
  std::int64_t dim;
  Parameter concentration = 1.0;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION_WITHOUT_MOMENTS(LKJCholesky)
};

}  // namespace tenon::distributions
