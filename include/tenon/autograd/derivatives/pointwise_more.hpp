// Derivatives of the further elementwise operators.
#pragma once
#include <tenon/autograd/derivatives/pointwise.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/special.hpp>

namespace tenon::ops {

namespace derivatives {

/// `grad` where the condition holds, 0 elsewhere.
inline Tensor kept(const Tensor& condition, const Tensor& grad) { return where(condition, grad, Scalar(0.0)); }
/// Of a limit that is a number no gradient passes, nor of NaN.
inline Tensor within(const Tensor& grad, const Tensor& x, const std::optional<Scalar>& min,
                     const std::optional<Scalar>& max) {
  if (min && max) return kept(logical_and(x > *min, x < *max), grad);
  return kept(min ? x > *min : x < *max, grad);
}
/// Where an element is its limit, they share the gradient; of NaN all passes.
inline Tensor shared_at(const Tensor& x, const Tensor& limit, const Tensor& grad) {
  return where(x == limit, grad * 0.5, grad);
}
inline Tensor within(const Tensor& grad, const Tensor& x, const Tensor& min, const Tensor& max) {
  if (!max.defined()) return where(x < min, Scalar(0.0), shared_at(x, min, grad));
  if (!min.defined()) return where(x > max, Scalar(0.0), shared_at(x, max, grad));
  Tensor at_limit = logical_or(logical_and(x == min, x < max), logical_and(x == max, x > min));
  return where(logical_or(x<min, x> max), Scalar(0.0), where(at_limit, grad * 0.5, grad));
}
inline Tensor lower_limit(const Tensor& grad, const Tensor& x, const Tensor& min, const Tensor& max) {
  if (!min.defined()) return {};
  if (!max.defined()) return where(x > min, Scalar(0.0), shared_at(x, min, grad));
  return where(logical_and(x == min, min < max), grad * 0.5, kept(logical_and(x < min, min <= max), grad));
}
/// The upper limit wins where the two have crossed.
inline Tensor upper_limit(const Tensor& grad, const Tensor& x, const Tensor& min, const Tensor& max) {
  if (!max.defined()) return {};
  if (!min.defined()) return where(x < max, Scalar(0.0), shared_at(x, max, grad));
  return where(logical_and(x == max, min < max), grad * 0.5,
               kept(logical_or(min > max, logical_and(x > max, min <= max)), grad));
}
/// Across the unit circle nothing changes: what remains of the gradient is its part along the circle.
inline Tensor sgn_slope(const Tensor& grad, const Tensor& x, const Tensor& direction) {
  if (!x.is_complex()) return zeros_like(grad);
  Tensor size = abs(x), turned = grad / direction, across = (turned + conj_physical(turned)) * 0.5;
  return where(size == 0, Scalar(0.0), (grad - across * direction) / size);
}
inline Tensor sinc_slope(const Tensor& grad, const Tensor& x) {
  constexpr double pi = 3.14159265358979323846;
  Tensor p = x * pi;
  Tensor slope = (p * cos(p) - sin(p)) / (p * x);
  return where(x == 0, Scalar(0.0), grad * conj_of(slope));
}
inline Tensor gelu_slope(const Tensor& grad, const Tensor& x, std::string_view approximate) {
  if (approximate == "tanh") {
    constexpr double k = 0.79788456080286535588, c = 0.044715;
    Tensor t = tanh((x + x * x * x * c) * k);
    return grad * ((t + 1) * 0.5 + x * 0.5 * (1 - t * t) * (x * x * (3 * c) + 1) * k);
  }
  Tensor density = exp(x * x * -0.5) * 0.39894228040143267794;
  return grad * ((erf(x * 0.70710678118654752440) + 1) * 0.5 + x * density);
}
inline Tensor logit_slope(const Tensor& grad, const Tensor& x, const std::optional<double>& eps) {
  Tensor slope = grad / (x * (1 - x));
  if (!eps || *eps < 0)
    return where(logical_and(x >= 0, x <= 1), slope, Scalar(std::numeric_limits<double>::quiet_NaN()));
  return kept(logical_and(x >= *eps, x <= 1 - *eps), slope);
}
inline Tensor softplus_slope(const Tensor& grad, const Tensor& x, const Scalar& beta, const Scalar& threshold) {
  return where(x * beta > threshold, grad, grad * sigmoid(x * beta));
}
inline Tensor mish_slope(const Tensor& grad, const Tensor& x) {
  Tensor t = tanh(log1p(exp(x)));
  return grad * (t + x * sigmoid(x) * (1 - t * t));
}
inline Tensor elu_slope(const Tensor& grad, const Tensor& x, const Scalar& alpha, const Scalar& scale,
                        const Scalar& input_scale) {
  double below = alpha.to_double() * scale.to_double() * input_scale.to_double();
  return where(x <= 0, grad * exp(x * input_scale) * below, grad * scale);
}
inline Tensor scaled_by_weight(const Tensor& grad, const Scalar& weight, bool rest) {
  if (!rest) return grad * weight.conj();
  return weight.is_complex() ? grad * Scalar(Complex<double>(1.0) - weight.conj().to<Complex<double>>())
                             : grad * (1 - weight.to_double());
}

}  // namespace derivatives

TENON_DERIVATIVE(acosh_base, TENON_WRT((self), (grad, self), grad* derivatives::conj_of(rsqrt(self* self - 1))));
TENON_DERIVATIVE(asinh_base, TENON_WRT((self), (grad, self), grad* derivatives::conj_of(rsqrt(self* self + 1))));
TENON_DERIVATIVE(atanh_base, TENON_WRT((self), (grad, self), grad / derivatives::conj_of(1 - self * self)));
TENON_DERIVATIVE(deg2rad_base, TENON_WRT((self), (grad), grad * 0.017453292519943295769));
TENON_DERIVATIVE(rad2deg_base, TENON_WRT((self), (grad), grad * 57.295779513082320877));
TENON_DERIVATIVE(frac_base, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(lgamma_base, TENON_WRT((self), (grad, self), grad* digamma(self)));
TENON_DERIVATIVE(digamma_base, TENON_WRT((self), (grad, self), grad* polygamma(1, self)));
TENON_DERIVATIVE(polygamma_base, TENON_WRT((self), (grad, n, self), grad* polygamma(n + 1, self)));
TENON_DERIVATIVE(sinc_base, TENON_WRT((self), (grad, self), derivatives::sinc_slope(grad, self)));
TENON_DERIVATIVE(silu_base, TENON_WRT((self), (grad, self), grad*(sigmoid(self) * (1 + self * (1 - sigmoid(self))))));
TENON_DERIVATIVE(mish_base, TENON_WRT((self), (grad, self), derivatives::mish_slope(grad, self)));
TENON_DERIVATIVE(hardswish_base,
                 TENON_WRT((self), (grad, self),
                           derivatives::kept(self >= -3, where(self <= 3, grad*(self / 3 + 0.5), grad))));
TENON_DERIVATIVE(hardsigmoid_base,
                 TENON_WRT((self), (grad, self), derivatives::kept(logical_and(self > -3, self < 3), grad / 6)));
TENON_DERIVATIVE(log_sigmoid_base, TENON_WRT((self), (grad, self), grad* sigmoid(-self)));
TENON_DERIVATIVE(gelu_base,
                 TENON_WRT((self), (grad, self, approximate), derivatives::gelu_slope(grad, self, approximate)));
TENON_DERIVATIVE(softplus_base, TENON_WRT((self), (grad, self, beta, threshold),
                                          derivatives::softplus_slope(grad, self, beta, threshold)));
TENON_DERIVATIVE(softshrink_base, TENON_WRT((self), (grad, self, lambd),
                                            where(logical_and(self >= -lambd, self <= lambd), Scalar(0.0), grad)));
TENON_DERIVATIVE(hardshrink_base, TENON_WRT((self), (grad, self, lambd),
                                            where(logical_and(self >= -lambd, self <= lambd), Scalar(0.0), grad)));
TENON_DERIVATIVE(leaky_relu_base,
                 TENON_WRT((self), (grad, self, negative_slope), where(self > 0, grad, grad* negative_slope)));
TENON_DERIVATIVE(elu_base, TENON_WRT((self), (grad, self, alpha, scale, input_scale),
                                     derivatives::elu_slope(grad, self, alpha, scale, input_scale)));
TENON_DERIVATIVE(hardtanh_base, TENON_WRT((self), (grad, self, min_val, max_val),
                                          derivatives::kept(logical_and(self > min_val, self < max_val), grad)));
TENON_DERIVATIVE(nan_to_num_base, TENON_WRT((self), (grad, self), grad* isfinite(self)));
TENON_DERIVATIVE(logit_base, TENON_WRT((self), (grad, self, eps), derivatives::logit_slope(grad, self, eps)));

TENON_DERIVATIVE(
    fmax_base, TENON_WRT((self), (grad, self, other), derivatives::kept(logical_or(self >= other, isnan(other)), grad)),
    TENON_WRT((other), (grad, self, other), where(logical_or(self >= other, isnan(other)), Scalar(0.0), grad)));
TENON_DERIVATIVE(
    fmin_base, TENON_WRT((self), (grad, self, other), derivatives::kept(logical_or(self <= other, isnan(other)), grad)),
    TENON_WRT((other), (grad, self, other), where(logical_or(self <= other, isnan(other)), Scalar(0.0), grad)));
TENON_DERIVATIVE(logaddexp_base,
                 TENON_WRT((self), (grad, self, other), grad / derivatives::conj_of(exp(other - self) + 1)),
                 TENON_WRT((other), (grad, self, other), grad / derivatives::conj_of(exp(self - other) + 1)));
TENON_DERIVATIVE(logaddexp2_base, TENON_WRT((self), (grad, self, other), grad / (exp2(other - self) + 1)),
                 TENON_WRT((other), (grad, self, other), grad / (exp2(self - other) + 1)));
TENON_DERIVATIVE(atan2_base, TENON_WRT((self), (grad, self, other), grad* other / (self * self + other * other)),
                 TENON_WRT((other), (grad, self, other), grad * -self / (self * self + other * other)));
TENON_DERIVATIVE(hypot_base, TENON_WRT((self), (grad, self, result), grad*(self / result)),
                 TENON_WRT((other), (grad, other, result), grad*(other / result)));
TENON_DERIVATIVE(copysign_Tensor,
                 TENON_WRT((self), (grad, self, result), where(self == 0, Scalar(0.0), grad*(result / self))),
                 TENON_WRT((other), (grad), zeros_like(grad)));
TENON_DERIVATIVE(copysign_Scalar,
                 TENON_WRT((self), (grad, self, result), where(self == 0, Scalar(0.0), grad*(result / self))));
TENON_DERIVATIVE(xlogy_Tensor,
                 TENON_WRT((self), (grad, self, other),
                           where(logical_and(self == 0, other <= 0), Scalar(0.0), xlogy(grad, other))),
                 TENON_WRT((other), (grad, self, other), grad* self / other));
TENON_DERIVATIVE(fmod_Tensor, TENON_WRT((self), (grad), grad),
                 TENON_WRT((other), (grad, self, other), -grad* div(self, other, "rounding_mode"_a = "trunc")));
TENON_DERIVATIVE(fmod_Scalar, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(remainder_Tensor, TENON_WRT((self), (grad), grad),
                 TENON_WRT((other), (grad, self, other), -grad* div(self, other, "rounding_mode"_a = "floor")));
TENON_DERIVATIVE(remainder_Scalar, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(rsub_Tensor, TENON_WRT((self), (grad, alpha), -derivatives::scaled(grad, alpha)),
                 TENON_WRT((other), (grad), grad));
TENON_DERIVATIVE(rsub_Scalar, TENON_WRT((self), (grad, alpha), -derivatives::scaled(grad, alpha)));

TENON_DERIVATIVE(addcmul_base, TENON_WRT((self), (grad), grad),
                 TENON_WRT((tensor1), (grad, tensor2, value), grad* derivatives::conj_of(tensor2* value)),
                 TENON_WRT((tensor2), (grad, tensor1, value), grad* derivatives::conj_of(tensor1* value)));
TENON_DERIVATIVE(addcdiv_base, TENON_WRT((self), (grad), grad),
                 TENON_WRT((tensor1), (grad, tensor2, value), grad* derivatives::conj_of(value / tensor2)),
                 TENON_WRT((tensor2), (grad, tensor1, tensor2, value),
                           -grad* derivatives::conj_of(tensor1* value / (tensor2 * tensor2))));
TENON_DERIVATIVE(lerp_Scalar, TENON_WRT((self), (grad, weight), derivatives::scaled_by_weight(grad, weight, true)),
                 TENON_WRT((end), (grad, weight), derivatives::scaled_by_weight(grad, weight, false)));
TENON_DERIVATIVE(lerp_Tensor, TENON_WRT((self), (grad, weight), grad* derivatives::conj_of(1 - weight)),
                 TENON_WRT((end), (grad, weight), grad* derivatives::conj_of(weight)),
                 TENON_WRT((weight), (grad, self, end), grad* derivatives::conj_of(end - self)));
TENON_DERIVATIVE(clamp_base, TENON_WRT((self), (grad, self, min, max), derivatives::within(grad, self, min, max)));
TENON_DERIVATIVE(clamp_Tensor, TENON_WRT((self), (grad, self, min, max), derivatives::within(grad, self, min, max)),
                 TENON_WRT((min), (grad, self, min, max), derivatives::lower_limit(grad, self, min, max)),
                 TENON_WRT((max), (grad, self, min, max), derivatives::upper_limit(grad, self, min, max)));
TENON_DERIVATIVE(clamp_min_base, TENON_WRT((self), (grad, self, min), derivatives::kept(self > min, grad)));
TENON_DERIVATIVE(clamp_min_Tensor, TENON_WRT((self), (grad, self, min), derivatives::within(grad, self, min, {})),
                 TENON_WRT((min), (grad, self, min), derivatives::lower_limit(grad, self, min, {})));
TENON_DERIVATIVE(clamp_max_base, TENON_WRT((self), (grad, self, max), derivatives::kept(self < max, grad)));
TENON_DERIVATIVE(clamp_max_Tensor, TENON_WRT((self), (grad, self, max), derivatives::within(grad, self, {}, max)),
                 TENON_WRT((max), (grad, self, max), derivatives::upper_limit(grad, self, {}, max)));

TENON_DERIVATIVE(sgn_base, TENON_WRT((self), (grad, self, result), derivatives::sgn_slope(grad, self, result)));
TENON_DERIVATIVE(round_decimals, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(nextafter_base, TENON_WRT((self), (grad, self, other), where(self == other, Scalar(0.0), grad)),
                 TENON_WRT((other), (grad), zeros_like(grad)));

TENON_NOT_DIFFERENTIABLE(signbit_base);
TENON_NOT_DIFFERENTIABLE(isnan_base);
TENON_NOT_DIFFERENTIABLE(isinf_base);
TENON_NOT_DIFFERENTIABLE(isfinite_base);
TENON_NOT_DIFFERENTIABLE(isposinf_base);
TENON_NOT_DIFFERENTIABLE(isneginf_base);
TENON_NOT_DIFFERENTIABLE(isreal_base);
TENON_NOT_DIFFERENTIABLE(logical_not_base);
TENON_NOT_DIFFERENTIABLE(logical_and_base);
TENON_NOT_DIFFERENTIABLE(logical_or_base);
TENON_NOT_DIFFERENTIABLE(logical_xor_base);

}  // namespace tenon::ops
