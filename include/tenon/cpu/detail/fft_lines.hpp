// Lines of a tensor brought into the lanes of vectors and back.
#pragma once
#include <tenon/cpu/detail/fft_passes.hpp>
#include <tenon/cpu/transpose.hpp>
#include <tenon/math/vec.hpp>

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define TENON_INTERNAL_SHUFFLES 1
#endif
#endif

namespace tenon::cpu::detail {

/// The numbers of a line: parts at `re[i * step]` and `im[i * step]`. Without imaginary parts `im` is null.
template <class T>
struct LineParts {
  T* re;
  T* im;
  std::int64_t step;
};

/// How the type V holds one number of `width` lines.
template <class V>
struct lanes_of {
  static constexpr int width = 1;
};
template <class T, class Arch>
struct lanes_of<vec<T, Arch>> {
  static constexpr int width = vec<T, Arch>::size;
};

#ifdef TENON_INTERNAL_SHUFFLES
namespace shuffles {
template <class R, std::size_t... I>
R even(R a, R b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (2 * I)...);
}
template <class R, std::size_t... I>
R odd(R a, R b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (2 * I + 1)...);
}
template <class R, std::size_t... I>
R low(R a, R b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (I / 2 + (I % 2) * sizeof...(I))...);
}
template <class R, std::size_t... I>
R high(R a, R b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (I / 2 + sizeof...(I) / 2 + (I % 2) * sizeof...(I))...);
}
}  // namespace shuffles
#endif

/// As many complex numbers as a vector has lanes, side by side in memory.
template <class T, class Arch>
Pair<vec<T, Arch>> load_pairs(const T* p) {
  using V = vec<T, Arch>;
#ifdef TENON_INTERNAL_SHUFFLES
  using R = typename V::batch_type::register_type;
  constexpr std::make_index_sequence<static_cast<std::size_t>(V::size)> lanes{};
  R a = static_cast<R>(V::load(p).v), b = static_cast<R>(V::load(p + V::size).v);
  return {V(typename V::batch_type(shuffles::even(a, b, lanes))),
          V(typename V::batch_type(shuffles::odd(a, b, lanes)))};
#else
  alignas(64) T re[V::size], im[V::size];
  for (int l = 0; l < V::size; ++l) re[l] = p[2 * l], im[l] = p[2 * l + 1];
  return {V::load(re), V::load(im)};
#endif
}
template <class T, class Arch>
void store_pairs(T* p, Pair<vec<T, Arch>> x) {
  using V = vec<T, Arch>;
#ifdef TENON_INTERNAL_SHUFFLES
  using R = typename V::batch_type::register_type;
  constexpr std::make_index_sequence<static_cast<std::size_t>(V::size)> lanes{};
  R a = static_cast<R>(x.re.v), b = static_cast<R>(x.im.v);
  V(typename V::batch_type(shuffles::low(a, b, lanes))).store(p);
  V(typename V::batch_type(shuffles::high(a, b, lanes))).store(p + V::size);
#else
  alignas(64) T re[V::size], im[V::size];
  x.re.store(re);
  x.im.store(im);
  for (int l = 0; l < V::size; ++l) p[2 * l] = re[l], p[2 * l + 1] = im[l];
#endif
}

/// The integers as large as T, which the turning of blocks moves.
template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// What the bases of a group of lines have in common.
template <class T>
struct LineGroup {
  const std::int64_t* base;
  int lines;
  /// The distance between neighbours, or 0 if they differ.
  std::int64_t distance() const {
    if (lines < 2) return 0;
    for (int l = 2; l < lines; ++l)
      if (base[l] - base[l - 1] != base[1] - base[0]) return 0;
    return base[1] - base[0];
  }
};

/// Elements 0 to n of the lines of a group, one line per lane; missing lines are zero.
template <class V, class T>
void load_lines(Pair<V>* to, std::int64_t n, LineParts<const T> p, LineGroup<T> g) {
  constexpr int W = lanes_of<V>::width;
  auto* flat = reinterpret_cast<T*>(to);
  if constexpr (W > 1) {
    using Arch = typename V::arch;
    const std::int64_t distance = g.lines == W ? g.distance() : 0;
    const bool swapped = p.im && p.re == p.im + 1, pairs = swapped || p.im == p.re + 1;
    if (distance == 2 && pairs) {
      const T* from = (swapped ? p.im : p.re) + g.base[0];
      for (std::int64_t i = 0; i < n; ++i) {
        to[i] = load_pairs<T, Arch>(from + i * p.step);
        if (swapped) to[i] = {to[i].im, to[i].re};
      }
      return;
    }
    if (distance == 1 && !pairs) {
      const T* from = p.re + g.base[0];
      const T* other = p.im ? p.im + g.base[0] : nullptr;
      for (std::int64_t i = 0; i < n; ++i)
        to[i] = {V::load(from + i * p.step), other ? V::load(other + i * p.step) : V(T(0))};
      return;
    }
    using net = turn<bits_of<T>, Arch>;
    if (distance != 0 && pairs && p.step == 2 && net::width == W) {
      const T* from = (swapped ? p.im : p.re) + g.base[0];
      std::int64_t i = 0;
      for (; 2 * i + W <= 2 * n; i += W / 2) {
        net::block(reinterpret_cast<bits_of<T>*>(flat + 2 * i * W), W,
                   reinterpret_cast<const bits_of<T>*>(from + 2 * i), distance);
        if (swapped)
          for (std::int64_t k = i; k < i + W / 2; ++k) to[k] = {to[k].im, to[k].re};
      }
      for (; i < n; ++i)
        for (int l = 0; l < W; ++l) {
          flat[2 * i * W + l] = p.re[g.base[l] + 2 * i];
          flat[(2 * i + 1) * W + l] = p.im[g.base[l] + 2 * i];
        }
      return;
    }
    if (g.lines < W)
      for (std::int64_t i = 0; i < n; ++i) to[i] = {V(T(0)), V(T(0))};
  }
  for (int l = 0; l < g.lines; ++l) {
    const T* re = p.re + g.base[l];
    const T* im = p.im ? p.im + g.base[l] : nullptr;
    for (std::int64_t i = 0; i < n; ++i) {
      flat[2 * i * W + l] = re[i * p.step];
      flat[(2 * i + 1) * W + l] = im ? im[i * p.step] : T(0);
    }
  }
}
/// The reverse. The blocks of `from` may be overwritten.
template <class V, class T>
void store_lines(Pair<V>* from, std::int64_t n, LineParts<T> p, LineGroup<T> g) {
  constexpr int W = lanes_of<V>::width;
  auto* flat = reinterpret_cast<const T*>(from);
  if constexpr (W > 1) {
    using Arch = typename V::arch;
    const std::int64_t distance = g.lines == W ? g.distance() : 0;
    const bool swapped = p.im && p.re == p.im + 1, pairs = swapped || p.im == p.re + 1;
    T* to = (swapped ? p.im : p.re) + g.base[0];
    if (distance == 2 && pairs) {
      for (std::int64_t i = 0; i < n; ++i)
        store_pairs<T, Arch>(to + i * p.step, swapped ? Pair<V>{from[i].im, from[i].re} : from[i]);
      return;
    }
    if (distance == 1 && !pairs) {
      T* other = p.im ? p.im + g.base[0] : nullptr;
      for (std::int64_t i = 0; i < n; ++i) {
        from[i].re.store(to + i * p.step);
        if (other) from[i].im.store(other + i * p.step);
      }
      return;
    }
    using net = turn<bits_of<T>, Arch>;
    if (distance != 0 && pairs && p.step == 2 && net::width == W) {
      std::int64_t i = 0;
      for (; 2 * i + W <= 2 * n; i += W / 2) {
        if (swapped)
          for (std::int64_t k = i; k < i + W / 2; ++k) from[k] = {from[k].im, from[k].re};
        net::block(reinterpret_cast<bits_of<T>*>(to + 2 * i), distance,
                   reinterpret_cast<const bits_of<T>*>(flat + 2 * i * W), W);
      }
      for (; i < n; ++i)
        for (int l = 0; l < W; ++l) {
          p.re[g.base[l] + 2 * i] = flat[2 * i * W + l];
          p.im[g.base[l] + 2 * i] = flat[(2 * i + 1) * W + l];
        }
      return;
    }
  }
  for (int l = 0; l < g.lines; ++l) {
    T* re = p.re + g.base[l];
    T* im = p.im ? p.im + g.base[l] : nullptr;
    for (std::int64_t i = 0; i < n; ++i) {
      re[i * p.step] = flat[2 * i * W + l];
      if (im) im[i * p.step] = flat[(2 * i + 1) * W + l];
    }
  }
}

}  // namespace tenon::cpu::detail
