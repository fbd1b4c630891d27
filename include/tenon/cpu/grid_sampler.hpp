// Sampling at the points of a grid on the CPU, images and volumes alike.
#pragma once
#include <array>
#include <cmath>

#include <tenon/composite/grid_sampler.hpp>
#include <tenon/cpu/detail/results.hpp>

namespace tenon::cpu::detail {

enum class GridMode : std::int64_t { Bilinear, Nearest, Bicubic };
enum class GridPadding : std::int64_t { Zeros, Border, Reflection };

/// A coordinate in elements, and its slope by the grid's number.
template <class C>
struct GridPlace {
  C at, slope;
};
template <class C>
struct GridAxis {
  std::int64_t size;
  GridPadding padding;
  bool align_corners;

  GridPlace<C> scaled(C x) const {
    C n = static_cast<C>(size);
    if (align_corners) return {(x + 1) / 2 * (n - 1), (n - 1) / 2};
    return {((x + 1) * n - 1) / 2, n / 2};
  }
  GridPlace<C> padded(GridPlace<C> p) const {
    if (padding == GridPadding::Reflection) p = reflected(p);
    if (padding != GridPadding::Zeros) p = clipped(p);
    // What no integer holds lies outside.
    if (!(p.at > C(-1e9) && p.at < C(1e9))) p.at = C(-100);
    return p;
  }

 private:
  GridPlace<C> clipped(GridPlace<C> p) const {
    C last = static_cast<C>(size - 1);
    if (p.at <= 0) return {C(0), C(0)};
    if (p.at >= last) return {last, C(0)};
    return p;
  }
  GridPlace<C> reflected(GridPlace<C> p) const {
    C low = align_corners ? C(0) : C(-0.5), span = align_corners ? static_cast<C>(size - 1) : static_cast<C>(size);
    if (span == 0) return {C(0), C(0)};
    C x = p.at - low, sign = 1;
    if (x < 0) x = -x, sign = -1;
    C extra = std::fmod(x, span), flips = std::floor(x / span);
    if (std::fmod(flips, C(2)) == 0) return {extra + low, p.slope * sign};
    return {span - extra + low, -p.slope * sign};
  }
};
/// The elements along one axis that a value is made of: place (-1 outside), weight, slope of the weight by the grid.
template <class C>
struct GridTaps {
  int count = 0;
  std::array<std::int64_t, 4> at{};
  std::array<C, 4> weight{}, slope{};
  void add(std::int64_t i, std::int64_t size, C w, C s) {
    at[static_cast<std::size_t>(count)] = i >= 0 && i < size ? i : -1;
    weight[static_cast<std::size_t>(count)] = w;
    slope[static_cast<std::size_t>(count++)] = s;
  }
};
template <class C>
GridTaps<C> grid_taps(const GridAxis<C>& axis, GridMode mode, C x) {
  GridTaps<C> t;
  GridPlace<C> p = axis.scaled(x);
  if (mode != GridMode::Bicubic) {
    p = axis.padded(p);
    if (mode == GridMode::Nearest) {
      t.add(static_cast<std::int64_t>(std::nearbyint(p.at)), axis.size, 1, 0);
      return t;
    }
    C low = std::floor(p.at), part = p.at - low;
    t.add(static_cast<std::int64_t>(low), axis.size, 1 - part, -p.slope);
    t.add(static_cast<std::int64_t>(low) + 1, axis.size, part, p.slope);
    return t;
  }
  C low = std::floor(p.at), part = p.at - low, a = C(-0.75);
  auto near = [&](C d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  auto far = [&](C d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  auto near_slope = [&](C d) { return (3 * (a + 2) * d - 2 * (a + 3)) * d; };
  auto far_slope = [&](C d) { return (3 * a * d - 10 * a) * d + 8 * a; };
  C weights[] = {far(part + 1), near(part), near(1 - part), far(2 - part)};
  C slopes[] = {far_slope(part + 1), near_slope(part), -near_slope(1 - part), -far_slope(2 - part)};
  for (int k = 0; k < 4; ++k) {
    C at = axis.padded({low + static_cast<C>(k - 1), 1}).at;
    t.add(static_cast<std::int64_t>(at), axis.size, weights[k], slopes[k] * p.slope);
  }
  return t;
}
/// One call's shapes: a grid of `points` per image, `channels` planes of `plane` elements.
template <class C>
struct GridCall {
  std::int64_t batch, channels, points, plane;
  std::size_t dims;
  std::array<GridAxis<C>, 3> axis;  // depth, height, width; the first unused of two
  GridMode mode;
  std::array<GridTaps<C>, 3> taps_at(const C* point) const {
    std::array<GridTaps<C>, 3> t;
    if (dims == 2) t[0].add(0, 1, 1, 0);
    for (std::size_t d = 0; d < dims; ++d) t[2 - d] = grid_taps(axis[2 - d], mode, point[d]);
    return t;
  }
  /// Calls f(place in a plane, weight, slopes by width, height and depth) for the taps inside.
  template <class F>
  void each_tap(const std::array<GridTaps<C>, 3>& t, F f) const {
    for (int i = 0; i < t[0].count; ++i)
      for (int j = 0; j < t[1].count; ++j)
        for (int k = 0; k < t[2].count; ++k) {
          auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j), c = static_cast<std::size_t>(k);
          if (t[0].at[a] < 0 || t[1].at[b] < 0 || t[2].at[c] < 0) continue;
          C u = t[0].weight[a], v = t[1].weight[b], w = t[2].weight[c];
          f((t[0].at[a] * axis[1].size + t[1].at[b]) * axis[2].size + t[2].at[c], u * v * w,
            std::array<C, 3>{u * v * t[2].slope[c], u * t[1].slope[b] * w, t[0].slope[a] * v * w});
        }
  }
};
template <class C>
GridCall<C> grid_call(const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding,
                      bool align_corners) {
  GridCall<C> c{input.sizes()[0], input.sizes()[1], 1, 1, static_cast<std::size_t>(input.dim() - 2), {},
                GridMode(mode)};
  for (std::size_t d = 0; d < 3; ++d) c.axis[d] = {1, GridPadding(padding), align_corners};
  for (std::size_t d = 0; d < c.dims; ++d) {
    c.axis[3 - c.dims + d].size = input.sizes()[d + 2];
    c.plane *= input.sizes()[d + 2];
    c.points *= grid.sizes()[d + 1];
  }
  return c;
}
inline ScalarType grid_dtype(const Tensor& input, const char* name) {
  if (!input.is_floating_point() || !has_arithmetic(input.dtype())) not_implemented_for(name, input.dtype());
  return input.dtype() == kDouble ? kDouble : kFloat;
}
template <class F>
void with_grid_type(ScalarType t, F f) {
  t == kDouble ? f(type_tag<double>{}) : f(type_tag<float>{});
}
inline void grid_sampler_cpu(const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding,
                             bool align_corners, const Tensor& out) {
  ScalarType compute = grid_dtype(input, "grid_sampler_cpu");
  if (out.numel() == 0) return;
  Tensor x = row_major(input, compute), g = row_major(grid, compute);
  Result y(out, compute);
  with_grid_type(compute, [&]<class C>(type_tag<C>) {
    GridCall<C> c = grid_call<C>(input, grid, mode, padding, align_corners);
    auto from = static_cast<const C*>(x.data_ptr()), points = static_cast<const C*>(g.data_ptr());
    C* to = y.data<C>();
    parallel_for(0, c.batch * c.points, 256, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        auto taps = c.taps_at(points + i * static_cast<std::int64_t>(c.dims));
        std::int64_t n = i / c.points, p = i % c.points;
        for (std::int64_t ch = 0; ch < c.channels; ++ch) {
          const C* plane = from + (n * c.channels + ch) * c.plane;
          C sum = 0;
          c.each_tap(taps, [&](std::int64_t at, C w, const std::array<C, 3>&) { sum += plane[at] * w; });
          to[(n * c.channels + ch) * c.points + p] = sum;
        }
      }
    });
  });
  y.done();
}
inline composite::grids::Two grid_sampler_backward_cpu(const Tensor& grad, const Tensor& input, const Tensor& grid,
                                                       std::int64_t mode, std::int64_t padding, bool align_corners,
                                                       ArrayRef<bool> mask) {
  composite::grids::check<std::int64_t>(input, grid, mode, padding);
  DimVector expected = composite::grids::result_sizes<std::int64_t>(input, grid);
  TENON_CHECK(grad.sizes() == IntArrayRef(expected), ValueError, "Expected grad_output of shape ", expected,
              ", but got ", grad.sizes());
  ScalarType compute = grid_dtype(input, "grid_sampler_backward_cpu");
  Tensor by_input = mask[0] ? make_tensor(input.sizes(), {}, input.dtype()) : Tensor(),
         by_grid = mask[1] ? make_tensor(grid.sizes(), {}, grid.dtype()) : Tensor();
  Tensor x = row_major(input, compute), g = row_major(grid, compute), d = row_major(grad, compute);
  Result to_input(mask[0] ? by_input : input, mask[0] ? compute : input.dtype()),
      to_grid(mask[1] ? by_grid : grid, mask[1] ? compute : grid.dtype());
  with_grid_type(compute, [&]<class C>(type_tag<C>) {
    GridCall<C> c = grid_call<C>(input, grid, mode, padding, align_corners);
    auto from = static_cast<const C*>(x.data_ptr()), points = static_cast<const C*>(g.data_ptr()),
         by = static_cast<const C*>(d.data_ptr());
    auto dims = static_cast<std::int64_t>(c.dims);
    if (mask[0])
      parallel_for(0, c.batch * c.channels, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t p = first; p < last; ++p) {
          C* plane = to_input.data<C>() + p * c.plane;
          std::fill_n(plane, c.plane, C(0));
          const C* at_points = points + p / c.channels * c.points * dims;
          for (std::int64_t i = 0; i < c.points; ++i)
            c.each_tap(c.taps_at(at_points + i * dims),
                       [&](std::int64_t at, C w, const std::array<C, 3>&) { plane[at] += w * by[p * c.points + i]; });
        }
      });
    if (!mask[1]) return;
    parallel_for(0, c.batch * c.points, 256, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        auto taps = c.taps_at(points + i * dims);
        std::int64_t n = i / c.points, p = i % c.points;
        std::array<C, 3> sums{};
        for (std::int64_t ch = 0; ch < c.channels; ++ch) {
          const C* plane = from + (n * c.channels + ch) * c.plane;
          C back = by[(n * c.channels + ch) * c.points + p];
          c.each_tap(taps, [&](std::int64_t at, C, const std::array<C, 3>& slopes) {
            for (std::size_t k = 0; k < 3; ++k) sums[k] += plane[at] * slopes[k] * back;
          });
        }
        std::copy_n(sums.begin(), dims, to_grid.data<C>() + i * dims);
      }
    });
  });
  if (mask[0]) to_input.done();
  if (mask[1]) to_grid.done();
  return {by_input, by_grid};
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  (void)m;
  install_kernels<&KernelTables::copy>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) {
  m.impl<ops::grid_sampler_2d_backward_base, &detail::grid_sampler_backward_cpu>()
      .impl<ops::grid_sampler_3d_backward_base, &detail::grid_sampler_backward_cpu>();
}

}  // namespace tenon::cpu

namespace tenon::ops {
TENON_STRUCTURED_KERNEL(grid_sampler_2d_base, CPU, cpu::detail::grid_sampler_cpu);
TENON_STRUCTURED_KERNEL(grid_sampler_3d_base, CPU, cpu::detail::grid_sampler_cpu);
}  // namespace tenon::ops
