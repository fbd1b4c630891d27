// Rows of activation functions.
#pragma once
#include <tenon/math/limited.hpp>
#include <tenon/pointwise/activation_gradients.hpp>
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

TENON_COMPUTES(sigmoid_base, over::fast_float_or_complex, (self), (), (math::sigmoid(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (sigmoid_backward(grad, result))));
TENON_COMPUTES(relu_base, over::fast_real, (self), (), (math::maximum(decltype(self)(0), self)), check<checks::relu>,
               TENON_WRT((self), (grad, result), (threshold_backward(grad, result, 0))));
TENON_FORMULA_OF(sigmoid_backward, over::fast_float_or_complex, E, (grad_output, output), (),
                 (math::sigmoid_backward<E>(grad_output, output)));
TENON_COMPUTES_BY(sigmoid_backward_base, TENON_ELSE(sigmoid_backward_formula, (grad_output, output), ()),
                  TENON_WRT((grad_output), (grad, output), (sigmoid_backward(grad, derivatives::conj_of(output)))),
                  TENON_WRT((output), (grad, grad_output, output),
                            (mul(mul(derivatives::conj_of(grad), grad_output),
                                 add(mul(derivatives::conj_of(output), -2), 1)))));
TENON_COMPUTES(tanh_backward_base, over::float_or_complex, (grad_output, output), (),
               (grad_output * math::conj(decltype(output)(1) - output * output)),
               TENON_WRT((grad_output), (grad, output), (tanh_backward(grad, derivatives::conj_of(output)))),
               TENON_WRT((output), (grad, grad_output, output),
                         (mul(derivatives::conj_of(grad), mul(mul(derivatives::conj_of(output), -2), grad_output)))));
TENON_COMPUTES(threshold_base, over::fast_real, (self), (threshold, value),
               (math::select(self <= decltype(self)(threshold), decltype(self)(value), self)), check<checks::numbers>,
               cast<OutputCast::Allowed>,
               TENON_WRT((self), (grad, self, threshold), (threshold_backward(grad, self, threshold))));
TENON_COMPUTES(threshold_backward_base, over::fast_real, (grad_output, self), (threshold),
               (math::select(self <= decltype(self)(threshold), decltype(grad_output)(0), grad_output)),
               TENON_WRT((grad_output), (grad, self, threshold), (threshold_backward(grad, self, threshold))),
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(silu_base, over::fast_float_or_complex, (self), (), (self / (decltype(self)(1) + math::exp(-self))),
               TENON_WRT((self), (grad, self), (silu_backward(grad, derivatives::conj_of(self)))));
TENON_COMPUTES(mish_base, over::floating, (self), (), (self * math::tanh(math::log1p(math::exp(self)))),
               TENON_WRT((self), (grad, self), (mish_backward(grad, self))));
TENON_COMPUTES(hardswish_base, over::floating, (self), (),
               (self * math::minimum(math::maximum(self + 3, decltype(self)(0)), decltype(self)(6)) / 6),
               TENON_WRT((self), (grad, self), (hardswish_backward(grad, self))));
TENON_COMPUTES(hardsigmoid_base, over::floating, (self), (),
               (math::minimum(math::maximum(self + 3, decltype(self)(0)), decltype(self)(6)) / 6),
               TENON_WRT((self), (grad, self), (hardsigmoid_backward(grad, self))));
TENON_COMPUTES(log_sigmoid_base, over::floating, (self), (),
               (math::minimum(self, decltype(self)(0)) - math::log1p(math::exp(-math::abs(self)))), row_major,
               TENON_WRT((self), (grad, self), (log_sigmoid_backward(grad, self, exp(-abs(self))))));
TENON_COMPUTES(softplus_base, over::floating, (self), (beta, threshold),
               (math::select(self * beta > decltype(self)(threshold), self, math::log1p(math::exp(self* beta)) / beta)),
               check<checks::numbers>,
               TENON_WRT((self), (grad, self, beta, threshold), (softplus_backward(grad, self, beta, threshold))));
// The limits of shrinking are elements of the tensor's type.
TENON_FORMULA_OF(softshrink, over::fast_float, E, (self), (lambd),
                 (math::soft_shrunk(self, math::rounded<E>(decltype(self)(lambd)))));
TENON_COMPUTES_BY(softshrink_base, TENON_ELSE(softshrink_formula, (self), (lambd)), check<checks::shrinking>,
                  TENON_WRT((self), (grad, self, lambd), (softshrink_backward(grad, self, lambd))));
TENON_FORMULA_OF(hardshrink, over::fast_float, E, (self), (lambd),
                 (math::hard_shrunk(self, self, math::rounded<E>(decltype(self)(lambd)))));
TENON_COMPUTES_BY(hardshrink_base, TENON_ELSE(hardshrink_formula, (self), (lambd)), check<checks::numbers>,
                  TENON_WRT((self), (grad, self, lambd), (hardshrink_backward(grad, self, lambd))));
TENON_COMPUTES(leaky_relu_base, over::fast_float, (self), (negative_slope),
               (math::select(self > decltype(self)(0), self, self* negative_slope)), check<checks::numbers>,
               TENON_WRT((self), (grad, self, negative_slope),
                         (leaky_relu_backward(grad, self, negative_slope, false))),
               in_place(TENON_WRT((self), (grad, result, negative_slope),
                                  (leaky_relu_backward(grad, result, negative_slope, true)))));
TENON_COMPUTES(_prelu_kernel_base, over::fast_float, (self, weight), (),
               (math::select(self > decltype(self)(0), self, self* weight)),
               TENON_WRT((self, weight), (grad, self, weight), (_prelu_kernel_backward(grad, self, weight))));
TENON_COMPUTES(elu_base, over::floating, (self), (alpha, scale, input_scale),
               (math::select(self <= decltype(self)(0), math::expm1(self* input_scale) * (alpha * scale), self* scale)),
               check<checks::numbers>,
               TENON_WRT((self), (grad, self, alpha, scale, input_scale),
                         (elu_backward(grad, alpha, scale, input_scale, false, self))),
               in_place(TENON_WRT((self), (grad, result, alpha, scale, input_scale),
                                  (elu_backward(grad, alpha, scale, input_scale, true, result)))));
TENON_COMPUTES(hardtanh_base, over::fast_real, (self), (min_val, max_val),
               (math::minimum(decltype(self)(max_val), math::maximum(decltype(self)(min_val), self))),
               check<checks::limits<0>>,
               TENON_WRT((self), (grad, self, min_val, max_val), (hardtanh_backward(grad, self, min_val, max_val))));
TENON_FORMULA(gelu, over::fast_float, (self), (), (self * math::ndtr(self)));
TENON_FORMULA(gelu_tanh, over::fast_float, (self), (),
              (self * 0.5 *
               (decltype(self)(1) + math::tanh((self + self * self * self * 0.044715) * 0.79788456080286535588))));
TENON_COMPUTES_BY(gelu_base, TENON_WHEN((approximate), (approximate == "none"), gelu_formula, (self), ()),
                  TENON_WHEN((approximate), (approximate == "tanh"), gelu_tanh_formula, (self), ()),
                  refuse<checks::approximate>,
                  TENON_WRT((self), (grad, self, approximate),
                            (gelu_backward(grad, self, "approximate"_a = approximate))));

}  // namespace tenon::ops
