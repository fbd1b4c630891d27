// Reductions over any set of dimensions, with the same bits for every vector width and number of threads.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/plan.hpp>
#include <tenon/cpu/detail/reduce_geometry.hpp>
#include <tenon/cpu/detail/reduce_lanes.hpp>
#include <tenon/cpu/math.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/cpu/simd.hpp>
#include <tenon/cpu/transpose.hpp>

namespace tenon::cpu {

// Operations. `value_type` is what elements are converted to and accumulated in; `map` and `combine` take it and its
// vectors; `finish` makes the result of n elements. `combine` with `identity` changes nothing.

template <class T>
struct sum_op {
  using value_type = T;
  static T identity() { return T(0); }
  template <class X>
  X map(X x) const {
    return x;
  }
  template <class X>
  X combine(X a, X b) const {
    return a + b;
  }
  T finish(T total, std::int64_t) const { return total; }
};
template <class T>
struct mean_op : sum_op<T> {
  T finish(T total, std::int64_t n) const {
    if constexpr (is_complex_v<T>) {
      // As by the complex number n + 0i: an infinite part makes the other one not-a-number.
      using R = typename T::value_type;
      return {(total.re + total.im * R(0)) / static_cast<R>(n), (total.im - total.re * R(0)) / static_cast<R>(n)};
    } else
      return static_cast<T>(total / static_cast<T>(n));
  }
};
template <class T>
struct prod_op {
  using value_type = T;
  static T identity() { return T(1); }
  template <class X>
  X map(X x) const {
    return x;
  }
  template <class X>
  X combine(X a, X b) const {
    return a * b;
  }
  T finish(T total, std::int64_t) const { return total; }
};
/// The largest; NaN if any element is. The smallest value of T where there is no element.
template <class T>
struct max_op {
  using value_type = T;
  static T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity)
      return -std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::lowest();
  }
  template <class X>
  X map(X x) const {
    return x;
  }
  template <class X>
  X combine(X a, X b) const {
    return math::maximum(a, b);
  }
  T finish(T total, std::int64_t) const { return total; }
};
template <class T>
struct min_op {
  using value_type = T;
  static T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity)
      return std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::max();
  }
  template <class X>
  X map(X x) const {
    return x;
  }
  template <class X>
  X combine(X a, X b) const {
    return math::minimum(a, b);
  }
  T finish(T total, std::int64_t) const { return total; }
};
struct any_op {
  using value_type = bool;
  static bool identity() { return false; }
  bool map(bool x) const { return x; }
  bool combine(bool a, bool b) const { return a | b; }
  bool finish(bool total, std::int64_t) const { return total; }
};
struct all_op : any_op {
  static bool identity() { return true; }
  bool combine(bool a, bool b) const { return a & b; }
};
/// (sum of |x|^p)^(1/p); p = 0 counts the nonzero elements. For p = infinity use max_abs_op, for minus infinity
/// min_abs_op.
template <class T>
struct norm_op : sum_op<T> {
  double p = 2;
  template <class X>
  X map(X x) const {
    if (p == 2) return x * x;
    if (p == 1) return math::abs(x);
    if (p == 0) return math::select(x != X(T(0)), X(T(1)), X(T(0)));
    return math::pow(math::abs(x), X(static_cast<T>(p)));
  }
  T finish(T total, std::int64_t) const {
    return p == 2             ? std::sqrt(total)
           : p == 1 || p == 0 ? total
                              : static_cast<T>(std::pow(total, static_cast<T>(1 / p)));
  }
};
template <class T>
struct max_abs_op : max_op<T> {
  static T identity() { return T(0); }
  template <class X>
  X map(X x) const {
    return math::abs(x);
  }
};
template <class T>
struct min_abs_op : min_op<T> {
  template <class X>
  X map(X x) const {
    return math::abs(x);
  }
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/reduce_impl.hpp>
#include <tenon/cpu/detail/arg_reduce_impl.hpp>
#include <tenon/cpu/detail/moments_impl.hpp>

namespace tenon::cpu {

/// Reduces by `op`. Elements are converted to `Op::value_type`, results to `r.out_type`.
/// Shapes: out has the input's shape without (or with size 1 at) the reduced dimensions; an empty set of elements gives
/// `op.finish(identity, 0)`.
/// The result's bits depend on the shape and strides, never on the instruction set or the number of threads, as long as
/// `op` itself does not (sums, products, extremes, norms of order 0, 1, 2 and infinity).
/// Cost: one pass; contiguous reduced dimensions and contiguous kept ones run in vectors.
template <class Arch, class Op>
void reduce(const Reduction& r, const Op& op) {
  detail::Reducer<Arch, Op>(r, op).run();
}

/// Index of the first largest (`Greater`) or smallest element along one dimension; the first NaN wins over numbers.
/// Writes T values to `values` (may be null) and indices to `indices`, both with `r.out_strides`. The reduced dimension
/// is not empty; r.out and r.out_type are unused.
template <class T, class Arch, bool Greater>
void arg_reduce(const Reduction& r, T* values, std::int64_t* indices) {
  detail::arg_reduce<T, Arch, Greater>(r, values, indices);
}

/// Mean and sum of squared deviations of the reduced elements, in T (float or double). `finish(mean, m2, n, place)`
/// stores them, where `place` counts elements by `r.out_strides`. Chunks are combined by the formula of Chan, Golub and
/// LeVeque (Updating formulae and a pairwise algorithm for computing sample variances, 1979).
template <class T, class Arch, class Finish>
void moments(const Reduction& r, Finish finish) {
  detail::moments<T, Arch>(r, finish);
}

}  // namespace tenon::cpu
