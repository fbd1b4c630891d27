// Normal vectors of many numbers, a few of whose directions are tied.
#pragma once
#include <tenon/distributions/multivariate_normal.hpp>

namespace tenon::distributions {

/// Normal vectors of mean `loc` and covariance cov_factor @ cov_factor^T + diag(cov_diag), with work that grows with n
/// and not with its square: only a matrix (rank, rank) is factored. Shapes: loc (.., n), cov_factor (.., n, rank),
/// cov_diag (.., n); leading dimensions broadcast. Errors: ValueError for other shapes and unless cov_diag > 0.
/// Source: torch.distributions.LowRankMultivariateNormal of PyTorch 2.15.
struct LowRankMultivariateNormal {
  Parameter loc, cov_factor, cov_diag;
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(LowRankMultivariateNormal)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
  /// The matrices in full. Shapes: batch_shape() + (n, n).
  Tensor covariance() const;
  Tensor precision() const;
  Tensor scale_tril() const;
};

namespace detail {
/// The factored small matrix, I + cov_factor^T diag(1 / cov_diag) cov_factor, and what follows from it.
struct LowRank {
  explicit LowRank(const LowRankMultivariateNormal& d);
  Tensor log_det() const;
  /// The squared length of `x` in units of the distribution. Shapes: (.., n) to (..).
  Tensor mahalanobis(const Tensor& x) const;
  /// What cov_diag alone makes too large of an inverse: A with A^T A. Shape: (.., rank, n).
  Tensor excess() const;
  Tensor diag, weighted, triangle;
};
}  // namespace detail

}  // namespace tenon::distributions
