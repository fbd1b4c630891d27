// One long transform: over the columns of a matrix, then over its rows (Bailey, J. Supercomput. 4:1, 1990), with a
// column or a row per lane.
#pragma once
#include <new>

#include <tenon/cpu/detail/fft_lines.hpp>
#include <tenon/cpu/parallel.hpp>

namespace tenon::cpu::detail {

/// Memory of one call for elements without constructors.
template <class E>
class FftMemory {
 public:
  explicit FftMemory(std::int64_t count)
      : data_(static_cast<E*>(
            ::operator new (static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(E), std::align_val_t{64}))) {}
  FftMemory(const FftMemory&) = delete;
  ~FftMemory() { ::operator delete (data_, std::align_val_t{64}); }
  E* get() const { return data_; }

 private:
  E* data_;
};

template <class T, class Arch>
struct LongFft {
  using V = vec<T, Arch>;
  static constexpr int W = V::size;
  /// Shorter ones go through one lane.
  static constexpr std::int64_t kLeast = 128;

  /// y = scale * transform of x, both n complex numbers without gaps that do not overlap.
  static void run(const FftPlan<T>& plan, const T* x, T* y, bool backward, T scale) {
    if (plan.n >= kLeast && plan.columns)
      split(plan, x, y, backward, scale);
    else if (plan.n >= kLeast && plan.kind == FftPlan<T>::Kind::Chirp && plan.inner->columns)
      chirp(plan, x, y, backward, scale);
    else
      one(plan, x, y, backward, scale);
  }

 private:
  static void one(const FftPlan<T>& plan, const T* x, T* y, bool backward, T scale) {
    FftMemory<Pair<T>> memory(2 * plan.n + fft_scratch(plan));
    Pair<T>*a = memory.get(), *b = a + plan.n;
    for (std::int64_t i = 0; i < plan.n; ++i)
      a[i] = backward ? Pair<T>{x[2 * i + 1], x[2 * i]} : Pair<T>{x[2 * i], x[2 * i + 1]};
    const Pair<T>* r = fft_lanes<T>(plan, a, b, b + plan.n);
    for (std::int64_t i = 0; i < plan.n; ++i) {
      y[2 * i] = (backward ? r[i].im : r[i].re) * scale;
      y[2 * i + 1] = (backward ? r[i].re : r[i].im) * scale;
    }
  }

  static void chirp(const FftPlan<T>& plan, const T* x, T* y, bool backward, T scale) {
    const std::int64_t n = plan.n, m = plan.inner->n;
    FftMemory<T> memory(4 * m);
    T *a = memory.get(), *b = a + 2 * m;
    const T *w = plan.chirp, *s = plan.spectrum;
    // to[i] = made(i) for all i.
    auto fill = [](T* to, std::int64_t count, auto made) {
      parallel_for(0, count, 1 << 14, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
          Pair<T> v = made(i);
          to[2 * i] = v.re;
          to[2 * i + 1] = v.im;
        }
      });
    };
    auto product = [](const T* p, const T* q, std::int64_t i) {
      return multiply(Pair<T>{p[2 * i], p[2 * i + 1]}, q[2 * i], q[2 * i + 1]);
    };
    fill(a, m, [&](std::int64_t i) {
      if (i >= n) return Pair<T>{T(0), T(0)};
      return backward ? multiply(Pair<T>{x[2 * i + 1], x[2 * i]}, w[2 * i], w[2 * i + 1]) : product(x, w, i);
    });
    run(*plan.inner, a, b, false, T(1));
    fill(b, m, [&](std::int64_t i) { return product(b, s, i); });
    run(*plan.inner, b, a, true, T(1));
    fill(y, n, [&](std::int64_t i) {
      Pair<T> v = product(a, w, i);
      return backward ? Pair<T>{v.im * scale, v.re * scale} : Pair<T>{v.re * scale, v.im * scale};
    });
  }

  /// The factor between the steps, a root of one of order n, from two tables in double.
  static Pair<T> root(const FftPlan<T>& plan, std::int64_t at) {
    const double* f = plan.fine + 2 * (at % plan.fine_count);
    const double* c = plan.coarse + 2 * (at / plan.fine_count);
    return {static_cast<T>(f[0] * c[0] - f[1] * c[1]), static_cast<T>(f[0] * c[1] + f[1] * c[0])};
  }

  static void split(const FftPlan<T>& plan, const T* x, T* y, bool backward, T scale) {
    const std::int64_t n1 = plan.columns->n, n2 = plan.rows->n;
    FftMemory<T> memory(2 * plan.n);
    T* between = memory.get();
    parallel_for(0, (n2 + W - 1) / W, 1 + 8192 / (n1 * W), [&](std::int64_t first, std::int64_t last) {
      constexpr std::int64_t kRun = 32;
      const std::int64_t runs = (n1 + kRun - 1) / kRun;
      FftMemory<Pair<V>> scratch(2 * n1 + fft_scratch(*plan.columns) + kRun + runs);
      Pair<V>*a = scratch.get(), *near = a + 2 * n1, *far = near + kRun, *rest = far + runs;
      for (std::int64_t group = first; group < last; ++group) {
        const std::int64_t at = group * W;
        const int lines = static_cast<int>(n2 - at < W ? n2 - at : W);
        std::int64_t base[W];
        for (int l = 0; l < W; ++l) base[l] = 2 * (at + l);
        load_lines<V, T>(a, n1, {backward ? x + 1 : x, backward ? x : x + 1, 2 * n2}, {base, lines});
        Pair<V>* r = fft_lanes<T>(*plan.columns, a, a + n1, rest);
        // The factor of row k in column j is root j * k: that of a multiple of kRun times that of a small number.
        auto factors = [&](Pair<V>* to, std::int64_t k) {
          auto* flat = reinterpret_cast<T*>(to);
          for (int l = 0; l < W; ++l) {
            Pair<T> w = root(plan, l < lines ? (at + l) * k % plan.n : 0);
            flat[l] = w.re;
            flat[W + l] = w.im;
          }
        };
        for (std::int64_t k = 0; k < kRun && k < n1; ++k) factors(near + k, k);
        for (std::int64_t k = 0; k < runs; ++k) factors(far + k, k * kRun);
        for (std::int64_t k = 0; k < n1; ++k) {
          const Pair<V>&u = near[k % kRun], &v = far[k / kRun];
          Pair<V> w = multiply(u, v.re, v.im);
          r[k] = multiply(r[k], w.re, w.im);
        }
        store_lines<V, T>(r, n1, {between, between + 1, 2 * n2}, {base, lines});
      }
    });
    parallel_for(0, (n1 + W - 1) / W, 1 + 8192 / (n2 * W), [&](std::int64_t first, std::int64_t last) {
      FftMemory<Pair<V>> scratch(2 * n2 + fft_scratch(*plan.rows));
      Pair<V>* a = scratch.get();
      for (std::int64_t group = first; group < last; ++group) {
        const std::int64_t at = group * W;
        const int lines = static_cast<int>(n1 - at < W ? n1 - at : W);
        std::int64_t base[W], base_out[W];
        for (int l = 0; l < W; ++l) {
          base[l] = 2 * n2 * (at + l);
          base_out[l] = 2 * (at + l);
        }
        load_lines<V, T>(a, n2, {between, between + 1, 2}, {base, lines});
        Pair<V>* r = fft_lanes<T>(*plan.rows, a, a + n2, a + 2 * n2);
        if (scale != T(1))
          for (std::int64_t k = 0; k < n2; ++k) r[k] = r[k].times(V(scale));
        store_lines<V, T>(r, n2, {backward ? y + 1 : y, backward ? y : y + 1, 2 * n1}, {base_out, lines});
      }
    });
  }
};

}  // namespace tenon::cpu::detail
