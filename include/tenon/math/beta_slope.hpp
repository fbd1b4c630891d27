// How a number of the beta distribution moves with the first parameter, on the host and on devices.
#pragma once
#include <cmath>

#include <tenon/base/host_device.hpp>
#include <tenon/math/special.hpp>

namespace tenon::math {

namespace detail {

/// Near zero, by the series of the distribution function in x, of eleven terms.
TENON_HOST_DEVICE inline double beta_slope_near_zero(double x, double alpha, double beta) {
  const double logs = digamma(alpha) - digamma(alpha + beta) - std::log(x);
  double factor = 1, sum = (logs + 1 / alpha) / alpha;
  for (int i = 1; i <= 10; ++i) {
    factor *= (i - beta) * x / i;
    sum += factor / (alpha + i) * (logs + 1 / (alpha + i));
  }
  const double slope = x * std::pow(1 - x, -beta) * sum;
  return std::isnan(slope) ? 0 : slope;
}
/// Near one, by the series in 1 - x of nine terms, differentiated by the power of x in each.
TENON_HOST_DEVICE inline double beta_slope_near_one(double x, double alpha, double beta) {
  const double rest = 1 - x, logs = digamma(alpha + beta) - digamma(alpha);
  double factor = 1, power = 1, by_power = 0, sum = logs / beta;
  for (int i = 1; i <= 8; ++i) {
    factor *= -rest / i;
    by_power = by_power * (alpha - i) + power;
    power *= alpha - i;
    sum += factor / (beta + i) * (by_power + logs * power);
  }
  const double slope = std::pow(1 - rest, 1 - alpha) * sum;
  return std::isnan(slope) ? 0 : slope;
}
TENON_HOST_DEVICE inline double stirling_factor(double a) { return 1 + 1 / (12 * a) + 1 / (288 * a * a); }
/// Where both parameters are large, by the saddle point, and close to the mean by what it is in the limit.
TENON_HOST_DEVICE inline double beta_slope_of_large(double x, double alpha, double beta) {
  const double total = alpha + beta, mean = alpha / total, rest = 1 - x,
               deviation = std::sqrt(alpha * beta / (total + 1)) / total;
  if (std::fabs(x - mean) <= 0.1 * deviation) {
    const double square = beta * beta, by_alpha4 = 8 * rest * (135 * beta - 11),
                 by_alpha3 = (453 + 1620 * beta * rest - 455 * x) * beta + alpha * by_alpha4,
                 by_alpha2 = 3 * (59 + 180 * beta - 90 * x) * square + alpha * by_alpha3,
                 by_alpha = (43 + 20 * (16 + 27 * beta) * x) * square * beta + alpha * by_alpha2,
                 sum = 47 * x * square * square + alpha * by_alpha;
    return (1 + 12 * alpha) * (1 + 12 * beta) / (total * total * rest) * sum /
           (12960 * alpha * alpha * alpha * square * (1 + 12 * total));
  }
  const double off = beta * x - alpha * rest,
               first = -(2 * alpha * alpha * rest + alpha * beta * rest + x * beta * beta) /
                       (std::sqrt(2 * alpha / beta) * std::pow(total, 1.5) * off * off),
               depth = beta * std::log(beta / (total * rest)) + alpha * std::log(alpha / (total * x)),
               root = std::pow(depth, -1.5),
               second = std::log(alpha / (total * x)) / 2 *
                        (std::sqrt(8 * alpha * beta / total) / off + (x < mean ? root : -root)),
               stirling = stirling_factor(alpha) * stirling_factor(beta) / stirling_factor(total);
  return -stirling * x / std::sqrt(2 * alpha * beta / total) * (first + second);
}
/// Elsewhere: x (digamma(total) - digamma(alpha)) / beta times a quotient of polynomials of log x, log(alpha / x) and
/// log(total x / alpha), whose coefficients were fitted for PyTorch.
TENON_HOST_DEVICE inline double beta_slope_by_fit(double x, double alpha, double total) {
  constexpr double above[9][4] = {{1.003668233, -0.01061107488, -0.0657888334, 0.01201642863},
                                  {0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033},
                                  {-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013},
                                  {0.221950385, -0.3187676331, 0.01799915743, 0.01074823814},
                                  {-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057},
                                  {0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05},
                                  {-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565},
                                  {0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181},
                                  {0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05}},
                   below[9][4] = {{1, -0.02924021934, -0.04438342661, 0.007285809825},
                                  {0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521},
                                  {-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149},
                                  {0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273},
                                  {0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956},
                                  {-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05},
                                  {0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05},
                                  {0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05},
                                  {-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06}};
  const double log_x = std::log(x), a = std::log(alpha) - log_x, b = std::log(total) - a,
               powers_x[] = {1, log_x, log_x * log_x}, powers_a[] = {1, a, a * a};
  double p = 0, q = 0;
  for (int i = 0; i < 9; ++i) {
    const double factor = powers_x[i / 3] * powers_a[i % 3];
    const auto &c = above[i], &d = below[i];
    p += factor * (c[0] + b * (c[1] + b * (c[2] + b * c[3])));
    q += factor * (d[0] + b * (d[1] + b * (d[2] + b * d[3])));
  }
  return p / q * x * (digamma(total) - digamma(alpha)) / (total - alpha);
}

}  // namespace detail

/// Minus the derivative of the beta distribution's function by alpha, over the density and over 1 - x, of a number x
/// in [0, 1] of the parameters alpha and total - alpha: what `_dirichlet_grad` is. As PyTorch approximates it, to three
/// digits or more. Source: aten/src/ATen/native/Distributions.h of PyTorch 2.15.
TENON_HOST_DEVICE inline double beta_slope(double x, double alpha, double total) {
  const double beta = total - alpha, boundary = total * x * (1 - x);
  if (x <= 0.5 && boundary < 2.5) return detail::beta_slope_near_zero(x, alpha, beta);
  if (x >= 0.5 && boundary < 0.75) return detail::beta_slope_near_one(x, alpha, beta);
  if (alpha > 6 && beta > 6) return detail::beta_slope_of_large(x, alpha, beta);
  return detail::beta_slope_by_fit(x, alpha, total);
}

}  // namespace tenon::math
