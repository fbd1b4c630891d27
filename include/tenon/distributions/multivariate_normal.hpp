// Normal vectors.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Normal vectors of mean `loc`, given with one matrix: `MultivariateNormal{.loc = mu, .covariance_matrix = c}`, or the
/// inverse of it, or `scale_tril`, the lower triangle whose product with its transpose it is: the fastest.
/// Shapes: loc (.., n), the matrices (.., n, n); leading dimensions broadcast.
/// Errors: ValueError unless exactly one matrix is given, for a wrong shape, and for one that is not positive definite.
/// Source: torch.distributions.MultivariateNormal of PyTorch 2.15.
struct MultivariateNormal {
  Parameter loc, covariance_matrix = {}, precision_matrix = {};
  Parameter scale_tril = {};  ///< follows from the others where it is not given
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(MultivariateNormal)
  TENON_INTERNAL_RSAMPLE
  Tensor mode() const;
  Tensor entropy() const;
  /// The matrices by whatever was given. Shapes: batch_shape() + (n, n).
  Tensor covariance() const;
  Tensor precision() const;
};

namespace detail {
/// The squared length of `x` in units of a normal distribution with this triangle. Shapes: (.., n, n), (.., n) to (..).
Tensor mahalanobis(const Tensor& scale_tril, const Tensor& x);
/// Half the logarithm of the determinant of its covariance.
Tensor half_log_det(const Tensor& scale_tril);
/// Checks that one of the matrices is given, of `n` rows or of any number for -1, and sets the triangle by it.
void one_matrix(const char* distribution, Parameter& covariance, Parameter& precision, Parameter& scale_tril,
                std::int64_t n, bool validate);
}  // namespace detail

}  // namespace tenon::distributions
