// Classes, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/categorical.hpp>

namespace tenon::distributions {

TENON_BODY DimVector Categorical::batch_shape() const { return probs.sizes().slice(0, probs.sizes().size() - 1); }
TENON_BODY DimVector Categorical::event_shape() const { return {}; }
TENON_BODY Categorical Categorical::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&Categorical::probs, &Categorical::logits}, 1);
}
TENON_BODY detail::Ready Categorical::make() { return detail::ready_by_classes(name, probs, logits, validate_args); }
TENON_BODY Constraint Categorical::support() const {
  return constraints::integer_interval(detail::full_beside(probs, {}, static_cast<double>(probs.size(-1) - 1)));
}
TENON_BODY Tensor Categorical::mean() const { return detail::full_beside(probs, batch_shape(), detail::kNaN); }
TENON_BODY Tensor Categorical::variance() const { return mean(); }
TENON_BODY Tensor Categorical::mode() const { return probs.argmax(-1); }
TENON_BODY Tensor Categorical::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  std::int64_t count = 1;
  for (std::int64_t size : sample_shape) count *= size;
  Tensor rows = probs.reshape({-1, probs.size(-1)});
  Tensor drawn = ops::multinomial(rows, count, true, "generator"_a = generator);
  return drawn.t().reshape(detail::joined(sample_shape, batch_shape()));
}
TENON_BODY Tensor Categorical::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  std::vector<Tensor> both = ops::broadcast_tensors({value.to(kLong).unsqueeze(-1), logits});
  return both[1].gather(-1, both[0].narrow(-1, 0, 1)).squeeze(-1);
}
TENON_BODY Tensor Categorical::entropy() const {
  return -(logits.clamp_min(finfo(logits.dtype()).min) * probs).sum(-1);
}
TENON_BODY Tensor Categorical::enumerate_support(bool expand) const {
  Tensor values = detail::counted(probs, probs.size(-1), batch_shape().size(), kLong);
  return expand ? values.expand(detail::joined(values.size(0), batch_shape())) : values;
}

TENON_BODY DimVector OneHotCategorical::batch_shape() const { return probs.sizes().slice(0, probs.sizes().size() - 1); }
TENON_BODY DimVector OneHotCategorical::event_shape() const { return {probs.size(-1)}; }
TENON_BODY OneHotCategorical OneHotCategorical::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&OneHotCategorical::probs, &OneHotCategorical::logits}, 1);
}
TENON_BODY detail::Ready OneHotCategorical::make() {
  return detail::ready_by_classes(name, probs, logits, validate_args);
}
TENON_BODY Constraint OneHotCategorical::support() const { return constraints::one_hot(); }
TENON_BODY Tensor OneHotCategorical::mean() const { return probs; }
TENON_BODY Tensor OneHotCategorical::variance() const { return probs * (1 - probs); }
TENON_BODY Tensor OneHotCategorical::mode() const {
  return ops::one_hot(probs.argmax(-1), probs.size(-1)).to(probs.dtype());
}
TENON_BODY Tensor OneHotCategorical::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  return ops::one_hot(base().sample(sample_shape, generator), probs.size(-1)).to(probs.dtype());
}
TENON_BODY Tensor OneHotCategorical::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return base().log_prob(value.argmax(-1));
}
TENON_BODY Tensor OneHotCategorical::entropy() const { return base().entropy(); }
TENON_BODY Tensor OneHotCategorical::enumerate_support(bool expand) const {
  DimVector ones(batch_shape().size(), 1);
  std::int64_t n = probs.size(-1);
  Tensor values = ops::eye(n, probs.options().requires_grad(false)).view(detail::joined(n, ones, n));
  return expand ? values.expand(detail::joined(n, batch_shape(), n)) : values;
}

}  // namespace tenon::distributions
