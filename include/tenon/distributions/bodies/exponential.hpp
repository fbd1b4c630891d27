// Waiting times, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/exponential.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Exponential, rate, &Exponential::rate)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Exponential)
TENON_BODY detail::Ready Exponential::make() {
  return {name, {{"rate", &rate, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint Exponential::support() const { return constraints::nonnegative(); }
TENON_BODY Tensor Exponential::mean() const { return rate.reciprocal(); }
TENON_BODY Tensor Exponential::mode() const { return ops::zeros_like(rate); }
TENON_BODY Tensor Exponential::variance() const { return rate.pow(-2); }
TENON_BODY Tensor Exponential::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor x = detail::empty_beside(rate, detail::joined(sample_shape, rate.sizes()))
                 .exponential_(1.0, "generator"_a = generator);
  return x / rate;
}
TENON_BODY Tensor Exponential::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return rate.log() - rate * value;
}
TENON_BODY Tensor Exponential::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 1 - (-rate * value).exp();
}
TENON_BODY Tensor Exponential::icdf(const Tensor& probability) const { return -(-probability).log1p() / rate; }
TENON_BODY Tensor Exponential::entropy() const { return 1 - rate.log(); }

TENON_INTERNAL_UNIVARIATE(Weibull, scale, &Weibull::scale, &Weibull::concentration)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Weibull)
TENON_BODY detail::Ready Weibull::make() {
  return {name,
          {{"scale", &scale, constraints::positive()}, {"concentration", &concentration, constraints::positive()}},
          validate_args};
}
TENON_BODY Constraint Weibull::support() const { return constraints::positive(); }
TENON_BODY Tensor Weibull::mean() const { return scale * (1 + concentration.reciprocal()).lgamma().exp(); }
TENON_BODY Tensor Weibull::mode() const {
  return scale * ((concentration - 1) / concentration).pow(concentration.reciprocal());
}
TENON_BODY Tensor Weibull::variance() const {
  Tensor c = concentration.reciprocal();
  return scale.pow(2) * ((1 + 2 * c).lgamma().exp() - (2 * (1 + c).lgamma()).exp());
}
TENON_BODY Tensor Weibull::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor x = detail::empty_beside(scale, detail::joined(sample_shape, scale.sizes()))
                 .exponential_(1.0, "generator"_a = generator);
  return scale * x.pow(concentration.reciprocal());
}
TENON_BODY Tensor Weibull::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  Tensor y = value / scale;
  return (concentration / scale).log() + (concentration - 1) * y.log() - y.pow(concentration);
}
TENON_BODY Tensor Weibull::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 1 - (-(value / scale).pow(concentration)).exp();
}
TENON_BODY Tensor Weibull::icdf(const Tensor& probability) const {
  return scale * (-(-probability).log1p()).pow(concentration.reciprocal());
}
TENON_BODY Tensor Weibull::entropy() const {
  Tensor c = concentration.reciprocal();
  return std::numbers::egamma * (1 - c) + (scale * c).log() + 1;
}

TENON_INTERNAL_UNIVARIATE(Pareto, scale, &Pareto::scale, &Pareto::alpha)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Pareto)
TENON_BODY detail::Ready Pareto::make() {
  return {
      name, {{"scale", &scale, constraints::positive()}, {"alpha", &alpha, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint Pareto::support() const { return constraints::greater_than_eq(scale); }
TENON_BODY Tensor Pareto::mean() const {
  Tensor a = alpha.clamp_min(1);
  return a * scale / (a - 1);
}
TENON_BODY Tensor Pareto::mode() const { return scale; }
TENON_BODY Tensor Pareto::variance() const {
  Tensor a = alpha.clamp_min(2);
  return scale.pow(2) * a / ((a - 1).pow(2) * (a - 2));
}
TENON_BODY Tensor Pareto::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor x = detail::empty_beside(scale, detail::joined(sample_shape, scale.sizes()))
                 .exponential_(1.0, "generator"_a = generator);
  return scale * (x / alpha).exp();
}
TENON_BODY Tensor Pareto::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return alpha.log() + alpha * scale.log() - (alpha + 1) * value.log();
}
TENON_BODY Tensor Pareto::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 1 - (-alpha * (value / scale).log()).exp();
}
TENON_BODY Tensor Pareto::icdf(const Tensor& probability) const {
  return scale * (-(-probability).log1p() / alpha).exp();
}
TENON_BODY Tensor Pareto::entropy() const { return (scale / alpha).log() + (1 + alpha.reciprocal()); }

}  // namespace tenon::distributions
