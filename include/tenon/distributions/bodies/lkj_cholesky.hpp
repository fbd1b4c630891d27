// Correlations, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/dirichlet.hpp>
#include <tenon/distributions/lkj_cholesky.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/matrix.hpp>

namespace tenon::distributions {

TENON_BODY detail::Ready LKJCholesky::make() {
  TENON_CHECK(dim >= 2, ValueError, name, ": expected 'dim' of at least 2, got ", dim);
  return {name, {{"concentration", &concentration, constraints::positive()}}, validate_args};
}
TENON_BODY DimVector LKJCholesky::batch_shape() const { return concentration.sizes(); }
TENON_BODY DimVector LKJCholesky::event_shape() const { return {dim, dim}; }
TENON_BODY LKJCholesky LKJCholesky::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&LKJCholesky::concentration});
}
TENON_BODY Constraint LKJCholesky::support() const { return constraints::corr_cholesky(); }
TENON_BODY Tensor LKJCholesky::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  TensorOptions options = concentration.options().requires_grad(false);
  Tensor before = (ops::arange(dim, options) - 1).clamp_min(0);
  Tensor marginal = (concentration + 0.5 * static_cast<double>(dim - 2)).unsqueeze(-1);
  Tensor y = Beta{before + 0.5, marginal - 0.5 * before, false}.sample(sample_shape, generator).unsqueeze(-1);
  Tensor x = detail::standard_normal(y, detail::joined(sample_shape, batch_shape(), event_shape()), generator).tril(-1);
  Tensor length = x.pow(2).sum(-1, true).sqrt();
  Tensor w = y.sqrt() * (x / length.masked_fill(length == 0, 1));  // the first row has no direction
  return w + ops::diag_embed((1 - w.pow(2).sum(-1)).clamp_min(finfo(w.dtype()).tiny).sqrt());
}
TENON_BODY Tensor LKJCholesky::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  auto others = static_cast<double>(dim - 1);
  Tensor order = 2 * (concentration - 1).unsqueeze(-1) + static_cast<double>(dim) -
                 ops::arange(2, dim + 1, concentration.options().requires_grad(false));
  Tensor density = (order * value.diagonal(0, -2, -1).narrow(-1, 1, dim - 1).log()).sum(-1);
  Tensor alpha = concentration + 0.5 * others;
  Tensor norm = 0.5 * others * std::log(std::numbers::pi) + (alpha - 0.5).mvlgamma(dim - 1) - others * alpha.lgamma();
  return density - norm;
}

}  // namespace tenon::distributions
