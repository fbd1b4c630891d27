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
}  // namespace detail

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
#undef TENON_INTERNAL_REAL

}  // namespace tenon::math
