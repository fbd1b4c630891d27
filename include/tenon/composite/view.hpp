// Operators made of views: reshape, narrow, chunk and what has another tensor's shape.
#pragma once
#include <tenon/library/naming.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_scatter.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

template <class Int>
Tensor reshape(const Tensor& self, ArrayRef<Int> shape) {
  if (self.is_contiguous()) return ops::view(self, shape);
  dims_t<Int> size = infer_size(shape, numel_of<Int>(self));
  if (auto strides = view_strides(sizes_of<Int>(self), strides_of<Int>(self), size))
    return ops::_reshape_alias(self, size, *strides);
  return ops::_unsafe_view(ops::clone(self, "memory_format"_a = MemoryFormat::Contiguous), size);
}
inline Tensor reshape_any(const Tensor& self, SymIntArrayRef shape) {
  auto plain = maybe_as_ints(shape);
  return plain && !self.is_symbolic() ? reshape<std::int64_t>(self, *plain) : reshape<SymInt>(self, shape);
}
/// Of a slice the whole again, which `src` shows.
inline Tensor slice_inverse(const Tensor& self, const Tensor& src, std::int64_t, std::optional<SymInt>,
                            std::optional<SymInt>, SymInt) {
  return ops::as_strided(self, src.sym_sizes(), src.sym_strides(), src.sym_storage_offset());
}
inline Tensor view_as(const Tensor& self, const Tensor& other) { return ops::view(self, other.sym_sizes()); }
inline Tensor reshape_as(const Tensor& self, const Tensor& other) { return ops::reshape(self, other.sym_sizes()); }
inline Tensor expand_as(const Tensor& self, const Tensor& other) { return ops::expand(self, other.sym_sizes()); }
template <class Int>
Tensor flatten(const Tensor& self, std::int64_t start_dim, std::int64_t end_dim) {
  start_dim = wrap_dim(start_dim, self.dim());
  end_dim = wrap_dim(end_dim, self.dim());
  TENON_CHECK(start_dim <= end_dim, ValueError, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return ops::reshape(self, 1);
  if (start_dim == end_dim) return self;
  dims_t<Int> shape;
  Int merged = 1;
  ArrayRef<Int> sizes = sizes_of<Int>(self);
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    if (d >= start_dim && d <= end_dim) merged = merged * sizes[d];
    if (d == end_dim)
      shape.push_back(merged);
    else if (d < start_dim || d > end_dim)
      shape.push_back(sizes[d]);
  }
  return reshape<Int>(self, shape);
}
template <class Int>
Tensor narrow(const Tensor& self, std::int64_t dim, Int start, Int length) {
  start = ViewGeometry<Int>::narrow_start(self, dim, start, length);
  return ops::slice(self, dim, start, start + length, 1);
}
inline Tensor narrow_any(const Tensor& self, std::int64_t dim, const SymInt& start, const SymInt& length) {
  if (self.is_symbolic() || start.is_symbolic() || length.is_symbolic())
    return narrow<SymInt>(self, dim, start, length);
  return narrow<std::int64_t>(self, dim, start.as_int_unchecked(), length.as_int_unchecked());
}
/// The start is read, which symbolic sizes do not keep from.
inline Tensor narrow_tensor(const Tensor& self, std::int64_t dim, const Tensor& start, SymInt length) {
  TENON_CHECK(start.dim() == 0 && is_integral_type(start.dtype(), false), TypeError,
              "start must be an 0-dim integral Tensor.");
  return ops::narrow(self, dim, SymInt(start.item<std::int64_t>()), std::move(length));
}
inline std::vector<Tensor> split_sizes(const Tensor& self, SymIntArrayRef lengths, std::int64_t dim) {
  return ops::split_with_sizes(self, lengths, dim);
}
template <class Int>
std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "chunk expects at least a 1-dimensional tensor");
  TENON_CHECK(chunks > 0, ValueError, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  Int size = sizes_of<Int>(self)[wrap_dim(dim, self.dim(), false)], length = (size + chunks - 1) / chunks;
  // An empty dimension has no length to cut by: every chunk is empty.
  if (length == 0 && size == 0) return ops::split_with_sizes(self, DimVector(static_cast<std::size_t>(chunks), 0), dim);
  return ops::split(self, SymInt(length), dim);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<reshape_base>().def<view_as_base>().def<reshape_as_base>().def<expand_as_base>().def<flatten_using_ints>();
  m.def<narrow_base>().def<narrow_Tensor>().def<split_sizes>().def<chunk_base>().def<slice_inverse_base>();
}
TENON_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  namespace k = composite;
  m.impl<reshape_base, naming<reshape_base, &k::reshape_any>>().impl<view_as_base, &k::view_as>();
  m.impl<reshape_as_base, &k::reshape_as>().impl<expand_as_base, &k::expand_as>();
  m.impl<flatten_using_ints, &k::flatten<std::int64_t>>().impl<narrow_base, naming<narrow_base, &k::narrow_any>>();
  m.impl<slice_inverse_base, &k::slice_inverse>();
  m.impl<narrow_Tensor, naming<narrow_Tensor, &k::narrow_tensor>>();
  m.impl<split_sizes, &k::split_sizes>().impl<chunk_base, &k::chunk<std::int64_t>>();
}
TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<flatten_using_ints, &composite::flatten<SymInt>>().impl<chunk_base, &composite::chunk<SymInt>>();
}

}  // namespace tenon::ops
