// Scatter matrices, by operators.
#pragma once
#include <tenon/base/warning.hpp>
#include <tenon/distributions/detail/triangle.hpp>
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/gamma.hpp>
#include <tenon/distributions/wishart.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/solve.hpp>

namespace tenon::distributions {

namespace detail {
/// A number for each of a batch beside its matrices.
inline Tensor per_matrix(const Tensor& t) { return t.unsqueeze(-1).unsqueeze(-1); }
inline Tensor scatter_of(const Wishart& d, IntArrayRef sample_shape, const std::optional<Generator>& generator) {
  std::int64_t n = d.scale_tril.size(-1);
  Tensor left = d.df.unsqueeze(-1) - ops::arange(n, d.scale_tril.options().requires_grad(false));
  Tensor spread = Chi2{left, false}.rsample(sample_shape, generator).sqrt().clamp_min(finfo(left.dtype()).eps);
  Tensor below = standard_normal(left, joined(sample_shape, d.df.sizes(), n * (n - 1) / 2), generator);
  Tensor root = ops::matmul(d.scale_tril, ops::diag_embed(spread) + triangle_from(below, n));
  return ops::matmul(root, root.transpose(-2, -1));
}
TENON_BODY Tensor mean_log_det(const Tensor& x, std::int64_t n) {
  return (x.unsqueeze(-1) - 0.5 * ops::arange(n, x.options().requires_grad(false))).digamma().sum(-1);
}
/// Which draws are not positive definite for some of the batch, or for all of it.
inline Tensor singular(const Wishart& d, const Tensor& drawn, bool all) {
  Tensor bad = constraints::positive_definite().check(drawn).logical_not();
  for (std::size_t i = 0; i < d.df.sizes().size(); ++i) bad = all ? bad.all(-1) : bad.any(-1);
  return bad;
}
}  // namespace detail

TENON_BODY detail::Ready Wishart::make() {
  detail::one_matrix(name, covariance_matrix, precision_matrix, scale_tril, -1, validate_args);
  std::int64_t n = scale_tril.size(-1);
  TENON_CHECK(df.defined() || df.number(), ValueError, name, ": parameter 'df' is missing");
  if (df.number()) df = detail::full_beside(scale_tril, {}, *df.number());
  if (validate_args) {
    Tensor least = detail::full_beside(df, {}, static_cast<double>(n - 1));
    detail::check_parameter(name, "df", df, constraints::greater_than(least));
    if ((df < n).any().item<bool>())
      warn(name, ": df is below the ", n, " rows of a matrix; matrices drawn are likely to be singular");
  }
  df = ops::broadcast_tensors({df, scale_tril.select(-1, 0).select(-1, 0)})[0];
  return {name, {}, false};
}
TENON_BODY DimVector Wishart::batch_shape() const { return df.sizes(); }
TENON_BODY DimVector Wishart::event_shape() const { return {scale_tril.size(-1), scale_tril.size(-1)}; }
TENON_BODY Wishart Wishart::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&Wishart::df});  // the matrices broadcast
}
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Wishart)
TENON_BODY Constraint Wishart::support() const { return constraints::positive_definite(); }
TENON_BODY Tensor Wishart::covariance() const {
  return ops::matmul(scale_tril, scale_tril.transpose(-2, -1)).expand(detail::joined(batch_shape(), event_shape()));
}
TENON_BODY Tensor Wishart::precision() const {
  return ops::cholesky_inverse(scale_tril).expand(detail::joined(batch_shape(), event_shape()));
}
TENON_BODY Tensor Wishart::mean() const { return detail::per_matrix(df) * covariance(); }
TENON_BODY Tensor Wishart::mode() const {
  Tensor factor = df - (scale_tril.size(-1) + 1);
  return detail::per_matrix(factor.masked_fill(factor <= 0, detail::kNaN)) * covariance();
}
TENON_BODY Tensor Wishart::variance() const {
  Tensor v = covariance(), spread = v.diagonal(0, -2, -1);
  return detail::per_matrix(df) * (v.pow(2) + spread.unsqueeze(-1) * spread.unsqueeze(-2));
}
TENON_BODY Tensor Wishart::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator,
                                   std::int64_t max_try_correction) const {
  Tensor drawn = detail::scatter_of(*this, sample_shape, generator);
  Tensor rows = drawn.reshape(detail::joined(-1, batch_shape(), event_shape())), again, rest;
  {
    NoGradGuard no_grad;
    // PyTorch draws what is not singular once more, and a seed is to give its numbers.
    Tensor bad = detail::singular(*this, rows, true);
    again = bad.logical_not().nonzero().squeeze(1);
    rest = bad.nonzero().squeeze(1);
  }
  for (std::int64_t i = 0; i < max_try_correction; ++i) {
    if (again.numel() != 0) {
      Tensor fresh = detail::scatter_of(*this, {again.numel()}, generator);
      rows = rows.index_copy(0, again, fresh);
      NoGradGuard no_grad;
      again = again.masked_select(detail::singular(*this, fresh, false));
    }
    if (i == 0) {
      again = ops::cat({again, rest});
      if (again.numel() != 0) warn(name, ".rsample(): a matrix drawn is singular, and is drawn again");
    }
    if (again.numel() == 0) break;
  }
  return rows.reshape(drawn.sizes());
}
TENON_BODY Tensor Wishart::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  std::int64_t n = scale_tril.size(-1);
  auto size = static_cast<double>(n);
  Tensor trace = ops::cholesky_solve(value, scale_tril).diagonal(0, -2, -1).sum(-1);
  return -df * (0.5 * size * std::numbers::ln2 + detail::half_log_det(scale_tril)) - (0.5 * df).mvlgamma(n) +
         0.5 * (df - size - 1) * std::get<1>(ops::linalg_slogdet(value)) - 0.5 * trace;
}
TENON_BODY Tensor Wishart::entropy() const {
  std::int64_t n = scale_tril.size(-1);
  auto size = static_cast<double>(n);
  return (size + 1) * (0.5 * size * std::numbers::ln2 + detail::half_log_det(scale_tril)) + (0.5 * df).mvlgamma(n) -
         0.5 * (df - size - 1) * detail::mean_log_det(0.5 * df, n) + 0.5 * size * df;
}

}  // namespace tenon::distributions
