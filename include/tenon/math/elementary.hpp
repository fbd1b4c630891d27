// Exponentials, logarithms, powers, trigonometric and hyperbolic functions and remainders of real and complex elements.
#pragma once
#include <tenon/math/scalar.hpp>

namespace tenon::math {

#define TENON_INTERNAL_REAL(NAME, EXPRESSION)                                           \
  template <real_scalar T>                                                              \
  TENON_HOST_DEVICE detail::result_t<T> NAME(T value) {                                 \
    [[maybe_unused]] const detail::real_t<T> x = static_cast<detail::real_t<T>>(value); \
    return static_cast<detail::result_t<T>>(EXPRESSION);                                \
  }
#define TENON_INTERNAL_COMPLEX(NAME, EXPRESSION)                           \
  template <class T>                                                       \
  TENON_HOST_DEVICE Complex<T> NAME(Complex<T> value) {                    \
    [[maybe_unused]] const detail::complex_t<T> x = detail::to_std(value); \
    return detail::from_std<T>(EXPRESSION);                                \
  }
// What the standard library has for real and complex numbers under one name.
#define TENON_INTERNAL_STD_FUNCTION(NAME) \
  TENON_INTERNAL_REAL(NAME, std::NAME(x)) \
  TENON_INTERNAL_COMPLEX(NAME, detail::complex_library::NAME(x))

TENON_INTERNAL_STD_FUNCTION(exp)
TENON_INTERNAL_REAL(expm1, std::expm1(x))
TENON_INTERNAL_STD_FUNCTION(log)
TENON_INTERNAL_REAL(log2, std::log2(x))
TENON_INTERNAL_COMPLEX(log2, detail::complex_library::log(x) * static_cast<detail::real_t<T>>(1.4426950408889634))
TENON_INTERNAL_STD_FUNCTION(log10)
TENON_INTERNAL_REAL(log1p, std::log1p(x))
TENON_INTERNAL_STD_FUNCTION(tanh)
TENON_INTERNAL_REAL(sigmoid, 1 / (1 + std::exp(-x)))
/// A quotient of Complex, not of the compiler's run time, which gives 0 where PyTorch gives not-a-number.
template <class T>
TENON_HOST_DEVICE Complex<T> sigmoid(Complex<T> x) {
  return Complex<T>(1) / (Complex<T>(1) + exp(-x));
}
/// exp(z) - 1 without cancellation near 0: cos(y) - 1 is -2 sin(y / 2)^2.
template <class T>
TENON_HOST_DEVICE Complex<T> expm1(Complex<T> z) {
  using R = detail::real_t<T>;
  R x = static_cast<R>(z.re), y = static_cast<R>(z.im), s = std::sin(y / 2);
  return {static_cast<T>(std::expm1(x) * std::cos(y) - 2 * s * s), static_cast<T>(std::exp(x) * std::sin(y))};
}
/// log(1 + z) without cancellation near 0: |1 + z|^2 - 1 is x (2 + x) + y^2.
template <class T>
TENON_HOST_DEVICE Complex<T> log1p(Complex<T> z) {
  using R = detail::real_t<T>;
  R x = static_cast<R>(z.re), y = static_cast<R>(z.im), angle = std::atan2(y, x + 1);
  if (!(std::hypot(x, y) < R(0.5))) return {static_cast<T>(std::log(std::hypot(x + 1, y))), static_cast<T>(angle)};
  R r = x * (2 + x) + y * y;
  return {static_cast<T>(r == 0 ? x : std::log1p(r) / 2), static_cast<T>(angle)};
}
TENON_INTERNAL_REAL(exp2, std::exp2(x))
TENON_INTERNAL_COMPLEX(exp2, detail::complex_library::exp(x* static_cast<detail::real_t<T>>(0.6931471805599453)))
TENON_INTERNAL_STD_FUNCTION(sqrt)
TENON_INTERNAL_REAL(rsqrt, 1 / std::sqrt(x))
TENON_INTERNAL_COMPLEX(rsqrt, static_cast<detail::real_t<T>>(1) / detail::complex_library::sqrt(x))
TENON_INTERNAL_STD_FUNCTION(sin)
TENON_INTERNAL_STD_FUNCTION(cos)
TENON_INTERNAL_STD_FUNCTION(tan)
TENON_INTERNAL_STD_FUNCTION(asin)
TENON_INTERNAL_STD_FUNCTION(acos)
TENON_INTERNAL_STD_FUNCTION(atan)
TENON_INTERNAL_STD_FUNCTION(sinh)
TENON_INTERNAL_STD_FUNCTION(cosh)
TENON_INTERNAL_STD_FUNCTION(asinh)
TENON_INTERNAL_STD_FUNCTION(acosh)
TENON_INTERNAL_STD_FUNCTION(atanh)
#undef TENON_INTERNAL_STD_FUNCTION
#undef TENON_INTERNAL_REAL
#undef TENON_INTERNAL_COMPLEX

/// Integers by repeated squaring, wrapping; a negative exponent gives 0 but for bases 1 and -1.
template <real_scalar T>
TENON_HOST_DEVICE T pow(T base, T exponent) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_signed_v<T>)
      if (exponent < 0) return static_cast<T>(base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0);
    std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
    for (auto n = static_cast<std::uint64_t>(exponent); n; n >>= 1, square *= square)
      if (n & 1) result *= square;
    return static_cast<T>(result);
  } else {
    return static_cast<T>(std::pow(static_cast<detail::real_t<T>>(base), static_cast<detail::real_t<T>>(exponent)));
  }
}
template <class T>
TENON_HOST_DEVICE Complex<T> pow(Complex<T> base, Complex<T> exponent) {
  return detail::from_std<T>(detail::complex_library::pow(detail::to_std(base), detail::to_std(exponent)));
}
template <class T, class N>
  requires std::is_arithmetic_v<N> TENON_HOST_DEVICE Complex<T> pow(Complex<T> base, N exponent) {
    return pow(base, Complex<T>(static_cast<T>(exponent)));
  }
template <class T, class N>
  requires std::is_arithmetic_v<N> TENON_HOST_DEVICE Complex<T> pow(N base, Complex<T> exponent) {
    return pow(Complex<T>(static_cast<T>(base)), exponent);
  }
#define TENON_INTERNAL_BINARY(NAME)                                                       \
  template <real_scalar T>                                                                \
  TENON_HOST_DEVICE detail::result_t<T> NAME(T a, T b) {                                  \
    return static_cast<detail::result_t<T>>(                                              \
        std::NAME(static_cast<detail::real_t<T>>(a), static_cast<detail::real_t<T>>(b))); \
  }
TENON_INTERNAL_BINARY(atan2)
TENON_INTERNAL_BINARY(hypot)
TENON_INTERNAL_BINARY(copysign)
#undef TENON_INTERNAL_BINARY

template <std::floating_point T>
TENON_HOST_DEVICE Complex<T> polar(T size, T angle) {
  return {size * std::cos(angle), size * std::sin(angle)};
}
/// The angle between a number and 1.
template <std::floating_point T>
TENON_HOST_DEVICE T angle(T x) {
  return x < 0 ? static_cast<T>(3.14159265358979323846) : x == x ? T(0) : x;
}
template <class T>
TENON_HOST_DEVICE T angle(Complex<T> z) {
  return static_cast<T>(std::atan2(static_cast<detail::real_t<T>>(z.im), static_cast<detail::real_t<T>>(z.re)));
}

/// The remainder with the sign of the dividend (C). The caller has excluded integer division by 0.
template <real_scalar T>
TENON_HOST_DEVICE T fmod(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return b == static_cast<T>(-1) && std::is_signed_v<T> ? T(0) : static_cast<T>(a % b);
  else
    return static_cast<T>(std::fmod(static_cast<detail::real_t<T>>(a), static_cast<detail::real_t<T>>(b)));
}
/// The remainder with the sign of the divisor (Python).
template <real_scalar T>
TENON_HOST_DEVICE T remainder(T a, T b) {
  T r = fmod(a, b);
  return r != T(0) && (r < T(0)) != (b < T(0)) ? static_cast<T>(r + b) : r;
}

}  // namespace tenon::math
