// Shapes and strides: what is computed of them.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
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
  DimVector strides(sizes.size());
  std::int64_t step = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    strides[d] = step;
    step *= sizes[d] > 1 ? sizes[d] : 1;
  }
  return strides;
}

TENON_BODY DimVector strides_for(IntArrayRef sizes, MemoryFormat format) {
  if (format == MemoryFormat::ChannelsLast || format == MemoryFormat::ChannelsLast3d) {
    std::size_t rank = format == MemoryFormat::ChannelsLast ? 4 : 5;
    TENON_CHECK(sizes.size() == rank, ValueError, "required rank ", rank, " tensor to use ", format, " format");
    DimVector strides(rank);
    std::int64_t step = 1;
    auto set = [&](std::size_t d) {
      strides[d] = step;
      step *= sizes[d] > 1 ? sizes[d] : 1;
    };
    set(1);
    for (std::size_t d = rank - 1; d >= 2; --d) set(d);
    set(0);
    return strides;
  }
  return contiguous_strides(sizes);
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
  std::size_t rank = format == MemoryFormat::ChannelsLast ? 4 : 5;
  if (sizes.size() != rank || strides[1] == 0) return false;
  std::int64_t least = 0;
  auto check = [&](std::size_t d) {
    if (sizes[d] == 0 || strides[d] < least) return false;
    if (d == 0 && least == strides[1]) return false;
    least = strides[d];
    if (sizes[d] > 1) least *= sizes[d];
    return true;
  };
  if (!check(1)) return false;
  for (std::size_t d = rank - 1; d >= 2; --d)
    if (!check(d)) return false;
  return check(0);
}

TENON_BODY std::size_t storage_bytes(IntArrayRef sizes, IntArrayRef strides, std::size_t item, std::int64_t offset) {
  std::int64_t last = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    last += (sizes[d] - 1) * strides[d];
  }
  return static_cast<std::size_t>(offset + last) * item;
}

TENON_BODY DimVector broadcast_shapes(IntArrayRef a, IntArrayRef b) {
  DimVector out(a.size() > b.size() ? a : b);
  IntArrayRef small = a.size() > b.size() ? b : a;
  for (std::size_t i = 0; i < small.size(); ++i) {
    std::size_t d = out.size() - 1 - i;
    std::int64_t x = out[d], y = small[small.size() - 1 - i];
    if (x == y || y == 1) continue;
    if (x != 1) {
      auto first = a[a.size() - 1 - i], second = b[b.size() - 1 - i];
      fail<ValueError>("The size of tensor a (", first, ") must match the size of tensor b (", second,
                       ") at non-singleton dimension ", d);
    }
    out[d] = y;
  }
  return out;
}

TENON_BODY std::optional<DimVector> view_strides(IntArrayRef sizes, IntArrayRef strides, IntArrayRef shape) {
  if (count_elements(sizes) == 0) {
    if (sizes == shape) return DimVector(strides);
    return contiguous_strides(shape);
  }
  DimVector out(shape.size());
  auto view = static_cast<std::int64_t>(shape.size()) - 1;
  std::int64_t base = sizes.empty() ? 1 : strides.back(), tensor_count = 1, view_count = 1;
  if (sizes.empty()) {
    for (auto& s : out) s = 1;
    return out;
  }
  for (auto d = static_cast<std::int64_t>(sizes.size()) - 1; d >= 0; --d) {
    tensor_count *= sizes[d];
    // The end of a run of dimensions that lie in one contiguous piece.
    if (d == 0 || (sizes[d - 1] != 1 && strides[d - 1] != tensor_count * base)) {
      while (view >= 0 && (view_count < tensor_count || shape[view] == 1)) {
        out[view] = view_count * base;
        view_count *= shape[view];
        --view;
      }
      if (view_count != tensor_count) return std::nullopt;
      if (d > 0) {
        base = strides[d - 1];
        tensor_count = view_count = 1;
      }
    }
  }
  if (view != -1) return std::nullopt;
  return out;
}

TENON_BODY DimVector infer_size(IntArrayRef shape, std::int64_t numel) {
  DimVector out(shape);
  std::int64_t known = 1;
  std::optional<std::size_t> unknown;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == -1) {
      TENON_CHECK(!unknown, ValueError, "only one dimension can be inferred");
      unknown = d;
    } else {
      TENON_CHECK(shape[d] >= 0, ValueError, "invalid shape dimension ", shape[d]);
      known *= shape[d];
    }
  }
  if (known == numel || (unknown && known > 0 && numel % known == 0)) {
    if (unknown) {
      TENON_CHECK(known != 0, ValueError, "cannot reshape tensor of 0 elements into shape ", shape,
                  " because the unspecified dimension size -1 can be any value and is ambiguous");
      out[*unknown] = numel / known;
    }
    return out;
  }
  fail<ValueError>("shape '", shape, "' is invalid for input of size ", numel);
}

}  // namespace tenon
