// Derivatives of losses that are linear far from their target, of the cross entropy of two probabilities and of the
// likelihood of images.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::ops {

namespace derivatives {

/// An operand spread over another: gradients of means divide by its count.
inline Tensor spread_over(const Tensor& t, const Tensor& other) {
  SymDimVector sizes = broadcast_shapes(t.sym_sizes(), other.sym_sizes());
  return SymIntArrayRef(sizes) == t.sym_sizes() ? t : Tensor(expand(t, SymIntArrayRef(sizes)));
}
/// Times what a reduction leaves of each element, of all that the operands are spread to.
inline Tensor loss_share(const Tensor& t, std::int64_t reduction) {
  return reduction == 1 ? div(t, static_cast<double>(t.numel())) : t;
}
/// What the gradient of a loss passes back to the gradient that it was given; `backward(grad_output, reduction)`.
template <class Backward>
Tensor loss_grad_output(const Tensor& grad, const Tensor& grad_output, std::int64_t reduction, Backward backward) {
  // The engine adds up what a single number was spread to.
  return reduction == 0 ? backward(grad, 0) : mul(backward(ones_like(grad_output), reduction), grad);
}
inline Tensor smooth_l1_twice(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                              double beta) {
  if (beta == 0) return zeros_like(grad);  // nowhere round
  return loss_share(where(lt(abs(sub(self, target)), beta), div(grad, beta), Scalar(0.0)), reduction);
}
inline Tensor huber_twice(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                          double delta) {
  return loss_share(where(lt(abs(sub(self, target)), delta), grad, Scalar(0.0)), reduction);
}
/// With s the logistic function of -self * target, whose derivative is s * (1 - s).
inline Tensor soft_margin_twice(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction) {
  Tensor s = sigmoid(neg(self * target));
  return loss_share(grad * target * target * s * (1 - s), reduction);
}
inline Tensor soft_margin_mixed(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction) {
  Tensor s = sigmoid(neg(self * target));
  return loss_share(grad * (self * target * s * (1 - s) - s), reduction);
}
inline Tensor weighted_share(const Tensor& t, const std::optional<Tensor>& weight, std::int64_t reduction) {
  return loss_share(weight && weight->defined() ? t * *weight : t, reduction);
}
inline Tensor cross_entropy_target(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& weight,
                                   std::int64_t reduction) {
  Tensor slope = sub(log1p(neg(self)), log(self));  // without the bound that the loss has
  return weighted_share(grad * slope, weight, reduction);
}
inline Tensor cross_entropy_twice(const Tensor& grad, const Tensor& self, const Tensor& target,
                                  const std::optional<Tensor>& weight, std::int64_t reduction) {
  // Where the divisor is held at its least the slope is that of the difference.
  Tensor spread = (1 - self) * self, held = clamp_min(spread, 1e-12);
  Tensor slope = where(gt(spread, 1e-12), (self * self - 2 * self * target + target) / (held * held), reciprocal(held));
  return weighted_share(grad * slope, weight, reduction);
}
inline Tensor cross_entropy_mixed(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& weight,
                                  std::int64_t reduction) {
  return weighted_share(neg(grad / clamp_min((1 - self) * self, 1e-12)), weight, reduction);
}

}  // namespace derivatives

// The two that are linear further from the target than NEAR; TWICE is the second derivative.
#define TENON_INTERNAL_LINEAR_FAR(NAME, NEAR, TWICE)                                                                  \
  TENON_DERIVATIVE(NAME##_base,                                                                                       \
                   TENON_WRT((self), (grad, self, target, reduction, NEAR),                                           \
                             NAME##_backward(grad, derivatives::spread_over(self, target), target, reduction, NEAR)), \
                   TENON_WRT((target), (grad, self, target, reduction, NEAR),                                         \
                             NAME##_backward(grad, derivatives::spread_over(target, self), self, reduction, NEAR)));  \
  TENON_DERIVATIVE(NAME##_backward_base,                                                                              \
                   TENON_WRT((grad_output), (grad, grad_output, self, target, reduction, NEAR),                       \
                             derivatives::loss_grad_output(grad, grad_output, reduction,                              \
                                                           [&](const Tensor& g, std::int64_t r) {                     \
                                                             return NAME##_backward(g, self, target, r, NEAR);        \
                                                           })),                                                       \
                   TENON_WRT((self), (grad, grad_output, self, target, reduction, NEAR),                              \
                             derivatives::TWICE(mul(grad, grad_output), self, target, reduction, NEAR)),              \
                   TENON_WRT((target), (grad, grad_output, self, target, reduction, NEAR),                            \
                             neg(derivatives::TWICE(mul(grad, grad_output), self, target, reduction, NEAR))))
TENON_INTERNAL_LINEAR_FAR(smooth_l1_loss, beta, smooth_l1_twice);
TENON_INTERNAL_LINEAR_FAR(huber_loss, delta, huber_twice);
#undef TENON_INTERNAL_LINEAR_FAR
// The input and the target change places.
TENON_DERIVATIVE(soft_margin_loss_base,
                 TENON_WRT((self), (grad, self, target, reduction),
                           soft_margin_loss_backward(grad, derivatives::spread_over(self, target), target, reduction)),
                 TENON_WRT((target), (grad, self, target, reduction),
                           soft_margin_loss_backward(grad, derivatives::spread_over(target, self), self, reduction)));
TENON_DERIVATIVE(soft_margin_loss_backward_base,
                 TENON_WRT((grad_output), (grad, grad_output, self, target, reduction),
                           derivatives::loss_grad_output(grad, grad_output, reduction,
                                                         [&](const Tensor& g, std::int64_t r) {
                                                           return soft_margin_loss_backward(g, self, target, r);
                                                         })),
                 TENON_WRT((self), (grad, grad_output, self, target, reduction),
                           derivatives::soft_margin_twice(mul(grad, grad_output), self, target, reduction)),
                 TENON_WRT((target), (grad, grad_output, self, target, reduction),
                           derivatives::soft_margin_mixed(mul(grad, grad_output), self, target, reduction)));
TENON_DERIVATIVE(binary_cross_entropy_base,
                 TENON_WRT((self), (grad, self, target, weight, reduction),
                           binary_cross_entropy_backward(grad, self, target, weight, reduction)),
                 TENON_WRT((target), (grad, self, weight, reduction),
                           derivatives::cross_entropy_target(grad, self, weight, reduction)));
TENON_DERIVATIVE(binary_cross_entropy_backward_base,
                 TENON_WRT((grad_output), (grad, grad_output, self, target, weight, reduction),
                           derivatives::loss_grad_output(grad, grad_output, reduction,
                                                         [&](const Tensor& g, std::int64_t r) {
                                                           return binary_cross_entropy_backward(g, self, target, weight,
                                                                                                r);
                                                         })),
                 TENON_WRT((self), (grad, grad_output, self, target, weight, reduction),
                           derivatives::cross_entropy_twice(mul(grad, grad_output), self, target, weight, reduction)),
                 TENON_WRT((target), (grad, grad_output, self, weight, reduction),
                           derivatives::cross_entropy_mixed(mul(grad, grad_output), self, weight, reduction)));
TENON_DERIVATIVE(nll_loss2d_forward_base,
                 TENON_WRT((self), (grad, self, target, weight, reduction, ignore_index, total_weight),
                           nll_loss2d_backward(grad, self, target, weight, reduction, ignore_index, total_weight)));
TENON_DERIVATIVE(nll_loss2d_backward_base,
                 TENON_WRT((grad_output), (grad, target, weight, reduction, ignore_index),
                           nll_loss2d(grad, target, weight, reduction, ignore_index)),
                 TENON_WRT((self), (grad), zeros_like(grad)), TENON_WRT((total_weight), (), Tensor()));
TENON_NOT_DIFFERENTIABLE(nll_loss2d_base_out);
TENON_NOT_DIFFERENTIABLE(binary_cross_entropy_with_logits_base_out);
TENON_NOT_DIFFERENTIABLE(multi_margin_loss_base_out);
TENON_NOT_DIFFERENTIABLE(multi_margin_loss_backward_base_out);
TENON_NOT_DIFFERENTIABLE(multilabel_margin_loss_base_out);
TENON_NOT_DIFFERENTIABLE(multilabel_margin_loss_forward_base_out);
TENON_NOT_DIFFERENTIABLE(multilabel_margin_loss_backward_base_out);

}  // namespace tenon::ops
