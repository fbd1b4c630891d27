// Normal numbers, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/normal.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Normal, loc, &Normal::loc, &Normal::scale)
TENON_BODY detail::Ready Normal::make() {
  return {name, {{"loc", &loc, constraints::real()}, {"scale", &scale, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint Normal::support() const { return constraints::real(); }
TENON_BODY Tensor Normal::mean() const { return loc; }
TENON_BODY Tensor Normal::mode() const { return loc; }
TENON_BODY Tensor Normal::variance() const { return scale.pow(2); }
TENON_BODY Tensor Normal::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  DimVector shape = detail::joined(sample_shape, loc.sizes());
  return ops::normal(loc.expand(shape), scale.expand(shape), "generator"_a = generator);
}
TENON_BODY Tensor Normal::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return loc + detail::standard_normal(loc, detail::joined(sample_shape, loc.sizes()), generator) * scale;
}
TENON_BODY Tensor Normal::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return -(value - loc).pow(2) / (2 * scale.pow(2)) - scale.log() - detail::kLogTwoPi / 2;
}
TENON_BODY Tensor Normal::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 0.5 * (1 + ((value - loc) * scale.reciprocal() / std::numbers::sqrt2).erf());
}
TENON_BODY Tensor Normal::icdf(const Tensor& probability) const {
  return loc + scale * (2 * probability - 1).erfinv() * std::numbers::sqrt2;
}
TENON_BODY Tensor Normal::entropy() const { return 0.5 + detail::kLogTwoPi / 2 + scale.log(); }

TENON_INTERNAL_UNIVARIATE(LogNormal, loc, &LogNormal::loc, &LogNormal::scale)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(LogNormal)
TENON_BODY detail::Ready LogNormal::make() {
  return {name, {{"loc", &loc, constraints::real()}, {"scale", &scale, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint LogNormal::support() const { return constraints::positive(); }
TENON_BODY Tensor LogNormal::mean() const { return (loc + scale.pow(2) / 2).exp(); }
TENON_BODY Tensor LogNormal::mode() const { return (loc - scale.square()).exp(); }
TENON_BODY Tensor LogNormal::variance() const { return scale.pow(2).expm1() * (2 * loc + scale.pow(2)).exp(); }
TENON_BODY Tensor LogNormal::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().rsample(sample_shape, generator).exp();
}
TENON_BODY Tensor LogNormal::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  Tensor x = value.log();
  return base().log_prob(x) - x;
}
TENON_BODY Tensor LogNormal::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return base().cdf(value.log());
}
TENON_BODY Tensor LogNormal::icdf(const Tensor& probability) const { return base().icdf(probability).exp(); }
TENON_BODY Tensor LogNormal::entropy() const { return base().entropy() + loc; }

TENON_INTERNAL_UNIVARIATE(HalfNormal, scale, &HalfNormal::scale)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(HalfNormal)
TENON_BODY detail::Ready HalfNormal::make() {
  return {name, {{"scale", &scale, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint HalfNormal::support() const { return constraints::nonnegative(); }
TENON_BODY Tensor HalfNormal::mean() const { return scale * std::sqrt(2 / std::numbers::pi); }
TENON_BODY Tensor HalfNormal::mode() const { return ops::zeros_like(scale); }
TENON_BODY Tensor HalfNormal::variance() const { return scale.pow(2) * (1 - 2 / std::numbers::pi); }
TENON_BODY Tensor HalfNormal::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().rsample(sample_shape, generator).abs();
}
TENON_BODY Tensor HalfNormal::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return (base().log_prob(value) + std::numbers::ln2).masked_fill(value < 0, -detail::kInfinity);
}
TENON_BODY Tensor HalfNormal::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 2 * base().cdf(value) - 1;
}
TENON_BODY Tensor HalfNormal::icdf(const Tensor& probability) const { return base().icdf((probability + 1) / 2); }
TENON_BODY Tensor HalfNormal::entropy() const { return base().entropy() - std::numbers::ln2; }

}  // namespace tenon::distributions
