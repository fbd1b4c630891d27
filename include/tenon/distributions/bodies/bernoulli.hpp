// Yes or no, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/bernoulli.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Bernoulli, probs, &Bernoulli::probs, &Bernoulli::logits)
TENON_BODY detail::Ready Bernoulli::make() {
  return detail::ready_by_logits(name, probs, logits, constraints::unit_interval(), validate_args);
}
TENON_BODY Constraint Bernoulli::support() const { return constraints::boolean(); }
TENON_BODY Tensor Bernoulli::mean() const { return probs; }
TENON_BODY Tensor Bernoulli::mode() const {
  return (probs >= 0.5).to(probs.dtype()).masked_fill(probs == 0.5, detail::kNaN);
}
TENON_BODY Tensor Bernoulli::variance() const { return probs * (1 - probs); }
TENON_BODY Tensor Bernoulli::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  return ops::bernoulli(probs.expand(detail::joined(sample_shape, probs.sizes())), "generator"_a = generator);
}
TENON_BODY Tensor Bernoulli::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  std::vector<Tensor> both = ops::broadcast_tensors({logits, value.to(logits.dtype())});
  return -ops::binary_cross_entropy_with_logits(both[0], both[1], "reduction"_a = 0);
}
TENON_BODY Tensor Bernoulli::entropy() const {
  return ops::binary_cross_entropy_with_logits(logits, probs, "reduction"_a = 0);
}
TENON_BODY Tensor Bernoulli::enumerate_support(bool expand) const {
  Tensor values = detail::counted(probs, 2, batch_shape().size(), probs.dtype());
  return expand ? values.expand(detail::joined(values.size(0), batch_shape())) : values;
}

TENON_INTERNAL_UNIVARIATE(Geometric, probs, &Geometric::probs, &Geometric::logits)
TENON_BODY detail::Ready Geometric::make() {
  bool by_probs = probs.defined() || probs.number();
  detail::Ready made = detail::ready_by_logits(name, probs, logits, constraints::unit_interval(), validate_args);
  if (validate_args && by_probs) detail::check_parameter(name, "probs", probs, constraints::positive());
  return made;
}
TENON_BODY Constraint Geometric::support() const { return constraints::nonnegative_integer(); }
TENON_BODY Tensor Geometric::mean() const { return 1 / probs - 1; }
TENON_BODY Tensor Geometric::mode() const { return ops::zeros_like(probs); }
TENON_BODY Tensor Geometric::variance() const { return (1 / probs - 1) / probs; }
TENON_BODY Tensor Geometric::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  Tensor u = detail::empty_beside(probs, detail::joined(sample_shape, probs.sizes()));
  u.uniform_(finfo(probs.dtype()).tiny, 1.0, "generator"_a = generator);
  return (u.log() / (-probs).log1p()).floor();
}
TENON_BODY Tensor Geometric::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  // Certain success at once: 0 times the logarithm of 0 is 0.
  Tensor failing = probs.masked_fill((probs == 1) & (value == 0), 0);
  return value * (-failing).log1p() + probs.log();
}
TENON_BODY Tensor Geometric::entropy() const {
  return ops::binary_cross_entropy_with_logits(logits, probs, "reduction"_a = 0) / probs;
}

}  // namespace tenon::distributions
