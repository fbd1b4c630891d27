// Tails, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/generalized_pareto.hpp>

namespace tenon::distributions {

namespace detail {
/// The concentration off 0, by which formulas divide; where it is 0 they are others.
struct TailShape {
  explicit TailShape(const Tensor& concentration)
      : zero(concentration.abs() <= 1e-8), other(concentration.masked_fill(zero, 1)) {}
  Tensor zero, other;
};
}  // namespace detail

TENON_INTERNAL_UNIVARIATE(GeneralizedPareto, loc, &GeneralizedPareto::loc, &GeneralizedPareto::scale,
                          &GeneralizedPareto::concentration)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(GeneralizedPareto)
TENON_BODY detail::Ready GeneralizedPareto::make() {
  return {name,
          {{"loc", &loc, constraints::real()},
           {"scale", &scale, constraints::positive()},
           {"concentration", &concentration, constraints::real()}},
          validate_args};
}
TENON_BODY Constraint GeneralizedPareto::support() const {
  Tensor end = (loc - scale / concentration).masked_fill(concentration >= 0, detail::kInfinity);
  return constraints::interval(loc, end);
}
TENON_BODY Tensor GeneralizedPareto::mean() const {
  Tensor endless = concentration >= 1;
  return (loc + scale / (1 - concentration.masked_fill(endless, 0.5))).masked_fill(endless, detail::kNaN);
}
TENON_BODY Tensor GeneralizedPareto::variance() const {
  Tensor endless = concentration >= 0.5, c = concentration.masked_fill(endless, 0.25);
  return (scale.pow(2) / ((1 - c).pow(2) * (1 - 2 * c))).masked_fill(endless, detail::kNaN);
}
TENON_BODY Tensor GeneralizedPareto::mode() const { return loc; }
TENON_BODY Tensor GeneralizedPareto::rsample(IntArrayRef sample_shape,
                                             const std::optional<Generator>& generator) const {
  Tensor u = detail::empty_beside(loc, detail::joined(sample_shape, loc.sizes()))
                 .uniform_(0.0, 1.0, "generator"_a = generator);
  return icdf(u);
}
TENON_BODY Tensor GeneralizedPareto::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  detail::TailShape shape(concentration);
  Tensor z = (value - loc) / scale, power = 1 + shape.other.reciprocal();
  // With a power of 0 the density is the same everywhere, where the logarithm is infinite too.
  Tensor tail = (power * (shape.other * z).log1p()).masked_fill(power == 0, 0);
  return -scale.log() - ops::where(shape.zero, z, tail);
}
TENON_BODY Tensor GeneralizedPareto::log_survival_function(const Tensor& value) const {
  detail::check_value(*this, "log_survival_function", value);
  detail::TailShape shape(concentration);
  Tensor z = (value - loc) / scale;
  return -ops::where(shape.zero, z, (shape.other * z).log1p() / shape.other);
}
TENON_BODY Tensor GeneralizedPareto::log_cdf(const Tensor& value) const {
  return (-log_survival_function(value).exp()).log1p();
}
TENON_BODY Tensor GeneralizedPareto::cdf(const Tensor& value) const { return log_cdf(value).exp(); }
TENON_BODY Tensor GeneralizedPareto::icdf(const Tensor& probability) const {
  detail::TailShape shape(concentration);
  Tensor left = (-probability).log1p();
  return loc + scale * ops::where(shape.zero, -left, (-shape.other * left).expm1() / shape.other);
}
TENON_BODY Tensor GeneralizedPareto::entropy() const { return scale.log() + concentration + 1; }

}  // namespace tenon::distributions
