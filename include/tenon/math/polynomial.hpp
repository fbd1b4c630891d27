// Orthogonal polynomials of real elements by their recurrences (NIST Digital Library of Mathematical Functions, 18.9);
// the Chebyshev ones of a higher degree inside of the interval by their angle (18.5). In the type of the elements, and
// with PyTorch's thresholds and single roundings, as overflow and rounding show both.
#pragma once
#include <cmath>
#include <tenon/math/scalar.hpp>

namespace tenon::math {

namespace detail {

/// The degree as PyTorch takes it from an element: without its fraction; what is no degree becomes a negative one.
template <class T>
TENON_HOST_DEVICE std::int64_t degree(T n) {
  return n > T(-1) && n < T(9.2e18) ? static_cast<std::int64_t>(n) : -1;
}
/// p_n for p_0 = 1, p_1 = `first` and p_{k + 1} = next(k, p_k, p_{k - 1}).
template <class T, class F>
TENON_HOST_DEVICE T by_recurrence(std::int64_t n, T first, F next) {
  if (n < 0) return 0;
  if (n == 0) return 1;
  T p = 1, q = first;
  for (std::int64_t k = 1; k < n && q == q; ++k) {
    T r = next(static_cast<T>(k), q, p);
    p = q;
    q = r;
  }
  return q;
}
enum class Chebyshev { T, U, V, W };
/// Of the four kinds only the second polynomial, the values at the ends and the angle's function differ.
template <Chebyshev Kind, class T>
TENON_HOST_DEVICE T chebyshev(T x, std::int64_t n) {
  if (n < 0) return 0;
  const T many = static_cast<T>(n) + 1, more = static_cast<T>(n + n + 1), sign = n % 2 == 0 ? T(1) : T(-1);
  if (std::fabs(x) == T(1)) {
    if constexpr (Kind == Chebyshev::T) return x > 0 ? T(1) : sign;
    if constexpr (Kind == Chebyshev::U) return x > 0 ? many : sign * many;
    if constexpr (Kind == Chebyshev::V) return x > 0 ? T(1) : sign * more;
    if constexpr (Kind == Chebyshev::W) return x > 0 ? more : sign;
  }
  if (n > (Kind == Chebyshev::T ? 6 : 8) && std::fabs(x) < T(1)) {
    T angle = std::acos(x), half = static_cast<T>(n) + T(0.5);
    if constexpr (Kind == Chebyshev::T) return std::cos(static_cast<T>(n) * angle);
    if constexpr (Kind == Chebyshev::U) return std::sin(many * angle) / std::sin(angle);
    if constexpr (Kind == Chebyshev::V) return std::cos(half * angle) / std::cos(angle / 2);
    if constexpr (Kind == Chebyshev::W) return std::sin(half * angle) / std::sin(angle / 2);
  }
  T first = x + x;
  if constexpr (Kind == Chebyshev::T) first = x;
  if constexpr (Kind == Chebyshev::V) first = x + x - 1;
  if constexpr (Kind == Chebyshev::W) first = x + x + 1;
  return by_recurrence<T>(n, first, [x](T, T q, T p) { return std::fma(x + x, q, -p); });
}
/// From this degree on PyTorch gives no Hermite polynomials: their values leave the type.
template <class T>
inline constexpr std::int64_t kLargestHermite = std::is_same_v<T, float> ? 128 : 512;

}  // namespace detail

#define TENON_INTERNAL_POLYNOMIAL(NAME, EXPRESSION)          \
  template <std::floating_point T>                           \
  TENON_HOST_DEVICE T NAME(T x, T order) {                   \
    [[maybe_unused]] std::int64_t n = detail::degree(order); \
    return EXPRESSION;                                       \
  }
TENON_INTERNAL_POLYNOMIAL(chebyshev_t, detail::chebyshev<detail::Chebyshev::T>(x, n))
TENON_INTERNAL_POLYNOMIAL(chebyshev_u, detail::chebyshev<detail::Chebyshev::U>(x, n))
TENON_INTERNAL_POLYNOMIAL(chebyshev_v, detail::chebyshev<detail::Chebyshev::V>(x, n))
TENON_INTERNAL_POLYNOMIAL(chebyshev_w, detail::chebyshev<detail::Chebyshev::W>(x, n))
TENON_INTERNAL_POLYNOMIAL(shifted_chebyshev_t, detail::chebyshev<detail::Chebyshev::T>(x + x - 1, n))
TENON_INTERNAL_POLYNOMIAL(shifted_chebyshev_u, detail::chebyshev<detail::Chebyshev::U>(x + x - 1, n))
TENON_INTERNAL_POLYNOMIAL(shifted_chebyshev_v, detail::chebyshev<detail::Chebyshev::V>(x + x - 1, n))
TENON_INTERNAL_POLYNOMIAL(shifted_chebyshev_w, detail::chebyshev<detail::Chebyshev::W>(x + x - 1, n))
TENON_INTERNAL_POLYNOMIAL(hermite_h,
                          (n > detail::kLargestHermite<T> ? std::numeric_limits<T>::quiet_NaN()
                                                          : detail::by_recurrence<T>(n, x + x, [x](T k, T q, T p) {
                                                              return std::fma(x + x, q, -((k + k) * p));
                                                            })))
TENON_INTERNAL_POLYNOMIAL(hermite_he,
                          (n > detail::kLargestHermite<T> ? std::numeric_limits<T>::quiet_NaN()
                                                          : detail::by_recurrence<T>(n, x, [x](T k, T q, T p) {
                                                              return std::fma(x, q, -(k * p));
                                                            })))
TENON_INTERNAL_POLYNOMIAL(laguerre_l, (detail::by_recurrence<T>(n, T(1) - x, [x](T k, T q, T p) {
                            return std::fma(k + k + (T(1) - x), q, -(k * p)) / (k + 1);
                          })))
TENON_INTERNAL_POLYNOMIAL(legendre_p, (std::fabs(x) == T(1) ? (n < 0                 ? T(0)
                                                               : x > 0 || n % 2 == 0 ? T(1)
                                                                                     : T(-1))
                                                            : detail::by_recurrence<T>(n, x, [x](T k, T q, T p) {
                                                                return std::fma((k + k + 1) * x, q, -(k * p)) / (k + 1);
                                                              })))
#undef TENON_INTERNAL_POLYNOMIAL

}  // namespace tenon::math
