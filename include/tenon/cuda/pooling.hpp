// Pooling as kernels: a lane for each result, and for each element of the input where a gradient goes back.
#pragma once
#include <cstdint>
#include <limits>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/convolution.hpp>
#include <tenon/cuda/grid.hpp>

namespace tenon::cuda {

/// The elements first, first + step, .. below last of a dimension; `counted` of them divide a mean.
struct PoolWindow {
  std::int64_t first, last, step, counted;
  TENON_HOST_DEVICE PoolWindow(std::int64_t first_, std::int64_t size)
      : first(first_), last(first_ + size), step(1), counted(size) {}
  TENON_HOST_DEVICE PoolWindow(const PoolCall& c, int d, std::int64_t o) {
    std::int64_t in = c.in[d];
    if (c.adaptive) {
      first = o * in / c.out[d], last = ((o + 1) * in + c.out[d] - 1) / c.out[d], step = 1, counted = last - first;
      return;
    }
    step = c.dilation[d];
    first = o * c.stride[d] - c.padding[d];
    last = first + (c.kernel[d] - 1) * step + 1;
    counted = (last < in + c.padding[d] ? last : in + c.padding[d]) - first;
    if (first < 0) first += (-first + step - 1) / step * step;
    if (last > in) last = in;
  }
};
struct PoolWindows {
  PoolWindow d, h, w;
  TENON_HOST_DEVICE PoolWindows(const PoolCall& c, const Place3& o)
      : d(c, 0, o.at[0]), h(c, 1, o.at[1]), w(c, 2, o.at[2]) {}
  TENON_HOST_DEVICE PoolWindows(const PoolWindow& d_, const PoolWindow& h_, const PoolWindow& w_)
      : d(d_), h(h_), w(w_) {}
  TENON_HOST_DEVICE std::int64_t divisor(const PoolCall& c) const {
    if (c.divisor != 0) return c.divisor;
    if (c.include_padding) return d.counted * h.counted * w.counted;
    return (d.last - d.first) * (h.last - h.first) * (w.last - w.first);
  }
  TENON_HOST_DEVICE bool any() const { return d.first < d.last && h.first < h.last && w.first < w.last; }
};
/// f(place in the plane) for the elements of a result's windows.
template <class F>
TENON_HOST_DEVICE void each_of_windows(const PoolCall& c, const PoolWindows& windows, F f) {
  for (std::int64_t i = windows.d.first; i < windows.d.last; i += windows.d.step)
    for (std::int64_t j = windows.h.first; j < windows.h.last; j += windows.h.step)
      for (std::int64_t k = windows.w.first; k < windows.w.last; k += windows.w.step)
        f((i * c.in[1] + j) * c.in[2] + k);
}

/// Elements are read and written as those of the dtype, computed in S.
template <class S>
struct pool_means {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const PoolCall& c) const {
    std::int64_t results = volume(c.out), item = static_cast<std::int64_t>(item_size(c.dtype));
    each_of_grid(lane, c.planes * results, [&](std::int64_t i) {
      PoolWindows windows(c, Place3(i % results, c.out));
      const char* plane = static_cast<const char*>(c.x) + i / results * volume(c.in) * item;
      S sum(0);
      each_of_windows(c, windows, [&](std::int64_t at) { sum += load_as<S>(plane + at * item, c.dtype); });
      store_as(static_cast<char*>(c.y) + i * item, c.dtype,
               windows.any() ? sum / static_cast<S>(windows.divisor(c)) : S(0));
    });
  }
};
/// Result i is the greatest element of its windows, and where that lies in its plane; a not-a-number is greater than
/// all.
template <class S>
TENON_HOST_DEVICE void take_maximum(const PoolCall& c, const PoolWindows& windows, std::int64_t i) {
  std::int64_t item = static_cast<std::int64_t>(item_size(c.dtype));
  const char* plane = static_cast<const char*>(c.x) + i / volume(c.out) * volume(c.in) * item;
  S best =
      std::numeric_limits<S>::has_infinity ? -std::numeric_limits<S>::infinity() : std::numeric_limits<S>::lowest();
  std::int64_t place = (windows.d.first * c.in[1] + windows.h.first) * c.in[2] + windows.w.first;
  each_of_windows(c, windows, [&](std::int64_t at) {
    S v = load_as<S>(plane + at * item, c.dtype);
    if (v > best || v != v) best = v, place = at;
  });
  store_as(static_cast<char*>(c.y) + i * item, c.dtype, best);
  c.places[i] = place;
}
template <class S>
struct pool_maxima {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const PoolCall& c) const {
    std::int64_t results = volume(c.out);
    each_of_grid(lane, c.planes * results,
                 [&](std::int64_t i) { take_maximum<S>(c, PoolWindows(c, Place3(i % results, c.out)), i); });
  }
};
/// Adds up, for each element of the input, its share of the gradients of all windows that it is in.
template <class S>
struct pool_means_back {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const PoolCall& c) const {
    std::int64_t elements = volume(c.in), results = volume(c.out), item = static_cast<std::int64_t>(item_size(c.dtype));
    each_of_grid(lane, c.planes * elements, [&](std::int64_t i) {
      Place3 at(i % elements, c.in);
      const char* grad = static_cast<const char*>(c.y) + i / elements * results * item;
      std::int64_t low[3], high[3];
      for (int d = 0; d < 3; ++d) results_of(c, d, at.at[d], low[d], high[d]);
      S sum(0);
      for (std::int64_t a = low[0]; a < high[0]; ++a)
        for (std::int64_t b = low[1]; b < high[1]; ++b)
          for (std::int64_t e = low[2]; e < high[2]; ++e) {
            std::int64_t o = (a * c.out[1] + b) * c.out[2] + e;
            PoolWindows windows(c, Place3(o, c.out));
            sum += load_as<S>(grad + o * item, c.dtype) / static_cast<S>(windows.divisor(c));
          }
      store_as(static_cast<char*>(c.x) + i * item, c.dtype, sum);
    });
  }

 private:
  /// The results low, .. below high of a dimension whose windows have an element.
  TENON_HOST_DEVICE static void results_of(const PoolCall& c, int d, std::int64_t i, std::int64_t& low,
                                           std::int64_t& high) {
    if (c.adaptive) {
      low = i * c.out[d] / c.in[d];
      high = ((i + 1) * c.out[d] + c.in[d] - 1) / c.in[d];
      return;
    }
    std::int64_t from = i + c.padding[d] - c.kernel[d] + 1;
    low = from <= 0 ? 0 : (from + c.stride[d] - 1) / c.stride[d];
    high = (i + c.padding[d]) / c.stride[d] + 1;
    if (high > c.out[d]) high = c.out[d];
  }
};

}  // namespace tenon::cuda
