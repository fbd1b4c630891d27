// The windows of pooling, and what is done in them: plane by plane, so that the result does not depend on threads.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <tenon/cpu/loops.hpp>
#include <tenon/cpu/parallel.hpp>

namespace tenon::cpu::detail {

/// The elements first, first + step, .. below last of a dimension; `counted` of them divide a mean.
struct Window {
  std::int64_t first, last, step, counted;
};
/// The windows of every result along the three spatial dimensions; missing ones have one of one element.
struct Windows {
  std::array<std::vector<Window>, 3> of{{{{0, 1, 1, 1}}, {{0, 1, 1, 1}}, {{0, 1, 1, 1}}}};
  std::array<std::int64_t, 3> in{1, 1, 1};
  std::int64_t in_plane() const { return in[0] * in[1] * in[2]; }
  std::int64_t out_plane() const {
    return static_cast<std::int64_t>(of[0].size()) * static_cast<std::int64_t>(of[1].size()) *
           static_cast<std::int64_t>(of[2].size());
  }
  /// Calls f(index of the result, d, h, w windows).
  template <class F>
  void each(F f) const {
    std::int64_t o = 0;
    for (const Window& d : of[0])
      for (const Window& h : of[1])
        for (const Window& w : of[2]) f(o++, d, h, w);
  }
  std::int64_t line(std::int64_t d, std::int64_t h) const { return (d * in[1] + h) * in[2]; }
};
inline std::vector<Window> pooling_windows(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
                                           std::int64_t padding, std::int64_t dilation) {
  std::vector<Window> w;
  for (std::int64_t o = 0; o < out; ++o) {
    std::int64_t first = o * stride - padding, last = first + (kernel - 1) * dilation + 1;
    std::int64_t counted = std::min(last, in + padding) - first;
    if (first < 0) first += (-first + dilation - 1) / dilation * dilation;
    w.push_back({first, std::min(last, in), dilation, counted});
  }
  return w;
}
inline std::vector<Window> adaptive_windows(std::int64_t in, std::int64_t out) {
  std::vector<Window> w;
  for (std::int64_t o = 0; o < out; ++o) {
    std::int64_t first = o * in / out, last = ((o + 1) * in + out - 1) / out;
    w.push_back({first, last, 1, last - first});
  }
  return w;
}
template <class F>
void each_plane(std::int64_t planes, std::int64_t work, F f) {
  parallel_for(0, planes, std::max<std::int64_t>(1, (1 << 13) / std::max<std::int64_t>(1, work)),
               [&](std::int64_t first, std::int64_t last) {
                 for (std::int64_t p = first; p < last; ++p) f(p);
               });
}
/// What a window's sum is divided by: one number, or `in_turn` its length along each dimension. `stepwise` rounds after
/// each step, as PyTorch's loops over elements of the type do.
struct Divisor {
  bool include_padding = true;
  std::int64_t fixed = 0;
  bool in_turn = false, stepwise = false;
  std::int64_t of(const Window& d, const Window& h, const Window& w) const {
    if (fixed != 0) return fixed;
    if (include_padding) return d.counted * h.counted * w.counted;
    return (d.last - d.first) * (h.last - h.first) * (w.last - w.first);
  }
  template <class C, class Rounded>
  C divided(C sum, const Window& d, const Window& h, const Window& w, Rounded rounded) const {
    if (!in_turn) return rounded(sum / static_cast<C>(of(d, h, w)));
    for (const Window* x : {&d, &h, &w}) sum = rounded(sum / static_cast<C>(x->last - x->first));
    return sum;
  }
};
/// A number as elements of type T hold it.
template <class T, class C>
C as_element(C v) {
  return static_cast<C>(static_cast<T>(v));
}
template <class T>
void mean_planes(const Windows& g, const Divisor& divisor, std::int64_t planes, const T* x, T* y) {
  using C = compute_t<T>;
  auto rounded = [&](C v) { return divisor.stepwise ? as_element<T>(v) : v; };
  each_plane(planes, g.out_plane(), [&](std::int64_t p) {
    const T* from = x + p * g.in_plane();
    T* to = y + p * g.out_plane();
    g.each([&](std::int64_t o, const Window& d, const Window& h, const Window& w) {
      C sum = 0;
      bool any = d.first < d.last && h.first < h.last && w.first < w.last;
      for (std::int64_t i = d.first; i < d.last; ++i)
        for (std::int64_t j = h.first; j < h.last; ++j) {
          const T* line = from + g.line(i, j);
          for (std::int64_t k = w.first; k < w.last; ++k) sum = rounded(sum + static_cast<C>(line[k]));
        }
      to[o] = any ? static_cast<T>(divisor.divided(sum, d, h, w, rounded)) : T(0);
    });
  });
}
template <class T>
void mean_planes_back(const Windows& g, const Divisor& divisor, std::int64_t planes, const T* grad, T* to_all) {
  using C = compute_t<T>;
  each_plane(planes, g.in_plane(), [&](std::int64_t p) {
    std::vector<C> sums(static_cast<std::size_t>(g.in_plane()), C(0));
    const T* from = grad + p * g.out_plane();
    g.each([&](std::int64_t o, const Window& d, const Window& h, const Window& w) {
      if (!(d.first < d.last && h.first < h.last && w.first < w.last)) return;
      C share = divisor.divided(static_cast<C>(from[o]), d, h, w, &as_element<T, C>);
      for (std::int64_t i = d.first; i < d.last; ++i)
        for (std::int64_t j = h.first; j < h.last; ++j) {
          C* line = sums.data() + g.line(i, j);
          for (std::int64_t k = w.first; k < w.last; ++k) line[k] = as_element<T>(line[k] + share);
        }
    });
    std::transform(sums.begin(), sums.end(), to_all + p * g.in_plane(), [](C s) { return static_cast<T>(s); });
  });
}
/// `v` and its place if it is greater than the best so far or not a number. That it is greater is no branch: nobody
/// foresees its way.
template <class C>
void take_greater(C v, std::int64_t at, C& best, std::int64_t& place) {
  if (v != v) [[unlikely]] {
    best = v;
    place = at;
  }
  const auto mask = -static_cast<std::int64_t>(v > best);
  place ^= (place ^ at) & mask;
  best = v > best ? v : best;
}
/// Whether all windows have two neighbours.
inline bool are_pairs(const std::vector<Window>& windows) {
  return std::all_of(windows.begin(), windows.end(),
                     [](const Window& w) { return w.last - w.first == 2 && w.step == 1; });
}
/// The maxima of four squares side by side and the steps to their places from the first element of the upper row;
/// false, and nothing, if there is a not-a-number. `below` is the way to the lower row.
inline bool max_four_squares(const float* upper, const float* lower, int below, float* to, int (&step)[4]) {
  typedef float Four __attribute__((vector_size(16)));
  typedef std::int32_t Steps __attribute__((vector_size(16)));
  auto pairs = [](const float* from, Four& first, Four& second) {
    Four a, b;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&b, from + 4, sizeof b);
    first = __builtin_shufflevector(a, b, 0, 2, 4, 6);
    second = __builtin_shufflevector(a, b, 1, 3, 5, 7);
  };
  Four p, q, r, s;
  pairs(upper, p, q);
  pairs(lower, r, s);
  const Steps odd = (p != p) | (q != q) | (r != r) | (s != s), right = q > p, right_below = s > r;
  std::int64_t any[2];
  std::memcpy(any, &odd, sizeof any);
  if ((any[0] | any[1]) != 0) [[unlikely]]
    return false;
  const Four high = right ? q : p, low = right_below ? s : r;
  const Steps down = low > high, best = down ? below - right_below : -right;  // a comparison that holds is -1
  const Four maxima = down ? low : high;
  std::memcpy(to, &maxima, sizeof maxima);
  std::memcpy(step, &best, sizeof best);
  return true;
}
/// Of a plane whose windows are squares of four. A not-a-number leaves its window to `other(index, h, w)`.
template <class T, class F>
void max_squares(const Windows& g, const T* from, T* to, std::int64_t* at, F other) {
  std::int64_t o = 0;
  bool beside = g.in[2] < (std::int64_t{1} << 30);
  for (std::size_t i = 1; i < g.of[2].size(); ++i) beside = beside && g.of[2][i].first == g.of[2][i - 1].first + 2;
  for (const Window& h : g.of[1]) {
    const std::int64_t line = h.first * g.in[2];
    const T *a = from + line, *b = a + g.in[2];
    for (std::size_t i = 0; i < g.of[2].size(); ++i) {
      const Window& w = g.of[2][i];
      const std::int64_t k = w.first;
      if constexpr (std::is_same_v<T, float>) {
        int step[4];
        if (beside && i + 4 <= g.of[2].size() &&
            max_four_squares(a + k, b + k, static_cast<int>(g.in[2]), to + o, step)) {
          for (std::int64_t j = 0; j < 4; ++j) at[o + j] = line + k + 2 * j + step[j];
          i += 3;
          o += 4;
          continue;
        }
      }
      const auto p = static_cast<compute_t<T>>(a[k]), q = static_cast<compute_t<T>>(a[k + 1]),
                 r = static_cast<compute_t<T>>(b[k]), s = static_cast<compute_t<T>>(b[k + 1]);
      const auto upper = q > p ? q : p, lower = s > r ? s : r;
      const std::int64_t above = k + (q > p), below = k + g.in[2] + (s > r), mask = -std::int64_t{lower > upper};
      if (p != p || q != q || r != r || s != s) [[unlikely]] {
        other(o, h, w);
      } else {
        to[o] = static_cast<T>(lower > upper ? lower : upper);
        at[o] = line + (above ^ ((above ^ below) & mask));
      }
      ++o;
    }
  }
}
/// The greatest element of each window and where it lies in its plane; a not-a-number is greater than all.
template <class T, class WindowsOf>
void max_planes(WindowsOf windows_of, std::int64_t planes, const T* x, T* y, std::int64_t* places) {
  using C = compute_t<T>;
  each_plane(planes, windows_of(0).out_plane() * 4, [&](std::int64_t p) {
    decltype(auto) g = windows_of(p);
    const T* from = x + p * g.in_plane();
    T* to = y + p * g.out_plane();
    std::int64_t* at = places + p * g.out_plane();
    auto one = [&](std::int64_t o, const Window& d, const Window& h, const Window& w) {
      C best =
          std::numeric_limits<C>::has_infinity ? -std::numeric_limits<C>::infinity() : std::numeric_limits<C>::lowest();
      std::int64_t place = g.line(d.first, h.first) + w.first;
      for (std::int64_t i = d.first; i < d.last; i += d.step)
        for (std::int64_t j = h.first; j < h.last; j += h.step) {
          std::int64_t line = g.line(i, j);
          for (std::int64_t k = w.first; k < w.last; k += w.step)
            take_greater(static_cast<C>(from[line + k]), line + k, best, place);
        }
      to[o] = static_cast<T>(best);
      at[o] = place;
    };
    const Window& depth = g.of[0].front();
    if (g.of[0].size() == 1 && depth.last - depth.first == 1 && depth.first == 0 && are_pairs(g.of[1]) &&
        are_pairs(g.of[2]))
      return max_squares(g, from, to, at,
                         [&](std::int64_t o, const Window& h, const Window& w) { one(o, depth, h, w); });
    g.each(one);
  });
}
/// Adds each gradient to the place that its maximum came from. Places are known to lie in the plane.
template <class T>
void add_to_places(std::int64_t planes, std::int64_t in_plane, std::int64_t out_plane, const T* grad,
                   const std::int64_t* places, T* to_all) {
  using C = compute_t<T>;
  each_plane(planes, in_plane, [&](std::int64_t p) {
    if constexpr (std::is_same_v<T, C>) {
      T* sums = to_all + p * in_plane;
      std::fill_n(sums, in_plane, T(0));
      for (std::int64_t o = p * out_plane; o < (p + 1) * out_plane; ++o)
        sums[places[o]] = static_cast<T>(sums[places[o]] + grad[o]);
      return;
    }
    std::vector<C> sums(static_cast<std::size_t>(in_plane), C(0));
    for (std::int64_t o = p * out_plane; o < (p + 1) * out_plane; ++o) {
      C& sum = sums[static_cast<std::size_t>(places[o])];
      sum = static_cast<C>(as_element<T>(sum + static_cast<C>(grad[o])));
    }
    std::transform(sums.begin(), sums.end(), to_all + p * in_plane, [](C s) { return static_cast<T>(s); });
  });
}

}  // namespace tenon::cpu::detail
