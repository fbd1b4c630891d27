// Cauchy distributions, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/cauchy.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Cauchy, loc, &Cauchy::loc, &Cauchy::scale)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Cauchy)
TENON_BODY detail::Ready Cauchy::make() {
  return {name, {{"loc", &loc, constraints::real()}, {"scale", &scale, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint Cauchy::support() const { return constraints::real(); }
TENON_BODY Tensor Cauchy::mean() const { return detail::full_beside(loc, loc.sizes(), detail::kNaN); }
TENON_BODY Tensor Cauchy::mode() const { return loc; }
TENON_BODY Tensor Cauchy::variance() const { return detail::full_beside(loc, loc.sizes(), detail::kInfinity); }
TENON_BODY Tensor Cauchy::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor x =
      detail::empty_beside(loc, detail::joined(sample_shape, loc.sizes())).cauchy_(0.0, 1.0, "generator"_a = generator);
  return loc + x * scale;
}
TENON_BODY Tensor Cauchy::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return -std::log(std::numbers::pi) - scale.log() - ((value - loc) / scale).pow(2).log1p();
}
TENON_BODY Tensor Cauchy::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return ((value - loc) / scale).atan() / std::numbers::pi + 0.5;
}
TENON_BODY Tensor Cauchy::icdf(const Tensor& probability) const {
  return (std::numbers::pi * (probability - 0.5)).tan() * scale + loc;
}
TENON_BODY Tensor Cauchy::entropy() const { return std::log(4 * std::numbers::pi) + scale.log(); }

TENON_INTERNAL_UNIVARIATE(HalfCauchy, scale, &HalfCauchy::scale)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(HalfCauchy)
TENON_BODY detail::Ready HalfCauchy::make() {
  return {name, {{"scale", &scale, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint HalfCauchy::support() const { return constraints::nonnegative(); }
TENON_BODY Tensor HalfCauchy::mean() const { return detail::full_beside(scale, scale.sizes(), detail::kInfinity); }
TENON_BODY Tensor HalfCauchy::mode() const { return ops::zeros_like(scale); }
TENON_BODY Tensor HalfCauchy::variance() const { return mean(); }
TENON_BODY Tensor HalfCauchy::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().rsample(sample_shape, generator).abs();
}
TENON_BODY Tensor HalfCauchy::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return (base().log_prob(value) + std::numbers::ln2).masked_fill(value < 0, -detail::kInfinity);
}
TENON_BODY Tensor HalfCauchy::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 2 * base().cdf(value) - 1;
}
TENON_BODY Tensor HalfCauchy::icdf(const Tensor& probability) const { return base().icdf((probability + 1) / 2); }
TENON_BODY Tensor HalfCauchy::entropy() const { return base().entropy() - std::numbers::ln2; }

}  // namespace tenon::distributions
