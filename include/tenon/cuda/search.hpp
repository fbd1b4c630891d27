// Places in sorted lines by bisection as a kernel: a lane for each value.
#pragma once
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// Row-major lines of `size` elements in ascending order, or in that of `order`, and the values that are looked for,
/// `each` in a line, of one dtype.
struct SearchCall {
  ScalarType dtype;
  std::int64_t count, each, size;
  const void *lines, *values;
  const std::int64_t* order;  ///< may be null
  bool right;                 ///< behind elements that are equal, else before them
  std::int64_t* out;
};
/// False for a dtype without an order.
bool find_in_sorted(const SearchCall& call, void* stream);

/// Not-a-numbers stand behind all others.
template <class T>
struct bisect {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SearchCall& c) const {
    each_of_grid(lane, c.count, [&](std::int64_t i) {
      const std::int64_t line = i / c.each * c.size;
      const T *x = static_cast<const T*>(c.lines) + line, value = static_cast<const T*>(c.values)[i];
      const std::int64_t* order = c.order ? c.order + line : nullptr;
      std::int64_t low = 0, high = c.size;
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        const T there = x[order ? order[middle] : middle];
        if (c.right ? there > value : there >= value)
          high = middle;
        else
          low = middle + 1;
      }
      c.out[i] = low;
    });
  }
};

}  // namespace tenon::cuda
