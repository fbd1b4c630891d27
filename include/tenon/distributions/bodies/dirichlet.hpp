// Dirichlet and beta distributions, by operators.
#pragma once
#include <tenon/autograd/graph/function.hpp>
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/dirichlet.hpp>

namespace tenon::distributions {

namespace detail {

/// Draws of `_sample_dirichlet`, differentiated implicitly: as one share moves, the others keep their proportions.
struct ImplicitDirichlet : autograd::Function<ImplicitDirichlet> {
  static constexpr bool once_differentiable = true;

  static Tensor forward(autograd::AutogradContext& ctx, const Tensor& concentration,
                        const std::optional<Generator>& generator) {
    Tensor x = ops::_sample_dirichlet(concentration, "generator"_a = generator);
    ctx.save_for_backward({x, concentration});
    return x;
  }
  static Tensor backward(autograd::AutogradContext& ctx, TensorList grads) {
    std::vector<Tensor> saved = ctx.saved_tensors();
    return slope(saved) * (grads[0] - (saved[0] * grads[0]).sum(-1, true));
  }
  static Tensor jvp(autograd::AutogradContext& ctx, TensorList tangents) {
    std::vector<Tensor> saved = ctx.saved_tensors();
    Tensor moved = slope(saved) * tangents[0];
    return moved - saved[0] * moved.sum(-1, true);
  }
  /// Of each share by its own parameter, over what it lacks to 1.
  static Tensor slope(const std::vector<Tensor>& saved) {
    return ops::_dirichlet_grad(saved[0], saved[1], saved[1].sum(-1, true));
  }
};

}  // namespace detail

TENON_BODY DimVector Dirichlet::batch_shape() const {
  return concentration.sizes().slice(0, concentration.sizes().size() - 1);
}
TENON_BODY DimVector Dirichlet::event_shape() const { return {concentration.size(-1)}; }
TENON_BODY Dirichlet Dirichlet::expand(IntArrayRef batch) const {
  return detail::expanded(*this, batch, {&Dirichlet::concentration}, 1);
}
TENON_BODY detail::Ready Dirichlet::make() {
  detail::Ready made = {name, {{"concentration", &concentration, constraints::positive()}}, validate_args};
  TENON_CHECK(concentration.dim() >= 1, ValueError, name,
              ": expected parameter 'concentration' to have at least 1 dimension");
  return made;
}
TENON_BODY Constraint Dirichlet::support() const { return constraints::simplex(); }
TENON_BODY Tensor Dirichlet::mean() const { return concentration / concentration.sum(-1, true); }
TENON_BODY Tensor Dirichlet::mode() const {
  Tensor above = (concentration - 1).clamp_min(0);
  Tensor corner = ops::one_hot(concentration.argmax(-1), concentration.size(-1)).to(concentration.dtype());
  return ops::where((concentration < 1).all(-1, true), corner, above / above.sum(-1, true));
}
TENON_BODY Tensor Dirichlet::variance() const {
  Tensor sum = concentration.sum(-1, true);
  return concentration * (sum - concentration) / (sum.pow(2) * (sum + 1));
}
TENON_BODY Tensor Dirichlet::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  NoGradGuard no_grad;
  return ops::_sample_dirichlet(concentration.expand(detail::joined(sample_shape, concentration.sizes())),
                                "generator"_a = generator);
}
TENON_BODY Tensor Dirichlet::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  DimVector shape = detail::joined(sample_shape, concentration.sizes());
  return detail::ImplicitDirichlet::apply(concentration.expand(shape), generator);
}
TENON_BODY Tensor Dirichlet::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return (concentration - 1).xlogy(value).sum(-1) + concentration.sum(-1).lgamma() - concentration.lgamma().sum(-1);
}
TENON_BODY Tensor Dirichlet::entropy() const {
  Tensor sum = concentration.sum(-1), spread = sum - static_cast<double>(concentration.size(-1));
  return concentration.lgamma().sum(-1) - sum.lgamma() + spread * sum.digamma() -
         ((concentration - 1) * concentration.digamma()).sum(-1);
}

TENON_INTERNAL_UNIVARIATE(Beta, concentration1, &Beta::concentration1, &Beta::concentration0)
TENON_BODY detail::Ready Beta::make() {
  return {name,
          {{"concentration1", &concentration1, constraints::positive()},
           {"concentration0", &concentration0, constraints::positive()}},
          validate_args};
}
TENON_BODY Dirichlet Beta::base() const { return {ops::stack({concentration1, concentration0}, -1), false}; }
TENON_BODY Constraint Beta::support() const { return constraints::unit_interval(); }
TENON_BODY Tensor Beta::mean() const { return concentration1 / (concentration1 + concentration0); }
TENON_BODY Tensor Beta::mode() const { return base().mode().select(-1, 0); }
TENON_BODY Tensor Beta::variance() const {
  Tensor sum = concentration1 + concentration0;
  return concentration1 * concentration0 / (sum.pow(2) * (sum + 1));
}
TENON_BODY Tensor Beta::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().sample(sample_shape, generator).select(-1, 0);
}
TENON_BODY Tensor Beta::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  return base().rsample(sample_shape, generator).select(-1, 0);
}
TENON_BODY Tensor Beta::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  return base().log_prob(ops::stack({value, 1 - value}, -1));
}
TENON_BODY Tensor Beta::entropy() const { return base().entropy(); }

}  // namespace tenon::distributions
