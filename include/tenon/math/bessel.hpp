// Bessel and Airy functions of real elements. Numbers of formulas are those of the NIST Digital Library of Mathematical
// Functions (DLMF).
#pragma once
#include <cmath>
#include <tenon/math/scalar.hpp>

namespace tenon::math {

namespace detail {

/// From here on the asymptotic series of modified Bessel functions have all digits of a double.
inline constexpr double kAsymptoticBessel = 25;

/// I_0 or I_1 of x >= 0 by the power series, whose terms are positive (DLMF 10.25.2).
template <int Order>
TENON_HOST_DEVICE double bessel_i_series(double x) {
  double q = x * x / 4, term = Order ? x / 2 : 1.0, sum = term;
  for (int k = 1; term > 1e-17 * sum; ++k) {
    term *= q / (static_cast<double>(k) * (k + Order));
    sum += term;
  }
  return sum;
}
/// The sum in the asymptotic expansions of K (Sign = 1) and I (Sign = -1) of order nu, for mu = 4 nu^2 (DLMF 10.40.1
/// and 2).
template <int Sign>
TENON_HOST_DEVICE double bessel_asymptotic(double mu, double x) {
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && std::fabs(term) > 1e-17; ++k) {
    double odd = 2 * k - 1;
    term *= Sign * (mu - odd * odd) / (8 * k * x);
    sum += term;
  }
  return sum;
}
template <int Order, bool Scaled>
TENON_HOST_DEVICE double bessel_i(double x) {
  double size = std::fabs(x), value;
  if (size <= kAsymptoticBessel) {
    value = bessel_i_series<Order>(size);
    if constexpr (Scaled) value *= std::exp(-size);
  } else {
    // The largest numbers have no multiple.
    double root = size < 1e307 ? std::sqrt(6.28318530717958647693 * size) : 2.50662827463100050242 * std::sqrt(size);
    value = bessel_asymptotic<-1>(4.0 * Order, size) / root;
    if constexpr (!Scaled) value *= std::exp(size);
  }
  return Order && x < 0 ? -value : value;
}

/// e^x K_nu(x) for x > 1/2 and 0 <= nu <= 1: the integral of exp(-x (cosh t - 1)) cosh(nu t) over positive t (DLMF
/// 10.32.9) by the trapezoidal rule, whose error at this step is below 1e-17 for all x before the asymptotic series.
TENON_HOST_DEVICE inline double scaled_bessel_k(double nu, double x) {
  if (x > kAsymptoticBessel) return std::sqrt(1.57079632679489661923 / x) * bessel_asymptotic<1>(4 * nu * nu, x);
  constexpr double step = 0.125, cosh_step = 1.00782267782571089;
  const double factor = 2 * std::cosh(nu * step);
  // Hyperbolic cosines of multiples of the step by their recurrence.
  double c0 = 1, c1 = cosh_step, n0 = 1, n1 = factor / 2, sum = 0.5;
  for (double term = 1; term > 1e-18 * sum;) {
    term = std::exp(x - x * c1) * n1;
    sum += term;
    double c2 = 2 * cosh_step * c1 - c0, n2 = factor * n1 - n0;
    c0 = c1, c1 = c2, n0 = n1, n1 = n2;
  }
  return sum * step;
}
/// K_0 or K_1 of 0 < x <= 2 (DLMF 10.31.1 and 2).
template <int Order>
TENON_HOST_DEVICE double bessel_k_series(double x) {
  double q = x * x / 4, logarithm = std::log(x / 2) + 0.57721566490153286061;
  double term = 1, harmonic = 0, sum = Order ? 1.0 : 0.0;
  for (int k = 1; k < 30 && term > 1e-18; ++k) {
    harmonic += 1.0 / k;
    term *= q / (static_cast<double>(k) * (k + Order));
    sum += term * (Order ? 2 * harmonic + 1.0 / (k + 1) : harmonic);
  }
  return Order ? 1 / x + logarithm * bessel_i_series<1>(x) - x / 4 * sum : sum - logarithm * bessel_i_series<0>(x);
}
template <int Order, bool Scaled>
TENON_HOST_DEVICE double bessel_k(double x) {
  if (x == 0) return std::numeric_limits<double>::infinity();
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x <= 2) return bessel_k_series<Order>(x) * (Scaled ? std::exp(x) : 1.0);
  return scaled_bessel_k(Order, x) * (Scaled ? 1.0 : std::exp(-x));
}

/// PyTorch's oscillating functions have no limit at infinity.
TENON_HOST_DEVICE inline double finite_or_nan(double x) {
  return x - x == 0 ? x : std::numeric_limits<double>::quiet_NaN();
}
TENON_HOST_DEVICE inline double bessel_j0(double x) { return ::j0(finite_or_nan(x)); }
TENON_HOST_DEVICE inline double bessel_j1(double x) { return ::j1(finite_or_nan(x)); }
TENON_HOST_DEVICE inline double bessel_y0(double x) {
  return x > 0    ? ::y0(finite_or_nan(x))
         : x == 0 ? -std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
}
TENON_HOST_DEVICE inline double bessel_y1(double x) {
  return x > 0    ? ::y1(finite_or_nan(x))
         : x == 0 ? -std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
}
TENON_HOST_DEVICE inline double spherical_bessel_j0(double x) {
  if (x == 0) return 1;
  return std::isinf(x) ? 0 : std::sin(x) / x;
}

/// Ai of -9 <= x <= 1 from its Taylor series about 0, -1, ..., each from the differential equation y'' = x y.
TENON_HOST_DEVICE inline double airy_ai_stepped(double x) {
  double at = 0, y = 0.35502805388781723926, slope = -0.25881940379280679840;
  const int steps = x < -1 ? static_cast<int>(std::ceil(-x)) : 1;
  const double h = x / steps;
  for (int s = 0; s < steps; ++s, at += h) {
    double c0 = y, c1 = slope, c2 = at * y / 2;  // coefficients n - 1, n, n + 1 for n = 1, 2, ...
    double value = y + h * slope, derivative = slope, power = h;
    for (int n = 1; n < 32; ++n) {
      derivative += (n + 1) * c2 * power;
      power *= h;
      value += c2 * power;
      double c3 = (at * c1 + c0) / ((n + 2.0) * (n + 1.0));
      c0 = c1, c1 = c2, c2 = c3;
    }
    y = value, slope = derivative;
  }
  return y;
}
/// Ai of x <= -9 (DLMF 9.7.9).
TENON_HOST_DEVICE inline double airy_ai_oscillating(double x) {
  double z = -x, zeta = 2 * z * std::sqrt(z) / 3, term = 1, even = 1, odd = 0;
  for (int k = 1; k < 30 && std::fabs(term) > 1e-17; ++k) {
    term *= (6 * k - 5.0) * (6 * k - 3.0) * (6 * k - 1.0) / (216.0 * k * (2 * k - 1) * zeta);
    (k & 1 ? odd : even) += k & 2 ? -term : term;
  }
  double angle = zeta - 0.78539816339744830962;
  return (std::cos(angle) * even + std::sin(angle) * odd) / (1.77245385090551602730 * std::sqrt(std::sqrt(z)));
}
TENON_HOST_DEVICE inline double airy_ai(double x) {
  x = finite_or_nan(x);
  if (x < -9) return airy_ai_oscillating(x);
  if (x <= 1) return airy_ai_stepped(x);
  // By K of order 1/3 (DLMF 9.6.2).
  double zeta = 2 * x * std::sqrt(x) / 3;
  return std::sqrt(x / 3) * 0.31830988618379067154 * scaled_bessel_k(1.0 / 3, zeta) * std::exp(-zeta);
}

}  // namespace detail

// Computed in double for every element type.
#define TENON_INTERNAL_REAL(NAME, FUNCTION)                                    \
  template <real_scalar T>                                                     \
  TENON_HOST_DEVICE detail::result_t<T> NAME(T x) {                            \
    return static_cast<detail::result_t<T>>(FUNCTION(static_cast<double>(x))); \
  }
TENON_INTERNAL_REAL(bessel_j0, detail::bessel_j0)
TENON_INTERNAL_REAL(bessel_j1, detail::bessel_j1)
TENON_INTERNAL_REAL(bessel_y0, detail::bessel_y0)
TENON_INTERNAL_REAL(bessel_y1, detail::bessel_y1)
TENON_INTERNAL_REAL(bessel_i0, (detail::bessel_i<0, false>))
TENON_INTERNAL_REAL(bessel_i1, (detail::bessel_i<1, false>))
TENON_INTERNAL_REAL(scaled_bessel_i0, (detail::bessel_i<0, true>))
TENON_INTERNAL_REAL(scaled_bessel_i1, (detail::bessel_i<1, true>))
TENON_INTERNAL_REAL(bessel_k0, (detail::bessel_k<0, false>))
TENON_INTERNAL_REAL(bessel_k1, (detail::bessel_k<1, false>))
TENON_INTERNAL_REAL(scaled_bessel_k0, (detail::bessel_k<0, true>))
TENON_INTERNAL_REAL(scaled_bessel_k1, (detail::bessel_k<1, true>))
TENON_INTERNAL_REAL(spherical_bessel_j0, detail::spherical_bessel_j0)
TENON_INTERNAL_REAL(airy_ai, detail::airy_ai)
#undef TENON_INTERNAL_REAL

}  // namespace tenon::math
