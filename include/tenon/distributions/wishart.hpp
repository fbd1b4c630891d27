// Scatter matrices of normal vectors.
#pragma once
#include <tenon/distributions/multivariate_normal.hpp>

namespace tenon::distributions {

/// Sums x @ x^T of `df` normal vectors of mean 0, their matrix given in one of the forms of MultivariateNormal:
/// `Wishart{.df = 5, .scale_tril = l}`. `df` need not be whole. Shapes: df (..), the matrices (.., n, n), which
/// broadcast; the event is (n, n). A matrix drawn that is singular is drawn again, at most `max_try_correction` times;
/// they are likely for df < n, of which a warning tells. Errors: ValueError unless exactly one matrix is given, for a
/// wrong shape, for one that is not positive definite, and unless df > n - 1. Draws are by the Bartlett decomposition.
/// Source: torch.distributions.Wishart of PyTorch 2.15.
struct Wishart {
  Parameter df, covariance_matrix = {}, precision_matrix = {};
  Parameter scale_tril = {};  ///< follows from the others where it is not given
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Wishart)
  Tensor rsample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt,
                 std::int64_t max_try_correction = 10) const;
  /// NaN for df <= n + 1.
  Tensor mode() const;
  Tensor entropy() const;
  /// The matrices by whatever was given. Shapes: batch_shape() + (n, n).
  Tensor covariance() const;
  Tensor precision() const;
};

namespace detail {
/// The mean of the logarithm of the determinant of what is drawn for 2 x degrees of freedom and the identity, less
/// n log(2). Shapes: as of x.
Tensor mean_log_det(const Tensor& x, std::int64_t n);
}  // namespace detail

}  // namespace tenon::distributions
