// What reductions do with elements, as templates over the type that is accumulated in: plain numbers and vectors alike.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenon/base/complex.hpp>
#include <tenon/base/host_device.hpp>
#include <tenon/base/scalar.hpp>
#include <tenon/math/arithmetic.hpp>

namespace tenon::reduction {

namespace numbers {
// The forms for plain numbers; those for vectors are found by their type.
template <class T>
  requires std::is_arithmetic_v<T> TENON_HOST_DEVICE T maximum(T a, T b) { return a != a || a > b ? a : b; }
template <class T>
  requires std::is_arithmetic_v<T> TENON_HOST_DEVICE T minimum(T a, T b) { return a != a || a < b ? a : b; }
template <class T>
  requires std::is_arithmetic_v<T> TENON_HOST_DEVICE T select(bool condition, T a, T b) { return condition ? a : b; }
using std::abs;
using std::pow;
}  // namespace numbers

// An operation has `value_type`, what elements are converted to and accumulated in; `map` and `combine` of it and of
// its vectors; `identity`, which changes nothing when it is combined; `finish`, which makes the result of n elements.

template <class T>
struct sum_op {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() { return T(0); }
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    return x;
  }
  template <class X>
  TENON_HOST_DEVICE X combine(X a, X b) const {
    return math::plus(a, b);
  }
  TENON_HOST_DEVICE T finish(T total, std::int64_t) const { return total; }
};
template <class T>
struct mean_op : sum_op<T> {
  TENON_HOST_DEVICE T finish(T total, std::int64_t n) const {
    if constexpr (is_complex_v<T>) {
      // As by the complex number n + 0i: an infinite part makes the other one not-a-number.
      using R = typename T::value_type;
      return {(total.re + total.im * R(0)) / static_cast<R>(n), (total.im - total.re * R(0)) / static_cast<R>(n)};
    } else
      return static_cast<T>(total / static_cast<T>(n));
  }
};
/// A sum in which not-a-number counts as 0.
template <class T>
struct nan_sum_op : sum_op<T> {
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    using numbers::select;
    if constexpr (is_complex_v<X>)
      return x.re == x.re && x.im == x.im ? x : X{};
    else
      return select(x == x, x, X(T(0)));
  }
};
template <class T>
struct prod_op {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() { return T(1); }
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    return x;
  }
  template <class X>
  TENON_HOST_DEVICE X combine(X a, X b) const {
    return math::times(a, b);
  }
  TENON_HOST_DEVICE T finish(T total, std::int64_t) const { return total; }
};
/// The largest; NaN if any element is. The smallest value of T where there is no element.
template <class T>
struct max_op {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity)
      return -std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::lowest();
  }
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    return x;
  }
  template <class X>
  TENON_HOST_DEVICE X combine(X a, X b) const {
    using numbers::maximum;
    return maximum(a, b);
  }
  TENON_HOST_DEVICE T finish(T total, std::int64_t) const { return total; }
};
template <class T>
struct min_op {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity)
      return std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::max();
  }
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    return x;
  }
  template <class X>
  TENON_HOST_DEVICE X combine(X a, X b) const {
    using numbers::minimum;
    return minimum(a, b);
  }
  TENON_HOST_DEVICE T finish(T total, std::int64_t) const { return total; }
};
template <class T>
struct any_op {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() { return false; }
  TENON_HOST_DEVICE T map(T x) const { return x; }
  TENON_HOST_DEVICE T combine(T a, T b) const { return a | b; }
  TENON_HOST_DEVICE T finish(T total, std::int64_t) const { return total; }
};
template <class T>
struct all_op : any_op<T> {
  TENON_HOST_DEVICE static T identity() { return true; }
  TENON_HOST_DEVICE T combine(T a, T b) const { return a & b; }
};
/// (sum of |x|^p)^(1/p); p = 0 counts the nonzero elements. For p = infinity use max_abs_op, for minus infinity
/// min_abs_op.
template <class T>
struct norm_op : sum_op<T> {
  double p = 2;
  norm_op() = default;
  explicit norm_op(const Scalar& order) : p(order.to_double()) {}
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    using numbers::abs, numbers::select, numbers::pow;
    if (p == 2) return x * x;
    if (p == 1) return abs(x);
    if (p == 0) return select(x != X(T(0)), X(T(1)), X(T(0)));
    return pow(abs(x), X(static_cast<T>(p)));
  }
  TENON_HOST_DEVICE T finish(T total, std::int64_t) const {
    return p == 2             ? std::sqrt(total)
           : p == 1 || p == 0 ? total
                              : static_cast<T>(std::pow(total, static_cast<T>(1 / p)));
  }
};
template <class T>
struct max_abs_op : max_op<T> {
  TENON_HOST_DEVICE static T identity() { return T(0); }
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    using numbers::abs;
    return abs(x);
  }
};
template <class T>
struct min_abs_op : min_op<T> {
  template <class X>
  TENON_HOST_DEVICE X map(X x) const {
    using numbers::abs;
    return abs(x);
  }
};

}  // namespace tenon::reduction
