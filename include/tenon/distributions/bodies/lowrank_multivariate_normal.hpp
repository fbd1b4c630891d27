// Normal vectors by a factor and a diagonal, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/lowrank_multivariate_normal.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/solve.hpp>

namespace tenon::distributions {

namespace detail {

inline Tensor times_vector(const Tensor& matrix, const Tensor& x) {
  return ops::matmul(matrix, x.unsqueeze(-1)).squeeze(-1);
}
inline Tensor identity_beside(const Tensor& matrix, std::int64_t n) {
  return ops::eye(n, matrix.options().requires_grad(false));
}

TENON_BODY LowRank::LowRank(const LowRankMultivariateNormal& d)
    : diag(d.cov_diag), weighted(d.cov_factor.transpose(-2, -1) / d.cov_diag.unsqueeze(-2)) {
  Tensor small = ops::matmul(weighted, d.cov_factor);
  triangle = ops::linalg_cholesky(small + identity_beside(small, small.size(-1)));
}
TENON_BODY Tensor LowRank::log_det() const { return 2 * half_log_det(triangle) + diag.log().sum(-1); }
TENON_BODY Tensor LowRank::mahalanobis(const Tensor& x) const {
  return (x.pow(2) / diag).sum(-1) - detail::mahalanobis(triangle, times_vector(weighted, x));
}
TENON_BODY Tensor LowRank::excess() const {
  return ops::linalg_solve_triangular(triangle, weighted, "upper"_a = false);
}

}  // namespace detail

TENON_BODY detail::Ready LowRankMultivariateNormal::make() {
  TENON_CHECK(loc.defined() && loc.dim() >= 1, ValueError, name,
              ": expected parameter 'loc' to have at least 1 dimension");
  std::int64_t n = loc.size(-1);
  TENON_CHECK(cov_factor.defined() && cov_factor.dim() >= 2 && cov_factor.size(-2) == n, ValueError, name,
              ": expected parameter 'cov_factor' of shape (.., ", n, ", rank), got shape ",
              cov_factor.defined() ? cov_factor.sizes() : IntArrayRef());
  TENON_CHECK(cov_diag.defined() && cov_diag.dim() >= 1 && cov_diag.size(-1) == n, ValueError, name,
              ": expected parameter 'cov_diag' of shape (.., ", n, "), got shape ",
              cov_diag.defined() ? cov_diag.sizes() : IntArrayRef());
  if (validate_args) {
    detail::check_parameter(name, "loc", loc, constraints::real_vector());
    detail::check_parameter(name, "cov_factor", cov_factor, constraints::independent(constraints::real(), 2));
    detail::check_parameter(name, "cov_diag", cov_diag, constraints::independent(constraints::positive(), 1));
  }
  loc = ops::broadcast_tensors({loc, cov_factor.select(-1, 0), cov_diag})[0];
  return {name, {}, false};
}
TENON_BODY DimVector LowRankMultivariateNormal::batch_shape() const {
  return loc.sizes().slice(0, loc.sizes().size() - 1);
}
TENON_BODY DimVector LowRankMultivariateNormal::event_shape() const { return {loc.size(-1)}; }
TENON_BODY LowRankMultivariateNormal LowRankMultivariateNormal::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&LowRankMultivariateNormal::loc}, 1);  // the others broadcast
}
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(LowRankMultivariateNormal)
TENON_BODY Constraint LowRankMultivariateNormal::support() const { return constraints::real_vector(); }
TENON_BODY Tensor LowRankMultivariateNormal::mean() const { return loc; }
TENON_BODY Tensor LowRankMultivariateNormal::mode() const { return loc; }
TENON_BODY Tensor LowRankMultivariateNormal::variance() const {
  return (cov_factor.pow(2).sum(-1) + cov_diag).expand(loc.sizes());
}
TENON_BODY Tensor LowRankMultivariateNormal::covariance() const {
  Tensor c = ops::matmul(cov_factor, cov_factor.transpose(-2, -1)) + ops::diag_embed(cov_diag);
  return c.expand(detail::joined(loc.sizes(), loc.size(-1)));
}
TENON_BODY Tensor LowRankMultivariateNormal::precision() const {
  Tensor a = detail::LowRank(*this).excess();
  Tensor p = ops::diag_embed(cov_diag.reciprocal()) - ops::matmul(a.transpose(-2, -1), a);
  return p.expand(detail::joined(loc.sizes(), loc.size(-1)));
}
TENON_BODY Tensor LowRankMultivariateNormal::scale_tril() const {
  // In units of the diagonal eigenvalues are at least 1, so that the factorization is well-conditioned.
  Tensor unit = cov_diag.sqrt().unsqueeze(-1), w = cov_factor / unit;
  Tensor inner = ops::matmul(w, w.transpose(-2, -1)) + detail::identity_beside(w, loc.size(-1));
  return (unit * ops::linalg_cholesky(inner)).expand(detail::joined(loc.sizes(), loc.size(-1)));
}
TENON_BODY Tensor LowRankMultivariateNormal::rsample(IntArrayRef sample_shape,
                                                     const std::optional<Generator>& generator) const {
  DimVector shape = detail::joined(sample_shape, loc.sizes()), tied = shape;
  tied.back() = cov_factor.size(-1);
  Tensor x = detail::standard_normal(loc, tied, generator), y = detail::standard_normal(loc, shape, generator);
  return loc + detail::times_vector(cov_factor, x) + cov_diag.sqrt() * y;
}
TENON_BODY Tensor LowRankMultivariateNormal::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  detail::LowRank part(*this);
  double constant = static_cast<double>(loc.size(-1)) * detail::kLogTwoPi;
  return -0.5 * (constant + part.log_det() + part.mahalanobis(value - loc));
}
TENON_BODY Tensor LowRankMultivariateNormal::entropy() const {
  double constant = static_cast<double>(loc.size(-1)) * (1 + detail::kLogTwoPi);
  return (0.5 * (constant + detail::LowRank(*this).log_det())).expand(batch_shape());
}

}  // namespace tenon::distributions
