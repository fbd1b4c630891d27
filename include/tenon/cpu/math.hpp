// Mathematical functions under one name for scalars, complex numbers and vectors: what the lambdas of pointwise kernels
// call.
#pragma once
#include <tenon/cpu/math_unary.hpp>

namespace tenon::math {

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
  return V(typename V::batch_type(xsimd::sqrt(x.v)));
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

/// The larger; NaN if either is NaN.
template <real_scalar T>
T maximum(T a, T b) {
  return a != a || a > b ? a : b;
}
template <real_scalar T>
T minimum(T a, T b) {
  return a != a || a < b ? a : b;
}
template <real_scalar T>
T max(T a, T b) {
  return maximum(a, b);
}
template <real_scalar T>
T min(T a, T b) {
  return minimum(a, b);
}
/// The larger; the other one if one is NaN.
template <real_scalar T>
T fmax(T a, T b) {
  return b != b || a > b ? a : b;
}
template <real_scalar T>
T fmin(T a, T b) {
  return b != b || a < b ? a : b;
}

/// Integers by repeated squaring, wrapping; a negative exponent gives 0 but for bases 1 and -1.
template <real_scalar T>
T pow(T base, T exponent) {
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
Complex<T> pow(Complex<T> base, Complex<T> exponent) {
  return detail::from_std<T>(std::pow(detail::to_std(base), detail::to_std(exponent)));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V pow(A x, B y) {
  using T = typename V::value_type;
  if constexpr (std::is_same_v<T, float>)
    return detail::pow(V(x), V(y));
  else
    return lanewise<T, typename V::arch>([](T a, T b) { return std::pow(a, b); }, V(x), V(y));
}

#define TENON_INTERNAL_BINARY(NAME)                                                       \
  template <real_scalar T>                                                                \
  detail::result_t<T> NAME(T a, T b) {                                                    \
    return static_cast<detail::result_t<T>>(                                              \
        std::NAME(static_cast<detail::real_t<T>>(a), static_cast<detail::real_t<T>>(b))); \
  }
TENON_INTERNAL_BINARY(atan2)
TENON_INTERNAL_BINARY(hypot)
TENON_INTERNAL_BINARY(copysign)
#undef TENON_INTERNAL_BINARY
template <class A, class B, class V = detail::joint_vec<A, B>>
V atan2(A x, B y) {
  using T = typename V::value_type;
  return lanewise<T, typename V::arch>([](T a, T b) { return std::atan2(a, b); }, V(x), V(y));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V hypot(A x, B y) {
  using T = typename V::value_type;
  return lanewise<T, typename V::arch>([](T a, T b) { return std::hypot(a, b); }, V(x), V(y));
}

/// The remainder with the sign of the dividend (C). The caller has excluded integer division by 0.
template <real_scalar T>
T fmod(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return b == static_cast<T>(-1) && std::is_signed_v<T> ? T(0) : static_cast<T>(a % b);
  else
    return static_cast<T>(std::fmod(static_cast<detail::real_t<T>>(a), static_cast<detail::real_t<T>>(b)));
}
/// The remainder with the sign of the divisor (Python).
template <real_scalar T>
T remainder(T a, T b) {
  T r = fmod(a, b);
  return r != T(0) && (r < T(0)) != (b < T(0)) ? static_cast<T>(r + b) : r;
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V fmod(A x, B y) {
  using T = typename V::value_type;
  return lanewise<T, typename V::arch>([](T a, T b) { return math::fmod(a, b); }, V(x), V(y));
}
template <class A, class B, class V = detail::joint_vec<A, B>>
V remainder(A x, B y) {
  using T = typename V::value_type;
  return lanewise<T, typename V::arch>([](T a, T b) { return math::remainder(a, b); }, V(x), V(y));
}

}  // namespace tenon::math
