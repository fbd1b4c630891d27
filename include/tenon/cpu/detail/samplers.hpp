// Single random numbers of distributions that no formula of one uniform number gives: PyTorch's for the same seed.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/base/error.hpp>
#include <tenon/math/special.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::cpu::detail {

/// One number of a pair; the generator keeps the other.
inline double normal_draw(GeneratorImpl& g) {
  double value;
  if (g.take_cached_normal(value)) return value;
  double u1 = g.uniform_double(), u2 = g.uniform_double();
  double radius = std::sqrt(-2.0 * std::log1p(-u2)), theta = 2.0 * 3.14159265358979323846 * u1;
  g.cache_normal(radius * std::sin(theta));
  return radius * std::cos(theta);
}

/// Rates of ten and more: Hoermann's PTRS, Insurance: Mathematics and Economics 12:1, 1993; others by products.
inline double poisson_draw(double rate, GeneratorImpl& g) {
  TENON_CHECK(rate >= 0, ValueError, "invalid Poisson rate, expected rate to be non-negative");
  if (rate == 0) return 0;
  if (rate < 10) {
    const double limit = std::exp(-rate);
    double product = g.uniform_double(), count = 0;
    for (; product > limit; product *= g.uniform_double()) ++count;
    return count;
  }
  const double root = std::sqrt(rate), log_rate = std::log(rate), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b,
               inverse = 1.1239 + 1.1328 / (b - 3.4), top = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = g.uniform_double() - 0.5, v = g.uniform_double(), us = 0.5 - std::fabs(u),
                 k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= top) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse) - std::log(a / (us * us) + b) <= -rate + k * log_rate - std::lgamma(k + 1))
      return k;
  }
}

/// What Stirling's series adds to the logarithm of k!.
inline double stirling_rest(double k) {
  constexpr double known[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                              0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                              0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return known[static_cast<std::size_t>(k)];
  const double next = k + 1, square = next * next;
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / next;
}
/// At most one half: waiting times while few are expected, else Hoermann's BTRS, J. Stat. Comput. Simul. 46, 1993.
inline double binomial_half_draw(double count, double p, GeneratorImpl& g) {
  if (count * p < 10) {
    const double log_fail = std::log1p(-p);
    double passed = 0;
    for (double waited = 0;; ++passed) {
      waited += std::ceil(std::log(g.uniform_double()) / log_fail);
      if (waited > count) return passed;
    }
  }
  const double deviation = std::sqrt(count * p * (1 - p)), b = 1.15 + 2.53 * deviation,
               a = -0.0873 + 0.0248 * b + 0.01 * p, c = count * p + 0.5, top = 0.92 - 4.2 / b, odds = p / (1 - p),
               alpha = (2.83 + 5.1 / b) * deviation, m = std::floor((count + 1) * p);
  for (;;) {
    const double u = g.uniform_double() - 0.5;
    double v = g.uniform_double();
    const double us = 0.5 - std::fabs(u), k = std::floor((2 * a / us + b) * u + c);
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= top) return k;
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) +
                         (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirling_rest(m) +
                         stirling_rest(count - m) - stirling_rest(k) - stirling_rest(count - k);
    if (v <= bound) return k;
  }
}
inline double binomial_draw(double count, double p, GeneratorImpl& g) {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (p <= 0.5) return binomial_half_draw(count, p, g);
  if (p > 0.5) return count - binomial_half_draw(count, 1 - p, g);
  return std::numeric_limits<double>::quiet_NaN();
}

/// Marsaglia and Tsang, ACM TOMS 26:3, 2000.
inline double gamma_draw(double alpha, GeneratorImpl& g) {
  double scale = 1;
  if (alpha < 1) {
    if (alpha == 0) return 0;
    scale = std::pow(1 - g.uniform_double(), 1 / alpha);
    alpha += 1;
  }
  const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    double x, y;
    do {
      x = normal_draw(g);
      y = 1 + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - g.uniform_double(), xx = x * x;
    if (u < 1 - 0.0331 * xx * xx || std::log(u) < 0.5 * xx + d * (1 - v + std::log(v))) return scale * d * v;
  }
}

/// How a number of the gamma distribution moves with the parameter: minus the derivative of the distribution function
/// by it, over the density. Below its mean by the function's series, above by its continued fraction (Abramowitz and
/// Stegun 6.5.29 and 6.5.31), both differentiated term by term.
inline double gamma_slope(double alpha, double x) {
  if (!(x > 0) || !(alpha > 0)) return x == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  const double logs = std::log(x) - math::digamma(alpha);
  if (x < alpha + 1) {
    double term = 1 / alpha, harmonic = 1 / alpha, sum = term, slope = -term * harmonic;
    for (double k = alpha + 1; term > 1e-17 * sum; ++k) {
      term *= x / k;
      harmonic += 1 / k;
      sum += term;
      slope -= term * harmonic;
    }
    return -x * (sum * logs + slope);
  }
  // Lentz's method; the second of each pair is the derivative by alpha.
  double b = x + 1 - alpha, db = -1, c = 1e300, dc = 0, d = 1 / b, dd = -db * d * d, h = d, dh = dd;
  for (double k = 1; k < 100000; ++k) {
    const double a = -k * (k - alpha), da = k;
    b += 2;
    const double denominator = a * d + b, slope = da * d + a * dd + db;
    d = 1 / denominator;
    dd = -slope * d * d;
    const double next = b + a / c, next_slope = db + da / c - a * dc / (c * c);
    c = next;
    dc = next_slope;
    const double factor = d * c;
    dh = dh * factor + h * (dd * c + d * dc);
    h *= factor;
    if (std::fabs(factor - 1) < 1e-16) break;
  }
  return x * (h * logs + dh);
}

}  // namespace tenon::cpu::detail
