// The Laplace distribution, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/laplace.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(Laplace, loc, &Laplace::loc, &Laplace::scale)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(Laplace)
TENON_BODY detail::Ready Laplace::make() {
  return {name, {{"loc", &loc, constraints::real()}, {"scale", &scale, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint Laplace::support() const { return constraints::real(); }
TENON_BODY Tensor Laplace::mean() const { return loc; }
TENON_BODY Tensor Laplace::mode() const { return loc; }
TENON_BODY Tensor Laplace::variance() const { return 2 * scale.pow(2); }
TENON_BODY Tensor Laplace::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor u = detail::empty_beside(loc, detail::joined(sample_shape, loc.sizes()));
  u.uniform_(finfo(loc.dtype()).eps - 1, 1.0, "generator"_a = generator);
  return loc - scale * u.sign() * (-u.abs()).log1p();
}
TENON_BODY Tensor Laplace::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return -(2 * scale).log() - (value - loc).abs() / scale;
}
TENON_BODY Tensor Laplace::cdf(const Tensor& value) const {
  detail::check_value(*this, "cdf", value);
  Tensor x = value - loc;
  return 0.5 - 0.5 * x.sign() * (-x.abs() / scale).expm1();
}
TENON_BODY Tensor Laplace::icdf(const Tensor& probability) const {
  Tensor x = probability - 0.5;
  return loc - scale * x.sign() * (-2 * x.abs()).log1p();
}
TENON_BODY Tensor Laplace::entropy() const { return 1 + (2 * scale).log(); }

}  // namespace tenon::distributions
