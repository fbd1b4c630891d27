// The regularised incomplete gamma functions of real elements. Numbers of formulas are those of the NIST Digital
// Library of Mathematical Functions (DLMF).
#pragma once
#include <cmath>
#include <tenon/math/scalar.hpp>

namespace tenon::math {

namespace detail {

/// x^a e^-x / gamma(a + 1); for larger a around the maximum of the power, where its parts would cancel.
TENON_HOST_DEVICE inline double gamma_density(double a, double x) {
  if (a < 10) return std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  double mu = (x - a) / a, z = 1 / (a * a);
  double stirling = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) / a;  // DLMF 5.11.1
  return std::exp(a * (std::log1p(mu) - mu) - stirling) / std::sqrt(6.28318530717958647693 * a);
}
/// P by its power series (DLMF 8.11.4).
TENON_HOST_DEVICE inline double gamma_p_series(double a, double x) {
  double term = 1, sum = 1;
  for (double n = a + 1; term > 1e-17 * sum; n += 1) {
    term *= x / n;
    sum += term;
  }
  return gamma_density(a, x) * sum;
}
/// Q by its continued fraction (DLMF 8.9.2), evaluated from the front.
TENON_HOST_DEVICE inline double gamma_q_fraction(double a, double x) {
  double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;
  for (double n = 1; n < 1e5; n += 1) {
    b += 2;
    double numerator = n * (a - n);
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    value *= c * d;
    if (std::fabs(c * d - 1) < 1e-16) break;
  }
  return gamma_density(a, x) * a * value;
}
/// Q for small a and x, where it is the small difference of 1 and P (DLMF 8.7.1).
TENON_HOST_DEVICE inline double gamma_q_small(double a, double x) {
  double term = 1, sum = 0, power = a * std::log(x) - std::lgamma(a + 1);
  for (int k = 1; k < 40 && std::fabs(term) > 1e-18; ++k) {
    term *= -x / k;
    sum += term / (a + k);
  }
  return -std::expm1(power) - std::exp(power) * a * sum;
}
/// Q (Upper) or P for large a and x near it, by Temme's uniform expansion (DLMF 8.12.3 to 8.12.8).
template <bool Upper>
TENON_HOST_DEVICE double gamma_uniform(double a, double x) {
  // eta^2 / 2 = mu - log(1 + mu) without cancellation: log(1 + mu) = 2 artanh(r).
  double mu = (x - a) / a, r = mu / (2 + mu), s = r * r;
  double half_square =
      mu * r - 2 * r * s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s / 13)))));
  double eta = std::copysign(std::sqrt(2 * half_square), mu);
  constexpr double c0[] = {-1.0 / 3,        1.0 / 12,    -2.0 / 135,         1.0 / 864,         1.0 / 2835,
                           -139.0 / 777600, 1.0 / 25515, -571.0 / 261273600, -281.0 / 151559100};
  constexpr double c1[] = {-1.0 / 540, -1.0 / 288, 1.0 / 378, -77.0 / 77760, 1.0 / 4860};
  constexpr double c2[] = {25.0 / 6048, -139.0 / 51840, 101.0 / 130896};
  double s0 = 0, s1 = 0, s2 = 0;
  for (int k = 8; k >= 0; --k) s0 = s0 * eta + c0[k];
  for (int k = 4; k >= 0; --k) s1 = s1 * eta + c1[k];
  for (int k = 2; k >= 0; --k) s2 = s2 * eta + c2[k];
  double rest = std::exp(-a * half_square) / std::sqrt(6.28318530717958647693 * a) * (s0 + (s1 + s2 / a) / a);
  double sign = Upper ? 1 : -1;
  return std::erfc(sign * eta * std::sqrt(a / 2)) / 2 + sign * rest;
}
/// P (not Upper) or Q; PyTorch's answers where there is no value.
template <bool Upper>
TENON_HOST_DEVICE double incomplete_gamma(double a, double x) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN(), whole = Upper ? 0 : 1, nothing = 1 - whole;
  if (a < 0 || x < 0) return none;
  if (a == 0) return x > 0 ? whole : none;
  if (x == 0) return nothing;
  if (std::isinf(a)) return std::isinf(x) ? none : nothing;
  if (std::isnan(a) || std::isnan(x)) return none;
  if (std::isinf(x)) return whole;
  if (a > 1000 && std::fabs(x - a) < 0.1 * a) return gamma_uniform<Upper>(a, x);
  if (x >= 1 && x >= a) {
    double q = gamma_q_fraction(a, x);
    return Upper ? q : 1 - q;
  }
  if (Upper && a < 1) return gamma_q_small(a, x);
  double p = gamma_p_series(a, x);
  return Upper ? 1 - p : p;
}

}  // namespace detail

/// The part of the gamma function of a that lies below x, of 1.
template <std::floating_point T>
TENON_HOST_DEVICE T igamma(T a, T x) {
  return static_cast<T>(detail::incomplete_gamma<false>(static_cast<double>(a), static_cast<double>(x)));
}
/// The part above x.
template <std::floating_point T>
TENON_HOST_DEVICE T igammac(T a, T x) {
  return static_cast<T>(detail::incomplete_gamma<true>(static_cast<double>(a), static_cast<double>(x)));
}

}  // namespace tenon::math
