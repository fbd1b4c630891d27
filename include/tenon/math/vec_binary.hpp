// Vector forms of functions of two numbers that the C library computes one at a time.
#pragma once
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include <tenon/math/elementary.hpp>
#include <tenon/math/vec_elementary.hpp>

namespace tenon::math::detail {

/// Whether the set has a multiply-add that rounds once.
template <class Arch>
inline constexpr bool fuses = !std::is_same_v<Arch, cpu::sse2>;

/// What is left of x after the whole multiples of y, in double; exact while the quotient is below the bound, of floats
/// without a rounded product, of doubles by one that is rounded once.
template <class Arch>
struct remainder_parts {
  vec<double, Arch> rest;
  mask<double, Arch> sure;
};
template <class Arch>
remainder_parts<Arch> remainder_of_floats(vec<double, Arch> x, vec<double, Arch> y) {
  using V = vec<double, Arch>;
  // 24 bits times 28 fit, and so near to a whole number a quotient of two floats is not that rounding reaches it.
  V q = xsimd::trunc((x / y).v);
  return {x - q * y, (abs(q) < V(268435456.0)) & (abs(y) < V(std::numeric_limits<double>::infinity()))};
}
template <class Arch>
remainder_parts<Arch> remainder_of_doubles(vec<double, Arch> x, vec<double, Arch> y) {
  using V = vec<double, Arch>;
  V q = xsimd::trunc((x / y).v), size = abs(y);
  V rest = fma(-q, y, x);
  // A quotient that was rounded up to a whole number counts one multiple too many.
  rest = select((rest != V(0.0)) & ((rest < V(0.0)) ^ (x < V(0.0))), rest + copysign(size, x), rest);
  return {rest, (abs(q) < V(4503599627370496.0)) & (size < V(std::numeric_limits<double>::infinity()))};
}
template <std::floating_point T, class Arch>
vec<T, Arch> fmod(vec<T, Arch> x, vec<T, Arch> y) {
  if constexpr (std::is_same_v<T, float>) {
    auto a = widen(x), b = widen(y);
    auto low = remainder_of_floats(a.lo, b.lo), high = remainder_of_floats(a.hi, b.hi);
    if (all(low.sure & high.sure)) return copysign(narrow(low.rest, high.rest), x);
  } else if constexpr (fuses<Arch>) {
    if (auto r = remainder_of_doubles(x, y); all(r.sure)) return copysign(r.rest, x);
  }
  return lanewise<T, Arch>([](T a, T b) { return math::fmod(a, b); }, x, y);
}
template <std::floating_point T, class Arch>
vec<T, Arch> remainder(vec<T, Arch> x, vec<T, Arch> y) {
  using V = vec<T, Arch>;
  V r = fmod(x, y);
  return select((r != V(T(0))) & ((r < V(T(0))) ^ (y < V(T(0)))), r + y, r);
}

/// The angle of the point (x, y): the arc tangent of the smaller coordinate over the larger, then turned and mirrored.
template <std::floating_point T, class Arch>
vec<T, Arch> atan2(vec<T, Arch> y, vec<T, Arch> x) {
  using V = vec<T, Arch>;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  // A quarter and a half turn in two parts.
  constexpr T quarter = static_cast<T>(1.57079632679489661923L), half = static_cast<T>(3.14159265358979323846L);
  constexpr T quarter_low = static_cast<T>(1.57079632679489661923L - static_cast<long double>(quarter)),
              half_low = static_cast<T>(3.14159265358979323846L - static_cast<long double>(half));
  V a = abs(x), b = abs(y), smaller = min_ordered(a, b), larger = max_ordered(a, b);
  V ratio = smaller / larger;
  ratio = select(larger == V(T(0)), V(T(0)), select(smaller == V(infinity), V(T(1)), ratio));
  V r = typename V::batch_type(xsimd::atan(ratio.v));
  r = select(b > a, (V(quarter) - r) + V(quarter_low), r);
  // The sign of a zero counts.
  r = select(copysign(V(T(1)), x) < V(T(0)), (V(half) - r) + V(half_low), r);
  return select(isnan(x) | isnan(y), x + y, copysign(r, y));
}

template <class Arch>
vec<float, Arch> hypot(vec<float, Arch> x, vec<float, Arch> y) {
  using V = vec<float, Arch>;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto a = widen(x), b = widen(y);
  V r = narrow(sqrt(a.lo * a.lo + b.lo * b.lo), sqrt(a.hi * a.hi + b.hi * b.hi));
  return select((abs(x) == V(infinity)) | (abs(y) == V(infinity)), V(infinity), r);
}

/// The neighbour of x on the way to y: numbers of one sign lie as their bits do.
template <std::floating_point T, class Arch>
vec<T, Arch> nextafter(vec<T, Arch> x, vec<T, Arch> y) {
  using V = vec<T, Arch>;
  using I = vec<int_of_size<T>, Arch>;
  const I bits = bit_cast<int_of_size<T>>(x), one = int_of_size<T>(1);
  V up = bit_cast<T>(bits + one), down = bit_cast<T>(bits - one);
  V r = select((x < y) ^ (x < V(T(0))), up, down);
  r = select(x == V(T(0)), copysign(V(std::numeric_limits<T>::denorm_min()), y), r);
  return select(isnan(x) | isnan(y), x + y, select(x == y, y, r));
}

}  // namespace tenon::math::detail
