// Derivatives of distances between all pairs of rows.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {
inline Tensor swapped(const Tensor& t) { return contiguous(transpose(t, -2, -1)); }
}  // namespace derivatives

TENON_DERIVATIVE(_pdist_forward_base,
                 TENON_WRT((self), (grad, self, p, result), _pdist_backward(grad, self, p, result)));
TENON_DERIVATIVE(_cdist_forward_base,
                 TENON_WRT((x1), (grad, x1, x2, p, result, x1_sizes),
                           sum_to_size(_cdist_backward(contiguous(grad), x1, x2, p, result), x1_sizes)),
                 TENON_WRT((x2), (grad, x1, x2, p, result, x2_sizes),
                           sum_to_size(_cdist_backward(derivatives::swapped(grad), x2, x1, p,
                                                       derivatives::swapped(result)),
                                       x2_sizes)));

}  // namespace tenon::ops
