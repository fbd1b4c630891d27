// Products with a weight.
#pragma once
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

/// `input @ weight.T + bias`. Shapes: input (.., in), weight (out, in), bias (out); the result is (.., out).
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
/// `input1 @ weight[k] @ input2` for each k, plus bias. Shapes: (.., in1), (.., in2), weight (out, in1, in2).
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias = {});

}  // namespace tenon::nn::functional
