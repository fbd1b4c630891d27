// The functions that lambdas over elements call by name.
#pragma once
#include <tenon/pointwise/symbol.hpp>

namespace tenon::math {

/// The larger of x and 0; its slope at 0 is 0.
template <class V>
  requires is_vec_v<V>
auto relu(V x) { return select(x <= V(0), V(0), x); }
inline symbol relu(const symbol& x) { return select(x <= symbol(0), symbol(0), x); }
template <class V, class... D>
auto relu(const dual<V, D...>& d) {
  return select(d.value <= V(0), V(0), d);
}

}  // namespace tenon::math

// Unqualified names of a lambda mean these functions, not the operators of the same names.
#define TENON_INTERNAL_MATH_NAMES \
  using ::tenon::math::exp;       \
  using ::tenon::math::expm1;     \
  using ::tenon::math::exp2;      \
  using ::tenon::math::log;       \
  using ::tenon::math::log1p;     \
  using ::tenon::math::log2;      \
  using ::tenon::math::log10;     \
  using ::tenon::math::sqrt;      \
  using ::tenon::math::rsqrt;     \
  using ::tenon::math::sin;       \
  using ::tenon::math::cos;       \
  using ::tenon::math::tan;       \
  using ::tenon::math::asin;      \
  using ::tenon::math::acos;      \
  using ::tenon::math::atan;      \
  using ::tenon::math::sinh;      \
  using ::tenon::math::cosh;      \
  using ::tenon::math::tanh;      \
  using ::tenon::math::asinh;     \
  using ::tenon::math::acosh;     \
  using ::tenon::math::atanh;     \
  using ::tenon::math::sigmoid;   \
  using ::tenon::math::erf;       \
  using ::tenon::math::erfc;      \
  using ::tenon::math::abs;       \
  using ::tenon::math::sign;      \
  using ::tenon::math::floor;     \
  using ::tenon::math::ceil;      \
  using ::tenon::math::trunc;     \
  using ::tenon::math::round;     \
  using ::tenon::math::pow;       \
  using ::tenon::math::atan2;     \
  using ::tenon::math::hypot;     \
  using ::tenon::math::maximum;   \
  using ::tenon::math::minimum;   \
  using ::tenon::math::max;       \
  using ::tenon::math::min;       \
  using ::tenon::math::fma;       \
  using ::tenon::math::relu;      \
  using ::tenon::math::select;    \
  using ::tenon::math::isnan;     \
  using ::tenon::math::isinf;     \
  using ::tenon::math::isfinite;  \
  using ::tenon::math::copysign;  \
  using ::tenon::math::fmod;      \
  using ::tenon::math::remainder;
