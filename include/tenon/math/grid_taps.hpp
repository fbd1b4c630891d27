// Sampling at the points of a grid: the elements along each axis that a value is made of, on the host and on devices.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/base/host_device.hpp>

namespace tenon::math {

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

  TENON_HOST_DEVICE GridPlace<C> scaled(C x) const {
    C n = static_cast<C>(size);
    if (align_corners) return {(x + 1) / 2 * (n - 1), (n - 1) / 2};
    return {((x + 1) * n - 1) / 2, n / 2};
  }
  TENON_HOST_DEVICE GridPlace<C> padded(GridPlace<C> p) const {
    if (padding == GridPadding::Reflection) p = reflected(p);
    if (padding != GridPadding::Zeros) p = clipped(p);
    // What no integer holds lies outside.
    if (!(p.at > C(-1e9) && p.at < C(1e9))) p.at = C(-100);
    return p;
  }

 private:
  TENON_HOST_DEVICE GridPlace<C> clipped(GridPlace<C> p) const {
    C last = static_cast<C>(size - 1);
    if (p.at <= 0) return {C(0), C(0)};
    if (p.at >= last) return {last, C(0)};
    return p;
  }
  TENON_HOST_DEVICE GridPlace<C> reflected(GridPlace<C> p) const {
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
  std::int64_t at[4] = {};
  C weight[4] = {}, slope[4] = {};
  TENON_HOST_DEVICE void add(std::int64_t i, std::int64_t size, C w, C s) {
    at[count] = i >= 0 && i < size ? i : -1;
    weight[count] = w;
    slope[count++] = s;
  }
};
template <class C>
TENON_HOST_DEVICE GridTaps<C> grid_taps(const GridAxis<C>& axis, GridMode mode, C x) {
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

/// Of one point along the three axes.
template <class C>
struct GridPoint {
  GridTaps<C> along[3];
};
/// One call's shapes: a grid of `points` per image, `channels` planes of `plane` elements.
template <class C>
struct GridShape {
  std::int64_t batch, channels, points, plane;
  int dims;
  GridMode mode;
  GridAxis<C> axis[3];  // depth, height, width; the first unused of two
  TENON_HOST_DEVICE GridPoint<C> taps_at(const C* point) const {
    GridPoint<C> p;
    if (dims == 2) p.along[0].add(0, 1, 1, 0);
    for (int d = 0; d < dims; ++d) p.along[2 - d] = grid_taps(axis[2 - d], mode, point[d]);
    return p;
  }
  /// Calls f(place in a plane, weight, slopes by width, height and depth) for the taps inside.
  template <class F>
  TENON_HOST_DEVICE void each_tap(const GridPoint<C>& p, F f) const {
    const GridTaps<C>(&t)[3] = p.along;
    for (int i = 0; i < t[0].count; ++i)
      for (int j = 0; j < t[1].count; ++j)
        for (int k = 0; k < t[2].count; ++k) {
          if (t[0].at[i] < 0 || t[1].at[j] < 0 || t[2].at[k] < 0) continue;
          C u = t[0].weight[i], v = t[1].weight[j], w = t[2].weight[k];
          const C slopes[3] = {u * v * t[2].slope[k], u * t[1].slope[j] * w, t[0].slope[i] * v * w};
          f((t[0].at[i] * axis[1].size + t[1].at[j]) * axis[2].size + t[2].at[k], u * v * w, slopes);
        }
  }
};

}  // namespace tenon::math
