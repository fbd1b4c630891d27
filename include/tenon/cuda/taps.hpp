// Sums of weighted elements along a dimension as a kernel: resampling and padding, and their gradients.
#pragma once
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// Summed in S; an element of one tap is that one's.
template <class S>
struct sum_taps {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const TapsCall& c) const {
    auto item = static_cast<std::int64_t>(item_size(c.dtype));
    each_of_grid(lane, c.outer * c.out * c.inner, [&](std::int64_t n) {
      std::int64_t j = n % c.inner, i = n / c.inner % c.out, o = n / c.inner / c.out, low = c.first[i],
                   high = c.first[i + 1];
      const char* x = static_cast<const char*>(c.x);
      auto read = [&](std::int64_t k) { return load_as<S>(x + ((o * c.in + c.at[k]) * c.inner + j) * item, c.dtype); };
      S sum = high - low == 1 && c.weight[low] == 1.0 ? read(low) : S(0.0f);
      if (high - low != 1 || c.weight[low] != 1.0)
        for (std::int64_t k = low; k < high; ++k) sum = sum + cast<S>(c.weight[k]) * read(k);
      store_as(static_cast<char*>(c.y) + n * item, c.dtype, sum);
    });
  }
};

}  // namespace tenon::cuda
