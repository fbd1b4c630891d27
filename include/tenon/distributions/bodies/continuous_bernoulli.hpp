// Shades between no and yes, by operators.
#pragma once
#include <tenon/distributions/continuous_bernoulli.hpp>
#include <tenon/distributions/detail/univariate.hpp>

namespace tenon::distributions {

namespace detail {

/// Where the exact formulas hold, and probabilities for which they do, those others being at an edge.
struct ExactPart {
  explicit ExactPart(const ContinuousBernoulli& d)
      : where((d.probs <= d.lims.first) | (d.probs > d.lims.second)),
        probs(d.probs.masked_fill(where.logical_not(), d.lims.first)),
        log_odds(probs.log() - (-probs).log1p()) {}
  Tensor or_else(const Tensor& exact, const Tensor& near_half) const { return ops::where(where, exact, near_half); }
  Tensor where, probs, log_odds;
};

TENON_BODY Tensor log_norm(const ContinuousBernoulli& d) {
  ExactPart part(d);
  Tensor x = (d.probs - 0.5).pow(2);
  Tensor exact = part.log_odds.abs().log() - (1 - 2 * part.probs).abs().log();
  return part.or_else(exact, std::numbers::ln2 + (4.0 / 3 + 104.0 / 45 * x) * x);
}

}  // namespace detail

TENON_INTERNAL_UNIVARIATE(ContinuousBernoulli, probs, &ContinuousBernoulli::probs, &ContinuousBernoulli::logits)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(ContinuousBernoulli)
TENON_BODY detail::Ready ContinuousBernoulli::make() {
  detail::Ready made = detail::ready_by_logits(name, probs, logits, constraints::unit_interval(), validate_args);
  probs = detail::clamped(probs);
  return made;
}
TENON_BODY Constraint ContinuousBernoulli::support() const { return constraints::unit_interval(); }
TENON_BODY Tensor ContinuousBernoulli::mean() const {
  detail::ExactPart part(*this);
  Tensor x = probs - 0.5, exact = part.probs / (2 * part.probs - 1) - part.log_odds.reciprocal();
  return part.or_else(exact, 0.5 + (1.0 / 3 + 16.0 / 45 * x.pow(2)) * x);
}
TENON_BODY Tensor ContinuousBernoulli::variance() const {
  detail::ExactPart part(*this);
  Tensor x = (probs - 0.5).pow(2);
  Tensor exact = part.probs * (part.probs - 1) / (1 - 2 * part.probs).pow(2) + part.log_odds.pow(-2);
  return part.or_else(exact, 1.0 / 12 - (1.0 / 15 - 128.0 / 945 * x) * x);
}
TENON_BODY Tensor ContinuousBernoulli::rsample(IntArrayRef sample_shape,
                                               const std::optional<Generator>& generator) const {
  Tensor u = detail::empty_beside(probs, detail::joined(sample_shape, probs.sizes()))
                 .uniform_(0.0, 1.0, "generator"_a = generator);
  return icdf(u);
}
TENON_BODY Tensor ContinuousBernoulli::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  std::vector<Tensor> both = ops::broadcast_tensors({logits, value.to(logits.dtype())});
  return detail::log_norm(*this) - ops::binary_cross_entropy_with_logits(both[0], both[1], "reduction"_a = 0);
}
TENON_BODY Tensor ContinuousBernoulli::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  detail::ExactPart part(*this);
  Tensor p = part.probs, exact = (p.pow(value) * (1 - p).pow(1 - value) + p - 1) / (2 * p - 1);
  Tensor inside = part.or_else(exact, value);
  return inside.masked_fill(value <= 0, 0).masked_fill(value >= 1, 1);
}
TENON_BODY Tensor ContinuousBernoulli::icdf(const Tensor& probability) const {
  detail::ExactPart part(*this);
  Tensor p = part.probs, exact = ((probability * (2 * p - 1) - p).log1p() - (-p).log1p()) / part.log_odds;
  return part.or_else(exact, probability);
}
TENON_BODY Tensor ContinuousBernoulli::entropy() const {
  Tensor log_no = (-probs).log1p();
  return mean() * (log_no - probs.log()) - detail::log_norm(*this) - log_no;
}

}  // namespace tenon::distributions
