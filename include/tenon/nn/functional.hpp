// The functions behind the modules, with PyTorch's names and defaults.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

/// What becomes of a loss per element. The values are those of the operators' argument `reduction`.
enum class Reduction : std::int64_t { None = 0, Mean = 1, Sum = 2 };

namespace functional {

struct CrossEntropyOptions {
  std::optional<Tensor> weight = {};
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::Mean;
  double label_smoothing = 0;
};

/// `input @ weight.T + bias`. Shapes: input (.., in), weight (out, in), bias (out); the result is (.., out).
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
Tensor relu(const Tensor& input);
Tensor tanh(const Tensor& input);
Tensor sigmoid(const Tensor& input);

/// Softmax and negative log-likelihood in one.
/// Shapes: input (N, C, ..) scores; target (N, ..) classes of int64, or probabilities of the shape of `input`.
/// Dtypes: floating input; the result has its dtype. Errors: as the operator cross_entropy_loss.
Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyOptions& o = {});
/// The squared difference, its mean or its sum. Shapes: input and target broadcast, with a warning if they differ.
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean);

}  // namespace functional
}  // namespace tenon::nn
