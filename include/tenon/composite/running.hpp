// The gradient of running extremes.
#pragma once
#include <tenon/composite/running_shapes.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>

namespace tenon::composite {

/// Each place gets the gradient of all results that it gave.
inline Tensor cummaxmin_backward(const Tensor& grad, const Tensor& input, const Tensor& indices, std::int64_t dim) {
  if (input.sym_numel() == 0) return input;
  return ops::scatter_add(ops::new_zeros(grad, input.sym_sizes()), dim, indices, grad);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::cummaxmin_backward_base>();
  m.impl<ops::cummaxmin_backward_base, &cummaxmin_backward>();
}

}  // namespace tenon::composite
