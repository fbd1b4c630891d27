// Parts of the derivatives of elementwise operators. Gradients of broadcast arguments are summed to their shapes by the
// engine.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/autograd/graph/callback.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::ops::derivatives {

inline Tensor pow_self(const Tensor& grad, const Tensor& self, const Scalar& exponent) {
  if (exponent.equal(0)) return zeros_like(self);
  Scalar less = exponent.is_complex()        ? Scalar(exponent.to<Complex<double>>() - Complex<double>(1.0))
                : exponent.is_integral(true) ? Scalar(exponent.to_int() - 1)
                                             : Scalar(exponent.to_double() - 1);
  return mul(grad, conj_of(mul(pow(self, less), exponent)));
}
/// What a slope divides by where another one is taken at 0: finite, so that its own derivatives are numbers, too.
inline Tensor one_for_zero(const Tensor& x) { return where(x == 0, Scalar(1.0), x); }
inline Tensor pow_base(const Tensor& grad, const Tensor& self, const Tensor& exponent) {
  // A slope that is not taken is finite, so that the derivatives of this by `grad` are numbers, too.
  Tensor none = eq(exponent, 0), less = sub(where(none, Scalar(1), exponent), 1);
  return where(none, Scalar(0.0), mul(grad, conj_of(mul(exponent, pow(self, less)))));
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
/// `grad` where the condition holds, 0 elsewhere.
inline Tensor kept(const Tensor& condition, const Tensor& grad) { return where(condition, grad, Scalar(0.0)); }
/// 1 / sqrt(x² - 1). Of complex numbers by two roots, since that of the product is another branch in half of the plane.
inline Tensor acosh_slope(const Tensor& x) {
  return x.is_complex() ? mul(rsqrt(sub(x, 1)), rsqrt(add(x, 1))) : rsqrt(sub(mul(x, x), 1));
}
/// The part of `grad` for `a`, of which a number is chosen before not-a-number: all of it where the choice fell on `a`,
/// half of it where both are equal.
inline Tensor chosen_part(const Tensor& grad, const Tensor& a, const Tensor& b, bool a_is_larger) {
  Tensor shared = where(eq(a, b), div(grad, 2), grad);
  return kept(logical_or(a_is_larger ? ge(a, b) : le(a, b), isnan(b)), shared);
}
/// That for `b`, to which it goes as well if `a` alone is not-a-number.
inline Tensor other_part(const Tensor& grad, const Tensor& a, const Tensor& b, bool a_is_larger) {
  Tensor shared = where(eq(a, b), div(grad, 2), grad);
  return where(logical_or(a_is_larger ? gt(a, b) : lt(a, b), isnan(b)), Scalar(0.0), shared);
}
/// grad / (a² + b²), and 0 where both are 0.
inline Tensor over_squares(const Tensor& grad, const Tensor& a, const Tensor& b) {
  Tensor squares = add(mul(a, a), mul(b, b)), none = eq(squares, 0);
  return where(none, Scalar(0.0), mul(grad, reciprocal(where(none, Scalar(1.0), squares))));
}
inline Tensor sign_of(const Tensor& self) { return self.is_complex() ? sgn(self) : sign(self); }
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
  return where(logical_or(x < min, max < x), Scalar(0.0), where(at_limit, grad * 0.5, grad));
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
  Tensor none = eq(x, 0), size = where(none, Scalar(1.0), abs(x)), way = where(none, Scalar(1.0), direction);
  Tensor turned = grad / way, across = (turned + conj_physical(turned)) * 0.5;
  return where(none, Scalar(0.0), (grad - across * way) / size);
}
inline Tensor sinc_slope(const Tensor& grad, const Tensor& x) {
  constexpr double pi = 3.14159265358979323846;
  Tensor at = one_for_zero(x), p = at * pi;
  Tensor slope = (p * cos(p) - sin(p)) / (p * at);
  return where(x == 0, Scalar(0.0), grad * conj_of(slope));
}
// What the gradients of activations pass back to what was activated: second derivatives.
inline Tensor silu_bend(const Tensor& grad, const Tensor& x) {
  Tensor s = sigmoid(x);
  return grad * (s * (1 - s) * (x * (1 - s * 2) + 2));
}
inline Tensor gelu_bend(const Tensor& grad, const Tensor& x, std::string_view approximate) {
  if (approximate == "tanh") {
    constexpr double k = 0.79788456080286535588, c = 0.044715;
    Tensor t = tanh((x + x * x * x * c) * k), inner = (x * x * (3 * c) + 1) * k, flat = 1 - t * t;
    return grad * (flat * (inner + x * 0.5 * (x * (6 * c * k) - t * inner * inner * 2)));
  }
  Tensor density = exp(x * x * -0.5) * 0.39894228040143267794;
  return grad * (density * (2 - x * x));
}
inline Tensor logit_bend(const Tensor& grad, const Tensor& x, const std::optional<double>& eps) {
  Tensor rest = x * (1 - x), slope = grad * (x * 2 - 1) / (rest * rest);
  if (!eps || *eps < 0)
    return where(logical_and(x >= 0, x <= 1), slope, Scalar(std::numeric_limits<double>::quiet_NaN()));
  return kept(logical_and(x >= *eps, x <= 1 - *eps), slope);
}
inline Tensor softplus_bend(const Tensor& grad, const Tensor& x, const Scalar& beta, const Scalar& threshold) {
  Tensor s = sigmoid(x * beta);
  return where(x * beta > threshold, Scalar(0.0), grad * (s * (1 - s)) * beta);
}
inline Tensor mish_bend(const Tensor& grad, const Tensor& x) {
  Tensor t = tanh(log1p(exp(x))), s = sigmoid(x), flat = 1 - t * t;
  return grad * (flat * s * (2 + x * (1 - s - t * s * 2)));
}
inline Tensor elu_bend(const Tensor& grad, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                       bool is_result, const Tensor& x) {
  if (is_result) return kept(x < 0, grad * input_scale);
  double below = alpha.to_double() * scale.to_double() * input_scale.to_double() * input_scale.to_double();
  return kept(x < 0, grad * exp(x * input_scale) * below);
}
/// Of the first argument: refused if it is asked for.
inline Tensor none_of(const Tensor&, std::string_view name) {
  if (!autograd::run_asks_for_edge(0)) return Tensor();
  fail<NotImplementedError>("the derivative for '", name, "' is not implemented.");
}
/// x^(a - 1) e^-x / gamma(a).
inline Tensor gamma_density(const Tensor& grad, const Tensor& a, const Tensor& x) {
  return grad * exp((a - 1) * log(x) - x - lgamma(a));
}
/// The normal density over its distribution. Each form stays finite where the other one is taken, and so do its
/// derivatives: beyond 37 erfcx overflows, below -38 the density is 0.
inline Tensor log_ndtr_slope(const Tensor& grad, const Tensor& x) {
  Tensor density = exp(x * x * -0.5) * 0.39894228040143267794;
  Tensor right = density / special_ndtr(clamp_min(x, -2.0));
  Tensor left = 0.79788456080286535588 / special_erfcx(clamp_max(x, 0.0) * -0.70710678118654752440);
  return grad * where(x > -1, right, left);
}
inline Tensor mvlgamma_slope(const Tensor& grad, const Tensor& x, std::int64_t p) {
  Tensor slope = digamma(x);
  for (std::int64_t j = 1; j < p; ++j) slope = slope + digamma(x - 0.5 * static_cast<double>(j));
  return grad * slope;
}
inline Tensor scaled_by_weight(const Tensor& grad, const Scalar& weight, bool rest) {
  if (!rest) return grad * weight.conj();
  return weight.is_complex() ? grad * Scalar(Complex<double>(1.0) - weight.conj().to<Complex<double>>())
                             : grad * (1 - weight.to_double());
}

}  // namespace tenon::ops::derivatives
