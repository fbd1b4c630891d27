// Arithmetic with the library's rules for integers, bools and 16-bit floats, and what is made of it.
#pragma once
#include <limits>
#include <type_traits>
#include <utility>

#include <tenon/base/error.hpp>
#include <tenon/math/elementary.hpp>

namespace tenon::math {

namespace detail {
template <class T>
inline constexpr bool wraps_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
using unsigned_t = std::make_unsigned_t<T>;
/// Integer division by 0 is an error on the host; on a device its result is not defined.
template <class T>
TENON_HOST_DEVICE void refuse_zero([[maybe_unused]] T divisor) {
  TENON_HOST_ONLY(if (divisor == 0) [[unlikely]] fail<ValueError>("ZeroDivisionError");)
}
}  // namespace detail

// Integers wrap; bools are a ring of `or` and `and`, as in PyTorch.
template <class T>
TENON_HOST_DEVICE T plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (detail::wraps_v<T>)
    return static_cast<T>(static_cast<detail::unsigned_t<T>>(a) + static_cast<detail::unsigned_t<T>>(b));
  else
    return a + b;
}
template <class T>
TENON_HOST_DEVICE T minus(T a, T b) {
  if constexpr (detail::wraps_v<T>)
    return static_cast<T>(static_cast<detail::unsigned_t<T>>(a) - static_cast<detail::unsigned_t<T>>(b));
  else
    return a - b;
}
template <class T>
TENON_HOST_DEVICE T times(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (detail::wraps_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}
template <class T>
TENON_HOST_DEVICE T negate(T a) {
  if constexpr (detail::wraps_v<T>)
    return static_cast<T>(0 - static_cast<detail::unsigned_t<T>>(a));
  else
    return -a;
}
/// a + p * b for a number p of the element type.
template <class X, class P>
TENON_HOST_DEVICE X plus_scaled(X a, P p, X b) {
  return plus(a, times(X(p), b));
}

/// x as an element of type E holds it: PyTorch rounds the steps of some formulas of 16-bit floats.
template <class E, class X>
TENON_HOST_DEVICE X rounded(X x) {
  if constexpr (!std::is_same_v<E, Half> && !std::is_same_v<E, BFloat16>) {
    return x;
  } else if constexpr (is_vec_v<X>) {
    alignas(64) E lanes[static_cast<std::size_t>(X::size)];
    x.store(lanes);
    return X::load(lanes);
  } else {
    return static_cast<X>(static_cast<E>(x));
  }
}

/// Quotient rounded towards zero; integers refuse a divisor of 0.
template <class E = void, real_scalar T>
TENON_HOST_DEVICE T div_trunc(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    detail::refuse_zero(b);
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return negate(a);
    return static_cast<T>(a / b);
  } else {
    return trunc(rounded<E>(a / b));
  }
}
/// Quotient rounded down, as Python's `//`; integers refuse a divisor of 0.
template <class E = void, real_scalar T>
TENON_HOST_DEVICE T div_floor(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    T q = div_trunc(a, b);
    if constexpr (std::is_signed_v<T>)
      return (a < 0) != (b < 0) && times(q, b) != a ? static_cast<T>(q - 1) : q;
    else
      return q;
  } else {
    if (b == 0) return a / b;
    T mod = fmod(a, b), div = rounded<E>(rounded<E>(a - mod) / b);
    if (mod != 0 && (b < 0) != (mod < 0)) div = rounded<E>(div - T(1));
    if (div == 0) return copysign(T(0), a / b);
    T floored = floor(div);
    return rounded<E>(div - floored) > T(0.5) ? floored + T(1) : floored;
  }
}
/// The gradient of sigmoid from its result y. Half rounds each step, BFloat16 none, as in PyTorch.
template <class E, class X>
TENON_HOST_DEVICE X sigmoid_backward(X grad, X y) {
  if constexpr (is_complex_v<X>) {
    return grad * conj((X(1) - y) * y);
  } else {
    using Step = std::conditional_t<std::is_same_v<E, Half>, Half, void>;
    return rounded<Step>(grad * rounded<Step>(X(1) - y)) * y;
  }
}
/// The slopes of gelu by tanh and of mish.
template <class X>
TENON_HOST_DEVICE X gelu_tanh_slope(X x) {
  X t = tanh((x + x * x * x * X(0.044715)) * X(0.79788456080286535588));
  X inner = (X(1) + x * x * X(3 * 0.044715)) * X(0.79788456080286535588);
  return (X(1) + t) * X(0.5) + x * X(0.5) * (X(1) - t * t) * inner;
}
template <class X>
TENON_HOST_DEVICE X mish_slope(X x) {
  X t = tanh(log1p(exp(x)));
  return t + x * (X(1) / (X(1) + exp(-x))) * (X(1) - t * t);
}
/// Remainders that refuse integer divisors of 0.
template <real_scalar T>
TENON_HOST_DEVICE T checked_fmod(T a, T b) {
  if constexpr (std::is_integral_v<T>) detail::refuse_zero(b);
  return fmod(a, b);
}
template <real_scalar T>
TENON_HOST_DEVICE T checked_remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>) detail::refuse_zero(b);
  return remainder(a, b);
}

/// Whether x is not zero, as a truth value of its kind.
template <class X>
TENON_HOST_DEVICE auto truth(X x) {
  if constexpr (is_vec_v<X>)
    return x != X(0);
  else
    return !(x == X(0));
}
// Truth of two truths, as one: `&` of two bools would be an int.
template <class B>
TENON_HOST_DEVICE B both(B a, B b) {
  if constexpr (std::is_same_v<B, bool>)
    return a && b;
  else
    return a & b;
}
template <class B>
TENON_HOST_DEVICE B either(B a, B b) {
  if constexpr (std::is_same_v<B, bool>)
    return a || b;
  else
    return a | b;
}
template <class B>
TENON_HOST_DEVICE B one_of(B a, B b) {
  if constexpr (std::is_same_v<B, bool>)
    return a != b;
  else
    return a ^ b;
}
/// The direction of x: -1, 0 or 1, for complex numbers x / |x|.
template <class X>
TENON_HOST_DEVICE X sgn(X x) {
  if constexpr (is_complex_v<X>) {
    auto size = abs(x);
    return size == 0 ? X() : X(x.re / size, x.im / size);
  } else {
    return sign(x);
  }
}
/// sin(pi x) / (pi x), 1 at 0.
template <class X>
TENON_HOST_DEVICE X sinc(X x) {
  if constexpr (is_complex_v<X>) {
    X p = x * X(static_cast<typename X::value_type>(3.14159265358979323846));
    return x == X() ? X(1) : sin(p) / p;
  } else {
    X p = x * X(3.14159265358979323846);
    return select(x == X(0), X(1), sin(p) / p);
  }
}
template <class X>
TENON_HOST_DEVICE X bit_not(X x) {
  if constexpr (std::is_same_v<X, bool>)
    return !x;
  else
    return static_cast<X>(~x);
}
template <class X>
TENON_HOST_DEVICE auto signbit(X x) {
  if constexpr (is_vec_v<X>)
    return copysign(X(1), x) < X(0);
  else
    return x < X(0);
}
template <class X>
TENON_HOST_DEVICE auto isinf_any(X x) {
  if constexpr (is_complex_v<X>)
    return isinf(x.re) || isinf(x.im);
  else
    return isinf(x);
}
template <class X>
TENON_HOST_DEVICE auto isfinite_all(X x) {
  if constexpr (is_complex_v<X>)
    return isfinite(x.re) && isfinite(x.im);
  else
    return isfinite(x);
}
/// Whether x is infinity of this sign.
template <class X>
TENON_HOST_DEVICE auto is_infinity(X x, [[maybe_unused]] int direction) {
  if constexpr (is_vec_v<X>)
    return x ==
           X(static_cast<typename X::value_type>(direction) * std::numeric_limits<typename X::value_type>::infinity());
  else if constexpr (std::is_integral_v<X>)
    return false;
  else
    return x == static_cast<X>(direction) * std::numeric_limits<X>::infinity();
}
template <class X>
TENON_HOST_DEVICE auto is_real(X x) {
  if constexpr (is_complex_v<X>)
    return x.im == 0;
  else
    return either(x == x, x != x);
}
/// Of complex numbers: the one with the smaller real part is the one that is added, so that nothing overflows.
template <class T>
TENON_HOST_DEVICE Complex<T> logaddexp(Complex<T> a, Complex<T> b) {
  constexpr T none = std::numeric_limits<T>::quiet_NaN();
  if (isnan(a) || isnan(b)) return {none, none};
  if (!(a.re < b.re)) std::swap(a, b);
  if (!isfinite(a.re) && a.re == b.re) return a.re < 0 ? a : log(exp(a) + exp(b));
  return log1p(exp(a - b)) + b;
}
template <std::floating_point T>
TENON_HOST_DEVICE T logaddexp(T a, T b) {
  T larger = maximum(a, b);
  return isinf(larger) && a == b ? larger : larger + log1p(exp(-abs(a - b)));
}
template <std::floating_point T>
TENON_HOST_DEVICE T logaddexp2(T a, T b) {
  T larger = maximum(a, b);
  return isinf(larger) && a == b ? larger : larger + log1p(exp2(-abs(a - b))) * T(1.44269504088896340736);
}
/// The neighbour of a towards b among the elements of type E, whose values both are.
template <class E = void, std::floating_point T>
TENON_HOST_DEVICE T nextafter(T a, T b) {
  if constexpr (std::is_same_v<E, Half> || std::is_same_v<E, BFloat16>) {
    if (!(a == a) || !(b == b)) return a + b;
    if (a == b) return b;
    if (a == 0) return static_cast<T>(E::from_bits(b < 0 ? 0x8001 : 1));
    std::uint16_t bits = static_cast<E>(a).bits;
    return static_cast<T>(E::from_bits(static_cast<std::uint16_t>((b > a) == (a > 0) ? bits + 1 : bits - 1)));
  } else {
    return std::nextafter(a, b);
  }
}
/// x log(y), 0 where x is 0 unless y is NaN.
template <std::floating_point T>
TENON_HOST_DEVICE T xlogy(T x, T y) {
  return isnan(y) ? y : x == 0 ? T(0) : x * log(y);
}
template <std::integral T>
TENON_HOST_DEVICE T gcd(T a, T b) {
  auto x = static_cast<std::uint64_t>(a < 0 ? negate(a) : a), y = static_cast<std::uint64_t>(b < 0 ? negate(b) : b);
  while (y != 0) {
    auto rest = x % y;
    x = y;
    y = rest;
  }
  return static_cast<T>(x);
}
template <std::integral T>
TENON_HOST_DEVICE T lcm(T a, T b) {
  T g = gcd(a, b);
  return g == 0 ? T(0) : abs(times(static_cast<T>(a / g), b));
}
/// Shifts by the width and more give what shifting bit by bit gives.
template <std::integral T>
TENON_HOST_DEVICE T shift_left(T x, T n) {
  constexpr T width = static_cast<T>(sizeof(T) * 8);
  return n < 0 || n >= width ? T(0) : static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << n);
}
template <std::integral T>
TENON_HOST_DEVICE T shift_right(T x, T n) {
  constexpr T width = static_cast<T>(sizeof(T) * 8);
  return n < 0 || n >= width ? static_cast<T>(x < 0 ? -1 : 0) : static_cast<T>(x >> n);
}
/// From a (w = 0) to b (w = 1), exact at both ends.
template <class X>
TENON_HOST_DEVICE X lerp(X a, X b, X w) {
  if constexpr (is_complex_v<X>) {
    return abs(w) < typename X::value_type(0.5) ? a + w * (b - a) : b - (b - a) * (X(1) - w);
  } else {
    return select(abs(w) < X(0.5), a + w * (b - a), b - (b - a) * (X(1) - w));
  }
}
/// NaN, infinity and -infinity become the three numbers; complex numbers part by part.
template <class X, class N>
TENON_HOST_DEVICE X nan_to_num(X x, N nan, N positive, N negative) {
  if constexpr (is_complex_v<X>) {
    using T = typename X::value_type;
    auto part = [&](T v) {
      return v != v                                     ? nan.re
             : v == std::numeric_limits<T>::infinity()  ? positive.re
             : v == -std::numeric_limits<T>::infinity() ? negative.re
                                                        : v;
    };
    return {part(x.re), part(x.im)};
  } else {
    return select(isnan(x), X(nan), select(is_infinity(x, 1), X(positive), select(is_infinity(x, -1), X(negative), x)));
  }
}
/// The inverse of sigmoid.
template <class E, class X>
TENON_HOST_DEVICE X logit(X x) {
  return log(rounded<E>(x / rounded<E>(X(1) - x)));
}
/// The same of x moved into [eps, 1 - eps]; where the bounds cross, the lower one is asked first.
template <class E, class X, class T>
TENON_HOST_DEVICE X logit(X x, T eps) {
  X low = rounded<E>(X(eps)), high = rounded<E>(X(1) - low);
  return logit<E>(select(x < low, low, select(x > high, high, x)));
}

}  // namespace tenon::math
