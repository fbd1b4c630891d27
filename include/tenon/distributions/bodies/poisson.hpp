// The Poisson distribution, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/poisson.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Poisson, rate, &Poisson::rate)
TENON_BODY detail::Ready Poisson::make() {
  return {name, {{"rate", &rate, constraints::nonnegative()}}, validate_args};
}
TENON_BODY Constraint Poisson::support() const { return constraints::nonnegative_integer(); }
TENON_BODY Tensor Poisson::mean() const { return rate; }
TENON_BODY Tensor Poisson::mode() const { return rate.floor(); }
TENON_BODY Tensor Poisson::variance() const { return rate; }
TENON_BODY Tensor Poisson::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  return ops::poisson(rate.expand(detail::joined(sample_shape, rate.sizes())), "generator"_a = generator);
}
TENON_BODY Tensor Poisson::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return value.xlogy(rate) - rate - (value + 1).lgamma();
}

}  // namespace tenon::distributions
