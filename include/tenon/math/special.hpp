// Special functions of real elements: gamma and error functions.
#pragma once
#include <tenon/math/elementary.hpp>

namespace tenon::math {

namespace detail {
/// The logarithmic derivative of the gamma function: recurrence up to 10, then the asymptotic series; reflection below
/// 0. NIST Digital Library of Mathematical Functions, 5.5 and 5.11.
TENON_HOST_DEVICE inline double digamma(double x) {
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x < 0) {
    double whole, part = std::modf(x, &whole);
    constexpr double pi = 3.14159265358979323846;
    return part == 0 ? std::numeric_limits<double>::quiet_NaN() : digamma(1 - x) - pi / std::tan(pi * part);
  }
  double sum = 0;
  for (; x < 10; x += 1) sum -= 1 / x;
  double z = 1 / (x * x);
  double series =
      z * (1.0 / 12 +
           z * (-1.0 / 120 + z * (1.0 / 252 + z * (-1.0 / 240 + z * (1.0 / 132 + z * (-691.0 / 32760 + z / 12))))));
  return sum + std::log(x) - 0.5 / x - series;
}
/// The derivative of digamma: reflection below 1/2, recurrence, then the asymptotic series. In T, as poles show it.
template <class T>
TENON_HOST_DEVICE T trigamma(T x) {
  T sum = 0, sign = 1;
  if (x < T(0.5)) {
    constexpr T pi = static_cast<T>(3.14159265358979323846);
    T s = std::sin(pi * x);
    sum -= pi * pi / (s * s);
    sign = -1;
    x = 1 - x;
  }
  for (int i = 0; i < 6; ++i, x += 1) sum += 1 / (x * x);
  T z = 1 / (x * x);
  return sign * (sum + (1 + 1 / (2 * x) + z * (T(1) / 6 - z * (T(1) / 30 - z / 42))) / x);
}
/// The sum of (q + k)^-s over k >= 0 for an integer s > 1, by Euler's and Maclaurin's formula.
TENON_HOST_DEVICE inline double hurwitz_zeta(double s, double q) {
  if (q <= 0 && q == std::floor(q)) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (int k = 0; k < 10 || q < 10; ++k, q += 1) {
    double term = std::pow(q, -s);
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) return sum;
  }
  double power = std::pow(q, -s);
  sum += power * q / (s - 1) + power / 2;
  // Bernoulli numbers over factorials, B2 / 2!, B4 / 4!, ...
  constexpr double b[] = {
      1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368e3, 1.0 / 74724249600.0};
  double rising = s;
  power /= q;
  for (int j = 0; j < 7; ++j) {
    sum += b[j] * rising * power;
    rising *= (s + 2 * j + 1) * (s + 2 * j + 2);
    power /= q * q;
  }
  return sum;
}
}  // namespace detail
/// The n-th derivative of digamma.
template <std::floating_point T>
TENON_HOST_DEVICE T polygamma(T x, T n) {
  if (n == 0) return static_cast<T>(detail::digamma(static_cast<double>(x)));
  if (n == 1) return detail::trigamma(x);
  double order = static_cast<double>(n), size = std::tgamma(order + 1);
  return static_cast<T>((std::fmod(order, 2) == 1 ? size : -size) *
                        detail::hurwitz_zeta(order + 1, static_cast<double>(x)));
}

namespace detail {
/// The inverse of erf: Winitzki's approximation (2 in 1000), then Halley's steps, which triple the digits; towards 1 on
/// the complement, which the argument holds exactly.
TENON_HOST_DEVICE inline double erfinv(double x) {
  double size = std::fabs(x), rest = 1 - size;
  if (!(size < 1))
    return size == 1 ? std::copysign(std::numeric_limits<double>::infinity(), x)
                     : size - size + std::numeric_limits<double>::quiet_NaN();
  if (size == 0) return x;
  constexpr double a = 0.147, two_over_pi_a = 2 / (3.14159265358979323846 * a);
  double l = std::log1p(-x * x), half = two_over_pi_a + l / 2, y = std::sqrt(std::sqrt(half * half - l / a) - half);
  for (int i = 0; i < 3; ++i) {
    double error = size < 0.5 ? std::erf(y) - size : rest - std::erfc(y);
    double u = error / (1.12837916709551257390 * std::exp(-y * y));
    y -= u / (1 + y * u);
  }
  return std::copysign(y, x);
}

/// exp(x^2) erfc(x): from 6 on the asymptotic series (DLMF 7.12.1), whose terms fall below 1e-16 there.
TENON_HOST_DEVICE inline double erfcx(double x) {
  if (x < 6) {
    double square = x * x, rest = std::fma(x, x, -square);
    return square < 745 ? std::exp(square) * (1 + rest) * std::erfc(x) : x * -std::numeric_limits<double>::infinity();
  }
  double q = -0.5 / x / x, term = 1, sum = 1;
  for (int k = 1; k < 36 && std::fabs(term) > 1e-17; ++k) {
    term *= (2 * k - 1) * q;
    sum += term;
  }
  return 0.56418958354775628695 / x * sum;
}
/// The logarithm of the normal distribution's part below x.
TENON_HOST_DEVICE inline double log_ndtr(double x) {
  double t = x * 0.70710678118654752440;
  return x < -1 ? std::log(erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}
/// The inverse of the normal distribution's part below x: Abramowitz's and Stegun's 26.2.23 (4.5e-4), then Halley's
/// steps, which triple the digits, on the smaller tail.
TENON_HOST_DEVICE inline double ndtri(double p) {
  if (p == 0 || p == 1) return std::copysign(std::numeric_limits<double>::infinity(), p - 0.5);
  if (!(p > 0 && p < 1)) return std::numeric_limits<double>::quiet_NaN();
  double tail = p < 0.5 ? p : 1 - p, q = std::sqrt(-2 * std::log(tail));
  double x = q - (2.515517 + q * (0.802853 + q * 0.010328)) / (1 + q * (1.432788 + q * (0.189269 + q * 0.001308)));
  for (int i = 0; i < 3; ++i) {
    // Over the density both terms keep their digits, however small the tail is.
    double t = x * 0.70710678118654752440, over_density = 2.50662827463100050242 * std::exp(t * t / 2);
    double u = 1.25331413731550025121 * erfcx(t) - tail * over_density * std::exp(t * t / 2);
    x += u / (1 - x * u / 2);
  }
  return p < 0.5 ? -x : x;
}
/// -x log(x); 0 at 0, and minus infinity below.
TENON_HOST_DEVICE inline double entr(double x) {
  if (!(x > 0)) return x < 0 ? -std::numeric_limits<double>::infinity() : x == 0 ? 0 : x;
  return -x * std::log(x);
}
/// The sum of (q + k)^-s over k >= 0 for real s; PyTorch's answers where it has no value.
TENON_HOST_DEVICE inline double zeta(double s, double q) {
  if (s == 1) return std::numeric_limits<double>::infinity();
  if (!(s > 1)) return std::numeric_limits<double>::quiet_NaN();
  if (q <= 0 && q != std::floor(q) && s != std::floor(s)) return std::numeric_limits<double>::quiet_NaN();
  return hurwitz_zeta(s, q);
}
}  // namespace detail

/// The logarithm of the multivariate gamma function of p dimensions.
template <std::floating_point T>
TENON_HOST_DEVICE T mvlgamma(T x, T p) {
  double sum = static_cast<double>(p) * (static_cast<double>(p) - 1) / 4 * 1.14472988584940017414;
  for (int j = 0; j < static_cast<int>(p); ++j) sum += std::lgamma(static_cast<double>(x) - 0.5 * j);
  return static_cast<T>(sum);
}
/// x log(1 + y), 0 where x is 0 unless y is NaN.
template <real_scalar T>
TENON_HOST_DEVICE T xlog1py(T x, T y) {
  if (y != y) return y;
  return x == T(0) ? T(0) : static_cast<T>(x * std::log1p(static_cast<detail::real_t<T>>(y)));
}
template <std::floating_point T>
TENON_HOST_DEVICE T zeta(T s, T q) {
  return static_cast<T>(detail::zeta(static_cast<double>(s), static_cast<double>(q)));
}

#define TENON_INTERNAL_REAL(NAME, EXPRESSION)                          \
  template <real_scalar T>                                             \
  TENON_HOST_DEVICE detail::result_t<T> NAME(T value) {                \
    const detail::real_t<T> x = static_cast<detail::real_t<T>>(value); \
    return static_cast<detail::result_t<T>>(EXPRESSION);               \
  }
TENON_INTERNAL_REAL(digamma, detail::digamma(static_cast<double>(x)))
TENON_INTERNAL_REAL(erf, std::erf(x))
TENON_INTERNAL_REAL(erfc, std::erfc(x))
TENON_INTERNAL_REAL(erfinv, detail::erfinv(static_cast<double>(x)))
TENON_INTERNAL_REAL(lgamma, std::lgamma(x))
TENON_INTERNAL_REAL(entr, detail::entr(static_cast<double>(x)))
TENON_INTERNAL_REAL(erfcx, detail::erfcx(static_cast<double>(x)))
TENON_INTERNAL_REAL(ndtr, std::erfc(x* detail::real_t<T>(-0.70710678118654752440)) / 2)
TENON_INTERNAL_REAL(log_ndtr, detail::log_ndtr(static_cast<double>(x)))
TENON_INTERNAL_REAL(ndtri, detail::ndtri(static_cast<double>(x)))
#undef TENON_INTERNAL_REAL

}  // namespace tenon::math
