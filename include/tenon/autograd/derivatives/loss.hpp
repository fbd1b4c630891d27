// Derivatives of softmax and losses.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/element_loss.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

inline Tensor sum_over(const Tensor& t, std::int64_t dim) { return sum(t, IntArrayRef(dim), true); }
inline Tensor softmax_twice(const Tensor& grad, const Tensor& grad_output, std::int64_t dim, const Tensor& output) {
  return sub(sub(mul(grad_output, grad), mul(sum_over(mul(output, grad_output), dim), grad)),
             mul(grad_output, sum_over(mul(grad, output), dim)));
}
/// Masked elements are 0 in the result and pass nothing back; a row of them is NaN there.
inline Tensor masked_softmax_gradient(const Tensor& grad, const Tensor& result, const Tensor& mask,
                                      std::optional<std::int64_t> dim) {
  if (mask.sym_sizes() == grad.sym_sizes()) return _masked_softmax_backward(grad, result, mask, dim);
  return _softmax_backward_data(grad, result, dim.value_or(-1), result.dtype());
}
/// The second derivative of squared errors is a constant: 2, over the count of elements for their mean.
inline Tensor mse_twice(const Tensor& grad, const Tensor& self, std::int64_t reduction) {
  return mul(grad, Scalar(reduction == 1 ? 2.0 / static_cast<double>(self.numel()) : 2.0));
}
inline Tensor mse_grad_output(const Tensor& grad, const Tensor& grad_output, const Tensor& self, const Tensor& target,
                              std::int64_t reduction) {
  if (reduction == 0) return mse_loss_backward(grad, self, target, 0);
  return sum(mul(mse_loss_backward(ones_like(grad_output), self, target, reduction), grad));
}

}  // namespace derivatives

TENON_DERIVATIVE(_softmax_base, TENON_WRT((self), (grad, result, dim, self_dtype),
                                          _softmax_backward_data(grad, result, dim, self_dtype)));
TENON_DERIVATIVE(_log_softmax_base, TENON_WRT((self), (grad, result, dim, self_dtype),
                                              _log_softmax_backward_data(grad, result, dim, self_dtype)));
TENON_DERIVATIVE(_softmax_backward_data_base,
                 TENON_WRT((grad_output), (grad, output, dim, input_dtype),
                           _softmax_backward_data(grad, output, dim, input_dtype)),
                 TENON_WRT((output), (grad, grad_output, output, dim),
                           derivatives::softmax_twice(grad, grad_output, dim, output)));
TENON_DERIVATIVE(_log_softmax_backward_data_base,
                 TENON_WRT((grad_output), (grad, output, dim),
                           sub(grad, derivatives::sum_over(mul(grad, exp(output)), dim))),
                 TENON_WRT((output), (grad, grad_output, output, dim),
                           neg(mul(mul(derivatives::sum_over(grad_output, dim), exp(output)), grad))));
TENON_DERIVATIVE(nll_loss_forward_base,
                 TENON_WRT((self), (grad, self, target, weight, reduction, ignore_index, total_weight),
                           nll_loss_backward(grad, self, target, weight, reduction, ignore_index, total_weight)));
TENON_DERIVATIVE(nll_loss_backward_base,
                 TENON_WRT((grad_output), (grad, target, weight, reduction, ignore_index),
                           nll_loss(grad, target, weight, reduction, ignore_index)),
                 TENON_WRT((self), (grad), zeros_like(grad)), TENON_WRT((total_weight), (), Tensor()));
TENON_DERIVATIVE(mse_loss_base,
                 TENON_WRT((self), (grad, self, target, reduction),
                           mse_loss_backward(grad, derivatives::spread_over(self, target), target, reduction)),
                 TENON_WRT((target), (grad, self, target, reduction),
                           mse_loss_backward(grad, derivatives::spread_over(target, self), self, reduction)));
TENON_DERIVATIVE(mse_loss_backward_base,
                 TENON_WRT((grad_output), (grad, grad_output, self, target, reduction),
                           derivatives::mse_grad_output(grad, grad_output, self, target, reduction)),
                 TENON_WRT((self), (grad, grad_output, self, reduction),
                           derivatives::mse_twice(mul(grad, grad_output), self, reduction)),
                 TENON_WRT((target), (grad, grad_output, self, reduction),
                           neg(derivatives::mse_twice(mul(grad, grad_output), self, reduction))));
// That of the gradient behind a log_softmax, as in PyTorch.
TENON_DERIVATIVE(_ctc_loss_base, TENON_WRT((log_probs),
                                           (grad, log_probs, targets, input_lengths, target_lengths, result0, result1,
                                            blank, zero_infinity),
                                           _ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths,
                                                              result0, result1, blank, zero_infinity)));
TENON_DERIVATIVE(_ctc_loss_Tensor, TENON_WRT((log_probs),
                                             (grad, log_probs, targets, input_lengths, target_lengths, result0, result1,
                                              blank, zero_infinity),
                                             _ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths,
                                                                result0, result1, blank, zero_infinity)));

TENON_DERIVATIVE(_safe_softmax_base,
                 TENON_WRT((self), (grad, result, dim, self_dtype),
                           to(_softmax_backward_data(grad, result, dim, result.dtype()), self_dtype)));
TENON_DERIVATIVE(_masked_softmax_base, TENON_WRT((self), (grad, result, mask, dim),
                                                 derivatives::masked_softmax_gradient(grad, result, mask, dim)));
TENON_NOT_DIFFERENTIABLE(_masked_softmax_backward_base_out);
TENON_NOT_DIFFERENTIABLE(softmax_int_out);
TENON_NOT_DIFFERENTIABLE(log_softmax_int_out);
TENON_NOT_DIFFERENTIABLE(nll_loss_base_out);

}  // namespace tenon::ops
