// The geometry of every view operator: one pure function each, from the geometry of a tensor to that of its view.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Sizes, strides and offset of a tensor, in elements; owns its lists.
struct Geometry {
  DimVector sizes, strides;
  std::int64_t offset = 0;
};
/// The same, read from a tensor that outlives it.
struct GeometryRef {
  IntArrayRef sizes, strides;
  std::int64_t offset = 0;
  GeometryRef(IntArrayRef sizes, IntArrayRef strides, std::int64_t offset)
      : sizes(sizes), strides(strides), offset(offset) {}
  GeometryRef(const Geometry& g) : sizes(g.sizes), strides(g.strides), offset(g.offset) {}
  GeometryRef(const TensorImpl& t) : sizes(t.sizes()), strides(t.strides()), offset(t.storage_offset()) {}
  GeometryRef(const Tensor& t) : GeometryRef(t.impl()) {}

  std::int64_t dim() const { return static_cast<std::int64_t>(sizes.size()); }
  Geometry copy() const { return {sizes, strides, offset}; }
};

/// Row-major-like strides that keep the order of the dimensions in memory: what preserve_format gives a tensor with
/// gaps.
DimVector dense_strides_like(IntArrayRef sizes, IntArrayRef strides);

/// Forward geometries. Every function takes the tensor's geometry and the operator's own arguments, checks them in
/// PyTorch's words (IndexError for a dim out of range, ValueError otherwise), and touches no memory of the tensor.
namespace view_geometry {

Geometry alias(const GeometryRef& self);

Geometry transpose(const GeometryRef& self, std::int64_t dim0, std::int64_t dim1);

Geometry t(const GeometryRef& self);

Geometry permute(const GeometryRef& self, IntArrayRef dims);

/// The shape may hold one -1. Throws ValueError if the elements would have to move.
Geometry view(const GeometryRef& self, IntArrayRef size);

/// -1 keeps a size; new dimensions come first; expanded ones get stride 0.
Geometry expand(const GeometryRef& self, IntArrayRef size, [[maybe_unused]] bool implicit = false);

Geometry select(const GeometryRef& self, std::int64_t dim, std::int64_t index);

/// Bounds are clamped to the dimension; negative ones count from its end.
Geometry slice(const GeometryRef& self, std::int64_t dim, std::optional<std::int64_t> start,
               std::optional<std::int64_t> end, std::int64_t step);

/// `start` may be negative; the range must lie inside the dimension.
std::int64_t narrow_start(const GeometryRef& self, std::int64_t dim, std::int64_t start, std::int64_t length);

Geometry unsqueeze(const GeometryRef& self, std::int64_t dim);

Geometry squeeze(const GeometryRef& self);
/// Drops the dimension if its size is 1.
Geometry squeeze_dim(const GeometryRef& self, std::int64_t dim);
Geometry squeeze_dims(const GeometryRef& self, IntArrayRef dims);

/// Does not know how much memory there is: `check_in_storage` does.
Geometry as_strided(const GeometryRef& self, IntArrayRef size, IntArrayRef stride, std::optional<std::int64_t> offset);

/// A view whose shape and strides were computed before.
Geometry reshape_alias(const GeometryRef& self, IntArrayRef size, IntArrayRef stride);

/// The diagonal becomes the last dimension.
Geometry diagonal(const GeometryRef& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2);

/// The lengths of the parts of split.Tensor: `split_size` each, the last may be shorter.
DimVector split_lengths(const GeometryRef& self, std::int64_t split_size, std::int64_t dim);
/// Checks the lengths of split_with_sizes.
void check_split_lengths(const GeometryRef& self, IntArrayRef lengths, std::int64_t dim);

}  // namespace view_geometry

/// Throws ValueError in PyTorch's words unless the geometry lies inside memory of `bytes` bytes.
void check_in_storage(const GeometryRef& g, std::size_t item, std::size_t bytes);

}  // namespace tenon
