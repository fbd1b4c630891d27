// Sampling at the points of a grid as kernels: a lane for each point.
#pragma once
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>
#include <tenon/math/grid_taps.hpp>

namespace tenon::cuda {

/// Row-major tensors of C; `in` and `grid` are read, the others are null where they are not asked for.
template <class C>
struct GridCall {
  math::GridShape<C> shape;
  const C *in, *grid, *grad;
  C *out, *by_input, *by_grid;  ///< by_input was filled with zeros
};
void sample_grid(const GridCall<float>& call, void* stream);
void sample_grid(const GridCall<double>& call, void* stream);
void sample_grid_back(const GridCall<float>& call, void* stream);
void sample_grid_back(const GridCall<double>& call, void* stream);

template <class C>
struct sample_points {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const GridCall<C>& c) const {
    const math::GridShape<C>& s = c.shape;
    each_of_grid(lane, s.batch * s.points, [&](std::int64_t i) {
      math::GridPoint<C> taps = s.taps_at(c.grid + i * s.dims);
      std::int64_t n = i / s.points, p = i % s.points;
      for (std::int64_t plane = n * s.channels; plane < (n + 1) * s.channels; ++plane) {
        const C* from = c.in + plane * s.plane;
        C sum = 0;
        s.each_tap(taps, [&](std::int64_t at, C weight, const C(&)[3]) { sum += from[at] * weight; });
        c.out[plane * s.points + p] = sum;
      }
    });
  }
};
/// Elements of the input take what several points give them by atomic additions.
template <class C>
struct sample_points_back {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const GridCall<C>& c) const {
    const math::GridShape<C>& s = c.shape;
    each_of_grid(lane, s.batch * s.points, [&](std::int64_t i) {
      math::GridPoint<C> taps = s.taps_at(c.grid + i * s.dims);
      std::int64_t n = i / s.points, p = i % s.points;
      C sums[3] = {};
      for (std::int64_t plane = n * s.channels; plane < (n + 1) * s.channels; ++plane) {
        C grad = c.grad[plane * s.points + p];
        s.each_tap(taps, [&](std::int64_t at, C weight, const C(&slopes)[3]) {
          if (c.by_input) lane.atomic_add(c.by_input + plane * s.plane + at, weight * grad);
          if (c.by_grid)
            for (int d = 0; d < 3; ++d) sums[d] += c.in[plane * s.plane + at] * slopes[d] * grad;
        });
      }
      if (c.by_grid)
        for (int d = 0; d < s.dims; ++d) c.by_grid[i * s.dims + d] = sums[d];
    });
  }
};

}  // namespace tenon::cuda
