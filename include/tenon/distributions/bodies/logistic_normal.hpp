// Probabilities made of normal numbers, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/logistic_normal.hpp>

namespace tenon::distributions {

TENON_BODY detail::Ready LogisticNormal::make() {
  detail::Ready made = {
      name, {{"loc", &loc, constraints::real()}, {"scale", &scale, constraints::positive()}}, validate_args};
  if (loc.dim() == 0) {
    loc = loc.expand({1});
    scale = scale.expand({1});
  }
  return made;
}
TENON_BODY DimVector LogisticNormal::batch_shape() const { return loc.sizes().slice(0, loc.sizes().size() - 1); }
TENON_BODY DimVector LogisticNormal::event_shape() const { return {loc.size(-1) + 1}; }
TENON_BODY LogisticNormal LogisticNormal::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&LogisticNormal::loc, &LogisticNormal::scale}, 1);
}
TENON_BODY Constraint LogisticNormal::support() const { return constraints::simplex(); }
TENON_BODY Tensor LogisticNormal::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  return base().sample(sample_shape, generator);
}
TENON_BODY Tensor LogisticNormal::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().rsample(sample_shape, generator);
}
TENON_BODY Tensor LogisticNormal::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return base().log_prob(value);
}

}  // namespace tenon::distributions
