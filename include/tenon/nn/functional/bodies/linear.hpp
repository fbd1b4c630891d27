// Products with a weight, by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/linear.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/tensor_products.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return ops::linear(input, weight, nn::detail::if_defined(bias));
}
TENON_BODY Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias) {
  return ops::bilinear(input1, input2, weight, nn::detail::if_defined(bias));
}

}  // namespace tenon::nn::functional
