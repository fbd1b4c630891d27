// Numbers of an interval, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/uniform.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Uniform, low, &Uniform::low, &Uniform::high)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Uniform)
TENON_BODY detail::Ready Uniform::make() {
  detail::Ready made = {name, {{"low", &low, constraints::real()}, {"high", &high, constraints::real()}}, false};
  if (validate_args) detail::check_parameter(name, "high", high, constraints::greater_than(low.detach()));
  return made;
}
TENON_BODY Constraint Uniform::support() const { return constraints::interval(low, high); }
TENON_BODY Tensor Uniform::mean() const { return (high + low) / 2; }
TENON_BODY Tensor Uniform::mode() const { return high * detail::kNaN; }
TENON_BODY Tensor Uniform::variance() const { return (high - low).pow(2) / 12; }
TENON_BODY Tensor Uniform::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor part = detail::empty_beside(low, detail::joined(sample_shape, low.sizes()))
                    .uniform_(0.0, 1.0, "generator"_a = generator);
  return low + part * (high - low);
}
TENON_BODY Tensor Uniform::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  Tensor inside = low.le(value).to(low.dtype()) * high.gt(value).to(low.dtype());
  return inside.log() - (high - low).log();
}
TENON_BODY Tensor Uniform::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return ((value - low) / (high - low)).clamp(0, 1);
}
TENON_BODY Tensor Uniform::icdf(const Tensor& probability) const { return probability * (high - low) + low; }
TENON_BODY Tensor Uniform::entropy() const { return (high - low).log(); }

}  // namespace tenon::distributions
