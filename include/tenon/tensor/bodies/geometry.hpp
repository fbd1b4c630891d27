// Shapes and strides: what is computed of them.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/tensor/detail/shapes.hpp>
#include <tenon/tensor/geometry.hpp>

namespace tenon {

TENON_BODY std::int64_t detail::wrap_outside(std::int64_t dim, std::int64_t n, bool scalar_as_one) {
  if (n <= 0) {
    if (!scalar_as_one) fail<IndexError>("Dimension specified as ", dim, " but tensor has no dimensions");
    n = 1;
  }
  if (dim < -n || dim >= n)
    fail<IndexError>("Dimension out of range (expected to be in range of [", -n, ", ", n - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + n : dim;
}

TENON_BODY DimVector contiguous_strides(IntArrayRef sizes) {
  return detail::Shapes<std::int64_t>::contiguous_strides(sizes);
}

TENON_BODY DimVector strides_for(IntArrayRef sizes, MemoryFormat format) {
  return detail::Shapes<std::int64_t>::strides_for(sizes, format);
}

TENON_BODY bool is_contiguous_geometry(IntArrayRef sizes, IntArrayRef strides, MemoryFormat format) {
  for (auto s : sizes)
    if (s == 0)
      return format == MemoryFormat::Contiguous || sizes.size() == (format == MemoryFormat::ChannelsLast ? 4u : 5u);
  std::int64_t step = 1;
  auto fits = [&](std::size_t d) {
    if (sizes[d] != 1) {
      if (strides[d] != step) return false;
      step *= sizes[d];
    }
    return true;
  };
  if (format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve) {
    for (std::size_t d = sizes.size(); d-- > 0;)
      if (!fits(d)) return false;
    return true;
  }
  std::size_t rank = format == MemoryFormat::ChannelsLast ? 4 : 5;
  if (sizes.size() != rank || !fits(1)) return false;
  for (std::size_t d = rank - 1; d >= 2; --d)
    if (!fits(d)) return false;
  return fits(0);
}

TENON_BODY bool is_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides) {
  SmallVector<int, 8> order;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return true;
    if (sizes[d] != 1) order.push_back(static_cast<int>(d));
  }
  for (std::size_t i = 1; i < order.size(); ++i)
    for (std::size_t j = i; j > 0 && strides[order[j]] < strides[order[j - 1]]; --j) std::swap(order[j], order[j - 1]);
  std::int64_t step = 1;
  for (int d : order) {
    if (strides[d] != step) return false;
    step *= sizes[d];
  }
  return true;
}

TENON_BODY bool is_channels_last_strides(IntArrayRef sizes, IntArrayRef strides, MemoryFormat format) {
  return detail::Shapes<std::int64_t>::is_channels_last_strides(sizes, strides, format);
}

TENON_BODY std::size_t storage_bytes(IntArrayRef sizes, IntArrayRef strides, std::size_t item, std::int64_t offset) {
  std::int64_t last = 1, step, bytes;
  bool overflow = false;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    overflow |= __builtin_mul_overflow(sizes[d] - 1, strides[d], &step) || __builtin_add_overflow(last, step, &last);
  }
  overflow |= __builtin_add_overflow(last, offset, &last) ||
              __builtin_mul_overflow(last, static_cast<std::int64_t>(item), &bytes);
  if (overflow)
    fail<OutOfMemoryError>("Storage size calculation overflowed with sizes=", sizes, " and strides=", strides);
  return static_cast<std::size_t>(bytes);
}

TENON_BODY DimVector broadcast_shapes(IntArrayRef a, IntArrayRef b) {
  return detail::Shapes<std::int64_t>::broadcast_shapes(a, b);
}

TENON_BODY std::optional<DimVector> view_strides(IntArrayRef sizes, IntArrayRef strides, IntArrayRef shape) {
  return detail::Shapes<std::int64_t>::view_strides(sizes, strides, shape);
}

TENON_BODY DimVector infer_size(IntArrayRef shape, std::int64_t numel) {
  return detail::Shapes<std::int64_t>::infer_size(shape, numel);
}

}  // namespace tenon
