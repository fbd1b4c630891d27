// Products with a weight, by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/linear.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/ops/grouped_mm.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/tensor_products.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return ops::linear(input, weight, nn::detail::if_defined(bias));
}
TENON_BODY Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias) {
  return ops::bilinear(input1, input2, weight, nn::detail::if_defined(bias));
}
TENON_BODY Tensor grouped_mm(const Tensor& mat_a, const Tensor& mat_b, const GroupedMmOptions& o) {
  return ops::_grouped_mm(mat_a, mat_b, nn::detail::if_defined(o.offs), nn::detail::if_defined(o.bias), o.out_dtype);
}

}  // namespace tenon::nn::functional
