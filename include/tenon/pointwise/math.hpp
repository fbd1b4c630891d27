// Rows of exponential, logarithmic, trigonometric and hyperbolic functions and of powers.
#pragma once
#include <tenon/pointwise/formulas.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

TENON_COMPUTES(exp_base, over::fast_float_or_complex, (self), (), (math::exp(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (mul(grad, derivatives::conj_of(result)))));
TENON_COMPUTES(log_base, over::float_or_complex, (self), (), (math::log(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (div(grad, derivatives::conj_of(self)))));
TENON_COMPUTES(sqrt_base, over::fast_float_or_complex, (self), (), (math::sqrt(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (div(grad, derivatives::conj_of(mul(result, 2))))));
TENON_COMPUTES(tanh_base, over::fast_float_or_complex, (self), (), (math::tanh(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (tanh_backward(grad, result))));
TENON_COMPUTES(rsqrt_base, over::float_or_complex, (self), (), (math::rsqrt(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (mul(mul(grad, -0.5), derivatives::conj_of(pow(result, Scalar(3)))))));
TENON_COMPUTES(sin_base, over::float_or_complex, (self), (), (math::sin(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (mul(grad, derivatives::conj_of(cos(self))))));
TENON_COMPUTES(cos_base, over::float_or_complex, (self), (), (math::cos(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (neg(mul(grad, derivatives::conj_of(sin(self)))))));
TENON_COMPUTES(tan_base, over::float_or_complex, (self), (), (math::tan(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (mul(grad, derivatives::conj_of(add(mul(result, result), 1))))));
TENON_COMPUTES(asin_base, over::float_or_complex, (self), (), (math::asin(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (mul(grad, derivatives::conj_of(rsqrt(add(neg(mul(self, self)), 1)))))));
TENON_COMPUTES(acos_base, over::float_or_complex, (self), (), (math::acos(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self),
                         (neg(mul(grad, derivatives::conj_of(rsqrt(add(neg(mul(self, self)), 1))))))));
TENON_COMPUTES(atan_base, over::float_or_complex, (self), (), (math::atan(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (div(grad, derivatives::conj_of(add(mul(self, self), 1))))));
TENON_COMPUTES(sinh_base, over::float_or_complex, (self), (), (math::sinh(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (mul(grad, derivatives::conj_of(cosh(self))))));
TENON_COMPUTES(cosh_base, over::float_or_complex, (self), (), (math::cosh(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (mul(grad, derivatives::conj_of(sinh(self))))));
TENON_COMPUTES(log1p_base, over::float_or_complex, (self), (), (math::log1p(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (div(grad, derivatives::conj_of(add(self, 1))))));
TENON_COMPUTES(log2_base, over::float_or_complex, (self), (), (math::log2(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (div(grad, derivatives::conj_of(mul(self, 0.693147180559945309417))))));
TENON_COMPUTES(log10_base, over::float_or_complex, (self), (), (math::log10(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (div(grad, derivatives::conj_of(mul(self, 2.302585092994045684018))))));
TENON_COMPUTES(expm1_base, over::float_or_complex, (self), (), (math::expm1(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (mul(grad, derivatives::conj_of(add(result, 1))))));
TENON_COMPUTES(exp2_base, over::float_or_complex, (self), (), (math::exp2(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result),
                         (mul(grad, derivatives::conj_of(mul(result, 0.693147180559945309417))))));
TENON_COMPUTES(acosh_base, over::float_or_complex, (self), (), (math::acosh(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (grad * derivatives::conj_of(derivatives::acosh_slope(self)))));
TENON_COMPUTES(asinh_base, over::float_or_complex, (self), (), (math::asinh(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (grad * derivatives::conj_of(rsqrt(self * self + 1)))));
TENON_COMPUTES(atanh_base, over::float_or_complex, (self), (), (math::atanh(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (grad / derivatives::conj_of(1 - self * self))));
TENON_COMPUTES(deg2rad_base, over::floating, (self), (), (self * 0.017453292519943295769), promote<IntToFloat>,
               TENON_WRT((self), (grad), (grad * 0.017453292519943295769)));
TENON_COMPUTES(rad2deg_base, over::floating, (self), (), (self * 57.295779513082320877), promote<IntToFloat>,
               TENON_WRT((self), (grad), (grad * 57.295779513082320877)));
TENON_COMPUTES(logaddexp_base, over::float_or_complex, (self, other), (), (math::logaddexp(self, other)),
               TENON_WRT((self), (grad, self, other), (grad / derivatives::conj_of(exp(other - self) + 1))),
               TENON_WRT((other), (grad, self, other), (grad / derivatives::conj_of(exp(self - other) + 1))));
TENON_COMPUTES(logaddexp2_base, over::floating, (self, other), (), (math::logaddexp2(self, other)),
               TENON_WRT((self), (grad, self, other), (grad / (exp2(other - self) + 1))),
               TENON_WRT((other), (grad, self, other), (grad / (exp2(self - other) + 1))));
TENON_COMPUTES(atan2_base, over::floating, (self, other), (), (math::atan2(self, other)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self, other), (derivatives::over_squares(grad * other, self, other))),
               TENON_WRT((other), (grad, self, other), (derivatives::over_squares(grad * -self, self, other))));
TENON_COMPUTES(hypot_base, over::floating, (self, other), (), (math::hypot(self, other)),
               TENON_WRT((self), (grad, self, result), (grad * self / result)),
               TENON_WRT((other), (grad, other, result), (grad * other / result)));
TENON_COMPUTES(reciprocal_base, over::float_or_complex, (self), (), (decltype(self)(1) / self), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (neg(mul(grad, derivatives::conj_of(mul(result, result)))))));

TENON_FORMULA(pow, over::number, (self, exponent), (), (math::pow(self, exponent)));
TENON_COMPUTES_BY(pow_Tensor_Tensor, TENON_ELSE(pow_formula, (self, exponent), ()),
                  TENON_WRT((self), (grad, self, exponent), (derivatives::pow_base(grad, self, exponent))),
                  TENON_WRT((exponent), (grad, self, exponent, result),
                            (derivatives::pow_exponent(grad, self, exponent, result))));
// Powers with common exponents have loops of their own; those of 0 and of the base 1 are ones whatever the other
// operand is, also not-a-number. Integers know no fractions: theirs stay general.
TENON_COMPUTES_BY(
    pow_Tensor_Scalar, TENON_WHEN((exponent), (exponent.equal(1)), identity_formula, (self), ()),
    TENON_WHEN((exponent), (exponent.equal(0)), one_formula, (exponent), ()),
    TENON_WHEN((self, exponent), (exponent.equal(2) && self.dtype() != kBool), square_formula, (self), ()),
    TENON_WHEN((self, exponent), (exponent.equal(3) && self.dtype() != kBool), cube_formula, (self), ()),
    TENON_WHEN((self, exponent), (exponent.equal(0.5) && has_roots(self)), sqrt_base_formula, (self), ()),
    TENON_WHEN((self, exponent), (exponent.equal(-0.5) && has_roots(self)), rsqrt_base_formula, (self), ()),
    TENON_WHEN((self, exponent), (exponent.equal(-1) && has_fractions(self)), reciprocal_base_formula, (self), ()),
    TENON_WHEN((self, exponent), (exponent.equal(-2) && has_fractions(self)), one_over_square_formula, (self), ()),
    TENON_ELSE(pow_formula, (self, exponent), ()), check<checks::power>, unary, cast<OutputCast::Allowed>,
    TENON_WRT((self), (grad, self, exponent), (derivatives::pow_self(grad, self, exponent))));
TENON_COMPUTES_BY(pow_Scalar, TENON_WHEN((self), (self.equal(1) && !self.is_boolean()), identity_formula, (self), ()),
                  TENON_ELSE(pow_formula, (self, exponent), ()), row_major, cast<OutputCast::Allowed>,
                  TENON_WRT((exponent), (grad, self, exponent, result),
                            (derivatives::pow_exponent(grad, self, exponent, result))));

}  // namespace tenon::ops
