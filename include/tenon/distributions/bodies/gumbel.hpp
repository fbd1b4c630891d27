// The Gumbel distribution, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/gumbel.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Gumbel, loc, &Gumbel::loc, &Gumbel::scale)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Gumbel)
TENON_BODY detail::Ready Gumbel::make() {
  return {name, {{"loc", &loc, constraints::real()}, {"scale", &scale, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint Gumbel::support() const { return constraints::real(); }
TENON_BODY Tensor Gumbel::mean() const { return loc + scale * std::numbers::egamma; }
TENON_BODY Tensor Gumbel::mode() const { return loc; }
TENON_BODY Tensor Gumbel::variance() const { return scale.pow(2) * (std::numbers::pi * std::numbers::pi / 6); }
TENON_BODY Tensor Gumbel::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  finfo limits(loc.dtype());
  Tensor u = detail::empty_beside(loc, detail::joined(sample_shape, loc.sizes()))
                 .uniform_(0.0, 1.0, "generator"_a = generator);
  // The logarithms of neither end are asked for.
  u = limits.tiny + u * (1 - limits.eps - limits.tiny);
  return loc - scale * (-u.log()).log();
}
TENON_BODY Tensor Gumbel::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  Tensor y = (loc - value) / scale;
  return y - y.exp() - scale.log();
}
TENON_BODY Tensor Gumbel::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  return (-((loc - value) / scale).exp()).exp();
}
TENON_BODY Tensor Gumbel::icdf(const Tensor& probability) const { return loc - scale * (-probability.log()).log(); }
TENON_BODY Tensor Gumbel::entropy() const { return scale.log() + (1 + std::numbers::egamma); }

}  // namespace tenon::distributions
