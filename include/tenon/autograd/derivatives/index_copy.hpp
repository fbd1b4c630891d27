// Derivatives of writing along an index or a mask.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

TENON_DERIVATIVE(index_copy_base,
                 TENON_WRT((self), (grad, source_sizes, dim, index),
                           index_copy(grad, dim, index, new_zeros(grad, source_sizes))),
                 TENON_WRT((source), (grad, source_sizes, dim, index),
                           reshape(index_select(grad, dim, index), source_sizes)));
TENON_DERIVATIVE(masked_scatter_base, TENON_WRT((self), (grad, mask), masked_fill(grad, mask, Scalar(0))),
                 TENON_WRT((source), (grad, mask, source_sizes), masked_scatter_backward(grad, mask, source_sizes)));
TENON_DERIVATIVE(masked_scatter_backward_base,
                 TENON_WRT((grad_output), (grad, grad_output_sizes, mask),
                           masked_scatter(new_zeros(grad, grad_output_sizes), mask, grad)));

}  // namespace tenon::ops
