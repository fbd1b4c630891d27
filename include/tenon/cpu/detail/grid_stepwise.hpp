// Sampling 16-bit images and volumes at the points of a grid, rounded after every operation as in PyTorch: coordinates
// of few digits, where the order of operations decides.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/composite/grid_shapes.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/math/stepwise.hpp>

namespace tenon::cpu::detail {

/// Where one coordinate of a point lies along an axis: the element below it, weights of that one and the next, and the
/// slope of the place by the coordinate.
template <class C>
struct StepwisePlace {
  std::int64_t low = 0;
  C weight[2] = {1, 0}, slope = 0;
};

template <class H>
class StepwiseGrid {
 public:
  using C = math::Stepwise<H>;
  using Place = StepwisePlace<C>;
  using Shape = math::GridShape<float>;
  explicit StepwiseGrid(const Shape& s) : s_(s) {}

  /// The places along width, height and depth; a plane has one element of depth.
  struct Point {
    Place at[3];
  };
  Point point(const float* x) const {
    Point p;
    for (int d = 0; d < s_.dims; ++d) p.at[d] = place(s_.axis[2 - d], x[d]);
    return p;
  }
  /// Calls f(place in a plane or -1, corner bits) for the corners, width first.
  template <class F>
  void each_corner(const Point& p, F f) const {
    const bool nearest = s_.mode == math::GridMode::Nearest;
    const int corners = nearest ? 1 : s_.dims == 2 ? 4 : 8;
    for (int k = 0; k < corners; ++k) {
      std::int64_t at = 0;
      bool inside = true;
      for (int d = 2; d >= 0; --d) {
        const std::int64_t i = d < s_.dims ? p.at[d].low + (k >> d & 1) : 0, n = s_.axis[2 - d].size;
        inside = inside && i >= 0 && i < n;
        at = at * n + i;
      }
      f(inside ? at : -1, k);
    }
  }
  C weight(const Point& p, int corner) const {
    if (s_.mode == math::GridMode::Nearest) return 1;
    C w = along(p, 0, corner) * along(p, 1, corner);
    return s_.dims == 2 ? w : w * along(p, 2, corner);
  }
  static C along(const Point& p, int d, int corner) { return p.at[d].weight[corner >> d & 1]; }

  /// The corners of a point, once for all channels: places, -1 outside, and weights.
  struct Corners {
    int count = 0;
    std::int64_t at[8] = {};
    C weight[8] = {};
  };
  Corners corners(const Point& p) const {
    Corners c;
    each_corner(p, [&](std::int64_t at, int k) {
      c.at[k] = at;
      c.weight[k] = weight(p, k);
      c.count = k + 1;
    });
    return c;
  }
  /// The values of N planes, side by side since each sum waits for its last step.
  template <int N>
  static void values(const float* from, std::int64_t plane, const Corners& c, float* to, std::int64_t step) {
    C sums[N] = {};
    for (int k = 0; k < c.count; ++k)
      if (c.at[k] >= 0)
        for (int j = 0; j < N; ++j) sums[j] = sums[j] + C::exact(from[j * plane + c.at[k]]) * c.weight[k];
    for (int j = 0; j < N; ++j) to[j * step] = static_cast<float>(sums[j]);
  }
  /// Adds what a result passes back to the coordinates.
  void slopes(const float* plane, const Point& p, C back, C (&sums)[3]) const {
    if (s_.mode == math::GridMode::Nearest) return;
    C v[8] = {};
    bool inside[8] = {};
    each_corner(p, [&](std::int64_t at, int k) {
      inside[k] = at >= 0;
      if (at >= 0) v[k] = C::exact(plane[at]);
    });
    if (s_.dims == 2) {
      const C *x = p.at[0].weight, *y = p.at[1].weight;
      sums[0] = sums[0] + ((v[1] - v[0]) * y[0] + (v[3] - v[2]) * y[1]) * back;
      sums[1] = sums[1] + ((v[2] - v[0]) * x[0] + (v[3] - v[1]) * x[1]) * back;
      return;
    }
    for (int k = 0; k < 8; ++k) {
      if (!inside[k]) continue;
      for (int d = 0; d < 3; ++d) {
        const int first = d == 0 ? 1 : 0, second = d == 2 ? 1 : 2;
        C term = v[k] * along(p, first, k) * along(p, second, k) * back;
        sums[d] = (k >> d & 1) != 0 ? sums[d] + term : sums[d] - term;
      }
    }
  }

 private:
  Place place(const math::GridAxis<float>& axis, float coordinate) const {
    const C x = coordinate, n = static_cast<float>(axis.size), last = static_cast<float>(axis.size - 1);
    Place p;
    p.slope = (axis.align_corners ? last : n) / 2;
    C at;
    if (s_.dims == 2) {
      at = (x + 1) * p.slope;
      if (!axis.align_corners) at = at - 0.5f;
    } else {
      at = axis.align_corners ? (x + 1) / 2 * last : ((x + 1) * n - 1) / 2;
    }
    if (axis.padding == math::GridPadding::Reflection) at = reflected(axis, at, p.slope);
    if (axis.padding != math::GridPadding::Zeros) {
      if (at <= 0 || last <= at) p.slope = 0;
      at = at <= 0 ? C(0) : last <= at ? last : at;
    }
    const auto number = static_cast<float>(at);
    if (!(number > -1e9f && number < 1e9f)) {  // what no integer holds lies outside
      p.low = -100;
      return p;
    }
    if (s_.mode == math::GridMode::Nearest) {
      p.low = static_cast<std::int64_t>(std::nearbyint(number));
      return p;
    }
    const C low = floor(at);
    p.low = static_cast<std::int64_t>(std::floor(number));
    p.weight[1] = at - low;
    // One less the other in a plane, the distance to the next element in a volume.
    p.weight[0] = s_.dims == 2 ? C(1) - p.weight[1] : low + 1 - at;
    return p;
  }
  static C reflected(const math::GridAxis<float>& axis, C at, C& slope) {
    const C low = axis.align_corners ? 0 : -0.5f,
            span = static_cast<float>(axis.align_corners ? axis.size - 1 : axis.size);
    if (span == 0) {
      slope = 0;
      return 0;
    }
    C x = at - low;
    if (x < 0) slope = -slope;
    x = abs(x);
    const C flips = trunc(x / span), extra = x - flips * span;
    if (std::fmod(static_cast<float>(flips), 2.0f) == 0) return extra + low;
    slope = -slope;
    return span - extra + low;
  }

  Shape s_;
};

/// The forward pass; all tensors row-major, as floats.
template <class H>
void sample_stepwise(const math::GridShape<float>& s, const float* from, const float* points, float* to) {
  StepwiseGrid<H> grid(s);
  parallel_for(0, s.batch * s.points, 256, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const auto corners = grid.corners(grid.point(points + i * s.dims));
      const std::int64_t n = i / s.points, at = i % s.points;
      std::int64_t ch = n * s.channels;
      const std::int64_t end = ch + s.channels;
      for (; ch + 8 <= end; ch += 8)
        grid.template values<8>(from + ch * s.plane, s.plane, corners, to + ch * s.points + at, s.points);
      for (; ch < end; ++ch)
        grid.template values<1>(from + ch * s.plane, s.plane, corners, to + ch * s.points + at, s.points);
    }
  });
}
/// What a result passes back to the images; `to` is all zeros.
template <class H>
void spread_stepwise(const math::GridShape<float>& s, const float* points, const float* back, float* to) {
  using C = math::Stepwise<H>;
  StepwiseGrid<H> grid(s);
  // PyTorch adds a vector of points corner by corner in a plane, a point at a time in a volume.
  constexpr std::int64_t kMost = 32;
  const std::int64_t together = s.dims == 2 ? kMost : 1;
  parallel_for(0, s.batch, 1, [&](std::int64_t first, std::int64_t last) {
    typename StepwiseGrid<H>::Corners of[kMost];
    for (std::int64_t n = first; n < last; ++n)
      for (std::int64_t begin = 0; begin < s.points; begin += together) {
        const std::int64_t count = std::min(together, s.points - begin);
        for (std::int64_t i = 0; i < count; ++i)
          of[i] = grid.corners(grid.point(points + (n * s.points + begin + i) * s.dims));
        for (std::int64_t ch = n * s.channels; ch < (n + 1) * s.channels; ++ch) {
          float* plane = to + ch * s.plane;
          for (int k = 0; k < of[0].count; ++k)
            for (std::int64_t i = 0; i < count; ++i)
              if (std::int64_t at = of[i].at[k]; at >= 0)
                plane[at] = static_cast<float>(C::exact(plane[at]) +
                                               of[i].weight[k] * C::exact(back[ch * s.points + begin + i]));
        }
      }
  });
}
/// What a result passes back to the points.
template <class H>
void turn_stepwise(const math::GridShape<float>& s, const float* from, const float* points, const float* back,
                   float* to) {
  using C = math::Stepwise<H>;
  StepwiseGrid<H> grid(s);
  parallel_for(0, s.batch * s.points, 256, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const auto p = grid.point(points + i * s.dims);
      const std::int64_t n = i / s.points, at = i % s.points;
      C sums[3] = {};
      for (std::int64_t ch = n * s.channels; ch < (n + 1) * s.channels; ++ch)
        grid.slopes(from + ch * s.plane, p, C::exact(back[ch * s.points + at]), sums);
      for (int d = 0; d < s.dims; ++d) to[i * s.dims + d] = static_cast<float>(sums[d] * p.at[d].slope);
    }
  });
}

}  // namespace tenon::cpu::detail
