// Derivatives of medians, modes, k-th values and running extremes: of what was chosen.
#pragma once
#include <limits>

#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/scan.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

/// Elements that equal the result share its gradient evenly.
inline Tensor evenly_shared(const Tensor& grad, const Tensor& self, const Tensor& result) {
  Tensor mask = where(isnan(result), isnan(self), eq(self, result));
  return div(mul(grad, mask), sum(mask));
}
/// The sum of g[j] exp(-result[j]) over j >= i, times exp(self[i]): by logarithms, of positive and negative parts.
/// Has no derivative where an element of `grad` is 0.
inline Tensor logcumsumexp_gradient_by_parts(const Tensor& grad, const Tensor& self, const Tensor& result,
                                             std::int64_t dim) {
  auto from_behind = [&](const Tensor& t) {
    return Tensor(flip(logcumsumexp(flip(t, IntArrayRef(dim)), dim), IntArrayRef(dim)));
  };
  if (grad.is_complex()) {
    Tensor g = sub(log(grad), conj_physical(result));
    return exp(add(from_behind(g), conj_physical(self)));
  }
  double least = grad.dtype() == kDouble ? std::numeric_limits<double>::lowest()
                 : grad.dtype() == kHalf ? -65504.0
                                         : -3.38e38;
  Tensor size = log(abs(grad)), none = full_like(grad, Scalar(least));
  auto part = [&](const Tensor& mask) {
    return Tensor(exp(add(from_behind(sub(where(mask, size, none), result)), self)));
  };
  return sub(part(gt(grad, Scalar(0))), part(lt(grad, Scalar(0))));
}
/// The same as a difference of two sums of numbers that are not 0: less exact, but with derivatives everywhere.
inline Tensor logcumsumexp_gradient_shifted(const Tensor& grad, const Tensor& self, const Tensor& result,
                                            std::int64_t dim) {
  Tensor above = add(mul(amax(abs(grad.detach())), 2), 1);
  auto from_behind = [&](const Tensor& g) {
    Tensor t = flip(sub(log(g), conj_physical(result)), IntArrayRef(dim));
    return Tensor(exp(add(flip(logcumsumexp(t, dim), IntArrayRef(dim)), conj_physical(self))));
  };
  return sub(from_behind(add(grad, above)), from_behind(mul(ones_like(grad), above)));
}
/// The value of the one, the derivatives of the other where some may be asked for.
inline Tensor logcumsumexp_gradient(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim) {
  if (grad.dim() == 0 || grad.numel() == 0) return grad;
  constexpr KeySet levels{DispatchKey::FuncTorchGradWrapper, DispatchKey::FuncTorchBatched};
  if (!is_grad_enabled() && !(grad.keys() | self.keys() | result.keys()).has_any(levels))
    return logcumsumexp_gradient_by_parts(grad, self, result, dim);
  Tensor value = logcumsumexp_gradient_by_parts(grad.detach(), self.detach(), result.detach(), dim);
  Tensor smooth = logcumsumexp_gradient_shifted(grad, self, result, dim);
  return add(value, sub(smooth, smooth.detach()));
}

}  // namespace derivatives

TENON_DERIVATIVE(median_base, TENON_WRT((self), (grad, self, result), derivatives::evenly_shared(grad, self, result)));
TENON_DERIVATIVE(nanmedian_base,
                 TENON_WRT((self), (grad, self, result), derivatives::evenly_shared(grad, self, result)));
TENON_DERIVATIVE(median_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                       value_selecting_reduction_backward(grad, dim, indices, self_sizes, keepdim)));
TENON_DERIVATIVE(nanmedian_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                          value_selecting_reduction_backward(grad, dim, indices, self_sizes, keepdim)));
TENON_DERIVATIVE(mode_base, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                      value_selecting_reduction_backward(grad, dim, indices, self_sizes, keepdim)));
TENON_DERIVATIVE(kthvalue_base, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                          value_selecting_reduction_backward(grad, dim, indices, self_sizes, keepdim)));
TENON_DERIVATIVE(cummax_base,
                 TENON_WRT((self), (grad, self, dim, indices), cummaxmin_backward(grad, self, indices, dim)));
TENON_DERIVATIVE(cummin_base,
                 TENON_WRT((self), (grad, self, dim, indices), cummaxmin_backward(grad, self, indices, dim)));
TENON_DERIVATIVE(logcumsumexp_base, TENON_WRT((self), (grad, self, result, dim),
                                              derivatives::logcumsumexp_gradient(grad, self, result, dim)));

}  // namespace tenon::ops
