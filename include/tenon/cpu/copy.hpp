// Strided copies between any two dtypes, and filling.
#pragma once
#include <cstdint>
#include <cstring>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/plan.hpp>
#include <tenon/cpu/detail/plan_parts.hpp>
#include <tenon/cpu/detail/stream_transposed.hpp>
#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/cpu/transpose.hpp>

namespace tenon::cpu {
namespace detail {

/// n elements of `item` bytes, all equal to the one at `value`.
template <class Arch>
void fill_bytes(char* dst, const char* value, std::int64_t item, std::int64_t n) {
  std::int64_t bytes = n * item;
  bool same = true;
  for (std::int64_t i = 1; i < item; ++i) same = same && value[i] == value[0];
  if (same) {
    std::memset(dst, static_cast<unsigned char>(value[0]), static_cast<std::size_t>(bytes));
    return;
  }
  // An element's bytes repeat within those of a vector.
  using V = vec<std::uint64_t, Arch>;
  constexpr std::int64_t width = V::size * 8;
  alignas(64) char pattern[width];
  for (std::int64_t i = 0; i < width; i += item) std::memcpy(pattern + i, value, static_cast<std::size_t>(item));
  const V whole = V::load(reinterpret_cast<const std::uint64_t*>(pattern));
  std::int64_t at = 0;
  for (; at + width <= bytes; at += width) whole.store(reinterpret_cast<std::uint64_t*>(dst + at));
  std::memcpy(dst + at, pattern, static_cast<std::size_t>(bytes - at));
}

/// `streamed`: the result is larger than the caches.
template <class Arch>
void copy_plan(const Plan<Arch, 2>& plan, bool streamed) {
  std::int64_t s0 = plan.stride[0][0], t0 = plan.stride[1][0], n = plan.size[0];
  bool same = plan.dtype[0] == plan.dtype[1];
  const bool short_rows = plan.dims >= 2 && plan.size[1] > 4 * n;
  if (s0 == plan.item[0] && t0 == 0 && (!short_rows || n > 16)) {
    return plan.outer(1, [&](char* const* p) {
      alignas(16) char value[16];
      convert<Arch>(value, plan.dtype[0], 0, p[1], plan.dtype[1], 0, 1);
      fill_bytes<Arch>(p[0], value, plan.item[0], n);
    });
  }
  bool across =
      plan.dims >= 2 && t0 != plan.item[1] && t0 != 0 && plan.stride[1][1] == plan.item[1] && s0 == plan.item[0];
  if (across && n >= 8 && plan.size[1] >= 8) {
    // Tall tiles: long pieces of the source's lines, few lines of the result at a time.
    constexpr std::int64_t tile_rows = 256, tile_columns = 32;
    char* staged =
        same ? nullptr
             : static_cast<char*>(scratch<Arch>(0, static_cast<std::size_t>(tile_rows * tile_columns * plan.item[1])));
    return plan.outer(2, [&](char* const* p) {
      if (streamed && same && stream_transposed<Arch>(p[0], plan.stride[0][1], p[1], t0, plan.size[1], n, plan.item[0]))
        return;
      for (std::int64_t r0 = 0; r0 < plan.size[1]; r0 += tile_rows)
        for (std::int64_t c0 = 0; c0 < n; c0 += tile_columns) {
          std::int64_t rows = plan.size[1] - r0 < tile_rows ? plan.size[1] - r0 : tile_rows,
                       columns = n - c0 < tile_columns ? n - c0 : tile_columns;
          char* to = p[0] + r0 * plan.stride[0][1] + c0 * s0;
          const char* from = p[1] + r0 * plan.stride[1][1] + c0 * t0;
          if (same) {
            transpose_bytes<Arch>(to, plan.stride[0][1], from, t0, rows, columns, plan.item[0]);
            continue;
          }
          transpose_bytes<Arch>(staged, tile_columns * plan.item[1], from, t0, rows, columns, plan.item[1]);
          for (std::int64_t r = 0; r < rows; ++r)
            convert<Arch>(to + r * plan.stride[0][1], plan.dtype[0], s0, staged + r * tile_columns * plan.item[1],
                          plan.dtype[1], plan.item[1], columns);
        }
    });
  }
  if (short_rows)  // fewer, longer lines along the next dimension
    return plan.outer(2, [&](char* const* p) {
      for (std::int64_t c = 0; c < n; ++c)
        convert<Arch>(p[0] + c * s0, plan.dtype[0], plan.stride[0][1], p[1] + c * t0, plan.dtype[1], plan.stride[1][1],
                      plan.size[1]);
    });
  plan.outer(1, [&](char* const* p) { convert<Arch>(p[0], plan.dtype[0], s0, p[1], plan.dtype[1], t0, n); });
}

}  // namespace detail

/// Copies n contiguous elements with conversion, on several threads when long.
template <class Arch>
void copy_dense(void* dst, ScalarType to, const void* src, ScalarType from, std::int64_t n) {
  auto d = static_cast<std::int64_t>(item_size(to)), s = static_cast<std::int64_t>(item_size(from));
  if (n < kParallelElements) return convert<Arch>(dst, to, d, src, from, s, n);
  parallel_for(0, n, kParallelElements, [&](std::int64_t first, std::int64_t last) {
    convert<Arch>(static_cast<char*>(dst) + first * d, to, d, static_cast<const char*>(src) + first * s, from, s,
                  last - first);
  });
}

/// Copies `src`, broadcast to the shape `sizes`, into `dst` of that shape with conversion of the dtype: complex to real
/// drops the imaginary part, anything to bool is `!= 0`, floating to integer truncates.
/// Aliasing: the two do not overlap unless they are the same view. Errors: TypeError for a dtype without elements.
/// Cost: contiguous pairs of one dtype at memcpy's speed; transposed ones in tiles.
template <class Arch>
void copy(const std::int64_t* sizes, int dims, const Operand& dst, const Operand& src) {
  if (dst.access == Access::dense && src.access == Access::dense) {
    std::int64_t n = 1;
    for (int d = 0; d < dims; ++d) n *= sizes[d];
    return copy_dense<Arch>(dst.data, dst.dtype, src.data, src.dtype, n);
  }
  Operand both[2] = {dst, src};
  detail::Plan<Arch, 2> plan;
  if (!plan.build(sizes, dims, both, 2)) return;
  const std::int64_t count = plan.count();
  if (count < kParallelElements) return detail::copy_plan<Arch>(plan, false);
  const bool streamed = count * plan.item[0] >= detail::kStreamedBytes;
  detail::for_parts(plan, [&](const auto& part) { detail::copy_plan<Arch>(part, streamed); });
}

/// Writes the element at `value`, of dtype `value_type`, to every element of `dst` of shape `sizes`.
template <class Arch>
void fill(const std::int64_t* sizes, int dims, const Operand& dst, const void* value, ScalarType value_type) {
  copy<Arch>(sizes, dims, dst, Operand::splat(value, value_type));
}

}  // namespace tenon::cpu
