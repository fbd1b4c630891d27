// Rows of views that show some of the elements: selections, diagonals, windows and pieces.
#pragma once
#include <algorithm>

#include <tenon/ops/join.hpp>
#include <tenon/ops/split.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_copy.hpp>
#include <tenon/ops/view_scatter.hpp>
#include <tenon/view/geometries.hpp>
#include <tenon/view/row.hpp>

namespace tenon::ops {

namespace derivatives {

/// Gradients of several pieces; a piece that nobody used is zero.
inline void fill_missing(std::vector<Tensor>& pieces, const Tensor* grads, const autograd::Geometry& self,
                         std::int64_t dim, IntArrayRef sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (grads[i].defined()) {
      pieces.push_back(grads[i]);
      continue;
    }
    DimVector shape(self.sizes);
    if (sizes[i] < 0)
      shape.erase(static_cast<std::size_t>(dim));
    else
      shape[dim] = sizes[i];
    pieces.push_back(zeros(IntArrayRef(shape), "dtype"_a = self.dtype, "device"_a = self.device));
  }
}
inline Tensor unbind_gradient(const Tensor& first, const autograd::Geometry& self, std::int64_t dim) {
  dim = wrap_dim(dim, static_cast<std::int64_t>(self.sizes.size()));
  std::vector<Tensor> pieces;
  DimVector sizes(static_cast<std::size_t>(self.sizes[dim]), -1);
  fill_missing(pieces, &first, self, dim, sizes);
  return stack(TensorList(pieces), dim);
}
inline Tensor split_gradient(const Tensor& first, const autograd::Geometry& self, IntArrayRef sizes, std::int64_t dim) {
  dim = wrap_dim(dim, static_cast<std::int64_t>(self.sizes.size()));
  std::vector<Tensor> pieces;
  fill_missing(pieces, &first, self, dim, sizes);
  return cat(TensorList(pieces), dim);
}
inline Tensor even_split_gradient(const Tensor& first, const autograd::Geometry& self, std::int64_t size,
                                  std::int64_t dim) {
  dim = wrap_dim(dim, static_cast<std::int64_t>(self.sizes.size()));
  std::int64_t whole = self.sizes[dim];
  DimVector sizes;
  for (std::int64_t at = 0; at < whole; at += size) sizes.push_back(std::min(size, whole - at));
  if (sizes.empty()) sizes.push_back(0);
  return split_gradient(first, self, sizes, dim);
}

inline Tensor narrow_gradient(const Tensor& grad, IntArrayRef sizes, std::int64_t dim, std::int64_t start,
                              std::int64_t length) {
  if (start < 0) start += sizes[wrap_dim(dim, static_cast<std::int64_t>(sizes.size()))];
  return slice_backward(grad, sizes, dim, start, start + length, 1);
}

}  // namespace derivatives

TENON_VIEW_OF(select_int, geometries::select, copy_as<select_copy_int>(), scatter_as<select_scatter_base>(),
              TENON_WRT((self), (grad, self_sizes, dim, index), select_backward(grad, self_sizes, dim, index)));
TENON_VIEW_OF(slice_Tensor, geometries::slice, copy_as<slice_copy_Tensor>(), scatter_as<slice_scatter_base>(),
              TENON_WRT((self), (grad, self_sizes, dim, start, end, step),
                        slice_backward(grad, self_sizes, dim, start.value_or(0), end.value_or(INT64_MAX), step)));
TENON_VIEW_OF(diagonal_base, geometries::diagonal, copy_as<diagonal_copy_base>(), scatter_as<diagonal_scatter_base>(),
              TENON_WRT((self), (grad, self_sizes, offset, dim1, dim2),
                        diagonal_backward(grad, self_sizes, offset, dim1, dim2)));
TENON_VIEW_OF(unfold_base, geometries::unfold, copy_as<unfold_copy_base>(),
              TENON_WRT((self), (grad, self_sizes, dimension, size, step),
                        unfold_backward(grad, self_sizes, dimension, size, step)));
TENON_VIEW_OF(unbind_int, geometries::unbind, copy_as<unbind_copy_int>(),
              TENON_WRT((self), (grad, self_geometry, dim), derivatives::unbind_gradient(grad, self_geometry, dim)));
TENON_VIEW_OF(split_Tensor, geometries::split, copy_as<split_copy_Tensor>(),
              TENON_WRT((self), (grad, self_geometry, split_size, dim),
                        derivatives::even_split_gradient(grad, self_geometry, split_size, dim)));
TENON_VIEW_OF(split_with_sizes_base, geometries::split_with_sizes, copy_as<split_with_sizes_copy_base>(),
              TENON_WRT((self), (grad, self_geometry, split_sizes, dim),
                        derivatives::split_gradient(grad, self_geometry, split_sizes, dim)));

// Pieces that the caller uses no more as parts of one whole; the schemas say nothing of aliases.
TENON_DERIVATIVE(unsafe_split_Tensor,
                 TENON_WRT((self), (grad, self_geometry, split_size, dim),
                           derivatives::even_split_gradient(grad, self_geometry, split_size, dim)));
TENON_DERIVATIVE(unsafe_split_with_sizes_base,
                 TENON_WRT((self), (grad, self_geometry, split_sizes, dim),
                           derivatives::split_gradient(grad, self_geometry, split_sizes, dim)));
TENON_LIBRARY_FRAGMENT(aten, m) {
  using even = tenon::detail::view_kernels<geometries::split, signature_t<unsafe_split_Tensor>, true>;
  using sized =
      tenon::detail::view_kernels<geometries::split_with_sizes, signature_t<unsafe_split_with_sizes_base>, true>;
  define_forms(m, unsafe_split_Tensor);
  define_forms(m, unsafe_split_with_sizes_base);
  m.impl<unsafe_split_Tensor, &even::call>(DispatchKey::CompositeExplicitAutograd);
  m.impl<unsafe_split_Tensor, &even::symbolic>(DispatchKey::Meta);
  m.impl<unsafe_split_with_sizes_base, &sized::call>(DispatchKey::CompositeExplicitAutograd);
  m.impl<unsafe_split_with_sizes_base, &sized::symbolic>(DispatchKey::Meta);
  composite::implement_out_by_copy<unsafe_split_Tensor_op>(m, CallSite::now());
  composite::implement_out_by_copy<unsafe_split_with_sizes_base_op>(m, CallSite::now());
}

// narrow is made of slice; its copy is an operator of its own.
TENON_LIBRARY_FRAGMENT(aten, m) {
  tenon::detail::define_by_view<tenon::detail::view_copy_kernel>(m, narrow_copy_base, narrow_base, CallSite::now());
}
TENON_DERIVATIVE(narrow_copy_base, TENON_WRT((self), (grad, self_sizes, dim, start, length),
                                             derivatives::narrow_gradient(grad, self_sizes, dim, start, length)));

}  // namespace tenon::ops
