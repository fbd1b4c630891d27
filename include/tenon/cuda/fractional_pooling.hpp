// Fractional pooling as kernels: the maxima of windows that random numbers spread.
#pragma once
#include <cstdint>

#include <tenon/cuda/launch.hpp>
#include <tenon/cuda/pooling.hpp>
#include <tenon/math/fractional_pooling.hpp>

namespace tenon::cuda {

/// For each plane the numbers of its three dimensions.
struct FractionalPoolCall {
  PoolCall pool;
  const double* samples;
};
bool fractional_pool(const FractionalPoolCall& call, void* stream);

template <class S>
struct fractional_maxima {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FractionalPoolCall& call) const {
    const PoolCall& c = call.pool;
    std::int64_t results = volume(c.out);
    each_of_grid(lane, c.planes * results, [&](std::int64_t i) {
      Place3 o(i % results, c.out);
      const double* samples = call.samples + 3 * (i / results);
      auto window = [&](int d) {
        return PoolWindow(math::fractional_start(o.at[d], static_cast<S>(samples[d]), c.in[d], c.out[d], c.kernel[d]),
                          c.kernel[d]);
      };
      take_maximum<S>(c, PoolWindows(window(0), window(1), window(2)), i);
    });
  }
};

}  // namespace tenon::cuda
