// Angles, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/von_mises.hpp>
#include <tenon/ops/bessel.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(VonMises, loc, &VonMises::loc, &VonMises::concentration)
TENON_BODY detail::Ready VonMises::make() {
  return {name,
          {{"loc", &loc, constraints::real()}, {"concentration", &concentration, constraints::positive()}},
          validate_args};
}
TENON_BODY Constraint VonMises::support() const { return constraints::real(); }
TENON_BODY Tensor VonMises::mean() const { return loc; }
TENON_BODY Tensor VonMises::mode() const { return loc; }
TENON_BODY Tensor VonMises::variance() const {
  return 1 - ops::special_i1e(concentration) / ops::special_i0e(concentration);
}
TENON_BODY Tensor VonMises::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return concentration * ((value - loc).cos() - 1) - detail::kLogTwoPi - ops::special_i0e(concentration).log();
}
TENON_BODY Tensor VonMises::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  DimVector shape = detail::joined(sample_shape, loc.sizes());
  Tensor mu = loc.to(kDouble), kappa = concentration.to(kDouble);
  Tensor tau = 1 + (1 + 4 * kappa.pow(2)).sqrt(), rho = (tau - (2 * tau).sqrt()) / (2 * kappa);
  Tensor r = ops::where(kappa < 1e-5, kappa.reciprocal() + kappa, (1 + rho.pow(2)) / (2 * rho));
  Tensor drawn = detail::empty_beside(mu, shape).zero_(), done = drawn.to(kBool);
  while (!done.all().item<bool>()) {
    std::vector<Tensor> u =
        detail::empty_beside(mu, detail::joined(3, shape)).uniform_(0.0, 1.0, "generator"_a = generator).unbind();
    Tensor z = (std::numbers::pi * u[0]).cos(), f = (1 + r * z) / (r + z), c = kappa * (r - f);
    Tensor accepted = (c * (2 - c) - u[1] > 0) | ((c / u[1]).log() + 1 - c >= 0);
    drawn = ops::where(accepted, (u[2] - 0.5).sign() * f.acos(), drawn);
    done = done | accepted;
  }
  constexpr double turn = 2 * std::numbers::pi;
  return ((drawn + std::numbers::pi + mu) % turn - std::numbers::pi).to(loc.dtype());
}

}  // namespace tenon::distributions
