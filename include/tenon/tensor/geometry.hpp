// Shapes and strides: counting, wrapping of dimensions, contiguity, broadcasting, view strides. Strides count elements.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/base/device.hpp>
#include <tenon/base/dim_vector.hpp>

namespace tenon {

/// The number of elements of a shape; 1 for no dimensions.
inline std::int64_t count_elements(IntArrayRef sizes) {
  std::int64_t n = 1;
  for (auto s : sizes) n *= s;
  return n;
}

namespace detail {
/// For a dimension outside [-n, n), which a tensor without dimensions may have.
std::int64_t wrap_outside(std::int64_t dim, std::int64_t n, bool scalar_as_one);
}  // namespace detail

/// `dim` in [0, n) from one in [-n, n); n = 0 counts as 1. Throws IndexError in PyTorch's words.
inline std::int64_t wrap_dim(std::int64_t dim, std::int64_t n, bool scalar_as_one = true) {
  if (dim >= n || dim < -n) [[unlikely]]
    return detail::wrap_outside(dim, n, scalar_as_one);
  return dim < 0 ? dim + n : dim;
}

/// Row-major strides; a dimension of size 0 counts as 1.
DimVector contiguous_strides(IntArrayRef sizes);

/// Strides of a dense tensor in a memory format. Throws ValueError when the rank does not fit the format.
DimVector strides_for(IntArrayRef sizes, MemoryFormat format);

bool is_contiguous_geometry(IntArrayRef sizes, IntArrayRef strides, MemoryFormat format = MemoryFormat::Contiguous);

/// Whether every element has its own place and the places fill one range.
bool is_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides);

/// The memory format that the strides suggest, as PyTorch decides it: channels last wins only where it is unambiguous.
bool is_channels_last_strides(IntArrayRef sizes, IntArrayRef strides, MemoryFormat format);

/// Bytes from the first to behind the last element of a strided tensor.
std::size_t storage_bytes(IntArrayRef sizes, IntArrayRef strides, std::size_t item, std::int64_t offset = 0);

/// The common shape of two shapes. Throws ValueError in PyTorch's words.
DimVector broadcast_shapes(IntArrayRef a, IntArrayRef b);

/// Strides of `sizes` seen as `shape` without a copy; nothing if that needs one.
std::optional<DimVector> view_strides(IntArrayRef sizes, IntArrayRef strides, IntArrayRef shape);

/// The shape with its one -1 replaced. Throws ValueError `shape '[..]' is invalid for input of size N`.
DimVector infer_size(IntArrayRef shape, std::int64_t numel);

}  // namespace tenon
