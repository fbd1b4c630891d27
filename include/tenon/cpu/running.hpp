// Running extremes with their places, and running logarithms of sums of exponentials, on the CPU.
#pragma once
#include <cmath>
#include <complex>
#include <limits>

#include <tenon/composite/running.hpp>
#include <tenon/cpu/detail/element_order.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

/// f(line of self, offsets of the outputs' lines) for every line along a dimension.
template <std::size_t N, class F>
void each_running_line(const Tensor& self, std::int64_t dim, const IntArrayRef (&strides)[N], F f) {
  std::int64_t n = self.sizes()[dim];
  parallel_for(0, line_count(self.sizes(), dim), (1 << 14) / n + 1, [&](std::int64_t first, std::int64_t last) {
    each_line(self.sizes(), dim, strides, first, last, [&](const std::int64_t* at, std::int64_t) { f(at); });
  });
}

/// The last of equal extremes; behind a not-a-number only another one counts.
template <bool Largest>
void running_extreme_cpu(const Tensor& self, std::int64_t dim, const Tensor& values, const Tensor& indices) {
  if (!has_arithmetic(self.dtype()) || self.is_complex())
    not_implemented_for(Largest ? "cummax_cpu" : "cummin_cpu", self.dtype());
  if (self.numel() == 0) return;
  if (self.dim() == 0) {
    copy_elements(values, self);
    return fill_elements(indices, Scalar(0));
  }
  dim = wrap_dim(dim, self.dim());
  std::int64_t n = self.sizes()[dim], s = self.strides()[dim], v = values.strides()[dim], p = indices.strides()[dim];
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (!is_complex_v<T>) {
      auto x = static_cast<const T*>(self.data_ptr());
      auto y = static_cast<T*>(values.data_ptr());
      auto w = static_cast<std::int64_t*>(indices.data_ptr());
      each_running_line(self, dim, {self.strides(), values.strides(), indices.strides()}, [=](const std::int64_t* at) {
        T best = x[at[0]];
        std::int64_t place = 0;
        for (std::int64_t i = 0; i < n; ++i) {
          T next = x[at[0] + i * s];
          bool later = Largest ? !less_element(next, best) : !less_element(best, next);
          if (is_nan_element(next) || (later && !is_nan_element(best))) {
            best = next;
            place = i;
          }
          y[at[1] + i * v] = best;
          w[at[2] + i * p] = place;
        }
      });
    }
  });
}

/// log(exp(a) + exp(b)).
inline double log_add(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  double low = a < b ? a : b, high = a < b ? b : a;
  return low == high && std::isinf(low) ? low : high + std::log1p(std::exp(low - high));
}
inline std::complex<double> log_add(std::complex<double> a, std::complex<double> b) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(a.real()) || std::isnan(a.imag()) || std::isnan(b.real()) || std::isnan(b.imag())) return {nan, nan};
  std::complex<double> low = b.real() < a.real() ? b : a, high = b.real() < a.real() ? a : b;
  if (std::isinf(low.real()) && low.real() == high.real()) {
    if (low.real() < 0) return low;  // a sum of zeros
    return std::log(std::exp(low) + std::exp(high));
  }
  // log(1 + z), of which the real part keeps its digits where z is small.
  std::complex<double> z = std::exp(low - high);
  std::complex<double> more(0.5 * std::log1p(2 * z.real() + std::norm(z)), std::atan2(z.imag(), 1 + z.real()));
  return high + more;
}
inline void logcumsumexp_cpu(const Tensor& self, std::int64_t dim, const Tensor& out) {
  if (!has_arithmetic(self.dtype()) || !(self.is_floating_point() || self.is_complex()))
    not_implemented_for("logcumsumexp_out_cpu", self.dtype());
  if (self.numel() == 0) return;
  if (self.dim() == 0) return copy_elements(out, self);
  dim = wrap_dim(dim, self.dim());
  std::int64_t n = self.sizes()[dim], s = self.strides()[dim], o = out.strides()[dim];
  const double none = -std::numeric_limits<double>::infinity();
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    each_running_line(self, dim, {self.strides(), out.strides()}, [=](const std::int64_t* at) {
      if constexpr (is_complex_v<T>) {
        std::complex<double> sum(none, 0);
        for (std::int64_t i = 0; i < n; ++i) {
          T next = x[at[0] + i * s];
          sum = log_add(std::complex<double>(static_cast<double>(next.re), static_cast<double>(next.im)), sum);
          using R = decltype(next.re);
          y[at[1] + i * o] = T(static_cast<R>(sum.real()), static_cast<R>(sum.imag()));
        }
      } else if constexpr (is_floating_type(scalar_type_v<T>)) {
        double sum = none;
        for (std::int64_t i = 0; i < n; ++i) {
          sum = log_add(static_cast<double>(x[at[0] + i * s]), sum);
          y[at[1] + i * o] = static_cast<T>(sum);
        }
      }
    });
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(cummax_base, CPU, &cpu::detail::running_extreme_cpu<true>);
TENON_STRUCTURED_KERNEL(cummin_base, CPU, &cpu::detail::running_extreme_cpu<false>);
TENON_STRUCTURED_KERNEL(logcumsumexp_base, CPU, cpu::detail::logcumsumexp_cpu);

}  // namespace tenon::ops
