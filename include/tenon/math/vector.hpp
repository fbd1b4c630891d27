// The functions of this folder for vectors of one instruction set; these forms alone know xsimd.
#pragma once
#include <tenon/math/arithmetic.hpp>
#include <tenon/math/vec_binary.hpp>
#include <tenon/math/vec_elementary.hpp>
#include <tenon/math/special.hpp>
#include <tenon/math/vec.hpp>

namespace tenon::math {

#define TENON_INTERNAL_VECTOR(NAME, EXPRESSION) \
  template <std::floating_point T, class Arch>  \
  vec<T, Arch> NAME(vec<T, Arch> x) {           \
    return EXPRESSION;                          \
  }
#define TENON_INTERNAL_XSIMD(NAME) TENON_INTERNAL_VECTOR(NAME, (typename vec<T, Arch>::batch_type(xsimd::NAME(x.v))))
#define TENON_INTERNAL_LANEWISE(NAME) \
  TENON_INTERNAL_VECTOR(NAME, (lanewise<T, Arch>([](T lane) { return std::NAME(lane); }, x)))

TENON_INTERNAL_VECTOR(exp, detail::exp(x))
TENON_INTERNAL_VECTOR(expm1, detail::expm1(x))
TENON_INTERNAL_VECTOR(log, detail::log(x))
TENON_INTERNAL_VECTOR(log2, detail::log2(x))
TENON_INTERNAL_VECTOR(log10, detail::log10(x))
TENON_INTERNAL_VECTOR(log1p, detail::log1p(x))
TENON_INTERNAL_VECTOR(tanh, detail::tanh(x))
TENON_INTERNAL_VECTOR(sigmoid, detail::sigmoid(x))
TENON_INTERNAL_VECTOR(exp2, detail::exp2(x))
TENON_INTERNAL_VECTOR(rsqrt, (vec<T, Arch>(T(1)) / sqrt(x)))
TENON_INTERNAL_XSIMD(sin)
TENON_INTERNAL_XSIMD(cos)
TENON_INTERNAL_XSIMD(tan)
TENON_INTERNAL_XSIMD(asin)
TENON_INTERNAL_XSIMD(acos)
TENON_INTERNAL_XSIMD(atan)
TENON_INTERNAL_XSIMD(sinh)
TENON_INTERNAL_XSIMD(cosh)
TENON_INTERNAL_VECTOR(asinh, detail::asinh(x))
TENON_INTERNAL_XSIMD(acosh)
TENON_INTERNAL_XSIMD(atanh)
TENON_INTERNAL_VECTOR(erf, detail::erf(x))
TENON_INTERNAL_VECTOR(ndtr, detail::ndtr(x))
TENON_INTERNAL_VECTOR(digamma, (lanewise<T, Arch>([](T lane) { return math::digamma(lane); }, x)))
TENON_INTERNAL_LANEWISE(lgamma)
#undef TENON_INTERNAL_VECTOR
#undef TENON_INTERNAL_XSIMD
#undef TENON_INTERNAL_LANEWISE
#define TENON_INTERNAL_OF_FLOAT(NAME)                                       \
  template <std::floating_point T, class Arch>                              \
  vec<T, Arch> NAME(vec<T, Arch> x) {                                       \
    if constexpr (std::is_same_v<T, float>)                                 \
      return detail::NAME(x);                                               \
    else                                                                    \
      return lanewise<T, Arch>([](T lane) { return math::NAME(lane); }, x); \
  }
TENON_INTERNAL_OF_FLOAT(erfc)
TENON_INTERNAL_OF_FLOAT(erfinv)
#undef TENON_INTERNAL_OF_FLOAT
template <std::floating_point T, class Arch>
vec<T, Arch> polygamma(vec<T, Arch> x, T n) {
  return lanewise<T, Arch>([n](T lane) { return math::polygamma(lane, n); }, x);
}

#define TENON_INTERNAL_ROUNDING(NAME, STD)                       \
  template <class T, class Arch>                                 \
  vec<T, Arch> NAME(vec<T, Arch> x) {                            \
    if constexpr (std::integral<T>)                              \
      return x;                                                  \
    else                                                         \
      return typename vec<T, Arch>::batch_type(xsimd::STD(x.v)); \
  }
TENON_INTERNAL_ROUNDING(floor, floor)
TENON_INTERNAL_ROUNDING(ceil, ceil)
TENON_INTERNAL_ROUNDING(trunc, trunc)
TENON_INTERNAL_ROUNDING(round, nearbyint)
#undef TENON_INTERNAL_ROUNDING

namespace detail {
template <class... X>
struct vec_among {};
template <class X, class... More>
struct vec_among<X, More...> : vec_among<More...> {};
template <class T, class Arch, class... More>
struct vec_among<vec<T, Arch>, More...> {
  using type = vec<T, Arch>;
};
/// The vector type of a call in which at least one argument is a vector.
template <class... X>
using joint_vec = typename vec_among<X...>::type;
}  // namespace detail

// What the vectors' friends give to unqualified calls, for qualified ones; scalars mix in.
template <class A, class B, class C, class V = detail::joint_vec<A, B, C>>
V fma(A a, B b, C c) {
  return fma(V(a), V(b), V(c));
}
template <class T, class Arch>
vec<T, Arch> abs(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  return V(typename V::batch_type(xsimd::abs(x.v)));
}
template <class T, class Arch>
vec<T, Arch> sqrt(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  return V(typename V::batch_type(cpu::detail::raw<T, Arch>::sqrt(x.v)));
}
template <class T, class Arch>
mask<T, Arch> isnan(vec<T, Arch> x) {
  return x != x;
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V copysign(A magnitude, B sign) {
  return copysign(V(magnitude), V(sign));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V maximum(A a, B b) {
  return maximum(V(a), V(b));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V minimum(A a, B b) {
  return minimum(V(a), V(b));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V max(A a, B b) {
  return maximum(V(a), V(b));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V min(A a, B b) {
  return minimum(V(a), V(b));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V fmax(A a, B b) {
  return select(isnan(V(b)), V(a), max_ordered(V(a), V(b)));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V fmin(A a, B b) {
  return select(isnan(V(b)), V(a), min_ordered(V(a), V(b)));
}

template <std::floating_point T, class Arch>
mask<T, Arch> isinf(vec<T, Arch> x) {
  return abs(x) == vec<T, Arch>(std::numeric_limits<T>::infinity());
}
template <std::floating_point T, class Arch>
mask<T, Arch> isfinite(vec<T, Arch> x) {
  return abs(x) < vec<T, Arch>(std::numeric_limits<T>::infinity());
}
template <class T, class Arch>
vec<T, Arch> sign(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  return select(x > V(T(0)), V(T(1)), select(x < V(T(0)), V(T(-1)), V(T(0))));
}
/// Lane by lane a where the mask holds, b elsewhere; scalars mix in.
template <class T, class Arch, class A, class B>
vec<T, Arch> select(mask<T, Arch> m, A a, B b) {
  return select(m, vec<T, Arch>(a), vec<T, Arch>(b));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V pow(A x, B y) {
  using T = typename V::value_type;
  if constexpr (std::is_same_v<T, float>)
    return detail::pow(V(x), V(y));
  else
    return lanewise<T, typename V::arch>([](T a, T b) { return std::pow(a, b); }, V(x), V(y));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V atan2(A x, B y) {
  return detail::atan2(V(x), V(y));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V hypot(A x, B y) {
  using T = typename V::value_type;
  if constexpr (std::is_same_v<T, float>)
    return detail::hypot(V(x), V(y));
  else
    return lanewise<T, typename V::arch>([](T a, T b) { return std::hypot(a, b); }, V(x), V(y));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V fmod(A x, B y) {
  using T = typename V::value_type;
  if constexpr (std::floating_point<T>)
    return detail::fmod(V(x), V(y));
  else
    return lanewise<T, typename V::arch>([](T a, T b) { return math::fmod(a, b); }, V(x), V(y));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V remainder(A x, B y) {
  using T = typename V::value_type;
  if constexpr (std::floating_point<T>)
    return detail::remainder(V(x), V(y));
  else
    return lanewise<T, typename V::arch>([](T a, T b) { return math::remainder(a, b); }, V(x), V(y));
}

template <class E, std::floating_point T, class Arch>
vec<T, Arch> div_trunc(vec<T, Arch> a, vec<T, Arch> b) {
  return trunc(rounded<E>(a / b));
}
template <class E, std::floating_point T, class Arch>
vec<T, Arch> div_floor(vec<T, Arch> a, vec<T, Arch> b) {
  using V = vec<T, Arch>;
  const V zero = T(0), one = T(1), quotient = a / b, mod = detail::fmod(a, b);
  V div = rounded<E>(rounded<E>(a - mod) / b);
  div = select((mod != zero) & ((b < zero) ^ (mod < zero)), rounded<E>(div - one), div);
  V floored = floor(div);
  floored = select(rounded<E>(div - floored) > V(T(0.5)), floored + one, floored);
  return select(b == zero, quotient, select(div == zero, copysign(zero, quotient), floored));
}
template <class T, class Arch>
vec<T, Arch> checked_fmod(vec<T, Arch> a, vec<T, Arch> b) {
  return fmod(a, b);
}
template <class T, class Arch>
vec<T, Arch> checked_remainder(vec<T, Arch> a, vec<T, Arch> b) {
  return remainder(a, b);
}
template <std::floating_point T, class Arch>
vec<T, Arch> logaddexp(vec<T, Arch> a, vec<T, Arch> b) {
  using V = vec<T, Arch>;
  V larger = maximum(a, b);
  return select(isinf(larger) & (a == b), larger, larger + log1p(exp(-abs(a - b))));
}
template <std::floating_point T, class Arch>
vec<T, Arch> logaddexp2(vec<T, Arch> a, vec<T, Arch> b) {
  using V = vec<T, Arch>;
  V larger = maximum(a, b);
  return select(isinf(larger) & (a == b), larger, larger + log1p(exp2(-abs(a - b))) * V(1.44269504088896340736));
}
template <class E = void, std::floating_point T, class Arch>
vec<T, Arch> nextafter(vec<T, Arch> a, vec<T, Arch> b) {
  if constexpr (std::is_void_v<E> || std::is_same_v<E, T>)
    return detail::nextafter(a, b);
  else
    return lanewise<T, Arch>([](T x, T y) { return math::nextafter<E>(x, y); }, a, b);
}
/// x log(y), 0 where x is 0 unless y is NaN.
template <std::floating_point T, class Arch>
vec<T, Arch> xlogy(vec<T, Arch> x, vec<T, Arch> y) {
  using V = vec<T, Arch>;
  return select(isnan(y), y, select(x == V(0), V(0), x * log(y)));
}

}  // namespace tenon::math
