// Derivatives of distributions and dropout: random numbers do not depend on what they overwrite.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

inline double dropout_scale(double p, std::optional<bool> train) {
  if (train && !*train) return 1;
  return p == 1 ? 0 : 1 / (1 - p);
}
/// As `native_dropout_backward`, of operators that can be differentiated again.
inline Tensor dropout_gradient(const Tensor& grad, const Tensor& mask, double scale) {
  return mul(mul(grad, mask), Scalar(scale));
}

}  // namespace derivatives

TENON_DERIVATIVE(exponential_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(exponential_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(geometric_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(geometric_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(cauchy_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(cauchy_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(log_normal_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(log_normal_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(bernoulli_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(bernoulli_p, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(bernoulli_Tensor, TENON_WRT((self), (grad), zeros_like(grad)),
                 TENON_WRT((p), (grad, p_sizes), new_zeros(grad, p_sizes)));
TENON_DERIVATIVE(bernoulli_float_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(bernoulli_Tensor_, TENON_WRT((self), (grad), zeros_like(grad)),
                 TENON_WRT((p), (grad, p_sizes), new_zeros(grad, p_sizes)));
TENON_DERIVATIVE(normal_Tensor_float, TENON_WRT((mean), (grad, mean_sizes), new_zeros(grad, mean_sizes)));
TENON_DERIVATIVE(normal_float_Tensor, TENON_WRT((std), (grad, std_sizes), new_zeros(grad, std_sizes)));
TENON_DERIVATIVE(normal_Tensor_Tensor, TENON_WRT((mean), (grad, mean_sizes), new_zeros(grad, mean_sizes)),
                 TENON_WRT((std), (grad, std_sizes), new_zeros(grad, std_sizes)));
TENON_DERIVATIVE(poisson_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(_standard_gamma_base,
                 TENON_WRT((self), (grad, self, result), mul(grad, _standard_gamma_grad(self, result))));
TENON_NOT_DIFFERENTIABLE(multinomial_base);
TENON_NOT_DIFFERENTIABLE(randint_like_generator);
TENON_NOT_DIFFERENTIABLE(randint_like_low_generator_dtype);
TENON_DERIVATIVE(native_dropout_base,
                 TENON_WRT((input), (grad, result1, p, train),
                           derivatives::dropout_gradient(grad, result1, derivatives::dropout_scale(p, train))));
TENON_DERIVATIVE(native_dropout_backward_base,
                 TENON_WRT((grad_output), (grad, mask, scale), derivatives::dropout_gradient(grad, mask, scale)));
TENON_DERIVATIVE(rrelu_with_noise_functional_base,
                 TENON_WRT((self), (grad, self, result1, lower, upper, training),
                           rrelu_with_noise_backward(grad, self, result1.detach(), lower, upper, training, false)));
TENON_DERIVATIVE(rrelu_with_noise_backward_base,
                 TENON_WRT((grad_output), (grad, self, noise, lower, upper, training, self_is_result),
                           rrelu_with_noise_backward(grad, self, noise, lower, upper, training, self_is_result)),
                 TENON_WRT((self), (self), zeros_like(self)));

}  // namespace tenon::ops
