// The arithmetic of discrete Fourier transforms: butterflies and passes over numbers or vectors of them, a transform
// per lane. Stockham's order, which needs no reversal of digits (Cochran et al., Proc. IEEE 55:10, 1967).
#pragma once
#include <cstdint>
#include <utility>

namespace tenon::cpu {

/// One transform of `n` points, ready to run. Tables are of complex numbers, real part first; all signs are those of
/// the forward transform.
template <class T>
struct FftPlan {
  enum class Kind { Passes, Chirp };
  std::int64_t n = 1;
  Kind kind = Kind::Passes;
  /// Passes: a butterfly's size each; the factors between them; of sizes without code of their own all roots of one.
  int passes = 0;
  int radix[64] = {};
  const T* twiddles[64] = {};
  const T* roots[64] = {};
  /// Chirp (Bluestein, IEEE Trans. Audio Electroacoust. 18:4, 1970): a convolution of `inner->n` points.
  const FftPlan* inner = nullptr;
  const T* chirp = nullptr;
  const T* spectrum = nullptr;
  /// A long transform in two steps, over columns and rows of a matrix, or null; the roots of one of order n are
  /// products of a fine and a coarse one: n = coarse steps of `fine_count`.
  const FftPlan* columns = nullptr;
  const FftPlan* rows = nullptr;
  const double* fine = nullptr;
  const double* coarse = nullptr;
  std::int64_t fine_count = 1;
};

namespace detail {

/// A complex number, or a vector of them.
template <class V>
struct Pair {
  V re, im;
  friend Pair operator+(Pair a, Pair b) { return {a.re + b.re, a.im + b.im}; }
  friend Pair operator-(Pair a, Pair b) { return {a.re - b.re, a.im - b.im}; }
  /// -i times this.
  Pair turned() const { return {im, -re}; }
  Pair times(V s) const { return {re * s, im * s}; }
};
template <class V>
Pair<V> multiply(Pair<V> a, V re, V im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

/// f(0), f(1), .. written out: compilers keep an array in registers only if no loop counts through it.
template <int N, class F>
[[gnu::always_inline]] inline void each_of(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

/// The transform of R numbers in place.
template <int R, class T, class V>
[[gnu::always_inline]] inline void butterfly(Pair<V>* a) {
  if constexpr (R == 2) {
    Pair<V> d = a[0] - a[1];
    a[0] = a[0] + a[1];
    a[1] = d;
  } else if constexpr (R == 3) {
    Pair<V> t = a[1] + a[2], d = (a[1] - a[2]).times(V(T(0.86602540378443864676))).turned(),
            m = a[0] - t.times(V(T(0.5)));
    a[0] = a[0] + t;
    a[1] = m + d;
    a[2] = m - d;
  } else if constexpr (R == 4) {
    Pair<V> s = a[0] + a[2], d = a[0] - a[2], t = a[1] + a[3], e = (a[1] - a[3]).turned();
    a[0] = s + t;
    a[1] = d + e;
    a[2] = s - t;
    a[3] = d - e;
  } else if constexpr (R == 5) {
    const V c1 = T(0.30901699437494742410), c2 = T(-0.80901699437494742410), s1 = T(0.95105651629515357212),
            s2 = T(0.58778525229247312917);
    Pair<V> t1 = a[1] + a[4], t2 = a[2] + a[3], d1 = a[1] - a[4], d2 = a[2] - a[3];
    Pair<V> m1 = a[0] + t1.times(c1) + t2.times(c2), m2 = a[0] + t1.times(c2) + t2.times(c1);
    Pair<V> e1 = (d1.times(s1) + d2.times(s2)).turned(), e2 = (d1.times(s2) - d2.times(s1)).turned();
    a[0] = a[0] + t1 + t2;
    a[1] = m1 + e1;
    a[2] = m2 + e2;
    a[3] = m2 - e2;
    a[4] = m1 - e1;
  } else {
    static_assert(R == 8, "tenon: no butterfly of this size");
    const V h = T(0.70710678118654752440);
    Pair<V> even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
    butterfly<4, T>(even);
    butterfly<4, T>(odd);
    odd[1] = Pair<V>{odd[1].re + odd[1].im, odd[1].im - odd[1].re}.times(h);
    odd[2] = odd[2].turned();
    odd[3] = Pair<V>{odd[3].im - odd[3].re, -(odd[3].re + odd[3].im)}.times(h);
    each_of<4>([&](auto k) {
      a[k] = even[k] + odd[k];
      a[k + 4] = even[k] - odd[k];
    });
  }
}

/// One pass: butterflies over elements `m * s` apart, results side by side at distance `s`, times the factors.
template <int R, class T, class V>
void fft_pass(const Pair<V>* x, Pair<V>* y, std::int64_t m, std::int64_t s, const T* w) {
  for (std::int64_t q = 0; q < s; ++q) {  // the factors are one
    Pair<V> a[R];
    each_of<R>([&](auto k) { a[k] = x[q + s * m * k]; });
    butterfly<R, T>(a);
    each_of<R>([&](auto k) { y[q + s * k] = a[k]; });
  }
  for (std::int64_t p = 1; p < m; ++p) {
    const Pair<V>* from = x + s * p;
    Pair<V>* to = y + s * R * p;
    const T* f = w + 2 * (R - 1) * p;
    for (std::int64_t q = 0; q < s; ++q) {
      Pair<V> a[R];
      each_of<R>([&](auto k) { a[k] = from[q + s * m * k]; });
      butterfly<R, T>(a);
      to[q] = a[0];
      each_of<R - 1>([&](auto k) { to[q + s * (k + 1)] = multiply(a[k + 1], V(f[2 * k]), V(f[2 * k + 1])); });
    }
  }
}
/// The same for any odd size up to `kLargestRadix`, given all roots of one of that order.
inline constexpr int kLargestRadix = 127;
template <class T, class V>
void fft_pass_odd(int r, const Pair<V>* x, Pair<V>* y, std::int64_t m, std::int64_t s, const T* w, const T* roots) {
  Pair<V> sums[kLargestRadix / 2 + 1], differences[kLargestRadix / 2 + 1];
  const int half = r / 2;
  for (std::int64_t p = 0; p < m; ++p, w += 2 * (r - 1))
    for (std::int64_t q = 0; q < s; ++q) {
      const Pair<V>* from = x + q + s * p;
      Pair<V>* to = y + q + s * r * p;
      const Pair<V> first = from[0];
      Pair<V> total = first;
      for (int j = 1; j <= half; ++j) {
        Pair<V> a = from[s * m * j], b = from[s * m * (r - j)];
        sums[j] = a + b;
        differences[j] = a - b;
        total = total + sums[j];
      }
      to[0] = total;
      for (int k = 1; k <= half; ++k) {
        Pair<V> c = first, d{V(T(0)), V(T(0))};
        for (int j = 1, at = k; j <= half; ++j, at = at + k < r ? at + k : at + k - r) {
          c = c + sums[j].times(V(roots[2 * at]));
          d = d + differences[j].times(V(-roots[2 * at + 1]));
        }
        d = d.turned();
        to[s * k] = multiply(c + d, V(w[2 * k - 2]), V(w[2 * k - 1]));
        to[s * (r - k)] = multiply(c - d, V(w[2 * (r - k) - 2]), V(w[2 * (r - k) - 1]));
      }
    }
}

/// How many elements of scratch a transform by lanes takes.
template <class T>
std::int64_t fft_scratch(const FftPlan<T>& plan) {
  return plan.kind == FftPlan<T>::Kind::Chirp ? 2 * plan.inner->n + fft_scratch(*plan.inner) : 0;
}
/// The forward transforms of the n elements at `a`, one per lane; `b` is as long. Returns which of the two holds them.
template <class T, class V>
Pair<V>* fft_lanes(const FftPlan<T>& plan, Pair<V>* a, Pair<V>* b, Pair<V>* scratch) {
  if (plan.kind == FftPlan<T>::Kind::Passes) {
    std::int64_t m = plan.n, s = 1;
    for (int i = 0; i < plan.passes; ++i) {
      const int r = plan.radix[i];
      const T* w = plan.twiddles[i];
      m /= r;
      switch (r) {
        case 2: fft_pass<2, T>(a, b, m, s, w); break;
        case 3: fft_pass<3, T>(a, b, m, s, w); break;
        case 4: fft_pass<4, T>(a, b, m, s, w); break;
        case 5: fft_pass<5, T>(a, b, m, s, w); break;
        case 8: fft_pass<8, T>(a, b, m, s, w); break;
        default: fft_pass_odd<T>(r, a, b, m, s, w, plan.roots[i]);
      }
      s *= r;
      Pair<V>* t = a;
      a = b;
      b = t;
    }
    return a;
  }
  const FftPlan<T>& inner = *plan.inner;
  Pair<V>*c = scratch, *d = scratch + inner.n, *rest = scratch + 2 * inner.n;
  for (std::int64_t j = 0; j < plan.n; ++j) c[j] = multiply(a[j], V(plan.chirp[2 * j]), V(plan.chirp[2 * j + 1]));
  for (std::int64_t j = plan.n; j < inner.n; ++j) c[j] = {V(T(0)), V(T(0))};
  Pair<V>* f = fft_lanes<T>(inner, c, d, rest);
  // The inverse transform is the forward one with the parts exchanged.
  for (std::int64_t j = 0; j < inner.n; ++j) {
    Pair<V> v = multiply(f[j], V(plan.spectrum[2 * j]), V(plan.spectrum[2 * j + 1]));
    f[j] = {v.im, v.re};
  }
  f = fft_lanes<T>(inner, f, f == c ? d : c, rest);
  for (std::int64_t j = 0; j < plan.n; ++j)
    a[j] = multiply(Pair<V>{f[j].im, f[j].re}, V(plan.chirp[2 * j]), V(plan.chirp[2 * j + 1]));
  return a;
}

}  // namespace detail
}  // namespace tenon::cpu
