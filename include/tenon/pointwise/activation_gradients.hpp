// Rows of the gradients of activation functions, which are operators themselves: one pass, rounded once.
#pragma once
#include <tenon/math/limited.hpp>
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

// What an integer or complex operand is told, in the words of PyTorch's kernels.
TENON_COMPUTES(
    silu_backward_base, over::fast_float_or_complex, (grad_output, self), (),
    (grad_output * math::sigmoid(self) * (decltype(self)(1) + self * (decltype(self)(1) - math::sigmoid(self)))),
    named<"silu_backward_cpu">,
    TENON_WRT((grad_output), (grad, self), (silu_backward(grad, derivatives::conj_of(self)))),
    TENON_WRT((self), (grad, grad_output, self),
              (derivatives::silu_bend(grad * derivatives::conj_of(grad_output), derivatives::conj_of(self)))));
TENON_FORMULA(gelu_backward, over::fast_float, (grad_output, self), (),
              (grad_output * (math::ndtr(self) + self * (math::exp(self * self * -0.5) * 0.39894228040143267794))));
TENON_FORMULA(gelu_tanh_backward, over::fast_float, (grad_output, self), (),
              (grad_output * math::gelu_tanh_slope(self)));
TENON_COMPUTES_BY(gelu_backward_base,
                  TENON_WHEN((approximate), (approximate == "none"), gelu_backward_formula, (grad_output, self), ()),
                  TENON_WHEN((approximate), (approximate == "tanh"), gelu_tanh_backward_formula, (grad_output, self),
                             ()),
                  refuse<checks::approximate>, named<"GeluBackwardKernelImpl">,
                  TENON_WRT((grad_output), (grad, self, approximate),
                            (gelu_backward(grad, self, "approximate"_a = approximate))),
                  TENON_WRT((self), (grad, grad_output, self, approximate),
                            (derivatives::gelu_bend(grad * grad_output, self, approximate))));
TENON_COMPUTES(mish_backward_base, over::floating, (grad_output, self), (), (grad_output * math::mish_slope(self)),
               named<"mish_backward_cpu">, TENON_WRT((grad_output), (grad, self), (mish_backward(grad, self))),
               TENON_WRT((self), (grad, grad_output, self), (derivatives::mish_bend(grad * grad_output, self))));
TENON_COMPUTES(
    hardswish_backward_base, over::floating, (grad_output, self), (),
    (math::select(self <= decltype(self)(-3), decltype(self)(0),
                  math::select(self < decltype(self)(3), grad_output*(self / 3 + decltype(self)(0.5)), grad_output))),
    named<"hardswish_backward_cpu">, TENON_WRT((grad_output), (grad, self), (hardswish_backward(grad, self))),
    TENON_WRT((self), (grad, grad_output, self),
              (derivatives::kept(logical_and(self > -3, self < 3), grad*(grad_output / 3)))));
TENON_COMPUTES(hardsigmoid_backward_base, over::floating, (grad_output, self), (),
               (math::select((self > decltype(self)(-3)) & (self < decltype(self)(3)), grad_output / 6,
                             decltype(self)(0))),
               named<"hardsigmoid_backward">,
               TENON_WRT((grad_output), (grad, self), (hardsigmoid_backward(grad, self))),
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(log_sigmoid_backward_base, over::floating, (grad_output, self, buffer), (),
               (grad_output * (math::select(self < decltype(self)(0), decltype(self)(1), decltype(self)(0)) -
                               math::select(self < decltype(self)(0), decltype(self)(1), decltype(self)(-1)) *
                                   (buffer / (decltype(self)(1) + buffer)))),
               named<"log_sigmoid_backward_cpu">,
               TENON_WRT((grad_output), (grad, self, buffer), (log_sigmoid_backward(grad, self, buffer))),
               TENON_WRT((self), (grad, grad_output, self), (-(grad * grad_output) * (sigmoid(self) * sigmoid(-self)))),
               // A number that follows from self, which has its part.
               TENON_WRT((buffer), (grad), (zeros_like(grad))));
TENON_COMPUTES(softplus_backward_base, over::floating, (grad_output, self), (beta, threshold),
               (math::select(self * beta > decltype(self)(threshold), grad_output,
                             grad_output*(math::exp(self* beta) / (math::exp(self * beta) + decltype(self)(1))))),
               check<checks::numbers>, named<"softplus_backward_cpu">,
               TENON_WRT((grad_output), (grad, self, beta, threshold),
                         (softplus_backward(grad, self, beta, threshold))),
               TENON_WRT((self), (grad, grad_output, self, beta, threshold),
                         (derivatives::softplus_bend(grad * grad_output, self, beta, threshold))));
// Hard and soft shrinking differ in what they keep, not in its slope.
TENON_FORMULA_OF(shrink_backward, over::fast_float, E, (grad, self), (lambd),
                 (math::hard_shrunk(grad, self, math::rounded<E>(decltype(self)(lambd)))));
TENON_COMPUTES_BY(softshrink_backward_base, TENON_ELSE(shrink_backward_formula, (grad_output, self), (lambd)),
                  check<checks::numbers>, named<"shrink_backward_cpu">,
                  TENON_WRT((grad_output), (grad, self, lambd), (softshrink_backward(grad, self, lambd))),
                  TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES_BY(hardshrink_backward_base, TENON_ELSE(shrink_backward_formula, (grad_out, self), (lambd)),
                  check<checks::numbers>, named<"shrink_backward_cpu">,
                  TENON_WRT((grad_out), (grad, self, lambd), (hardshrink_backward(grad, self, lambd))),
                  TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(hardtanh_backward_base, over::floating, (grad_output, self), (min_val, max_val),
               (math::select((self <= decltype(self)(min_val)) | (self >= decltype(self)(max_val)), decltype(self)(0),
                             grad_output)),
               check<checks::numbers>, named<"hardshrink_backward_cpu">,
               TENON_WRT((grad_output), (grad, self, min_val, max_val),
                         (hardtanh_backward(grad, self, min_val, max_val))),
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(leaky_relu_backward_base, over::fast_float, (grad_output, self), (negative_slope),
               (math::select(self > decltype(self)(0), grad_output, grad_output* negative_slope)),
               check<checks::slope_of_result>, named<"leaky_relu_backward_cpu">,
               TENON_WRT((grad_output), (grad, self, negative_slope),
                         (leaky_relu_backward(grad, self, negative_slope, false))),
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_FORMULA(elu_backward, over::floating, (grad_output, self), (alpha, scale, input_scale),
              (math::select(self <= decltype(self)(0),
                            grad_output* input_scale*(alpha* scale) * math::exp(self * input_scale),
                            grad_output* scale)));
TENON_FORMULA(elu_backward_of_result, over::floating, (grad_output, result), (alpha, scale, input_scale),
              (math::select(result <= decltype(result)(0), grad_output* input_scale*(result + alpha * scale),
                            grad_output* scale)));
TENON_COMPUTES_BY(elu_backward_base,
                  TENON_WHEN((is_result), (!is_result.equal(0)), elu_backward_of_result_formula,
                             (grad_output, self_or_result), (alpha, scale, input_scale)),
                  TENON_ELSE(elu_backward_formula, (grad_output, self_or_result), (alpha, scale, input_scale)),
                  check<checks::alpha_of_result>, named<"elu_backward_cpu">,
                  TENON_WRT((grad_output), (grad, alpha, scale, input_scale, is_result, self_or_result),
                            (elu_backward(grad, alpha, scale, input_scale, is_result, self_or_result))),
                  TENON_WRT((self_or_result), (grad, grad_output, alpha, scale, input_scale, is_result, self_or_result),
                            (derivatives::elu_bend(grad * grad_output, alpha, scale, input_scale, is_result,
                                                   self_or_result))));

}  // namespace tenon::ops
