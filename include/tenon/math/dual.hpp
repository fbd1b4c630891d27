// Dual numbers: a value with its derivatives by several inputs, carried through a lambda by the chain rule.
#pragma once
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/base/host_device.hpp>
#include <tenon/math/elementary.hpp>
#if !TENON_DEVICE_UNIT && !defined(TENON_CUDA_KERNELS)
#include <tenon/math/vector.hpp>
#endif

namespace tenon::math {

/// Tangents known at compile time, which cost nothing.
struct zero_tangent {};
struct unit_tangent {};

/// A value and its derivative by each of several inputs; a tangent is a V, zero or one.
template <class V, class... D>
struct dual {
  V value;
  std::tuple<D...> tangents;

  // Literal, so that lambdas over duals are for devices too.
  TENON_HOST_DEVICE constexpr dual(V v, std::tuple<D...> t) : value(std::move(v)), tangents(std::move(t)) {}
  /// A number, which depends on no input: formulas write `decltype(self)(1)`.
  template <class N>
    requires(std::is_constructible_v<V, N> && (std::is_same_v<D, V> && ...))
  TENON_HOST_DEVICE constexpr explicit dual(N n) : value(static_cast<V>(n)), tangents(static_cast<D>(0)...) {}
};

template <class X>
inline constexpr bool is_dual_v = false;
template <class V, class... D>
inline constexpr bool is_dual_v<dual<V, D...>> = true;
template <class... X>
concept with_dual = (is_dual_v<std::remove_cvref_t<X>> || ...);

namespace detail {

template <class X>
inline constexpr bool is_zero_v = std::is_same_v<X, zero_tangent>;
template <class X>
inline constexpr bool is_unit_v = std::is_same_v<X, unit_tangent>;

template <class V, class X>
TENON_HOST_DEVICE V full(X x) {
  if constexpr (is_zero_v<X>)
    return V(0);
  else if constexpr (is_unit_v<X>)
    return V(1);
  else
    return V(x);
}
template <class V, class A, class B>
TENON_HOST_DEVICE auto product(A a, B b) {
  if constexpr (is_zero_v<A> || is_zero_v<B>)
    return zero_tangent{};
  else if constexpr (is_unit_v<A>)
    return b;
  else if constexpr (is_unit_v<B>)
    return a;
  else
    return V(a * b);
}
template <class V, class A, class B>
TENON_HOST_DEVICE auto sum(A a, B b) {
  if constexpr (is_zero_v<A>)
    return b;
  else if constexpr (is_zero_v<B>)
    return a;
  else
    return V(full<V>(a) + full<V>(b));
}

template <class V, class... D>
TENON_HOST_DEVICE dual<V, D...> make_dual(V value, std::tuple<D...> tangents) {
  return {value, tangents};
}

/// f(x) from its value and f'(x).
template <class V, class P, class... D>
TENON_HOST_DEVICE auto chain(V value, P slope, const std::tuple<D...>& d) {
  return std::apply([&](auto... each) { return make_dual(value, std::make_tuple(product<V>(slope, each)...)); }, d);
}
template <class V, class P, class Q, class A, class B, std::size_t... I>
TENON_HOST_DEVICE auto chain(V value, P by_a, const A& a, Q by_b, const B& b, std::index_sequence<I...>) {
  return make_dual(value,
                   std::make_tuple(sum<V>(product<V>(by_a, std::get<I>(a)), product<V>(by_b, std::get<I>(b)))...));
}
template <class V, class P, class Q, class... A, class... B>
TENON_HOST_DEVICE auto chain(V value, P by_a, const std::tuple<A...>& a, Q by_b, const std::tuple<B...>& b) {
  return chain(value, by_a, a, by_b, b, std::index_sequence_for<A...>{});
}

template <class... X>
struct dual_among {};
template <class X, class... More>
struct dual_among<X, More...> : dual_among<More...> {};
template <class V, class... D, class... More>
struct dual_among<dual<V, D...>, More...> {
  using value = V;
  using constant = std::tuple<std::conditional_t<true, zero_tangent, D>...>;
};

/// Any operand as a dual of the kind of the others.
template <class Kind, class X>
TENON_HOST_DEVICE auto lift(const X& x) {
  using V = typename Kind::value;
  if constexpr (is_dual_v<X>)
    return x;
  else if constexpr (is_complex_v<V> && std::is_arithmetic_v<X>)
    return make_dual(V(static_cast<typename V::value_type>(x)), typename Kind::constant{});
  else
    return make_dual(V(x), typename Kind::constant{});
}

}  // namespace detail

#define TENON_INTERNAL_DUAL_UNARY(NAME, SLOPE)          \
  template <class V, class... D>                        \
  TENON_HOST_DEVICE auto NAME(const dual<V, D...>& d) { \
    [[maybe_unused]] const V x = d.value, y = NAME(x);  \
    return detail::chain(y, SLOPE, d.tangents);         \
  }
TENON_INTERNAL_DUAL_UNARY(exp, y)
TENON_INTERNAL_DUAL_UNARY(expm1, y + V(1))
TENON_INTERNAL_DUAL_UNARY(exp2, y* V(0.69314718055994531))
TENON_INTERNAL_DUAL_UNARY(log, V(1) / x)
TENON_INTERNAL_DUAL_UNARY(log1p, V(1) / (x + V(1)))
TENON_INTERNAL_DUAL_UNARY(log2, V(1.4426950408889634) / x)
TENON_INTERNAL_DUAL_UNARY(log10, V(0.43429448190325183) / x)
TENON_INTERNAL_DUAL_UNARY(sqrt, V(0.5) / y)
TENON_INTERNAL_DUAL_UNARY(rsqrt, V(-0.5) * y / x)
TENON_INTERNAL_DUAL_UNARY(sin, cos(x))
TENON_INTERNAL_DUAL_UNARY(cos, -sin(x))
TENON_INTERNAL_DUAL_UNARY(tan, V(1) + y * y)
TENON_INTERNAL_DUAL_UNARY(asin, rsqrt(V(1) - x * x))
TENON_INTERNAL_DUAL_UNARY(acos, -rsqrt(V(1) - x * x))
TENON_INTERNAL_DUAL_UNARY(atan, V(1) / (V(1) + x * x))
TENON_INTERNAL_DUAL_UNARY(sinh, cosh(x))
TENON_INTERNAL_DUAL_UNARY(cosh, sinh(x))
TENON_INTERNAL_DUAL_UNARY(tanh, V(1) - y * y)
TENON_INTERNAL_DUAL_UNARY(asinh, rsqrt(x* x + V(1)))
TENON_INTERNAL_DUAL_UNARY(acosh, rsqrt(x* x - V(1)))
TENON_INTERNAL_DUAL_UNARY(atanh, V(1) / (V(1) - x * x))
TENON_INTERNAL_DUAL_UNARY(sigmoid, y*(V(1) - y))
TENON_INTERNAL_DUAL_UNARY(erf, V(1.1283791670955126) * exp(-(x * x)))
TENON_INTERNAL_DUAL_UNARY(erfc, V(-1.1283791670955126) * exp(-(x * x)))
TENON_INTERNAL_DUAL_UNARY(ndtr, V(0.39894228040143267794) * exp(x * x * V(-0.5)))
TENON_INTERNAL_DUAL_UNARY(abs, sign(x))
TENON_INTERNAL_DUAL_UNARY(sign, zero_tangent{})
TENON_INTERNAL_DUAL_UNARY(floor, zero_tangent{})
TENON_INTERNAL_DUAL_UNARY(ceil, zero_tangent{})
TENON_INTERNAL_DUAL_UNARY(trunc, zero_tangent{})
TENON_INTERNAL_DUAL_UNARY(round, zero_tangent{})
#undef TENON_INTERNAL_DUAL_UNARY

template <class V, class... D>
TENON_HOST_DEVICE auto operator-(const dual<V, D...>& d) {
  return detail::chain(V(-d.value), V(-1), d.tangents);
}
template <class V, class... D>
TENON_HOST_DEVICE auto operator+(const dual<V, D...>& d) {
  return d;
}

// One dual operand at least; the other may be a number or a vector, which depends on no input.
#define TENON_INTERNAL_DUAL_BINARY(NAME, VALUE, BY_X, BY_Y)                      \
  template <class A, class B>                                                    \
  requires with_dual<A, B> TENON_HOST_DEVICE auto NAME(const A& a, const B& b) { \
    using kind = detail::dual_among<A, B>;                                       \
    using V = typename kind::value;                                              \
    const auto left = detail::lift<kind>(a);                                     \
    const auto right = detail::lift<kind>(b);                                    \
    [[maybe_unused]] const V x = left.value, y = right.value, z = VALUE;         \
    return detail::chain(z, BY_X, left.tangents, BY_Y, right.tangents);          \
  }
TENON_INTERNAL_DUAL_BINARY(operator+, x + y, unit_tangent{}, unit_tangent{})
TENON_INTERNAL_DUAL_BINARY(operator-, x - y, unit_tangent{}, V(-1))
TENON_INTERNAL_DUAL_BINARY(operator*, x* y, y, x)
TENON_INTERNAL_DUAL_BINARY(operator/, x / y, V(1) / y, -z / y)
TENON_INTERNAL_DUAL_BINARY(pow, pow(x, y), select(y == V(0), V(0), y* pow(x, y - V(1))),
                           select(x == V(0), V(0), z* log(x)))
TENON_INTERNAL_DUAL_BINARY(atan2, atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y))
TENON_INTERNAL_DUAL_BINARY(hypot, hypot(x, y), x / z, y / z)
// Equal operands share the gradient.
TENON_INTERNAL_DUAL_BINARY(maximum, maximum(x, y), select(x == y, V(0.5), select(x > y, V(1), V(0))),
                           select(x == y, V(0.5), select(x > y, V(0), V(1))))
TENON_INTERNAL_DUAL_BINARY(minimum, minimum(x, y), select(x == y, V(0.5), select(x < y, V(1), V(0))),
                           select(x == y, V(0.5), select(x < y, V(0), V(1))))
TENON_INTERNAL_DUAL_BINARY(max, maximum(x, y), select(x == y, V(0.5), select(x > y, V(1), V(0))),
                           select(x == y, V(0.5), select(x > y, V(0), V(1))))
TENON_INTERNAL_DUAL_BINARY(min, minimum(x, y), select(x == y, V(0.5), select(x < y, V(1), V(0))),
                           select(x == y, V(0.5), select(x < y, V(0), V(1))))
TENON_INTERNAL_DUAL_BINARY(fmod, fmod(x, y), unit_tangent{}, -trunc(x / y))
// The quotient is what the remainder leaves: x / y itself may round up to the next integer.
TENON_INTERNAL_DUAL_BINARY(remainder, remainder(x, y), unit_tangent{}, -round((x - z) / y))
// The sign's source moves nothing; a zero has no direction.
TENON_INTERNAL_DUAL_BINARY(copysign, copysign(x, y), select(x == V(0), V(0), z / x), zero_tangent{})
#undef TENON_INTERNAL_DUAL_BINARY

template <class A, class B, class C>
requires with_dual<A, B, C> TENON_HOST_DEVICE auto fma(const A& a, const B& b, const C& c) { return a * b + c; }

// Comparisons look at values.
#define TENON_INTERNAL_DUAL_COMPARE(OP)                                                 \
  template <class A, class B>                                                           \
  requires with_dual<A, B> TENON_HOST_DEVICE auto operator OP(const A& a, const B& b) { \
    using kind = detail::dual_among<A, B>;                                              \
    return detail::lift<kind>(a).value OP detail::lift<kind>(b).value;                  \
  }
TENON_INTERNAL_DUAL_COMPARE(<)
TENON_INTERNAL_DUAL_COMPARE(<=)
TENON_INTERNAL_DUAL_COMPARE(>)
TENON_INTERNAL_DUAL_COMPARE(>=)
TENON_INTERNAL_DUAL_COMPARE(==)
TENON_INTERNAL_DUAL_COMPARE(!=)
#undef TENON_INTERNAL_DUAL_COMPARE
template <class V, class... D>
TENON_HOST_DEVICE auto isnan(const dual<V, D...>& d) {
  return isnan(d.value);
}
template <class V, class... D>
TENON_HOST_DEVICE auto isinf(const dual<V, D...>& d) {
  return isinf(d.value);
}
template <class V, class... D>
TENON_HOST_DEVICE auto isfinite(const dual<V, D...>& d) {
  return isfinite(d.value);
}

namespace detail {
template <class M, class A, class B>
TENON_HOST_DEVICE auto select_dual(M condition, const A& a, const B& b) {
  using kind = detail::dual_among<A, B>;
  using V = typename kind::value;
  const auto left = detail::lift<kind>(a);
  const auto right = detail::lift<kind>(b);
  auto one = [&](auto x, auto y) {
    if constexpr (detail::is_zero_v<decltype(x)> && detail::is_zero_v<decltype(y)>)
      return x;
    else
      return V(select(condition, detail::full<V>(x), detail::full<V>(y)));
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return detail::make_dual(V(select(condition, left.value, right.value)),
                             std::make_tuple(one(std::get<I>(left.tangents), std::get<I>(right.tangents))...));
  }
  (std::make_index_sequence<std::tuple_size_v<typename kind::constant>>{});
}
}  // namespace detail
#if !TENON_DEVICE_UNIT && !defined(TENON_CUDA_KERNELS)
/// Lane by lane a where the condition holds, b elsewhere, with their tangents.
template <class T, class Arch, class A, class B>
requires with_dual<A, B> TENON_HOST_DEVICE auto select(mask<T, Arch> condition, A a, B b) {
  return detail::select_dual(condition, a, b);
}
#endif
template <class A, class B>
requires with_dual<A, B> TENON_HOST_DEVICE auto select(bool condition, A a, B b) {
  return detail::select_dual(condition, a, b);
}

/// Input K of N as a dual: its derivative by itself is 1.
template <std::size_t K, std::size_t N, class V>
TENON_HOST_DEVICE auto dual_input(V value) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return detail::make_dual(value, std::tuple<std::conditional_t<I == K, unit_tangent, zero_tangent>...>{});
  }
  (std::make_index_sequence<N>{});
}
/// A gradient times a tangent; times the conjugate of a complex one, as PyTorch's gradients are.
template <class G, class D>
TENON_HOST_DEVICE G along(G grad, const D& tangent) {
  if constexpr (detail::is_zero_v<D>)
    return G(0);
  else if constexpr (detail::is_unit_v<D>)
    return grad;
  else
    return G(grad * conj(tangent));
}

/// The larger of x and 0; its slope at 0 is 0.
template <class V, class... D>
TENON_HOST_DEVICE auto relu(const dual<V, D...>& d) {
  return select(d.value <= V(0), V(0), d);
}

}  // namespace tenon::math
