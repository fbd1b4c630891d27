// The multinomial distribution, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/multinomial.hpp>
#include <tenon/distributions/binomial.hpp>
#include <tenon/ops/axes.hpp>

namespace tenon::distributions {

TENON_BODY DimVector Multinomial::batch_shape() const { return probs.sizes().slice(0, probs.sizes().size() - 1); }
TENON_BODY DimVector Multinomial::event_shape() const { return {probs.size(-1)}; }
TENON_BODY Multinomial Multinomial::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&Multinomial::probs, &Multinomial::logits}, 1);
}
TENON_BODY detail::Ready Multinomial::make() {
  TENON_CHECK(total_count >= 0, ValueError, name, ": expected a 'total_count' of at least 0, got ", total_count);
  return detail::ready_by_classes(name, probs, logits, validate_args);
}
TENON_BODY Constraint Multinomial::support() const {
  return constraints::multinomial(detail::full_beside(probs, {}, static_cast<double>(total_count)));
}
TENON_BODY Tensor Multinomial::mean() const { return probs * total_count; }
TENON_BODY Tensor Multinomial::variance() const { return total_count * probs * (1 - probs); }
TENON_BODY Tensor Multinomial::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  Tensor drawn = base().sample(detail::joined(total_count, sample_shape), generator).movedim(0, -1);
  Tensor counts = ops::zeros(detail::joined(sample_shape, probs.sizes()), drawn.options());
  return counts.scatter_add(-1, drawn, ops::ones_like(drawn)).to(probs.dtype());
}
TENON_BODY Tensor Multinomial::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  std::vector<Tensor> both = ops::broadcast_tensors({logits, value.to(logits.dtype())});
  const Tensor &z = both[0], &x = both[1];
  Tensor possible = z.masked_fill((x == 0) & (z == -detail::kInfinity), 0);
  return (x.sum(-1) + 1).lgamma() - (x + 1).lgamma().sum(-1) + (possible * x).sum(-1);
}
TENON_BODY Tensor Multinomial::entropy() const {
  Tensor n = detail::full_beside(probs, {}, static_cast<double>(total_count));
  Binomial each{.total_count = n, .probs = probs, .validate_args = false};
  Tensor counts = each.enumerate_support(false).narrow(0, 1, total_count);
  Tensor repeats = (each.log_prob(counts).exp() * (counts + 1).lgamma()).sum({0, -1});
  return n * base().entropy() - (n + 1).lgamma() + repeats;
}

}  // namespace tenon::distributions
