// Products with a weight.
#pragma once
#include <optional>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

/// `input @ weight.T + bias`. Shapes: input (.., in), weight (out, in), bias (out); the result is (.., out).
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
/// `input1 @ weight[k] @ input2` for each k, plus bias. Shapes: (.., in1), (.., in2), weight (out, in1, in2).
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias = {});

struct GroupedMmOptions {
  Tensor offs = {};  ///< of int32: where each group of a two-dimensional operand ends
  Tensor bias = {};
  std::optional<ScalarType> out_dtype = {};
};
/// A product for each group of rows or columns, as in a mixture of experts. Both are matrices or batches of them.
Tensor grouped_mm(const Tensor& mat_a, const Tensor& mat_b, const GroupedMmOptions& o = {});

}  // namespace tenon::nn::functional
