// The geometry of every view operator: one pure function each, from the geometry of a tensor to that of its view.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Sizes, strides and offset of a tensor, in elements; owns its lists.
template <class Int>
struct BasicGeometry {
  dims_t<Int> sizes, strides;
  Int offset = 0;
};
/// The same, read from a tensor that outlives it.
template <class Int>
struct BasicGeometryRef {
  ArrayRef<Int> sizes, strides;
  Int offset = 0;
  BasicGeometryRef(ArrayRef<Int> of_sizes, ArrayRef<Int> of_strides, const Int& at)
      : sizes(of_sizes), strides(of_strides), offset(at) {}
  BasicGeometryRef(const BasicGeometry<Int>& g) : sizes(g.sizes), strides(g.strides), offset(g.offset) {}
  BasicGeometryRef(const TensorImpl& t) : sizes(t.sizes()), strides(t.strides()), offset(t.storage_offset()) {}
  BasicGeometryRef(const Tensor& t) : sizes(t.sizes()), strides(t->strides()), offset(t->storage_offset()) {}

  std::int64_t dim() const { return static_cast<std::int64_t>(sizes.size()); }
  BasicGeometry<Int> copy() const { return {sizes, strides, offset}; }
};
template <>
inline BasicGeometryRef<SymInt>::BasicGeometryRef(const TensorImpl& t)
    : sizes(t.sym_sizes()), strides(t.sym_strides()), offset(t.sym_storage_offset()) {}
template <>
inline BasicGeometryRef<SymInt>::BasicGeometryRef(const Tensor& t) : BasicGeometryRef(t.impl()) {}

using Geometry = BasicGeometry<std::int64_t>;
using GeometryRef = BasicGeometryRef<std::int64_t>;

/// Row-major-like strides that keep the order of the dimensions in memory: what preserve_format gives a tensor with
/// gaps.
DimVector dense_strides_like(IntArrayRef sizes, IntArrayRef strides);

/// Forward geometries, for plain integers and for symbolic ones. Every function takes the tensor's geometry and the
/// operator's own arguments, checks them in PyTorch's words (IndexError for a dim out of range, ValueError otherwise),
/// and touches no memory of the tensor.
template <class Int>
struct ViewGeometry {
  using Ref = ArrayRef<Int>;
  using G = BasicGeometry<Int>;
  using From = BasicGeometryRef<Int>;

  static G alias(const From& self);

  static G transpose(const From& self, std::int64_t dim0, std::int64_t dim1);

  static G t(const From& self);

  static G permute(const From& self, IntArrayRef dims);

  /// The shape may hold one -1. Throws ValueError if the elements would have to move.
  static G view(const From& self, Ref size);

  /// -1 keeps a size; new dimensions come first; expanded ones get stride 0.
  static G expand(const From& self, Ref size, [[maybe_unused]] bool implicit = false);

  static G select(const From& self, std::int64_t dim, Int index);

  /// Bounds are clamped to the dimension; negative ones count from its end.
  static G slice(const From& self, std::int64_t dim, std::optional<Int> start, std::optional<Int> end, Int step);

  /// `start` may be negative; the range must lie inside the dimension.
  static Int narrow_start(const Tensor& self, std::int64_t dim, const Int& start, const Int& length) {
    if constexpr (std::is_same_v<Int, std::int64_t>)  // most are right, without a look at all that may be wrong
      if (Ref sizes = self.sizes(); static_cast<std::size_t>(dim) < sizes.size())
        if (start >= 0 && length >= 0 && start <= sizes[static_cast<std::size_t>(dim)] - length) [[likely]]
          return start;
    return checked_narrow_start(self, dim, start, length);
  }

  static G unsqueeze(const From& self, std::int64_t dim);

  static G squeeze(const From& self);
  /// Drops the dimension if its size is 1.
  static G squeeze_dim(const From& self, std::int64_t dim);
  static G squeeze_dims(const From& self, IntArrayRef dims);

  /// Does not know how much memory there is: `check_in_storage` does.
  static G as_strided(const From& self, Ref size, Ref stride, std::optional<Int> offset);

  /// A view whose shape and strides were computed before.
  static G reshape_alias(const From& self, Ref size, Ref stride);

  /// The diagonal becomes the last dimension.
  static G diagonal(const From& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2);

  /// The lengths of the parts of split.Tensor: `split_size` each, the last may be shorter.
  static dims_t<Int> split_lengths(const From& self, const Int& split_size, std::int64_t dim);
  /// Checks the lengths of split_with_sizes.
  static void check_split_lengths(const From& self, Ref lengths, std::int64_t dim);

 private:
  static Int checked_narrow_start(const From& self, std::int64_t dim, Int start, const Int& length);
};
using view_geometry = ViewGeometry<std::int64_t>;

/// Throws ValueError in PyTorch's words unless the geometry lies inside memory of `bytes` bytes.
void check_in_storage(const GeometryRef& g, std::size_t item, std::size_t bytes);

}  // namespace tenon
