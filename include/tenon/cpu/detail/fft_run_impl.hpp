// One call: short lines by lanes of vectors, long ones each by itself; real numbers as half as many complex ones
// (Sorensen et al., IEEE Trans. ASSP 35:6, 1987).
#pragma once

namespace tenon::cpu::detail {

template <class T, class Arch>
class FftRun {
  using V = vec<T, Arch>;
  using Kind = typename FftCall<T>::Kind;
  static constexpr int W = V::size;
  /// Longer lines would leave the second level of cache when there are as many as lanes.
  static constexpr std::int64_t kLongest = 8192 / (sizeof(T) / 4);

 public:
  explicit FftRun(const FftCall<T>& call) : c(call) {}
  void run() {
    if (c.lines == 0) return;
    const std::int64_t points = c.plan->n;
    bool splits = points >= LongFft<T, Arch>::kLeast &&
                  (c.plan->columns || (c.plan->kind == FftPlan<T>::Kind::Chirp && c.plan->inner->columns));
    // The way depends on the shape alone, so that results do not depend on the number of threads.
    if (splits && (points > kLongest || c.lines < W / 2))
      run_long();
    else if (c.lines == 1)
      run_by<T>();
    else
      run_by<V>();
  }

 private:
  /// The offsets of the lines from `first` on.
  void offsets(std::int64_t first, int count, std::int64_t* in, std::int64_t* out) const {
    std::int64_t index[64], from = 0, to = 0, rest = first;
    for (int d = c.dims; d-- > 0;) {
      index[d] = rest % c.sizes[d];
      rest /= c.sizes[d];
      from += index[d] * c.in_strides[d];
      to += index[d] * c.out_strides[d];
    }
    for (int l = 0; l < count; ++l) {
      in[l] = from;
      out[l] = to;
      for (int d = c.dims; d-- > 0;) {
        from += c.in_strides[d];
        to += c.out_strides[d];
        if (++index[d] < c.sizes[d]) break;
        from -= c.sizes[d] * c.in_strides[d];
        to -= c.sizes[d] * c.out_strides[d];
        index[d] = 0;
      }
    }
  }
  bool halved() const { return c.kind != Kind::Complex && c.n % 2 == 0; }
  std::int64_t stored() const { return c.kind == Kind::FromReal && !c.two_sided ? c.n / 2 + 1 : c.n; }

  // --- the passes around a transform, in place ---

  /// The spectrum of 2m real numbers, m + 1 numbers, from that of m complex ones.
  template <class U>
  static void untangle(Pair<U>* z, std::int64_t m, const T* twist) {
    const Pair<U> first = z[0];
    z[0] = {first.re + first.im, U(T(0))};
    z[m] = {first.re - first.im, U(T(0))};
    const U half = T(0.5);
    for (std::int64_t k = 1; 2 * k <= m; ++k) {
      Pair<U> a = z[k], b{z[m - k].re, -z[m - k].im}, s = (a + b).times(half), d = (a - b).times(half);
      Pair<U> t = multiply(d, U(twist[2 * k]), U(twist[2 * k + 1])).turned();
      z[k] = s + t;
      z[m - k] = {s.re - t.re, t.im - s.im};
    }
  }
  /// The reverse, twice as large, parts exchanged: a forward transform then gives the numbers.
  template <class U>
  static void tangle(Pair<U>* z, std::int64_t m, const T* twist) {
    const U first = z[0].re, last = z[m].re;
    z[0] = {first - last, first + last};
    for (std::int64_t k = 1; 2 * k <= m; ++k) {
      Pair<U> a = z[k], b{z[m - k].re, -z[m - k].im}, s = a + b, d = a - b;
      Pair<U> t = multiply(d, U(twist[2 * k]), U(-twist[2 * k + 1]));
      // s + i t, and for m - k conj(s) + i conj(t)
      z[k] = {s.im + t.re, s.re - t.im};
      z[m - k] = {t.re - s.im, s.re + t.im};
    }
  }
  template <class U>
  void mirror(Pair<U>* z) const {
    for (std::int64_t k = c.n / 2 + 1; k < c.n; ++k) z[k] = {z[c.n - k].re, -z[c.n - k].im};
  }
  template <class U>
  void scale(Pair<U>* z, std::int64_t n) const {
    if (c.scale != T(1))
      for (std::int64_t k = 0; k < n; ++k) z[k] = z[k].times(U(c.scale));
  }

  // --- lanes ---

  template <class U>
  void run_by() const {
    constexpr int width = lanes_of<U>::width;
    const std::int64_t groups = (c.lines + width - 1) / width;
    parallel_for(0, groups, 1 + 4096 / (c.n * width), [&](std::int64_t first, std::int64_t last) {
      FftMemory<Pair<U>> memory(2 * (c.n + 1) + fft_scratch(*c.plan));
      std::int64_t in[width], out[width];
      for (std::int64_t g = first; g < last; ++g) {
        std::int64_t at = g * width;
        int lines = static_cast<int>(c.lines - at < width ? c.lines - at : width);
        offsets(at, lines, in, out);
        group<U>(memory.get(), LineGroup<T>{in, lines}, LineGroup<T>{out, lines});
      }
    });
  }
  template <class U>
  void group(Pair<U>* a, LineGroup<T> in, LineGroup<T> out) const {
    Pair<U>*b = a + c.n + 1, *rest = b + c.n + 1;
    const std::int64_t n = c.n, points = c.plan->n;
    const T* x = c.in;
    T* y = c.out;
    if (c.kind == Kind::Complex) {
      load_lines<U, T>(a, n, {c.backward ? x + 1 : x, c.backward ? x : x + 1, c.in_step}, in);
      Pair<U>* r = fft_lanes<T>(*c.plan, a, b, rest);
      scale(r, n);
      store_lines<U, T>(r, n, {c.backward ? y + 1 : y, c.backward ? y : y + 1, c.out_step}, out);
    } else if (c.kind == Kind::FromReal) {
      if (halved())
        load_lines<U, T>(a, points, {x, x + c.in_step, 2 * c.in_step}, in);
      else
        load_lines<U, T>(a, n, {x, nullptr, c.in_step}, in);
      Pair<U>* r = fft_lanes<T>(*c.plan, a, b, rest);
      if (halved())
        untangle(r, points, c.twist);
      else
        r[0].im = U(T(0));
      scale(r, n / 2 + 1);
      if (c.two_sided) mirror(r);
      store_lines<U, T>(r, stored(), {y, y + 1, c.out_step}, out);
    } else {
      load_lines<U, T>(a, n / 2 + 1, {x, x + 1, c.in_step}, in);
      if (halved()) {
        tangle(a, points, c.twist);
        Pair<U>* r = fft_lanes<T>(*c.plan, a, b, rest);
        scale(r, points);
        store_lines<U, T>(r, points, {y + c.out_step, y, 2 * c.out_step}, out);
      } else {
        a[0].im = U(T(0));
        mirror(a);
        for (std::int64_t k = 0; k < n; ++k) a[k] = {a[k].im, a[k].re};
        Pair<U>* r = fft_lanes<T>(*c.plan, a, b, rest);
        for (std::int64_t k = 0; k < n; ++k) r[k] = {r[k].im * U(c.scale), r[k].re * U(c.scale)};
        store_lines<U, T>(r, n, {y, nullptr, c.out_step}, out);
      }
    }
  }

  // --- one line after the other, each by all threads; as many as threads or more: by one each ---

  void run_long() const {
    const std::int64_t threads = in_parallel_region() ? 1 : get_num_threads();
    if (c.lines < threads)
      for (std::int64_t l = 0; l < c.lines; ++l) line(l);
    else
      parallel_for(0, c.lines, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t l = first; l < last; ++l) line(l);
      });
  }
  /// `count` numbers as a transform without gaps reads them: where they are, or gathered into `memory`.
  const T* gathered(const T* x, std::int64_t step, std::int64_t count, FftMemory<T>& memory) const {
    if (step == 2) return x;
    for (std::int64_t i = 0; i < count; ++i) {
      memory.get()[2 * i] = x[i * step];
      memory.get()[2 * i + 1] = x[i * step + 1];
    }
    return memory.get();
  }
  void line(std::int64_t at) const {
    std::int64_t from, to;
    offsets(at, 1, &from, &to);
    const T* x = c.in + from;
    T* y = c.out + to;
    const std::int64_t n = c.n, points = c.plan->n;
    using Long = LongFft<T, Arch>;
    if (c.kind == Kind::Complex) {
      const bool in_gaps = c.in_step != 2, out_gaps = c.out_step != 2;
      FftMemory<T> in(in_gaps ? 2 * n : 0), out(out_gaps ? 2 * n : 0);
      T* result = out_gaps ? out.get() : y;
      Long::run(*c.plan, gathered(x, c.in_step, n, in), result, c.backward, c.scale);
      if (out_gaps)
        for (std::int64_t k = 0; k < n; ++k)
          y[k * c.out_step] = result[2 * k], y[k * c.out_step + 1] = result[2 * k + 1];
      return;
    }
    FftMemory<T> one(2 * n + 2), two(2 * n + 2);
    auto* a = reinterpret_cast<Pair<T>*>(one.get());
    auto* b = reinterpret_cast<Pair<T>*>(two.get());
    if (c.kind == Kind::FromReal) {
      const T* source = x;
      if (halved() ? c.in_step != 1 : true) {
        for (std::int64_t k = 0; k < n; ++k)
          halved() ? void(one.get()[k] = x[k * c.in_step]) : void(a[k] = {x[k * c.in_step], T(0)});
        source = one.get();
      }
      const bool direct = c.out_step == 2 && !(n % 2);
      T* result = direct && !c.two_sided ? y : two.get();
      Long::run(*c.plan, source, result, false, c.scale);
      auto* r = reinterpret_cast<Pair<T>*>(result);
      if (halved())
        untangle(r, points, c.twist);
      else
        r[0].im = T(0);
      if (c.two_sided) mirror(r);
      if (result != y)
        for (std::int64_t k = 0; k < stored(); ++k) y[k * c.out_step] = r[k].re, y[k * c.out_step + 1] = r[k].im;
      return;
    }
    for (std::int64_t k = 0; k <= n / 2; ++k) a[k] = {x[k * c.in_step], x[k * c.in_step + 1]};
    if (halved()) {
      tangle(a, points, c.twist);
      Long::run(*c.plan, one.get(), two.get(), false, c.scale);
      for (std::int64_t k = 0; k < points; ++k) {
        y[2 * k * c.out_step] = b[k].im;
        y[(2 * k + 1) * c.out_step] = b[k].re;
      }
    } else {
      a[0].im = T(0);
      mirror(a);
      Long::run(*c.plan, one.get(), two.get(), true, c.scale);
      for (std::int64_t k = 0; k < n; ++k) y[k * c.out_step] = b[k].re;
    }
  }

  const FftCall<T>& c;
};

}  // namespace tenon::cpu::detail
