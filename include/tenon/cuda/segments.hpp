// Reductions of segments of lines, and their gradients, as kernels: a lane for each result.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

enum class Segment : std::uint8_t { Sum, Mean, Product, Largest, Smallest };
/// `outer` lines of `size` places with `inner` elements each, row-major; segment s of line o goes from
/// bounds[o * (segments + 1) + s] up to the next.
struct SegmentsCall {
  ScalarType dtype;
  Segment what;
  std::int64_t outer, size, inner, segments;
  const std::int64_t* bounds;
  const void *in, *results, *grads;  ///< gradients read all three
  void* out;
  double start;
  bool undefined;  ///< what is nothing has no mean
};
/// False for a dtype that is not floating.
bool reduce_segments(const SegmentsCall& call, void* stream);
/// Writes all places that lie in a segment.
bool reduce_segments_back(const SegmentsCall& call, void* stream);

/// f(place of the result, of the line's first element, first and end of the segment).
template <class L, class F>
TENON_HOST_DEVICE void each_segment(L& lane, const SegmentsCall& c, F f) {
  each_of_grid(lane, c.outer * c.segments * c.inner, [&](std::int64_t i) {
    const std::int64_t k = i % c.inner, s = i / c.inner % c.segments, o = i / c.inner / c.segments;
    const std::int64_t* bound = c.bounds + o * (c.segments + 1) + s;
    f(i, o * c.size * c.inner + k, bound[0], bound[1]);
  });
}

/// Elements of T are rounded at each step, as PyTorch does.
template <class T>
struct reduce_segment {
  using C = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SegmentsCall& c) const {
    const T* x = static_cast<const T*>(c.in);
    each_segment(lane, c, [&](std::int64_t at, std::int64_t line, std::int64_t first, std::int64_t end) {
      C total = static_cast<C>(c.start);
      for (std::int64_t i = first; i < end; ++i)
        total = cast<C>(cast<T>(combined(c.what, total, cast<C>(x[line + i * c.inner]))));
      if (c.what == Segment::Mean && end > first) total = total / static_cast<C>(end - first);
      if (end == first && c.undefined) total = std::numeric_limits<C>::quiet_NaN();
      static_cast<T*>(c.out)[at] = cast<T>(total);
    });
  }

 private:
  /// A not-a-number is larger and smaller than all numbers.
  TENON_HOST_DEVICE static C combined(Segment what, C a, C b) {
    if (what == Segment::Sum || what == Segment::Mean) return a + b;
    if (what == Segment::Product) return a * b;
    if (a != a || b != b) return a != a ? a : b;
    return (what == Segment::Largest ? a < b : b < a) ? b : a;
  }
};
/// Extremes share their gradient evenly; a factor's is the product of the others.
template <class T>
struct reduce_segment_back {
  using C = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SegmentsCall& c) const {
    const bool extreme = c.what == Segment::Largest || c.what == Segment::Smallest;
    each_segment(lane, c, [&](std::int64_t at, std::int64_t line, std::int64_t first, std::int64_t end) {
      const C result = cast<C>(static_cast<const T*>(c.results)[at]),
              grad = cast<C>(static_cast<const T*>(c.grads)[at]);
      auto value = [&](std::int64_t i) { return cast<C>(static_cast<const T*>(c.in)[line + i * c.inner]); };
      auto is_result = [&](std::int64_t i) { return value(i) != value(i) || value(i) == result; };
      C count = static_cast<C>(end - first);
      if (extreme) {
        count = 0;
        for (std::int64_t i = first; i < end; ++i) count += is_result(i) ? C(1) : C(0);
      }
      for (std::int64_t i = first; i < end; ++i) {
        C slope = 1;
        if (c.what == Segment::Mean || extreme) slope = extreme && !is_result(i) ? C(0) : 1 / count;
        if (c.what == Segment::Product) {
          slope = result / value(i);
          if (value(i) == 0 || value(i) != value(i)) {
            slope = static_cast<C>(c.start);
            for (std::int64_t k = first; k < end; ++k)
              if (k != i) slope = slope * value(k);
          }
        }
        static_cast<T*>(c.out)[line + i * c.inner] = cast<T>(grad * slope);
      }
    });
  }
};

}  // namespace tenon::cuda
