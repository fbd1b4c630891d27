// Mathematical functions of one argument under one name for scalars, complex numbers and vectors.
#pragma once
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenon/base/complex.hpp>
#include <tenon/base/half.hpp>
#include <tenon/cpu/detail/math_vec.hpp>
#include <tenon/cpu/simd.hpp>

namespace tenon::math {

/// The real element types: integers, bool, floating types and the 16-bit floats.
template <class T>
concept real_scalar = std::is_arithmetic_v<T> || std::same_as<T, Half> || std::same_as<T, BFloat16>;

namespace detail {
/// The type a transcendental function of T is computed in.
template <class T>
using real_t = std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>,
                                  float, double>;
/// The result type: integers give double, floating types keep theirs.
template <class T>
using result_t = std::conditional_t<std::is_integral_v<T>, double, T>;
template <class T>
using complex_t = std::complex<real_t<T>>;
template <class T>
complex_t<T> to_std(Complex<T> z) {
  return {static_cast<real_t<T>>(z.re), static_cast<real_t<T>>(z.im)};
}
template <class T, class R>
Complex<T> from_std(std::complex<R> z) {
  return {static_cast<T>(z.real()), static_cast<T>(z.imag())};
}
}  // namespace detail

#define TENON_INTERNAL_REAL(NAME, EXPRESSION)                                           \
  template <real_scalar T>                                                              \
  detail::result_t<T> NAME(T value) {                                                   \
    [[maybe_unused]] const detail::real_t<T> x = static_cast<detail::real_t<T>>(value); \
    return static_cast<detail::result_t<T>>(EXPRESSION);                                \
  }
#define TENON_INTERNAL_COMPLEX(NAME, EXPRESSION)                           \
  template <class T>                                                       \
  Complex<T> NAME(Complex<T> value) {                                      \
    [[maybe_unused]] const detail::complex_t<T> x = detail::to_std(value); \
    return detail::from_std<T>(EXPRESSION);                                \
  }
#define TENON_INTERNAL_VECTOR(NAME, EXPRESSION) \
  template <std::floating_point T, class Arch>  \
  vec<T, Arch> NAME(vec<T, Arch> x) {           \
    return EXPRESSION;                          \
  }
#define TENON_INTERNAL_XSIMD(NAME) TENON_INTERNAL_VECTOR(NAME, (typename vec<T, Arch>::batch_type(xsimd::NAME(x.v))))
#define TENON_INTERNAL_LANEWISE(NAME) \
  TENON_INTERNAL_VECTOR(NAME, (lanewise<T, Arch>([](T lane) { return std::NAME(lane); }, x)))

// Real, complex and own vector form.
TENON_INTERNAL_REAL(exp, std::exp(x))
TENON_INTERNAL_COMPLEX(exp, std::exp(x))
TENON_INTERNAL_VECTOR(exp, detail::exp(x))
TENON_INTERNAL_REAL(expm1, std::expm1(x))
TENON_INTERNAL_VECTOR(expm1, detail::expm1(x))
TENON_INTERNAL_REAL(log, std::log(x))
TENON_INTERNAL_COMPLEX(log, std::log(x))
TENON_INTERNAL_VECTOR(log, detail::log(x))
TENON_INTERNAL_REAL(log2, std::log2(x))
TENON_INTERNAL_VECTOR(log2, detail::log2(x))
TENON_INTERNAL_COMPLEX(log2, std::log(x) * static_cast<detail::real_t<T>>(1.4426950408889634))
TENON_INTERNAL_REAL(log10, std::log10(x))
TENON_INTERNAL_COMPLEX(log10, std::log10(x))
TENON_INTERNAL_VECTOR(log10, detail::log10(x))
TENON_INTERNAL_REAL(log1p, std::log1p(x))
TENON_INTERNAL_VECTOR(log1p, detail::log1p(x))
TENON_INTERNAL_REAL(tanh, std::tanh(x))
TENON_INTERNAL_COMPLEX(tanh, std::tanh(x))
TENON_INTERNAL_VECTOR(tanh, detail::tanh(x))
TENON_INTERNAL_REAL(sigmoid, 1 / (1 + std::exp(-x)))
TENON_INTERNAL_VECTOR(sigmoid, detail::sigmoid(x))
/// A quotient of Complex, not of the compiler's run time, which gives 0 where PyTorch gives not-a-number.
template <class T>
Complex<T> sigmoid(Complex<T> x) {
  return Complex<T>(1) / (Complex<T>(1) + exp(-x));
}
/// exp(z) - 1 without cancellation near 0: cos(y) - 1 is -2 sin(y / 2)^2.
template <class T>
Complex<T> expm1(Complex<T> z) {
  using R = detail::real_t<T>;
  R x = static_cast<R>(z.re), y = static_cast<R>(z.im), s = std::sin(y / 2);
  return {static_cast<T>(std::expm1(x) * std::cos(y) - 2 * s * s), static_cast<T>(std::exp(x) * std::sin(y))};
}
/// log(1 + z) without cancellation near 0: |1 + z|^2 - 1 is x (2 + x) + y^2.
template <class T>
Complex<T> log1p(Complex<T> z) {
  using R = detail::real_t<T>;
  R x = static_cast<R>(z.re), y = static_cast<R>(z.im), angle = std::atan2(y, x + 1);
  if (!(std::hypot(x, y) < R(0.5))) return {static_cast<T>(std::log(std::hypot(x + 1, y))), static_cast<T>(angle)};
  R r = x * (2 + x) + y * y;
  return {static_cast<T>(r == 0 ? x : std::log1p(r) / 2), static_cast<T>(angle)};
}
TENON_INTERNAL_REAL(exp2, std::exp2(x))
TENON_INTERNAL_COMPLEX(exp2, std::exp(x* static_cast<detail::real_t<T>>(0.6931471805599453)))
TENON_INTERNAL_VECTOR(exp2, detail::exp2(x))
TENON_INTERNAL_REAL(sqrt, std::sqrt(x))
TENON_INTERNAL_COMPLEX(sqrt, std::sqrt(x))
TENON_INTERNAL_REAL(rsqrt, 1 / std::sqrt(x))
TENON_INTERNAL_VECTOR(rsqrt, (vec<T, Arch>(T(1)) / sqrt(x)))
TENON_INTERNAL_COMPLEX(rsqrt, static_cast<detail::real_t<T>>(1) / std::sqrt(x))
TENON_INTERNAL_REAL(sin, std::sin(x))
TENON_INTERNAL_COMPLEX(sin, std::sin(x))
TENON_INTERNAL_XSIMD(sin)
TENON_INTERNAL_REAL(cos, std::cos(x))
TENON_INTERNAL_COMPLEX(cos, std::cos(x))
TENON_INTERNAL_XSIMD(cos)
TENON_INTERNAL_REAL(tan, std::tan(x))
TENON_INTERNAL_COMPLEX(tan, std::tan(x))
TENON_INTERNAL_XSIMD(tan)
TENON_INTERNAL_REAL(asin, std::asin(x))
TENON_INTERNAL_COMPLEX(asin, std::asin(x))
TENON_INTERNAL_XSIMD(asin)
TENON_INTERNAL_REAL(acos, std::acos(x))
TENON_INTERNAL_COMPLEX(acos, std::acos(x))
TENON_INTERNAL_XSIMD(acos)
TENON_INTERNAL_REAL(atan, std::atan(x))
TENON_INTERNAL_COMPLEX(atan, std::atan(x))
TENON_INTERNAL_XSIMD(atan)
TENON_INTERNAL_REAL(sinh, std::sinh(x))
TENON_INTERNAL_COMPLEX(sinh, std::sinh(x))
TENON_INTERNAL_XSIMD(sinh)
TENON_INTERNAL_REAL(cosh, std::cosh(x))
TENON_INTERNAL_COMPLEX(cosh, std::cosh(x))
TENON_INTERNAL_XSIMD(cosh)
TENON_INTERNAL_REAL(asinh, std::asinh(x))
TENON_INTERNAL_COMPLEX(asinh, std::asinh(x))
TENON_INTERNAL_VECTOR(asinh, detail::asinh(x))
TENON_INTERNAL_REAL(acosh, std::acosh(x))
TENON_INTERNAL_COMPLEX(acosh, std::acosh(x))
TENON_INTERNAL_XSIMD(acosh)
TENON_INTERNAL_REAL(atanh, std::atanh(x))
TENON_INTERNAL_COMPLEX(atanh, std::atanh(x))
TENON_INTERNAL_XSIMD(atanh)
TENON_INTERNAL_REAL(erf, std::erf(x))
TENON_INTERNAL_REAL(erfc, std::erfc(x))
TENON_INTERNAL_REAL(lgamma, std::lgamma(x))
namespace detail {
/// The logarithmic derivative of the gamma function: recurrence up to 10, then the asymptotic series; reflection below
/// 0. NIST Digital Library of Mathematical Functions, 5.5 and 5.11.
inline double digamma(double x) {
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
T trigamma(T x) {
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
inline double hurwitz_zeta(double s, double q) {
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
T polygamma(T x, T n) {
  if (n == 0) return static_cast<T>(detail::digamma(static_cast<double>(x)));
  if (n == 1) return detail::trigamma(x);
  double order = static_cast<double>(n), size = std::tgamma(order + 1);
  return static_cast<T>((std::fmod(order, 2) == 1 ? size : -size) *
                        detail::hurwitz_zeta(order + 1, static_cast<double>(x)));
}
template <std::floating_point T, class Arch>
vec<T, Arch> polygamma(vec<T, Arch> x, T n) {
  return lanewise<T, Arch>([n](T lane) { return math::polygamma(lane, n); }, x);
}
TENON_INTERNAL_REAL(digamma, detail::digamma(static_cast<double>(x)))
TENON_INTERNAL_VECTOR(digamma, (lanewise<T, Arch>([](T lane) { return math::digamma(lane); }, x)))
TENON_INTERNAL_LANEWISE(lgamma)
template <class Arch>
vec<float, Arch> erf(vec<float, Arch> x) {
  return detail::erf(x);
}
template <class Arch>
vec<double, Arch> erf(vec<double, Arch> x) {
  using V = vec<double, Arch>;
  V bounded = min_ordered(V(6.0), max_ordered(V(-6.0), x));  // beyond, xsimd overflows on the way to 1
  return typename V::batch_type(xsimd::erf(bounded.v));
}
TENON_INTERNAL_LANEWISE(erfc)

// Rounding: integers come back as they are.
#define TENON_INTERNAL_ROUNDING(NAME, STD)                                \
  template <real_scalar T>                                                \
  T NAME(T x) {                                                           \
    if constexpr (std::is_integral_v<T>)                                  \
      return x;                                                           \
    else                                                                  \
      return static_cast<T>(std::STD(static_cast<detail::real_t<T>>(x))); \
  }                                                                       \
  template <class T, class Arch>                                          \
  vec<T, Arch> NAME(vec<T, Arch> x) {                                     \
    if constexpr (std::integral<T>)                                       \
      return x;                                                           \
    else                                                                  \
      return typename vec<T, Arch>::batch_type(xsimd::STD(x.v));          \
  }
TENON_INTERNAL_ROUNDING(floor, floor)
TENON_INTERNAL_ROUNDING(ceil, ceil)
TENON_INTERNAL_ROUNDING(trunc, trunc)
/// To the nearest integer, ties to even.
TENON_INTERNAL_ROUNDING(round, nearbyint)

#undef TENON_INTERNAL_REAL
#undef TENON_INTERNAL_COMPLEX
#undef TENON_INTERNAL_VECTOR
#undef TENON_INTERNAL_XSIMD
#undef TENON_INTERNAL_LANEWISE
#undef TENON_INTERNAL_ROUNDING

template <real_scalar T>
T abs(T x) {
  if constexpr (std::unsigned_integral<T>)
    return x;
  else if constexpr (std::integral<T>)
    return static_cast<T>(x < 0 ? -x : x);
  else
    return static_cast<T>(std::fabs(static_cast<detail::real_t<T>>(x)));
}
template <class T>
T abs(Complex<T> z) {
  return static_cast<T>(std::hypot(static_cast<detail::real_t<T>>(z.re), static_cast<detail::real_t<T>>(z.im)));
}
template <class T>
Complex<T> conj(Complex<T> z) {
  return {z.re, -z.im};
}
template <class T>
T conj(T x) {
  return x;
}

template <real_scalar T>
bool isnan(T x) {
  return x != x;
}
template <class T>
bool isnan(Complex<T> z) {
  return isnan(z.re) || isnan(z.im);
}
template <real_scalar T>
bool isinf(T x) {
  if constexpr (std::is_integral_v<T>)
    return false;
  else
    return std::isinf(static_cast<detail::real_t<T>>(x));
}
template <std::floating_point T, class Arch>
mask<T, Arch> isinf(vec<T, Arch> x) {
  return abs(x) == vec<T, Arch>(std::numeric_limits<T>::infinity());
}
template <real_scalar T>
bool isfinite(T x) {
  if constexpr (std::is_integral_v<T>)
    return true;
  else
    return std::isfinite(static_cast<detail::real_t<T>>(x));
}
template <std::floating_point T, class Arch>
mask<T, Arch> isfinite(vec<T, Arch> x) {
  return abs(x) < vec<T, Arch>(std::numeric_limits<T>::infinity());
}

/// -1, 0 or 1; 0 for NaN.
template <real_scalar T>
T sign(T x) {
  return static_cast<T>(static_cast<int>(T(0) < x) - static_cast<int>(x < T(0)));
}
template <class T, class Arch>
vec<T, Arch> sign(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  return select(x > V(T(0)), V(T(1)), select(x < V(T(0)), V(T(-1)), V(T(0))));
}

template <class T>
T select(bool condition, T a, T b) {
  return condition ? a : b;
}
/// Lane by lane a where the mask holds, b elsewhere; scalars mix in.
template <class T, class Arch, class A, class B>
vec<T, Arch> select(mask<T, Arch> m, A a, B b) {
  return select(m, vec<T, Arch>(a), vec<T, Arch>(b));
}

/// a * b + c; for scalars in two roundings, as everything compiled without contraction.
template <real_scalar T>
T fma(T a, T b, T c) {
  return static_cast<T>(a * b + c);
}

}  // namespace tenon::math
