// Functions of complex numbers of float that a device computes in double: its library loses digits of float where parts
// of a result are much smaller than the whole. Before the formulas that call them.
#pragma once
#include <tenon/math/elementary.hpp>

#if TENON_DEVICE_UNIT

namespace tenon::math {

#define TENON_INTERNAL_WIDE(NAME)                                      \
  TENON_HOST_DEVICE inline Complex<float> NAME(Complex<float> z) {     \
    Complex<double> wide = NAME(Complex<double>(z.re, z.im));          \
    return {static_cast<float>(wide.re), static_cast<float>(wide.im)}; \
  }
TENON_INTERNAL_WIDE(asin)
TENON_INTERNAL_WIDE(acos)
TENON_INTERNAL_WIDE(atan)
TENON_INTERNAL_WIDE(asinh)
TENON_INTERNAL_WIDE(acosh)
TENON_INTERNAL_WIDE(atanh)
#undef TENON_INTERNAL_WIDE

TENON_HOST_DEVICE inline Complex<float> pow(Complex<float> base, Complex<float> exponent) {
  Complex<double> wide = pow(Complex<double>(base.re, base.im), Complex<double>(exponent.re, exponent.im));
  return {static_cast<float>(wide.re), static_cast<float>(wide.im)};
}

}  // namespace tenon::math

#endif
