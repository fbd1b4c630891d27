// Binomial distributions, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/binomial.hpp>
#include <tenon/distributions/gamma.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Binomial, total_count, &Binomial::total_count, &Binomial::probs, &Binomial::logits)
TENON_BODY detail::Ready Binomial::make() {
  return detail::ready_by_logits(
      name, probs, logits, constraints::unit_interval(), validate_args,
      detail::NamedParameter{"total_count", &total_count, constraints::nonnegative_integer()});
}
TENON_BODY Constraint Binomial::support() const { return constraints::integer_interval(total_count); }
TENON_BODY Tensor Binomial::mean() const { return total_count * probs; }
TENON_BODY Tensor Binomial::mode() const { return ops::minimum(((total_count + 1) * probs).floor(), total_count); }
TENON_BODY Tensor Binomial::variance() const { return total_count * probs * (1 - probs); }
TENON_BODY Tensor Binomial::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  DimVector shape = detail::joined(sample_shape, probs.sizes());
  return ops::binomial(total_count.expand(shape), probs.expand(shape), "generator"_a = generator);
}
TENON_BODY Tensor Binomial::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  // The positive part of the logits, whose slope at 0 is a half.
  Tensor positive = (logits.clamp_min(0) + logits - logits.clamp_max(0)) / 2;
  Tensor scale = total_count * positive + total_count * (-logits.abs()).exp().log1p() - (total_count + 1).lgamma();
  return value * logits - (value + 1).lgamma() - (total_count - value + 1).lgamma() - scale;
}
TENON_BODY Tensor Binomial::entropy() const {
  Tensor values = enumerate_support(false);
  Tensor logs = Binomial{total_count, probs, logits, false, ready}.log_prob(values);
  return -(logs.exp() * logs).sum(0);
}
TENON_BODY Tensor Binomial::enumerate_support(bool expand) const {
  double most = total_count.max().item<double>();
  TENON_CHECK(total_count.min().item<double>() == most, NotImplementedError, name,
              ": expected one 'total_count' for the values to enumerate, got several");
  auto count = static_cast<std::int64_t>(most) + 1;
  Tensor values = detail::counted(probs, count, batch_shape().size(), probs.dtype());
  return expand ? values.expand(detail::joined(count, batch_shape())) : values;
}

TENON_INTERNAL_UNIVARIATE(NegativeBinomial, total_count, &NegativeBinomial::total_count, &NegativeBinomial::probs,
                          &NegativeBinomial::logits)
TENON_BODY detail::Ready NegativeBinomial::make() {
  return detail::ready_by_logits(name, probs, logits, constraints::half_open_unit_interval(), validate_args,
                                 detail::NamedParameter{"total_count", &total_count, constraints::nonnegative()});
}
TENON_BODY Constraint NegativeBinomial::support() const { return constraints::nonnegative_integer(); }
TENON_BODY Tensor NegativeBinomial::mean() const { return total_count * logits.exp(); }
TENON_BODY Tensor NegativeBinomial::mode() const { return ((total_count - 1) * logits.exp()).floor().clamp_min(0); }
TENON_BODY Tensor NegativeBinomial::variance() const { return mean() / (-logits).sigmoid(); }
TENON_BODY Tensor NegativeBinomial::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  return ops::poisson(Gamma{total_count, (-logits).exp(), false}.sample(sample_shape, generator),
                      "generator"_a = generator);
}
TENON_BODY Tensor NegativeBinomial::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  Tensor logs = total_count * ops::log_sigmoid(-logits) + value * ops::log_sigmoid(logits);
  Tensor scale = -(total_count + value).lgamma() + (1 + value).lgamma() + total_count.lgamma();
  return logs - scale.masked_fill(total_count + value == 0, 0);
}

}  // namespace tenon::distributions
