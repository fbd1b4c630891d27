// Choices that have derivatives, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/relaxed.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(RelaxedBernoulli, probs, &RelaxedBernoulli::temperature, &RelaxedBernoulli::probs,
                          &RelaxedBernoulli::logits)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(RelaxedBernoulli)
TENON_BODY detail::Ready RelaxedBernoulli::make() {
  return detail::ready_by_logits(name, probs, logits, constraints::unit_interval(), validate_args,
                                 detail::NamedParameter{"temperature", &temperature, constraints::positive()});
}
TENON_BODY Constraint RelaxedBernoulli::support() const { return constraints::unit_interval(); }
TENON_BODY Tensor RelaxedBernoulli::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  DimVector shape = detail::joined(sample_shape, probs.sizes());
  Tensor p = detail::clamped(probs.expand(shape));
  Tensor u = detail::clamped(detail::empty_beside(probs, shape).uniform_(0.0, 1.0, "generator"_a = generator));
  finfo limits(probs.dtype());
  Tensor x = (u.log() - (-u).log1p() + p.log() - (-p).log1p()) / temperature;
  return x.sigmoid().clamp(limits.tiny, 1 - limits.eps);
}
TENON_BODY Tensor RelaxedBernoulli::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  finfo limits(value.dtype());
  Tensor y = value.clamp(limits.tiny, 1 - limits.eps), x = y.log() - (-y).log1p(), z = logits - x * temperature;
  return temperature.log() + z - 2 * z.exp().log1p() + ops::softplus(-x) + ops::softplus(x);
}

TENON_BODY detail::Ready RelaxedOneHotCategorical::make() {
  detail::Ready made = detail::ready_by_classes(name, probs, logits, validate_args);
  if (temperature.number()) temperature = detail::full_beside(probs, {}, *temperature.number());
  TENON_CHECK(temperature.defined() && temperature.dim() == 0, ValueError, name,
              ": expected parameter 'temperature' to be one number");
  if (validate_args) detail::check_parameter(name, "temperature", temperature, constraints::positive());
  return made;
}
TENON_BODY DimVector RelaxedOneHotCategorical::batch_shape() const {
  return probs.sizes().slice(0, probs.sizes().size() - 1);
}
TENON_BODY DimVector RelaxedOneHotCategorical::event_shape() const { return {probs.size(-1)}; }
TENON_BODY RelaxedOneHotCategorical RelaxedOneHotCategorical::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&RelaxedOneHotCategorical::probs, &RelaxedOneHotCategorical::logits}, 1);
}
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(RelaxedOneHotCategorical)
TENON_BODY Constraint RelaxedOneHotCategorical::support() const { return constraints::simplex(); }
TENON_BODY Tensor RelaxedOneHotCategorical::rsample(IntArrayRef sample_shape,
                                                    const std::optional<Generator>& generator) const {
  DimVector shape = detail::joined(sample_shape, logits.sizes());
  Tensor u = detail::clamped(detail::empty_beside(logits, shape).uniform_(0.0, 1.0, "generator"_a = generator));
  return ((logits - (-u.log()).log()) / temperature).softmax(-1);
}
TENON_BODY Tensor RelaxedOneHotCategorical::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  auto n = static_cast<double>(logits.size(-1));
  Tensor x = value.log(), score = (logits - x * temperature).log_softmax(-1).sum(-1);
  return score + std::lgamma(n) + (n - 1) * temperature.log() - x.sum(-1);
}

}  // namespace tenon::distributions
