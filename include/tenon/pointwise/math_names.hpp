// The names of functions in a lambda over elements, which its unit declares, and what a lambda says of its elements.
#pragma once
#include <tenon/base/host_device.hpp>

namespace tenon::math {

namespace detail {
template <class F>
struct complex_too_lambda : F {};
}  // namespace detail

/// A lambda of TENON_POINTWISE that is for complex elements too, which it gets as Complex<float> or Complex<double>.
/// It must be holomorphic: of what a lambda can call, that is all but abs, sign, roundings, comparisons by order,
/// maxima, remainders and functions of two real arguments.
template <class F>
TENON_HOST_DEVICE constexpr detail::complex_too_lambda<F> complex_too(F lambda) {
  return {lambda};
}
template <class F>
inline constexpr bool is_complex_too_v = false;
template <class F>
inline constexpr bool is_complex_too_v<detail::complex_too_lambda<F>> = true;

}  // namespace tenon::math

// Unqualified names of a lambda mean these functions, not the operators of the same names.
#define TENON_INTERNAL_MATH_NAMES                                                                                   \
  using ::tenon::math::exp, ::tenon::math::expm1, ::tenon::math::exp2, ::tenon::math::log, ::tenon::math::log1p,    \
      ::tenon::math::log2, ::tenon::math::log10, ::tenon::math::sqrt, ::tenon::math::rsqrt, ::tenon::math::sin,     \
      ::tenon::math::cos, ::tenon::math::tan, ::tenon::math::asin, ::tenon::math::acos, ::tenon::math::atan,        \
      ::tenon::math::sinh, ::tenon::math::cosh, ::tenon::math::tanh, ::tenon::math::asinh, ::tenon::math::acosh,    \
      ::tenon::math::atanh, ::tenon::math::sigmoid, ::tenon::math::erf, ::tenon::math::erfc, ::tenon::math::ndtr,   \
      ::tenon::math::abs, ::tenon::math::sign, ::tenon::math::floor, ::tenon::math::ceil, ::tenon::math::trunc,     \
      ::tenon::math::round, ::tenon::math::pow, ::tenon::math::atan2, ::tenon::math::hypot, ::tenon::math::maximum, \
      ::tenon::math::minimum, ::tenon::math::max, ::tenon::math::min, ::tenon::math::fma, ::tenon::math::relu,      \
      ::tenon::math::select, ::tenon::math::isnan, ::tenon::math::isinf, ::tenon::math::isfinite,                   \
      ::tenon::math::copysign, ::tenon::math::fmod, ::tenon::math::remainder, ::tenon::math::complex_too;
