// What the lambdas of pointwise operators need beyond tenon/cpu/math.hpp: arithmetic with the library's rules for integers and bools.
#pragma once
#include <type_traits>

#include <tenon/base/error.hpp>
#include <tenon/cpu/math.hpp>

namespace tenon::math {

namespace detail {
template <class T>
inline constexpr bool wraps_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
using unsigned_t = std::make_unsigned_t<T>;
}  // namespace detail

// Integers wrap; bools are a ring of `or` and `and`, as in PyTorch.
template <class T>
T plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return a || b;
  else if constexpr (detail::wraps_v<T>) return static_cast<T>(static_cast<detail::unsigned_t<T>>(a) + static_cast<detail::unsigned_t<T>>(b));
  else return a + b;
}
template <class T>
T minus(T a, T b) {
  if constexpr (detail::wraps_v<T>) return static_cast<T>(static_cast<detail::unsigned_t<T>>(a) - static_cast<detail::unsigned_t<T>>(b));
  else return a - b;
}
template <class T>
T times(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return a && b;
  else if constexpr (detail::wraps_v<T>) return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else return a * b;
}
template <class T>
T negate(T a) {
  if constexpr (detail::wraps_v<T>) return static_cast<T>(0 - static_cast<detail::unsigned_t<T>>(a));
  else return -a;
}
/// a + p * b for a number p of the element type.
template <class X, class P>
X plus_scaled(X a, P p, X b) { return plus(a, times(X(p), b)); }

/// Quotient rounded towards zero; integers refuse a divisor of 0.
template <real_scalar T>
T div_trunc(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) [[unlikely]] fail<ValueError>("ZeroDivisionError");
    if constexpr (std::is_signed_v<T>) if (b == -1) return negate(a);
    return static_cast<T>(a / b);
  } else {
    return trunc(a / b);
  }
}
/// Quotient rounded down, as Python's `//`; integers refuse a divisor of 0.
template <real_scalar T>
T div_floor(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    T q = div_trunc(a, b);
    if constexpr (std::is_signed_v<T>) return (a < 0) != (b < 0) && times(q, b) != a ? static_cast<T>(q - 1) : q;
    else return q;
  } else {
    if (b == 0) return a / b;
    T mod = fmod(a, b), div = (a - mod) / b;
    if (mod != 0 && (b < 0) != (mod < 0)) div -= T(1);
    if (div == 0) return copysign(T(0), a / b);
    T floored = floor(div);
    return div - floored > T(0.5) ? floored + T(1) : floored;
  }
}
template <std::floating_point T, class Arch>
vec<T, Arch> div_trunc(vec<T, Arch> a, vec<T, Arch> b) { return trunc(a / b); }
template <std::floating_point T, class Arch>
vec<T, Arch> div_floor(vec<T, Arch> a, vec<T, Arch> b) {
  return lanewise<T, Arch>([](T x, T y) { return math::div_floor(x, y); }, a, b);
}
/// Remainders that refuse integer divisors of 0.
template <real_scalar T>
T checked_fmod(T a, T b) {
  if constexpr (std::is_integral_v<T>) if (b == 0) [[unlikely]] fail<ValueError>("ZeroDivisionError");
  return fmod(a, b);
}
template <real_scalar T>
T checked_remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>) if (b == 0) [[unlikely]] fail<ValueError>("ZeroDivisionError");
  return remainder(a, b);
}
template <class T, class Arch>
vec<T, Arch> checked_fmod(vec<T, Arch> a, vec<T, Arch> b) { return fmod(a, b); }
template <class T, class Arch>
vec<T, Arch> checked_remainder(vec<T, Arch> a, vec<T, Arch> b) { return remainder(a, b); }

/// Whether x is not zero, as a truth value of its kind.
template <class X>
auto truth(X x) {
  if constexpr (is_vec_v<X>) return x != X(0);
  else return !(x == X(0));
}

}  // namespace tenon::math
