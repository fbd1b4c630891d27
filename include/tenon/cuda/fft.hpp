// Discrete Fourier transforms along lines as kernels: a pass for each factor of the number of points, in the order of
// Stockham (Cochran et al., Proc. IEEE 55:10, 1967), which leaves results in order.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// One pass over `lines` lines of n complex numbers of T side by side. `radix` times `stride` divide n; before the pass
/// transforms of `stride` points are done.
template <class T>
struct FftPass {
  std::int64_t lines, n, radix, stride;
  const Complex<T>*in, *roots;  ///< roots: the n-th roots of one, turning as the transform does
  Complex<T>* out;
  T scale;
};
template <class T>
struct FftRoots {
  std::int64_t n;
  bool backward;
  Complex<T>* out;
};
/// Lines of n numbers from their first n / 2 + 1, of which the others are the conjugate.
template <class T>
struct FftWhole {
  std::int64_t lines, n;
  const Complex<T>* in;
  Complex<T>* out;
};
void fft(const FftPass<float>& call, void* stream);
void fft(const FftPass<double>& call, void* stream);
void fft(const FftRoots<float>& call, void* stream);
void fft(const FftRoots<double>& call, void* stream);
void fft(const FftWhole<float>& call, void* stream);
void fft(const FftWhole<double>& call, void* stream);

/// Computed in double, which rounds once.
template <class T>
struct fft_roots {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FftRoots<T>& c) const {
    each_of_grid(lane, c.n, [&](std::int64_t k) {
      double angle = 6.28318530717958647693 * static_cast<double>(k) / static_cast<double>(c.n);
      auto sine = static_cast<T>(std::sin(angle));
      c.out[k] = Complex<T>(static_cast<T>(std::cos(angle)), c.backward ? sine : -sine);
    });
  }
};
/// Number r of the transform of `radix` points that lie apart, turned by what its place among the others asks for.
template <class T>
struct fft_pass {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FftPass<T>& c) const {
    const std::int64_t apart = c.n / c.radix;
    each_of_grid(lane, c.lines * c.n, [&](std::int64_t i) {
      const std::int64_t at = i % c.n, q = at % c.stride, r = at / c.stride % c.radix, p = at / c.stride / c.radix;
      const Complex<T>* x = c.in + (i - at) + q + c.stride * p;
      const std::int64_t turn = r * apart;  // below n
      std::int64_t root = r * p * c.stride;
      T re = 0, im = 0;
      for (std::int64_t t = 0; t < c.radix; ++t) {
        const Complex<T> a = x[t * apart], w = c.roots[root];
        re = std::fma(-a.im, w.im, std::fma(a.re, w.re, re));
        im = std::fma(a.im, w.re, std::fma(a.re, w.im, im));
        root += turn;
        if (root >= c.n) root -= c.n;
      }
      c.out[i] = Complex<T>(re * c.scale, im * c.scale);
    });
  }
};
template <class T>
struct fft_whole {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FftWhole<T>& c) const {
    const std::int64_t half = c.n / 2 + 1;
    each_of_grid(lane, c.lines * c.n, [&](std::int64_t i) {
      const std::int64_t line = i / c.n, k = i % c.n;
      const Complex<T> x = c.in[line * half + (k < half ? k : c.n - k)];
      c.out[i] = Complex<T>(x.re, k < half ? x.im : -x.im);
    });
  }
};

}  // namespace tenon::cuda
