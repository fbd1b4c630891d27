// Derivatives of pooling.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/pooling.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

/// The elements of planes of `dims` dimensions that stand at the places, in the places' shape.
inline Tensor at_places(const Tensor& grad, const Tensor& places, std::int64_t dims) {
  DimVector flat(grad.sizes().slice(0, grad.sizes().size() - static_cast<std::size_t>(dims))), few = flat;
  std::int64_t in = 1, out = 1;
  for (std::int64_t d = -dims; d < 0; ++d) {
    in *= grad.size(d);
    out *= places.size(d);
  }
  flat.push_back(in);
  few.push_back(out);
  return reshape(gather(reshape(grad, IntArrayRef(flat)), -1, reshape(places, IntArrayRef(few))), places.sizes());
}
inline IntArrayRef last_sizes(const Tensor& t, std::size_t dims) {
  return t.sizes().slice(t.sizes().size() - dims, dims);
}

}  // namespace derivatives

#define TENON_INTERNAL_MEANS(D)                                                                                      \
  TENON_DERIVATIVE(                                                                                                  \
      avg_pool##D##d_base,                                                                                           \
      TENON_WRT((self), (grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override),  \
                avg_pool##D##d_backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad,      \
                                        divisor_override)));                                                         \
  TENON_DERIVATIVE(                                                                                                  \
      avg_pool##D##d_backward_base,                                                                                  \
      TENON_WRT((grad_output), (grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), \
                avg_pool##D##d(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)), \
      TENON_WRT((self), (self), zeros_like(self)));                                                                  \
  TENON_DERIVATIVE(_adaptive_avg_pool##D##d_base,                                                                    \
                   TENON_WRT((self), (grad, self), _adaptive_avg_pool##D##d_backward(grad, self)));                  \
  TENON_DERIVATIVE(_adaptive_avg_pool##D##d_backward_base,                                                           \
                   TENON_WRT((grad_output), (grad, grad_output),                                                     \
                             _adaptive_avg_pool##D##d(grad, derivatives::last_sizes(grad_output, D))),               \
                   TENON_WRT((self), (self), zeros_like(self)))
#define TENON_INTERNAL_MAXIMA(D)                                                                                      \
  TENON_DERIVATIVE(max_pool##D##d_with_indices_base,                                                                  \
                   TENON_WRT((self), (grad, self, kernel_size, stride, padding, dilation, ceil_mode, result1),        \
                             max_pool##D##d_with_indices_backward(grad, self, kernel_size, stride, padding, dilation, \
                                                                  ceil_mode, result1)));                              \
  TENON_DERIVATIVE(adaptive_max_pool##D##d_base,                                                                      \
                   TENON_WRT((self), (grad, self, result1), adaptive_max_pool##D##d_backward(grad, self, result1)));  \
  TENON_DERIVATIVE(fractional_max_pool##D##d_base,                                                                    \
                   TENON_WRT((self), (grad, self, kernel_size, output_size, result1),                                 \
                             fractional_max_pool##D##d_backward(grad, self, kernel_size, output_size, result1)),      \
                   TENON_WRT((random_samples), (), Tensor()));                                                        \
  TENON_DERIVATIVE(max_unpool##D##d_base, TENON_WRT((self), (grad, indices), derivatives::at_places(grad, indices, D)))
#define TENON_INTERNAL_MAXIMA_TWICE(NAME, D)                                                                  \
  TENON_DERIVATIVE(NAME, TENON_WRT((grad_output), (grad, indices), derivatives::at_places(grad, indices, D)), \
                   TENON_WRT((self), (self), zeros_like(self)))

TENON_INTERNAL_MEANS(2);
TENON_INTERNAL_MEANS(3);
TENON_INTERNAL_MAXIMA(2);
TENON_INTERNAL_MAXIMA(3);
TENON_INTERNAL_MAXIMA_TWICE(max_pool2d_with_indices_backward_base, 2);
TENON_INTERNAL_MAXIMA_TWICE(max_pool3d_with_indices_backward_base, 3);
TENON_INTERNAL_MAXIMA_TWICE(adaptive_max_pool2d_backward_base, 2);
TENON_INTERNAL_MAXIMA_TWICE(adaptive_max_pool3d_backward_base, 3);
TENON_INTERNAL_MAXIMA_TWICE(fractional_max_pool2d_backward_base, 2);
TENON_INTERNAL_MAXIMA_TWICE(fractional_max_pool3d_backward_base, 3);

#undef TENON_INTERNAL_MEANS
#undef TENON_INTERNAL_MAXIMA
#undef TENON_INTERNAL_MAXIMA_TWICE

}  // namespace tenon::ops
