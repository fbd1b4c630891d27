// The rows of a matrix in lexicographic order as a kernel: neighbouring runs become one, every row by its rank.
#pragma once
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// Row-major rows of float, double, int64 or uint64, and their numbers in order, in one of two buffers. The first one
/// begins as the rows' own order, which equal rows keep.
struct RowOrderCall {
  ScalarType dtype;
  const void* rows;
  std::int64_t count, width;
  std::int64_t* order[2];
};
/// The buffer that has them; -1 for another dtype.
int order_rows(const RowOrderCall& call, void* stream);

/// Two neighbouring runs of `run` rows become one. Not-a-numbers, which are all equal, are the largest.
template <class T>
struct merge_row_runs {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const RowOrderCall& c, const std::int64_t* from, std::int64_t* to,
                                    std::int64_t run) const {
    each_of_grid(lane, c.count, [&](std::int64_t i) {
      const std::int64_t first = i / run * run;
      const bool front = i / run % 2 == 0;
      std::int64_t low = front ? first + run : first - run, high = low + run;
      if (high > c.count) high = c.count;
      const std::int64_t base = low;
      const T* mine = row(c, from[i]);
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        const T* other = row(c, from[middle]);
        if (front ? before(other, mine, c.width) : !before(mine, other, c.width))
          low = middle + 1;
        else
          high = middle;
      }
      to[(front ? first : first - run) + (i - first) + (low - base)] = from[i];
    });
  }

 private:
  TENON_HOST_DEVICE static const T* row(const RowOrderCall& c, std::int64_t i) {
    return static_cast<const T*>(c.rows) + i * c.width;
  }
  TENON_HOST_DEVICE static bool before(const T* a, const T* b, std::int64_t width) {
    for (std::int64_t k = 0; k < width; ++k) {
      if (a[k] < b[k] || (b[k] != b[k] && a[k] == a[k])) return true;
      if (b[k] < a[k] || (a[k] != a[k] && b[k] == b[k])) return false;
    }
    return false;
  }
};

}  // namespace tenon::cuda
