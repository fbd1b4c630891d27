// Divergences, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/kl.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/solve.hpp>

namespace tenon::distributions {

namespace detail {

inline constexpr double kGamma = std::numbers::egamma;
inline Tensor x_log_x(const Tensor& x) { return x.xlogy(x); }
inline Tensor infinite_where(const Tensor& t, const Tensor& where) { return t.masked_fill(where, kInfinity); }
/// The integral of the logarithm over an interval, by its length.
inline Tensor mean_log(const Uniform& p) {
  Tensor length = p.high - p.low;
  return (x_log_x(p.high) - x_log_x(p.low) - length) / length;
}
/// What the density of a gamma distribution is divided by.
inline Tensor log_scale(const Gamma& q) { return q.concentration.lgamma() - q.concentration * q.rate.log(); }

/// The sum of the squares of a matrix. Shapes: (.., n, m) to (..).
inline Tensor squares(const Tensor& t) { return t.pow(2).sum({-2, -1}); }
inline double one_size(const Tensor& p, const Tensor& q) {
  std::int64_t n = p.size(-1);
  TENON_CHECK(q.size(-1) == n, ValueError, "kl_divergence(): expected normal vectors of one size, got ", n, " and ",
              q.size(-1));
  return static_cast<double>(n);
}
template <class P>
Tensor from_shades(const P& p, const ContinuousBernoulli& q) {
  return -p.entropy() - p.mean() * q.logits - (-q.probs).log1p() - log_norm(q);
}

}  // namespace detail

#define TENON_INTERNAL_KL(P, Q) TENON_BODY Tensor kl_divergence(const P& p, const Q& q)

TENON_INTERNAL_KL(Normal, Normal) {
  Tensor ratio = (p.scale / q.scale).pow(2);
  return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log());
}
TENON_INTERNAL_KL(LogNormal, LogNormal) { return kl_divergence(p.base(), q.base()); }
TENON_INTERNAL_KL(HalfNormal, HalfNormal) { return kl_divergence(p.base(), q.base()); }
TENON_INTERNAL_KL(Uniform, Uniform) {
  Tensor kl = ((q.high - q.low) / (p.high - p.low)).log();
  return detail::infinite_where(kl, (q.low > p.low) | (q.high < p.high));
}
TENON_INTERNAL_KL(Bernoulli, Bernoulli) {
  Tensor yes = p.probs * (ops::softplus(-q.logits) - ops::softplus(-p.logits));
  yes = detail::infinite_where(yes, q.probs == 0).masked_fill(p.probs == 0, 0);
  Tensor no = (1 - p.probs) * (ops::softplus(q.logits) - ops::softplus(p.logits));
  return yes + detail::infinite_where(no, q.probs == 1).masked_fill(p.probs == 1, 0);
}
TENON_INTERNAL_KL(Categorical, Categorical) {
  Tensor each = p.probs * (p.logits - q.logits);
  return detail::infinite_where(each, q.probs == 0).masked_fill(p.probs == 0, 0).sum(-1);
}
TENON_INTERNAL_KL(OneHotCategorical, OneHotCategorical) { return kl_divergence(p.base(), q.base()); }
TENON_INTERNAL_KL(Exponential, Exponential) {
  Tensor ratio = q.rate / p.rate;
  return ratio - ratio.log() - 1;
}
TENON_INTERNAL_KL(Beta, Beta) {
  Tensor sum_p = p.concentration1 + p.concentration0, sum_q = q.concentration1 + q.concentration0;
  return q.concentration1.lgamma() + q.concentration0.lgamma() + sum_p.lgamma() - p.concentration1.lgamma() -
         p.concentration0.lgamma() - sum_q.lgamma() +
         (p.concentration1 - q.concentration1) * p.concentration1.digamma() +
         (p.concentration0 - q.concentration0) * p.concentration0.digamma() + (sum_q - sum_p) * sum_p.digamma();
}
TENON_INTERNAL_KL(Gamma, Gamma) {
  return q.concentration * (p.rate / q.rate).log() + q.concentration.lgamma() - p.concentration.lgamma() +
         (p.concentration - q.concentration) * p.concentration.digamma() +
         (q.rate - p.rate) * (p.concentration / p.rate);
}
TENON_INTERNAL_KL(Chi2, Chi2) { return kl_divergence(p.base(), q.base()); }
TENON_INTERNAL_KL(Dirichlet, Dirichlet) {
  Tensor sum_p = p.concentration.sum(-1), sum_q = q.concentration.sum(-1);
  Tensor above = p.concentration.digamma() - sum_p.digamma().unsqueeze(-1);
  return sum_p.lgamma() - sum_q.lgamma() - (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1) +
         ((p.concentration - q.concentration) * above).sum(-1);
}
TENON_INTERNAL_KL(Laplace, Laplace) {
  Tensor ratio = p.scale / q.scale, distance = (p.loc - q.loc).abs();
  return distance / q.scale - ratio.log() + ratio * (-distance / p.scale).exp() - 1;
}
TENON_INTERNAL_KL(Poisson, Poisson) { return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate); }
TENON_INTERNAL_KL(Binomial, Binomial) {
  TENON_CHECK(!(p.total_count < q.total_count).any().item<bool>(), NotImplementedError,
              "kl_divergence(): expected Binomial 'q' to count to no more than 'p'");
  Tensor kl = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p());
  return detail::infinite_where(kl, p.total_count > q.total_count);
}
TENON_INTERNAL_KL(Geometric, Geometric) { return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits; }
TENON_INTERNAL_KL(Cauchy, Cauchy) {
  return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log();
}
TENON_INTERNAL_KL(Gumbel, Gumbel) {
  Tensor ratio = p.scale / q.scale, moved = (q.loc - p.loc) / q.scale;
  return (moved + (1 + ratio).lgamma()).exp() - ratio.log() - moved + ratio * detail::kGamma - (1 + detail::kGamma);
}
TENON_INTERNAL_KL(Pareto, Pareto) {
  Tensor ratio = q.alpha / p.alpha;
  return detail::infinite_where(q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1, p.scale < q.scale);
}
TENON_INTERNAL_KL(MultivariateNormal, MultivariateNormal) {
  double n = detail::one_size(p.loc, q.loc);
  Tensor spread = detail::squares(ops::linalg_solve_triangular(q.scale_tril, p.scale_tril, "upper"_a = false));
  Tensor moved = detail::mahalanobis(q.scale_tril, q.loc - p.loc);
  return detail::half_log_det(q.scale_tril) - detail::half_log_det(p.scale_tril) + 0.5 * (spread + moved - n);
}
TENON_INTERNAL_KL(LowRankMultivariateNormal, LowRankMultivariateNormal) {
  double n = detail::one_size(p.loc, q.loc);
  detail::LowRank of_p(p), of_q(q);
  Tensor excess = of_q.excess();
  Tensor spread = (p.cov_diag / q.cov_diag).sum(-1) + detail::squares(p.cov_factor * q.cov_diag.rsqrt().unsqueeze(-1)) -
                  detail::squares(excess * p.cov_diag.sqrt().unsqueeze(-2)) -
                  detail::squares(ops::matmul(excess, p.cov_factor));
  return 0.5 * (of_q.log_det() - of_p.log_det() + spread + of_q.mahalanobis(q.loc - p.loc) - n);
}
TENON_INTERNAL_KL(MultivariateNormal, LowRankMultivariateNormal) {
  double n = detail::one_size(p.loc, q.loc);
  detail::LowRank of_q(q);
  Tensor spread = detail::squares(p.scale_tril * q.cov_diag.rsqrt().unsqueeze(-1)) -
                  detail::squares(ops::matmul(of_q.excess(), p.scale_tril));
  return 0.5 * (of_q.log_det() + spread + of_q.mahalanobis(q.loc - p.loc) - n) - detail::half_log_det(p.scale_tril);
}
TENON_INTERNAL_KL(LowRankMultivariateNormal, MultivariateNormal) {
  double n = detail::one_size(p.loc, q.loc);
  auto in_units = [&](const Tensor& t) {
    return detail::squares(ops::linalg_solve_triangular(q.scale_tril, t, "upper"_a = false));
  };
  Tensor spread = in_units(p.cov_factor) + in_units(ops::diag_embed(p.cov_diag.sqrt()));
  Tensor moved = detail::mahalanobis(q.scale_tril, q.loc - p.loc);
  return detail::half_log_det(q.scale_tril) + 0.5 * (spread + moved - detail::LowRank(p).log_det() - n);
}
TENON_INTERNAL_KL(Wishart, Wishart) {
  double n = detail::one_size(p.scale_tril, q.scale_tril);
  std::int64_t rows = p.scale_tril.size(-1);
  Tensor ratio = detail::squares(ops::linalg_solve_triangular(q.scale_tril, p.scale_tril, "upper"_a = false));
  return q.df * (detail::half_log_det(q.scale_tril) - detail::half_log_det(p.scale_tril)) + 0.5 * p.df * (ratio - n) +
         (0.5 * q.df).mvlgamma(rows) - (0.5 * p.df).mvlgamma(rows) +
         0.5 * (p.df - q.df) * detail::mean_log_det(0.5 * p.df, rows);
}
TENON_INTERNAL_KL(ContinuousBernoulli, ContinuousBernoulli) {
  return p.mean() * (p.logits - q.logits) + detail::log_norm(p) + (-p.probs).log1p() - detail::log_norm(q) -
         (-q.probs).log1p();
}
TENON_INTERNAL_KL(InverseGamma, InverseGamma) { return kl_divergence(p.base(), q.base()); }
TENON_INTERNAL_KL(HalfCauchy, HalfCauchy) { return kl_divergence(p.base(), q.base()); }
TENON_INTERNAL_KL(LogisticNormal, LogisticNormal) { return kl_divergence(p.base(), q.base()); }

TENON_INTERNAL_KL(Beta, ContinuousBernoulli) { return detail::from_shades(p, q); }
TENON_INTERNAL_KL(Uniform, ContinuousBernoulli) {
  return detail::infinite_where(detail::from_shades(p, q), (p.high >= 1) | (p.low <= 0));
}
TENON_INTERNAL_KL(ContinuousBernoulli, Exponential) { return -p.entropy() - q.rate.log() + q.rate * p.mean(); }
TENON_INTERNAL_KL(ContinuousBernoulli, Normal) {
  Tensor mean = p.mean(), squares = p.variance() + (mean - q.loc).pow(2);
  return -p.entropy() + 0.5 * detail::kLogTwoPi + q.scale.log() + squares / (2 * q.scale.pow(2));
}
TENON_INTERNAL_KL(ContinuousBernoulli, Uniform) {
  return detail::infinite_where((q.high - q.low).log() - p.entropy(), (q.low >= 0) | (q.high <= 1));
}
TENON_INTERNAL_KL(Bernoulli, Poisson) { return -p.entropy() - (p.probs * q.rate.log() - q.rate); }
TENON_INTERNAL_KL(Beta, Exponential) { return -p.entropy() - q.rate.log() + q.rate * p.mean(); }
TENON_INTERNAL_KL(Beta, Gamma) {
  Tensor mean_log = p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma();
  return -p.entropy() + detail::log_scale(q) - (q.concentration - 1) * mean_log + q.rate * p.mean();
}
TENON_INTERNAL_KL(Beta, Normal) {
  Tensor mean = p.mean(), sum = p.concentration1 + p.concentration0, variance = q.scale.pow(2);
  Tensor square = mean * (1 - mean) / (sum + 1) + mean.pow(2);
  return -p.entropy() + 0.5 * (variance * 2 * std::numbers::pi).log() +
         (0.5 * square - q.loc * mean + 0.5 * q.loc.pow(2)) / variance;
}
TENON_INTERNAL_KL(Beta, Uniform) {
  return detail::infinite_where(-p.entropy() + (q.high - q.low).log(), (q.low > 0) | (q.high < 1));
}
TENON_INTERNAL_KL(Exponential, Gamma) {
  Tensor ratio = q.rate / p.rate;
  return ratio - q.concentration * ratio.log() + q.concentration.lgamma() + q.concentration * detail::kGamma -
         (1 + detail::kGamma);
}
TENON_INTERNAL_KL(Exponential, Gumbel) {
  Tensor product = p.rate * q.scale, ratio = q.loc / q.scale;
  return product.log() - 1 - ratio + ratio.exp() * product / (product + 1) + product.reciprocal();
}
TENON_INTERNAL_KL(Exponential, Normal) {
  Tensor variance = q.scale.pow(2), square = p.rate.pow(2);
  return 0.5 * (square * variance * 2 * std::numbers::pi).log() - 1 +
         (square.reciprocal() - q.loc / p.rate + 0.5 * q.loc.pow(2)) / variance;
}
TENON_INTERNAL_KL(Gamma, Exponential) { return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate; }
TENON_INTERNAL_KL(Gamma, Gumbel) {
  Tensor product = p.rate * q.scale, ratio = q.loc / q.scale, c = p.concentration;
  return (c - 1) * c.digamma() - c.lgamma() - c + product.log() + c / product +
         ratio.exp() * (1 + product.reciprocal()).pow(-c) - ratio;
}
TENON_INTERNAL_KL(Gamma, Normal) {
  Tensor variance = q.scale.pow(2), square = p.rate.pow(2), c = p.concentration;
  Tensor moments = 0.5 * (c.pow(2) + c) / square - q.loc * c / p.rate + 0.5 * q.loc.pow(2);
  return 0.5 * (square * variance * 2 * std::numbers::pi).log() - c - c.lgamma() + (c - 1) * c.digamma() +
         moments / variance;
}
TENON_INTERNAL_KL(Gumbel, Normal) {
  Tensor ratio = p.scale / q.scale, moved = (p.loc + p.scale * detail::kGamma - q.loc) / q.scale;
  return (std::numbers::pi * 0.5 * ratio).pow(2) / 3 + 0.5 * moved.pow(2) - ratio.log() + 0.5 * detail::kLogTwoPi -
         (detail::kGamma + 1);
}
TENON_INTERNAL_KL(Laplace, Normal) {
  Tensor variance = q.scale.pow(2), ratio = p.scale.pow(2) / variance;
  return ratio - 0.5 * (2 * ratio / std::numbers::pi).log() + 0.5 * (p.loc - q.loc).pow(2) / variance - 1;
}
TENON_INTERNAL_KL(Normal, Gumbel) {
  Tensor ratio = (p.scale / q.scale).pow(2), moved = (p.loc - q.loc) / q.scale;
  return moved - 0.5 * ratio.log() + (0.5 * ratio - moved).exp() - 0.5 * (1 + detail::kLogTwoPi);
}
TENON_INTERNAL_KL(Normal, Laplace) {
  Tensor moved = p.loc - q.loc, x = moved / p.scale;
  Tensor distance =
      std::sqrt(2 / std::numbers::pi) * p.scale * (-0.5 * x.pow(2)).exp() + moved * (std::sqrt(0.5) * x).erf();
  return distance / q.scale - (p.scale / q.scale).log() - 0.5 * (1 + std::log(0.5 * std::numbers::pi));
}
TENON_INTERNAL_KL(Pareto, Exponential) {
  Tensor product = p.scale * q.rate;
  Tensor kl = (p.alpha / product).log() - p.alpha.reciprocal() + p.alpha * product / (p.alpha - 1) - 1;
  return detail::infinite_where(kl, p.alpha <= 1);
}
TENON_INTERNAL_KL(Pareto, Gamma) {
  Tensor mean_log = p.scale.log() + p.alpha.reciprocal();
  Tensor kl = p.alpha.log() - mean_log + detail::log_scale(q) + (1 - q.concentration) * mean_log +
              q.rate * p.alpha * p.scale / (p.alpha - 1) - 1;
  return detail::infinite_where(kl, p.alpha <= 1);
}
TENON_INTERNAL_KL(Pareto, Normal) {
  Tensor excess = p.scale / (p.alpha - 1);
  Tensor squares = p.alpha * excess.pow(2) / (p.alpha - 2) + (p.alpha * excess - q.loc).pow(2);
  Tensor kl = (q.scale * p.alpha / p.scale).log() + 0.5 * detail::kLogTwoPi - p.alpha.reciprocal() +
              squares / (2 * q.scale.pow(2)) - 1;
  return detail::infinite_where(kl, p.alpha <= 2);
}
TENON_INTERNAL_KL(Uniform, Beta) {
  Tensor length = p.high - p.low, rest_high = 1 - p.high, rest_low = 1 - p.low;
  Tensor rest = (detail::x_log_x(rest_high) - detail::x_log_x(rest_low) + length) / length;
  Tensor log_beta =
      q.concentration1.lgamma() + q.concentration0.lgamma() - (q.concentration1 + q.concentration0).lgamma();
  Tensor kl = (q.concentration0 - 1) * rest + log_beta - length.log() - (q.concentration1 - 1) * detail::mean_log(p);
  return detail::infinite_where(kl, (p.high > 1) | (p.low < 0));
}
TENON_INTERNAL_KL(Uniform, Exponential) {
  Tensor kl = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log();
  return detail::infinite_where(kl, p.low < 0);
}
TENON_INTERNAL_KL(Uniform, Gamma) {
  Tensor kl = detail::log_scale(q) - (p.high - p.low).log() + (1 - q.concentration) * detail::mean_log(p) +
              q.rate * (p.high + p.low) / 2;
  return detail::infinite_where(kl, p.low < 0);
}
TENON_INTERNAL_KL(Uniform, Gumbel) {
  Tensor ratio = q.scale / (p.high - p.low), high = (p.high - q.loc) / q.scale, low = (p.low - q.loc) / q.scale;
  return ratio.log() + 0.5 * (high + low) - ratio * ((-high).exp() - (-low).exp());
}
TENON_INTERNAL_KL(Uniform, Normal) {
  Tensor length = p.high - p.low, squares = length.pow(2) / 12 + ((p.high + p.low - 2 * q.loc) / 2).pow(2);
  return (q.scale / length).log() + 0.5 * detail::kLogTwoPi + 0.5 * squares / q.scale.pow(2);
}
TENON_INTERNAL_KL(Uniform, Pareto) {
  Tensor kl = detail::mean_log(p) * (q.alpha + 1) - (q.alpha * q.scale.pow(q.alpha) * (p.high - p.low)).log();
  return detail::infinite_where(kl, p.low < q.scale);
}
#undef TENON_INTERNAL_KL

#define TENON_INTERNAL_KL(P, Q, FIELD_P, FIELD_Q)                                                \
  TENON_BODY Tensor kl_divergence(const P& p, const Q& q) {                                      \
    return ops::full_like(ops::broadcast_tensors({p.FIELD_P, q.FIELD_Q})[0], detail::kInfinity); \
  }
TENON_INTERNAL_KL(Beta, Pareto, concentration1, scale)
TENON_INTERNAL_KL(ContinuousBernoulli, Pareto, probs, scale)
TENON_INTERNAL_KL(Exponential, Beta, rate, concentration1)
TENON_INTERNAL_KL(Exponential, ContinuousBernoulli, rate, probs)
TENON_INTERNAL_KL(Exponential, Pareto, rate, scale)
TENON_INTERNAL_KL(Exponential, Uniform, rate, low)
TENON_INTERNAL_KL(Gamma, Beta, concentration, concentration1)
TENON_INTERNAL_KL(Gamma, ContinuousBernoulli, concentration, probs)
TENON_INTERNAL_KL(Gamma, Pareto, concentration, scale)
TENON_INTERNAL_KL(Gamma, Uniform, concentration, low)
TENON_INTERNAL_KL(Gumbel, Beta, loc, concentration1)
TENON_INTERNAL_KL(Gumbel, ContinuousBernoulli, loc, probs)
TENON_INTERNAL_KL(Gumbel, Exponential, loc, rate)
TENON_INTERNAL_KL(Gumbel, Gamma, loc, concentration)
TENON_INTERNAL_KL(Gumbel, Pareto, loc, scale)
TENON_INTERNAL_KL(Gumbel, Uniform, loc, low)
TENON_INTERNAL_KL(Laplace, Beta, loc, concentration1)
TENON_INTERNAL_KL(Laplace, ContinuousBernoulli, loc, probs)
TENON_INTERNAL_KL(Laplace, Exponential, loc, rate)
TENON_INTERNAL_KL(Laplace, Gamma, loc, concentration)
TENON_INTERNAL_KL(Laplace, Pareto, loc, scale)
TENON_INTERNAL_KL(Laplace, Uniform, loc, low)
TENON_INTERNAL_KL(Normal, Beta, loc, concentration1)
TENON_INTERNAL_KL(Normal, ContinuousBernoulli, loc, probs)
TENON_INTERNAL_KL(Normal, Exponential, loc, rate)
TENON_INTERNAL_KL(Normal, Gamma, loc, concentration)
TENON_INTERNAL_KL(Normal, Pareto, loc, scale)
TENON_INTERNAL_KL(Normal, Uniform, loc, low)
TENON_INTERNAL_KL(Pareto, Beta, scale, concentration1)
TENON_INTERNAL_KL(Pareto, ContinuousBernoulli, scale, probs)
TENON_INTERNAL_KL(Pareto, Uniform, scale, low)
TENON_INTERNAL_KL(Poisson, Bernoulli, rate, probs)
TENON_INTERNAL_KL(Poisson, Binomial, rate, probs)
#undef TENON_INTERNAL_KL

}  // namespace tenon::distributions
