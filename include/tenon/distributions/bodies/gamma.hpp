// Gamma distributions, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/gamma.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Gamma, concentration, &Gamma::concentration, &Gamma::rate)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Gamma)
TENON_BODY detail::Ready Gamma::make() {
  return {name,
          {{"concentration", &concentration, constraints::positive()}, {"rate", &rate, constraints::positive()}},
          validate_args};
}
TENON_BODY Constraint Gamma::support() const { return constraints::nonnegative(); }
TENON_BODY Tensor Gamma::mean() const { return concentration / rate; }
TENON_BODY Tensor Gamma::mode() const { return ((concentration - 1) / rate).clamp_min(0); }
TENON_BODY Tensor Gamma::variance() const { return concentration / rate.pow(2); }
TENON_BODY Tensor Gamma::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  DimVector shape = detail::joined(sample_shape, rate.sizes());
  Tensor x = ops::_standard_gamma(concentration.expand(shape), "generator"_a = generator) / rate.expand(shape);
  x.detach().clamp_min_(finfo(x.dtype()).tiny);  // gradients see the number drawn
  return x;
}
TENON_BODY Tensor Gamma::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return concentration.xlogy(rate) + (concentration - 1).xlogy(value) - rate * value - concentration.lgamma();
}
TENON_BODY Tensor Gamma::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return ops::special_gammainc(concentration, rate * value);
}
TENON_BODY Tensor Gamma::entropy() const {
  return concentration - rate.log() + concentration.lgamma() + (1 - concentration) * concentration.digamma();
}

TENON_INTERNAL_UNIVARIATE(Chi2, df, &Chi2::df)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Chi2)
TENON_BODY detail::Ready Chi2::make() { return {name, {{"df", &df, constraints::positive()}}, validate_args}; }
TENON_BODY Gamma Chi2::base() const { return {0.5 * df, 0.5, false}; }
TENON_BODY Constraint Chi2::support() const { return constraints::nonnegative(); }
TENON_BODY Tensor Chi2::mean() const { return base().mean(); }
TENON_BODY Tensor Chi2::mode() const { return base().mode(); }
TENON_BODY Tensor Chi2::variance() const { return base().variance(); }
TENON_BODY Tensor Chi2::entropy() const { return base().entropy(); }
TENON_BODY Tensor Chi2::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().rsample(sample_shape, generator);
}
TENON_BODY Tensor Chi2::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return base().log_prob(value);
}
TENON_BODY Tensor Chi2::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return base().cdf(value);
}

TENON_INTERNAL_UNIVARIATE(InverseGamma, concentration, &InverseGamma::concentration, &InverseGamma::rate)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(InverseGamma)
TENON_BODY detail::Ready InverseGamma::make() {
  return {name,
          {{"concentration", &concentration, constraints::positive()}, {"rate", &rate, constraints::positive()}},
          validate_args};
}
TENON_BODY Constraint InverseGamma::support() const { return constraints::positive(); }
TENON_BODY Tensor InverseGamma::mean() const {
  return (rate / (concentration - 1)).masked_fill(concentration <= 1, detail::kInfinity);
}
TENON_BODY Tensor InverseGamma::mode() const { return rate / (concentration + 1); }
TENON_BODY Tensor InverseGamma::variance() const {
  Tensor v = rate.square() / ((concentration - 1).square() * (concentration - 2));
  return v.masked_fill(concentration <= 2, detail::kInfinity);
}
TENON_BODY Tensor InverseGamma::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().rsample(sample_shape, generator).reciprocal();
}
TENON_BODY Tensor InverseGamma::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return base().log_prob(value.reciprocal()) - 2 * value.log();
}
TENON_BODY Tensor InverseGamma::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 1 - base().cdf(value.reciprocal());
}
TENON_BODY Tensor InverseGamma::entropy() const {
  return concentration + rate.log() + concentration.lgamma() - (1 + concentration) * concentration.digamma();
}

}  // namespace tenon::distributions
