// Derivatives of elementwise operators. Gradients of broadcast arguments are summed to their shapes by the engine.
#pragma once
#include <cmath>

#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/special.hpp>

namespace tenon::ops {

namespace derivatives {

inline Tensor pow_self(const Tensor& grad, const Tensor& self, const Scalar& exponent) {
  if (exponent.equal(0)) return zeros_like(self);
  Scalar less = exponent.is_complex()        ? Scalar(exponent.to<Complex<double>>() - Complex<double>(1.0))
                : exponent.is_integral(true) ? Scalar(exponent.to_int() - 1)
                                             : Scalar(exponent.to_double() - 1);
  return mul(grad, conj_of(mul(pow(self, less), exponent)));
}
inline Tensor pow_base(const Tensor& grad, const Tensor& self, const Tensor& exponent) {
  return where(eq(exponent, 0), Scalar(0.0), mul(grad, conj_of(mul(exponent, pow(self, sub(exponent, 1))))));
}
/// Where the base is 0 and the exponent is real and not negative, the power does not change.
inline Tensor pow_exponent(const Tensor& grad, const Tensor& base, const Tensor& exponent, const Tensor& result) {
  Tensor flat = mul(eq(base, 0), exponent.is_complex() ? eq(exponent, abs(exponent)) : ge(exponent, 0));
  // In the type of the power: the logarithm of a negative number is complex.
  Tensor safe = where(flat, Scalar(1.0), to(base, result.dtype()));
  return mul(grad, where(flat, Scalar(0.0), conj_of(mul(result, log(safe)))));
}
/// The logarithm of a number keeps digits, and numbers, that the elements' type does not hold.
inline Tensor pow_exponent(const Tensor& grad, const Scalar& base, const Tensor& exponent, const Tensor& result) {
  if (base.equal(0) || result.is_complex())
    return pow_exponent(grad, tenon::scalar_tensor(base, result.dtype(), true), exponent, result);
  return mul(grad, mul(result, Scalar(std::log(base.to_double()))));
}
inline Tensor larger_part(const Tensor& grad, const Tensor& a, const Tensor& b, bool a_is_less) {
  Tensor shared = where(eq(a, b), div(grad, 2), grad);
  return where(a_is_less ? lt(a, b) : gt(a, b), Scalar(0.0), shared);
}
inline Tensor div_other(const Tensor& grad, const Tensor& self, const Tensor& other,
                        std::optional<std::string_view> mode) {
  if (mode) return zeros_like(grad);
  return neg(mul(grad, conj_of(div(div(self, other), other))));
}
inline Tensor div_self(const Tensor& grad, const Tensor& other, std::optional<std::string_view> mode) {
  return mode ? zeros_like(grad) : div(grad, conj_of(other));
}
inline Tensor sign_of(const Tensor& self) {
  return self.is_complex() ? where(eq(self, 0), Scalar(0.0), div(self, abs(self))) : sign(self);
}

}  // namespace derivatives

TENON_DERIVATIVE(add_Tensor, TENON_WRT((self), (grad), grad),
                 TENON_WRT((other), (grad, alpha), derivatives::scaled(grad, alpha)));
TENON_DERIVATIVE(add_Scalar, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(sub_Tensor, TENON_WRT((self), (grad), grad),
                 TENON_WRT((other), (grad, alpha), neg(derivatives::scaled(grad, alpha))));
TENON_DERIVATIVE(sub_Scalar, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(mul_Tensor, TENON_WRT((self), (grad, other), derivatives::times_conj(grad, other)),
                 TENON_WRT((other), (grad, self), derivatives::times_conj(grad, self)));
TENON_DERIVATIVE(mul_Scalar, TENON_WRT((self), (grad, other), mul(grad, other.conj())));
TENON_DERIVATIVE(div_Tensor, TENON_WRT((self), (grad, other), div(grad, derivatives::conj_of(other))),
                 TENON_WRT((other), (grad, self, other), derivatives::div_other(grad, self, other, std::nullopt)));
TENON_DERIVATIVE(div_Scalar, TENON_WRT((self), (grad, other), div(grad, other.conj())));
TENON_DERIVATIVE(div_Tensor_mode,
                 TENON_WRT((self), (grad, other, rounding_mode), derivatives::div_self(grad, other, rounding_mode)),
                 TENON_WRT((other), (grad, self, other, rounding_mode),
                           derivatives::div_other(grad, self, other, rounding_mode)));
TENON_DERIVATIVE(div_Scalar_mode, TENON_WRT((self), (grad, other, rounding_mode),
                                            rounding_mode ? zeros_like(grad) : div(grad, other.conj())));

TENON_DERIVATIVE(neg_base, TENON_WRT((self), (grad), neg(grad)));
TENON_DERIVATIVE(abs_base, TENON_WRT((self), (grad, self), mul(grad, derivatives::sign_of(self))));
TENON_DERIVATIVE(exp_base, TENON_WRT((self), (grad, result), mul(grad, derivatives::conj_of(result))));
TENON_DERIVATIVE(exp2_base, TENON_WRT((self), (grad, result),
                                      mul(grad, derivatives::conj_of(mul(result, 0.693147180559945309417)))));
TENON_DERIVATIVE(expm1_base, TENON_WRT((self), (grad, result), mul(grad, derivatives::conj_of(add(result, 1)))));
TENON_DERIVATIVE(log_base, TENON_WRT((self), (grad, self), div(grad, derivatives::conj_of(self))));
TENON_DERIVATIVE(log1p_base, TENON_WRT((self), (grad, self), div(grad, derivatives::conj_of(add(self, 1)))));
TENON_DERIVATIVE(log2_base,
                 TENON_WRT((self), (grad, self), div(grad, derivatives::conj_of(mul(self, 0.693147180559945309417)))));
TENON_DERIVATIVE(log10_base,
                 TENON_WRT((self), (grad, self), div(grad, derivatives::conj_of(mul(self, 2.302585092994045684018)))));
TENON_DERIVATIVE(sqrt_base, TENON_WRT((self), (grad, result), div(grad, derivatives::conj_of(mul(result, 2)))));
TENON_DERIVATIVE(rsqrt_base, TENON_WRT((self), (grad, result),
                                       mul(mul(grad, -0.5), derivatives::conj_of(mul(mul(result, result), result)))));
TENON_DERIVATIVE(reciprocal_base,
                 TENON_WRT((self), (grad, result), neg(mul(grad, derivatives::conj_of(mul(result, result))))));
TENON_DERIVATIVE(tanh_base, TENON_WRT((self), (grad, result), tanh_backward(grad, result)));
TENON_DERIVATIVE(sigmoid_base, TENON_WRT((self), (grad, result), sigmoid_backward(grad, result)));
TENON_DERIVATIVE(relu_base, TENON_WRT((self), (grad, result), threshold_backward(grad, result, 0)));
TENON_DERIVATIVE(sin_base, TENON_WRT((self), (grad, self), mul(grad, derivatives::conj_of(cos(self)))));
TENON_DERIVATIVE(cos_base, TENON_WRT((self), (grad, self), neg(mul(grad, derivatives::conj_of(sin(self))))));
TENON_DERIVATIVE(tan_base,
                 TENON_WRT((self), (grad, result), mul(grad, derivatives::conj_of(add(mul(result, result), 1)))));
TENON_DERIVATIVE(asin_base,
                 TENON_WRT((self), (grad, self), mul(grad, derivatives::conj_of(rsqrt(add(neg(mul(self, self)), 1))))));
TENON_DERIVATIVE(acos_base, TENON_WRT((self), (grad, self),
                                      neg(mul(grad, derivatives::conj_of(rsqrt(add(neg(mul(self, self)), 1)))))));
TENON_DERIVATIVE(atan_base, TENON_WRT((self), (grad, self), div(grad, derivatives::conj_of(add(mul(self, self), 1)))));
TENON_DERIVATIVE(sinh_base, TENON_WRT((self), (grad, self), mul(grad, derivatives::conj_of(cosh(self)))));
TENON_DERIVATIVE(cosh_base, TENON_WRT((self), (grad, self), mul(grad, derivatives::conj_of(sinh(self)))));
TENON_DERIVATIVE(erf_base,
                 TENON_WRT((self), (grad, self), mul(mul(exp(neg(mul(self, self))), 1.12837916709551257390), grad)));
TENON_DERIVATIVE(erfc_base,
                 TENON_WRT((self), (grad, self), mul(mul(exp(neg(mul(self, self))), -1.12837916709551257390), grad)));
TENON_DERIVATIVE(square_base, TENON_WRT((self), (grad, self), mul(grad, derivatives::conj_of(mul(self, 2)))));
TENON_DERIVATIVE(_conj_physical_base, TENON_WRT((self), (grad), derivatives::conj_of(grad)));
TENON_DERIVATIVE(conj_physical_base_, TENON_WRT((self), (grad), derivatives::conj_of(grad)));
TENON_DERIVATIVE(floor_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(ceil_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(trunc_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(round_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(sign_base, TENON_WRT((self), (grad), zeros_like(grad)));

TENON_DERIVATIVE(pow_Tensor_Scalar,
                 TENON_WRT((self), (grad, self, exponent), derivatives::pow_self(grad, self, exponent)));
TENON_DERIVATIVE(pow_Tensor_Tensor,
                 TENON_WRT((self), (grad, self, exponent), derivatives::pow_base(grad, self, exponent)),
                 TENON_WRT((exponent), (grad, self, exponent, result),
                           derivatives::pow_exponent(grad, self, exponent, result)));
TENON_DERIVATIVE(pow_Scalar, TENON_WRT((exponent), (grad, self, exponent, result),
                                       derivatives::pow_exponent(grad, self, exponent, result)));
TENON_DERIVATIVE(maximum_base,
                 TENON_WRT((self), (grad, self, other), derivatives::larger_part(grad, self, other, true)),
                 TENON_WRT((other), (grad, self, other), derivatives::larger_part(grad, self, other, false)));
TENON_DERIVATIVE(minimum_base,
                 TENON_WRT((self), (grad, self, other), derivatives::larger_part(grad, self, other, false)),
                 TENON_WRT((other), (grad, self, other), derivatives::larger_part(grad, self, other, true)));
TENON_DERIVATIVE(where_self, TENON_WRT((self), (grad, condition), where(condition, grad, Scalar(0.0))),
                 TENON_WRT((other), (grad, condition), where(condition, Scalar(0.0), grad)));

TENON_DERIVATIVE(sigmoid_backward_base, TENON_WRT((grad_output), (grad, output), sigmoid_backward(grad, output)),
                 TENON_WRT((output), (grad, grad_output, output),
                           mul(mul(grad, grad_output), add(mul(output, -2), 1))));
TENON_DERIVATIVE(tanh_backward_base, TENON_WRT((grad_output), (grad, output), tanh_backward(grad, output)),
                 TENON_WRT((output), (grad, grad_output, output), mul(grad, mul(mul(output, -2), grad_output))));
TENON_DERIVATIVE(threshold_backward_base,
                 TENON_WRT((grad_output), (grad, self, threshold), threshold_backward(grad, self, threshold)),
                 TENON_WRT((self), (grad), zeros_like(grad)));

TENON_NOT_DIFFERENTIABLE(eq_Tensor);
TENON_NOT_DIFFERENTIABLE(eq_Scalar);
TENON_NOT_DIFFERENTIABLE(ne_Tensor);
TENON_NOT_DIFFERENTIABLE(ne_Scalar);
TENON_NOT_DIFFERENTIABLE(lt_Tensor);
TENON_NOT_DIFFERENTIABLE(lt_Scalar);
TENON_NOT_DIFFERENTIABLE(le_Tensor);
TENON_NOT_DIFFERENTIABLE(le_Scalar);
TENON_NOT_DIFFERENTIABLE(gt_Tensor);
TENON_NOT_DIFFERENTIABLE(gt_Scalar);
TENON_NOT_DIFFERENTIABLE(ge_Tensor);
TENON_NOT_DIFFERENTIABLE(ge_Scalar);

}  // namespace tenon::ops
