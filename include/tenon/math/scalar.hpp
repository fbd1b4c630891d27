// The element types of the functions in this folder, and what every type of element can be asked.
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenon/base/complex.hpp>
#include <tenon/base/half.hpp>
#include <tenon/base/host_device.hpp>
#if TENON_DEVICE_UNIT
#include <cuda/std/complex>
#else
#include <complex>
#endif

namespace tenon::math {

// Qualified calls find the functions of this folder; operators of the same names are objects in an enclosing namespace,
// which would end an unqualified search. The vector type is known here by name alone, so that device units need none.
template <class T, class Arch>
struct vec;
template <class T, class Arch>
struct mask;
template <class X>
inline constexpr bool is_vec_v = false;
template <class T, class Arch>
inline constexpr bool is_vec_v<vec<T, Arch>> = true;
template <class X>
inline constexpr bool is_mask_v = false;
template <class T, class Arch>
inline constexpr bool is_mask_v<mask<T, Arch>> = true;

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

// Complex functions come from the standard library, on a device from its counterpart there.
#if TENON_DEVICE_UNIT
namespace complex_library = ::cuda::std;
#else
namespace complex_library = ::std;
#endif
template <class T>
using complex_t = complex_library::complex<real_t<T>>;
template <class T>
TENON_HOST_DEVICE complex_t<T> to_std(Complex<T> z) {
  return {static_cast<real_t<T>>(z.re), static_cast<real_t<T>>(z.im)};
}
template <class T, class R>
TENON_HOST_DEVICE Complex<T> from_std(complex_library::complex<R> z) {
  return {static_cast<T>(z.real()), static_cast<T>(z.imag())};
}
}  // namespace detail

template <real_scalar T>
TENON_HOST_DEVICE T abs(T x) {
  if constexpr (std::unsigned_integral<T>)
    return x;
  else if constexpr (std::integral<T>)
    return static_cast<T>(x < 0 ? -x : x);
  else
    return static_cast<T>(std::fabs(static_cast<detail::real_t<T>>(x)));
}
template <class T>
TENON_HOST_DEVICE T abs(Complex<T> z) {
  return static_cast<T>(std::hypot(static_cast<detail::real_t<T>>(z.re), static_cast<detail::real_t<T>>(z.im)));
}
template <class T>
TENON_HOST_DEVICE Complex<T> conj(Complex<T> z) {
  return {z.re, -z.im};
}
template <class T>
TENON_HOST_DEVICE T conj(T x) {
  return x;
}

template <real_scalar T>
TENON_HOST_DEVICE bool isnan(T x) {
  return x != x;
}
template <class T>
TENON_HOST_DEVICE bool isnan(Complex<T> z) {
  return isnan(z.re) || isnan(z.im);
}
template <real_scalar T>
TENON_HOST_DEVICE bool isinf(T x) {
  if constexpr (std::is_integral_v<T>)
    return false;
  else
    return std::isinf(static_cast<detail::real_t<T>>(x));
}
template <real_scalar T>
TENON_HOST_DEVICE bool isfinite(T x) {
  if constexpr (std::is_integral_v<T>)
    return true;
  else
    return std::isfinite(static_cast<detail::real_t<T>>(x));
}

/// -1, 0 or 1; 0 for NaN.
template <real_scalar T>
TENON_HOST_DEVICE T sign(T x) {
  return static_cast<T>(static_cast<int>(T(0) < x) - static_cast<int>(x < T(0)));
}
template <class T>
TENON_HOST_DEVICE T select(bool condition, T a, T b) {
  return condition ? a : b;
}
/// a * b + c; for scalars in two roundings, as everything compiled without contraction.
template <real_scalar T>
TENON_HOST_DEVICE T fma(T a, T b, T c) {
  return static_cast<T>(a * b + c);
}

/// The larger; NaN if either is NaN.
template <real_scalar T>
TENON_HOST_DEVICE T maximum(T a, T b) {
  return a != a || a > b ? a : b;
}
template <real_scalar T>
TENON_HOST_DEVICE T minimum(T a, T b) {
  return a != a || a < b ? a : b;
}
template <real_scalar T>
TENON_HOST_DEVICE T max(T a, T b) {
  return maximum(a, b);
}
template <real_scalar T>
TENON_HOST_DEVICE T min(T a, T b) {
  return minimum(a, b);
}
/// The larger; the other one if one is NaN.
template <real_scalar T>
TENON_HOST_DEVICE T fmax(T a, T b) {
  return b != b || a > b ? a : b;
}
template <real_scalar T>
TENON_HOST_DEVICE T fmin(T a, T b) {
  return b != b || a < b ? a : b;
}

// Rounding: integers come back as they are.
#define TENON_INTERNAL_ROUNDING(NAME, STD)                                \
  template <real_scalar T>                                                \
  TENON_HOST_DEVICE T NAME(T x) {                                         \
    if constexpr (std::is_integral_v<T>)                                  \
      return x;                                                           \
    else                                                                  \
      return static_cast<T>(std::STD(static_cast<detail::real_t<T>>(x))); \
  }
TENON_INTERNAL_ROUNDING(floor, floor)
TENON_INTERNAL_ROUNDING(ceil, ceil)
TENON_INTERNAL_ROUNDING(trunc, trunc)
/// To the nearest integer, ties to even.
TENON_INTERNAL_ROUNDING(round, nearbyint)
#undef TENON_INTERNAL_ROUNDING

}  // namespace tenon::math
