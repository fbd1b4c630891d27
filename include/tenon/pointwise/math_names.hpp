// The names of functions in a lambda over elements, which its unit declares.
#pragma once

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
  using ::tenon::math::ndtr;      \
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
