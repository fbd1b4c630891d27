// Derivatives of views, and detaching.
#pragma once
#include <algorithm>

#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/pointwise.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

inline Tensor unpermute(const Tensor& grad, IntArrayRef dims) {
  DimVector inverse(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    inverse[wrap_dim(dims[i], static_cast<std::int64_t>(dims.size()))] = static_cast<std::int64_t>(i);
  return permute(grad, IntArrayRef(inverse));
}
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

/// Leaves the tensor without history. Throws AutogradError for views, whose base would keep it.
inline Tensor& detach_in_place(KeySet, Tensor& self) {
  if (autograd::is_view(self))
    fail<AutogradError>(
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution.");
  if (AutogradMeta* meta = autograd::meta_of(self)) {
    meta->grad_fn = nullptr;
    meta->result_index = 0;
    meta->leaf_requires_grad = false;
  }
  return self;
}

}  // namespace derivatives

TENON_DERIVATIVE(t_base, TENON_WRT((self), (grad), t(grad)));
TENON_DERIVATIVE(transpose_int, TENON_WRT((self), (grad, dim0, dim1), transpose(grad, dim0, dim1)));
TENON_DERIVATIVE(permute_base, TENON_WRT((self), (grad, dims), derivatives::unpermute(grad, dims)));
TENON_DERIVATIVE(view_base, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(_reshape_alias_base, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(_unsafe_view_base, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(expand_base, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(select_int,
                 TENON_WRT((self), (grad, self_sizes, dim, index), select_backward(grad, self_sizes, dim, index)));
TENON_DERIVATIVE(slice_Tensor,
                 TENON_WRT((self), (grad, self_sizes, dim, start, end, step),
                           slice_backward(grad, self_sizes, dim, start.value_or(0), end.value_or(INT64_MAX), step)));
TENON_DERIVATIVE(diagonal_base, TENON_WRT((self), (grad, self_sizes, offset, dim1, dim2),
                                          diagonal_backward(grad, self_sizes, offset, dim1, dim2)));
TENON_DERIVATIVE(unsqueeze_base, TENON_WRT((self), (grad, dim), squeeze(grad, dim)));
TENON_DERIVATIVE(squeeze_base, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(squeeze_dim, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(squeeze_dims, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(alias_base, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(as_strided_base,
                 TENON_WRT((self), (grad, self_geometry, size, stride, storage_offset),
                           autograd::as_strided_backward(grad, self_geometry, size, stride,
                                                         storage_offset.value_or(self_geometry.offset))));
TENON_DERIVATIVE(unbind_int,
                 TENON_WRT((self), (grad, self_geometry, dim), derivatives::unbind_gradient(grad, self_geometry, dim)));
TENON_DERIVATIVE(split_Tensor, TENON_WRT((self), (grad, self_geometry, split_size, dim),
                                         derivatives::even_split_gradient(grad, self_geometry, split_size, dim)));
TENON_DERIVATIVE(split_with_sizes_base, TENON_WRT((self), (grad, self_geometry, split_sizes, dim),
                                                  derivatives::split_gradient(grad, self_geometry, split_sizes, dim)));

TENON_DERIVATIVE(t_base_, TENON_WRT((self), (grad), t(grad)));
TENON_DERIVATIVE(transpose_base_, TENON_WRT((self), (grad, dim0, dim1), transpose(grad, dim0, dim1)));
TENON_DERIVATIVE(unsqueeze_base_, TENON_WRT((self), (grad, dim), squeeze(grad, dim)));
TENON_DERIVATIVE(squeeze_base_, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(squeeze_dim_, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(squeeze_dims_, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_DERIVATIVE(as_strided_base_,
                 TENON_WRT((self), (grad, self_geometry, size, stride, storage_offset),
                           autograd::as_strided_backward(grad, self_geometry, size, stride,
                                                         storage_offset.value_or(self_geometry.offset))));

TENON_DERIVATIVE(select_backward_base, TENON_WRT((grad_output), (grad, dim, index), select(grad, dim, index)));
TENON_DERIVATIVE(slice_backward_base,
                 TENON_WRT((grad_output), (grad, dim, start, end, step), slice(grad, dim, start, end, step)));
TENON_DERIVATIVE(diagonal_backward_base,
                 TENON_WRT((grad_output), (grad, offset, dim1, dim2), diagonal(grad, offset, dim1, dim2)));

TENON_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl<detach_base>(fallthrough());
  m.impl<detach_base_, &derivatives::detach_in_place>();
}

}  // namespace tenon::ops
