// Walks along an index whose tensors may be zero-dim.
#pragma once
#include <algorithm>

#include <tenon/composite/gather.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

inline DimVector strides_1d(const Tensor& t) { return t.dim() == 0 ? DimVector{1} : DimVector(t.strides()); }
/// Indices as int64, counted from 0; throws IndexError unless each lies in [0, size).
inline Tensor checked_indices(const Tensor& index, std::int64_t size, const char* message) {
  Tensor list = row_major(index, kLong);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  for (std::int64_t i = 0, n = list.numel(); i < n; ++i) TENON_CHECK(p[i] >= 0 && p[i] < size, IndexError, message);
  return list;
}
[[noreturn, gnu::cold, gnu::noinline]] inline void index_out_of_bounds(std::int64_t index, std::int64_t dim,
                                                                       std::int64_t size) {
  fail<IndexError>("index ", index, " is out of bounds for dimension ", dim, " with size ", size);
}
/// f(i, k) for every element of `index`: where `indexed` strides lead for its value along `dim`, which is below `size`,
/// and where `plain` ones lead for its place.
template <class F>
void each_index(const Tensor& index, std::int64_t dim, std::int64_t size, IntArrayRef indexed, IntArrayRef plain, F f) {
  if (index.numel() == 0) return;
  Tensor where = row_major(index, kLong);
  DimVector sizes = composite::at_least_1d(index.sizes()), w = contiguous_strides(sizes);
  std::int64_t n = sizes[dim];
  auto p = static_cast<const std::int64_t*>(where.data_ptr());
  parallel_for(0, line_count(sizes, dim), (1 << 14) / (n + 1) + 1, [&](std::int64_t first, std::int64_t last) {
    auto line = [&](const std::int64_t* at, std::int64_t step, std::int64_t to, std::int64_t by) {
      const std::int64_t* from = p + at[2];
      const std::int64_t first_i = at[0], first_k = at[1];
      const auto bound = static_cast<std::uint64_t>(size);
      std::int64_t k = 0;
      // In fours, so that one branch checks four indices and reads from memory do not wait for each other's.
      for (; k + 4 <= n; k += 4) {
        const std::int64_t* q = from + k * step;
        const std::int64_t a = q[0], b = q[step], c = q[2 * step], d = q[3 * step];
        const auto greatest = [](std::int64_t x, std::int64_t y) {
          return std::max(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y));
        };
        if (std::max(greatest(a, b), greatest(c, d)) >= bound) [[unlikely]]
          break;
        const std::int64_t at_k = first_k + k * by;
        f(first_i + a * to, at_k);
        f(first_i + b * to, at_k + by);
        f(first_i + c * to, at_k + 2 * by);
        f(first_i + d * to, at_k + 3 * by);
      }
      for (; k < n; ++k) {
        const std::int64_t i = from[k * step];
        if (static_cast<std::uint64_t>(i) >= bound) [[unlikely]]
          index_out_of_bounds(i, dim, size);
        f(first_i + i * to, first_k + k * by);
      }
    };
    const std::int64_t step = w[dim], to = indexed[dim], by = plain[dim];
    each_line(sizes, dim, {indexed, plain, IntArrayRef(w)}, first, last, [&](const std::int64_t* at, std::int64_t) {
      if (step == 1 && to == 1 && by == 1)
        line(at, 1, 1, 1);
      else
        line(at, step, to, by);
    });
  });
}

}  // namespace tenon::cpu::detail
