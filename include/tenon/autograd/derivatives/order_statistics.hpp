// Derivatives of medians, modes, k-th values and running extremes: of what was chosen.
#pragma once
#include <limits>

#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/linalg.hpp>
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
/// The sum of g[j] exp(self[i] - result[j]) over j >= i. By all pairs where it is differentiated, which logarithms of
/// weights that are zero are not; else by logarithms, of positive and negative parts.
inline Tensor logcumsumexp_gradient(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim) {
  if (grad.dim() == 0 || grad.numel() == 0) return grad;
  if (autograd::may_need_gradient(grad) || autograd::may_need_gradient(self)) {
    auto last = [&](const Tensor& t) { return Tensor(movedim(t, dim, -1)); };
    // A sum of nothing but zeros, whose logarithm is minus infinity, has no shares.
    Tensor total = result;
    if (!result.is_complex())
      total = where(eq(result, Scalar(-std::numeric_limits<double>::infinity())), zeros_like(result), result);
    Tensor exponent = sub(unsqueeze(last(self), -1), unsqueeze(last(total), -2));
    Tensor pairs = triu(ones_like(exponent, "dtype"_a = kBool));
    Tensor shares = triu(exp(where(pairs, exponent, zeros_like(exponent))));
    if (shares.is_complex()) shares = conj_physical(shares);
    return movedim(sum(mul(shares, unsqueeze(last(grad), -2)), IntArrayRef(-1)), -1, dim);
  }
  auto from_behind = [&](const Tensor& t) {
    return Tensor(flip(logcumsumexp(flip(t, IntArrayRef(dim)), dim), IntArrayRef(dim)));
  };
  if (grad.is_complex()) {
    Tensor g = sub(log(grad), conj_physical(result));
    return exp(add(from_behind(g), conj_physical(self)));
  }
  // The least number: minus infinity would leave not-a-numbers in the next derivative.
  double least = grad.dtype() == kDouble ? std::numeric_limits<double>::lowest()
                 : grad.dtype() == kHalf ? -65504.0
                                         : -3.38e38;
  Tensor size = log(abs(grad)), none = full_like(grad, Scalar(least));
  auto part = [&](const Tensor& mask) {
    return Tensor(exp(add(from_behind(sub(where(mask, size, none), result)), self)));
  };
  return sub(part(gt(grad, Scalar(0))), part(lt(grad, Scalar(0))));
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
