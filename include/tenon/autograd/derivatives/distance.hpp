// Derivatives of distances between all pairs of rows, and of their gradients.
#pragma once
#include <cmath>

#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {
inline Tensor swapped(const Tensor& t) { return contiguous(transpose(t, -2, -1)); }

/// For the first rows; of pairs of equal rows nothing is passed back.
inline Tensor euclidean_gradient(const Tensor& grad, const Tensor& x1, const Tensor& x2, const Tensor& result) {
  Tensor ratio = masked_fill(div(grad, result), eq(result, 0), Scalar(0));
  return sub(mul(x1, sum(ratio, {-1}, true)), matmul(ratio, x2));
}
/// What a step of one element changes of a p-norm, and what its own changes are by that element and by the norm.
/// Undefined where it is zero.
struct PairSlope {
  Tensor slope, by_element, by_norm;
};
/// `off`: differences of rows; `norm`: theirs, with a last dimension of one.
inline PairSlope pair_slope(const Tensor& off, const Tensor& norm, double p) {
  if (p == 0) return {};
  if (p == 1) return {sign(off), {}, {}};
  if (std::isinf(p)) return {mul(sign(off), eq(abs(off), norm)), {}, {}};
  Tensor live = ne(norm, 0);
  if (p == 2) {
    Tensor by = where(live, reciprocal(where(live, norm, 1)), 0), slope = mul(off, by);
    return {slope, by, neg(mul(slope, by))};
  }
  if (p < 2) live = logical_and(live, ne(off, 0));
  Tensor safe = where(live, norm, 1), ratio = where(live, div(abs(off), safe), 1);
  Tensor slope = where(live, mul(sign(off), pow(ratio, p - 1)), 0);
  Tensor by_element = where(live, mul(div(pow(ratio, p - 2), safe), p - 1), 0);
  return {slope, by_element, mul(div(slope, safe), 1 - p)};
}
/// The gradients of a weighted sum of gradients, for each pair of rows.
struct PairGradients {
  Tensor by_grad, by_off, by_norm;
  /// `grad`: what came for the gradients of the differences `off`; `weight`: the gradients of the norms.
  PairGradients(const Tensor& grad, const Tensor& weight, const Tensor& off, const Tensor& norm, double p) {
    PairSlope s = pair_slope(off, unsqueeze(norm, -1), p);
    by_grad = s.slope.defined() ? Tensor(sum(mul(grad, s.slope), {-1})) : Tensor(zeros_like(weight));
    by_norm = s.by_norm.defined() ? Tensor(mul(weight, sum(mul(grad, s.by_norm), {-1}))) : Tensor(zeros_like(norm));
    by_off =
        s.by_element.defined() ? Tensor(mul(mul(unsqueeze(weight, -1), grad), s.by_element)) : Tensor(zeros_like(off));
  }
};
inline PairGradients of_cdist(const Tensor& grad, const Tensor& weight, const Tensor& x1, const Tensor& x2, double p,
                              const Tensor& norm) {
  return {unsqueeze(grad, -2), weight, sub(unsqueeze(x1, -2), unsqueeze(x2, -3)), norm, p};
}
/// The rows of each pair of different rows.
struct RowPairs {
  Tensor first, second;
  explicit RowPairs(const Tensor& rows) {
    Tensor at = triu_indices(rows.size(0), rows.size(0), 1, "device"_a = rows.device());
    first = select(at, 0, 0);
    second = select(at, 0, 1);
  }
  Tensor off(const Tensor& rows) const { return sub(index_select(rows, 0, first), index_select(rows, 0, second)); }
  Tensor back(const Tensor& by_off, const Tensor& rows) const {
    return index_add(index_add(zeros_like(rows), 0, first, by_off), 0, second, by_off, "alpha"_a = -1);
  }
};
inline PairGradients of_pdist(const Tensor& grad, const Tensor& weight, const Tensor& rows, double p,
                              const Tensor& norm) {
  RowPairs pairs(rows);
  return {pairs.off(grad), weight, pairs.off(rows), norm, p};
}
}  // namespace derivatives

TENON_DERIVATIVE(_euclidean_dist_base,
                 TENON_WRT((x1), (grad, x1, x2, result, x1_sizes),
                           sum_to_size(derivatives::euclidean_gradient(grad, x1, x2, result), x1_sizes)),
                 TENON_WRT((x2), (grad, x1, x2, result, x2_sizes),
                           sum_to_size(derivatives::euclidean_gradient(derivatives::swapped(grad), x2, x1,
                                                                       derivatives::swapped(result)),
                                       x2_sizes)));
TENON_DERIVATIVE(_pdist_forward_base,
                 TENON_WRT((self), (grad, self, p, result), _pdist_backward(grad, self, p, result)));
TENON_DERIVATIVE(
    _pdist_backward_base,
    TENON_WRT((grad_output), (grad, grad_output, self, p, pdist),
              derivatives::of_pdist(grad, grad_output, self, p, pdist).by_grad),
    TENON_WRT((self), (grad, grad_output, self, p, pdist),
              derivatives::RowPairs(self).back(derivatives::of_pdist(grad, grad_output, self, p, pdist).by_off, self)),
    TENON_WRT((pdist), (grad, grad_output, self, p, pdist),
              derivatives::of_pdist(grad, grad_output, self, p, pdist).by_norm));
TENON_DERIVATIVE(_cdist_forward_base,
                 TENON_WRT((x1), (grad, x1, x2, p, result, x1_sizes),
                           sum_to_size(_cdist_backward(contiguous(grad), x1, x2, p, result), x1_sizes)),
                 TENON_WRT((x2), (grad, x1, x2, p, result, x2_sizes),
                           sum_to_size(_cdist_backward(derivatives::swapped(grad), x2, x1, p,
                                                       derivatives::swapped(result)),
                                       x2_sizes)));
TENON_DERIVATIVE(
    _cdist_backward_base,
    TENON_WRT((grad_output), (grad, grad_output, x1, x2, p, cdist),
              derivatives::of_cdist(grad, grad_output, x1, x2, p, cdist).by_grad),
    TENON_WRT((x1), (grad, grad_output, x1, x2, p, cdist, x1_sizes),
              sum_to_size(sum(derivatives::of_cdist(grad, grad_output, x1, x2, p, cdist).by_off, {-2}), x1_sizes)),
    TENON_WRT((x2), (grad, grad_output, x1, x2, p, cdist, x2_sizes),
              sum_to_size(neg(sum(derivatives::of_cdist(grad, grad_output, x1, x2, p, cdist).by_off, {-3})), x2_sizes)),
    TENON_WRT((cdist), (grad, grad_output, x1, x2, p, cdist),
              derivatives::of_cdist(grad, grad_output, x1, x2, p, cdist).by_norm));

}  // namespace tenon::ops
