// Kumaraswamy's distribution, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/kumaraswamy.hpp>

namespace tenon::distributions {

namespace detail {
/// The mean of the n-th power.
inline Tensor mean_power(const Kumaraswamy& d, int n) {
  Tensor more = 1 + n / d.concentration1;
  const Tensor& b = d.concentration0;
  return b * (more.lgamma() + b.lgamma() - (more + b).lgamma()).exp();
}
}  // namespace detail

TENON_INTERNAL_UNIVARIATE(Kumaraswamy, concentration1, &Kumaraswamy::concentration1, &Kumaraswamy::concentration0)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Kumaraswamy)
TENON_BODY detail::Ready Kumaraswamy::make() {
  return {name,
          {{"concentration1", &concentration1, constraints::positive()},
           {"concentration0", &concentration0, constraints::positive()}},
          validate_args};
}
TENON_BODY Constraint Kumaraswamy::support() const { return constraints::unit_interval(); }
TENON_BODY Tensor Kumaraswamy::mean() const { return detail::mean_power(*this, 1); }
TENON_BODY Tensor Kumaraswamy::variance() const { return detail::mean_power(*this, 2) - mean().pow(2); }
TENON_BODY Tensor Kumaraswamy::mode() const {
  Tensor at = ((concentration1 - 1) / (concentration0 * concentration1 - 1)).pow(concentration1.reciprocal());
  return at.masked_fill((concentration0 < 1) | (concentration1 < 1), detail::kNaN);
}
TENON_BODY Tensor Kumaraswamy::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor u = detail::empty_beside(concentration0, detail::joined(sample_shape, concentration0.sizes()))
                 .uniform_(0.0, 1.0, "generator"_a = generator);
  return (1 - u.pow(concentration0.reciprocal())).pow(concentration1.reciprocal());
}
TENON_BODY Tensor Kumaraswamy::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return concentration1.log() + concentration0.log() + (concentration1 - 1).xlogy(value) +
         ops::special_xlog1py(concentration0 - 1, -value.pow(concentration1));
}
TENON_BODY Tensor Kumaraswamy::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return 1 - (1 - value.pow(concentration1)).pow(concentration0);
}
TENON_BODY Tensor Kumaraswamy::icdf(const Tensor& probability) const {
  return (1 - (1 - probability).pow(concentration0.reciprocal())).pow(concentration1.reciprocal());
}
TENON_BODY Tensor Kumaraswamy::entropy() const {
  Tensor mean_log = (concentration0 + 1).digamma() + std::numbers::egamma;
  return 1 - concentration0.reciprocal() + (1 - concentration1.reciprocal()) * mean_log - concentration1.log() -
         concentration0.log();
}

}  // namespace tenon::distributions
