// Normal vectors, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/multivariate_normal.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/solve.hpp>

namespace tenon::distributions {

namespace detail {

TENON_BODY Tensor mahalanobis(const Tensor& scale_tril, const Tensor& x) {
  // Samples become columns, so that a matrix is solved with all of them at once.
  std::int64_t batch = scale_tril.dim() - 2, outer = std::max<std::int64_t>(x.dim() - 1 - batch, 0);
  IntArrayRef sizes = x.sizes();
  DimVector rows =
      joined(-1, sizes.slice(static_cast<std::size_t>(outer), sizes.size() - static_cast<std::size_t>(outer)));
  Tensor columns = x.reshape(rows).movedim(0, -1);
  Tensor squares = ops::linalg_solve_triangular(scale_tril, columns, "upper"_a = false).pow(2).sum(-2).movedim(-1, 0);
  IntArrayRef inner = squares.sizes().slice(1, squares.sizes().size() - 1);
  return squares.reshape(joined(sizes.slice(0, static_cast<std::size_t>(outer)), inner));
}
TENON_BODY Tensor half_log_det(const Tensor& scale_tril) { return scale_tril.diagonal(0, -2, -1).log().sum(-1); }

/// The triangle of the inverse of a matrix, without computing that.
inline Tensor triangle_of_inverse(const Tensor& matrix) {
  Tensor turned = ops::linalg_cholesky(matrix.flip({-2, -1})).flip({-2, -1}).transpose(-2, -1);
  return ops::linalg_solve_triangular(turned, ops::eye(matrix.size(-1), matrix.options().requires_grad(false)),
                                      "upper"_a = false);
}

TENON_BODY void one_matrix(const char* distribution, Parameter& covariance, Parameter& precision, Parameter& scale_tril,
                           std::int64_t n, bool validate) {
  struct Matrix {
    const char* name;
    Parameter* value;
    Constraint constraint;
  };
  Matrix matrices[] = {{"covariance_matrix", &covariance, constraints::positive_definite()},
                       {"precision_matrix", &precision, constraints::positive_definite()},
                       {"scale_tril", &scale_tril, constraints::lower_cholesky()}};
  const Matrix* given = nullptr;
  int count = 0;
  for (const Matrix& m : matrices)
    if (m.value->defined()) given = &m, ++count;
  TENON_CHECK(count == 1, ValueError, distribution,
              ": expected exactly one of 'covariance_matrix', 'precision_matrix' and 'scale_tril', got ", count);
  const Tensor& m = *given->value;
  bool square = m.dim() >= 2 && m.size(-1) == m.size(-2);
  if (n < 0)
    TENON_CHECK(square, ValueError, distribution, ": expected parameter '", given->name,
                "' of shape (.., n, n), got shape ", m.sizes());
  else
    TENON_CHECK(square && m.size(-1) == n, ValueError, distribution, ": expected parameter '", given->name,
                "' of shape (.., ", n, ", ", n, "), got shape ", m.sizes());
  if (validate) check_parameter(distribution, given->name, m, given->constraint);
  if (covariance.defined()) scale_tril = ops::linalg_cholesky(covariance);
  if (precision.defined()) scale_tril = triangle_of_inverse(precision);
}

}  // namespace detail

TENON_BODY detail::Ready MultivariateNormal::make() {
  TENON_CHECK(loc.defined() && loc.dim() >= 1, ValueError, name,
              ": expected parameter 'loc' to have at least 1 dimension");
  if (validate_args) detail::check_parameter(name, "loc", loc, constraints::real_vector());
  detail::one_matrix(name, covariance_matrix, precision_matrix, scale_tril, loc.size(-1), validate_args);
  loc = ops::broadcast_tensors({loc, scale_tril.select(-1, 0)})[0];
  return {name, {}, false};
}
TENON_BODY DimVector MultivariateNormal::batch_shape() const { return loc.sizes().slice(0, loc.sizes().size() - 1); }
TENON_BODY DimVector MultivariateNormal::event_shape() const { return {loc.size(-1)}; }
TENON_BODY MultivariateNormal MultivariateNormal::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&MultivariateNormal::loc}, 1);  // the matrices broadcast
}
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(MultivariateNormal)
TENON_BODY Constraint MultivariateNormal::support() const { return constraints::real_vector(); }
TENON_BODY Tensor MultivariateNormal::mean() const { return loc; }
TENON_BODY Tensor MultivariateNormal::mode() const { return loc; }
TENON_BODY Tensor MultivariateNormal::variance() const { return scale_tril.pow(2).sum(-1).expand(loc.sizes()); }
TENON_BODY Tensor MultivariateNormal::covariance() const {
  return ops::matmul(scale_tril, scale_tril.transpose(-2, -1)).expand(detail::joined(loc.sizes(), loc.size(-1)));
}
TENON_BODY Tensor MultivariateNormal::precision() const {
  return ops::cholesky_inverse(scale_tril).expand(detail::joined(loc.sizes(), loc.size(-1)));
}
TENON_BODY Tensor MultivariateNormal::rsample(IntArrayRef sample_shape,
                                              const std::optional<Generator>& generator) const {
  Tensor x = detail::standard_normal(loc, detail::joined(sample_shape, loc.sizes()), generator);
  return loc + ops::matmul(scale_tril, x.unsqueeze(-1)).squeeze(-1);
}
TENON_BODY Tensor MultivariateNormal::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  double constant = static_cast<double>(loc.size(-1)) * detail::kLogTwoPi;
  return -0.5 * (constant + detail::mahalanobis(scale_tril, value - loc)) - detail::half_log_det(scale_tril);
}
TENON_BODY Tensor MultivariateNormal::entropy() const {
  double constant = 0.5 * static_cast<double>(loc.size(-1)) * (1 + detail::kLogTwoPi);
  return (constant + detail::half_log_det(scale_tril)).expand(batch_shape());
}

}  // namespace tenon::distributions
