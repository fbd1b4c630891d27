// Single random numbers of distributions that no formula of one uniform number gives, made of what a source of uniform
// and normal numbers gives, on the host and on devices.
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <tenon/base/half.hpp>
#include <tenon/base/host_device.hpp>
#include <tenon/math/special.hpp>

namespace tenon::math {

// A source G has `uniform()` and `normal()`, which give S or what becomes one.

/// For rates of ten and more: Hoermann's PTRS, Insurance: Mathematics and Economics 12:1, 1993.
template <class S, class G>
TENON_HOST_DEVICE S poisson_draw(S rate, G& g) {
  const S root = std::sqrt(rate), log_rate = std::log(rate), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b,
          inverse = 1.1239 + 1.1328 / (b - 3.4), top = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const S u = g.uniform() - 0.5, v = g.uniform(), us = 0.5 - std::fabs(u),
            k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= top) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse) - std::log(a / (us * us) + b) <= -rate + k * log_rate - std::lgamma(k + 1))
      return k;
  }
}

/// What Stirling's series adds to the logarithm of k!.
template <class S>
TENON_HOST_DEVICE S stirling_rest(S k) {
  constexpr S known[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                         0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                         0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return known[static_cast<std::size_t>(k)];
  const S next = k + 1, square = next * next;
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / next;
}
/// At most one half: waiting times while few are expected, else Hoermann's BTRS, J. Stat. Comput. Simul. 46, 1993.
template <class S, class G>
TENON_HOST_DEVICE S binomial_half_draw(S count, S p, G& g) {
  if (count * p < 10) {
    const S log_fail = std::log1p(-p);
    S passed = 0;
    for (S waited = 0;; ++passed) {
      waited += std::ceil(std::log(g.uniform()) / log_fail);
      if (waited > count) return passed;
    }
  }
  const S deviation = std::sqrt(count * p * (1 - p)), b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p,
          c = count * p + 0.5, top = 0.92 - 4.2 / b, odds = p / (1 - p), alpha = (2.83 + 5.1 / b) * deviation,
          m = std::floor((count + 1) * p);
  for (;;) {
    const S u = g.uniform() - 0.5;
    S v = g.uniform();
    const S us = 0.5 - std::fabs(u), k = std::floor((2 * a / us + b) * u + c);
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= top) return k;
    v = std::log(v * alpha / (a / (us * us) + b));
    const S bound = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) +
                    (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                    (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirling_rest(m) +
                    stirling_rest(count - m) - stirling_rest(k) - stirling_rest(count - k);
    if (v <= bound) return k;
  }
}
template <class S, class G>
TENON_HOST_DEVICE S binomial_draw(S count, S p, G& g) {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (p <= 0.5) return binomial_half_draw(count, p, g);
  if (p > 0.5) return count - binomial_half_draw(count, 1 - p, g);
  return std::numeric_limits<S>::quiet_NaN();
}

/// Marsaglia and Tsang, ACM TOMS 26:3, 2000.
template <class S, class G>
TENON_HOST_DEVICE S gamma_draw(S alpha, G& g) {
  S scale = 1;
  if (alpha < 1) {
    if (alpha == 0) return 0;
    scale = std::pow(1 - g.uniform(), 1 / alpha);
    alpha += 1;
  }
  const S d = alpha - S(1) / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    S x, y;
    do {
      x = g.normal();
      y = 1 + c * x;
    } while (y <= 0);
    const S v = y * y * y, u = 1 - g.uniform(), xx = x * x;
    if (u < 1 - S(0.0331) * xx * xx || std::log(u) < S(0.5) * xx + d * (1 - v + std::log(v))) return scale * d * v;
  }
}

/// How a number of the gamma distribution moves with the parameter: minus the derivative of the distribution function
/// by it, over the density. Below its mean by the function's series, above by its continued fraction (Abramowitz and
/// Stegun 6.5.29 and 6.5.31), both differentiated term by term.
TENON_HOST_DEVICE inline double gamma_slope(double alpha, double x) {
  if (!(x > 0) || !(alpha > 0)) return x == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  const double logs = std::log(x) - digamma(alpha);
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

/// The least positive normal number of a dtype: samples are not less.
template <class T>
TENON_HOST_DEVICE double least_positive() {
  if constexpr (std::is_same_v<T, Half>)
    return 0x1p-14;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return 0x1p-126;
  else
    return static_cast<double>(std::numeric_limits<T>::min());
}

}  // namespace tenon::math
