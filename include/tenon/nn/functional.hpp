// The functions behind the modules, with PyTorch's names and defaults.
#pragma once
#include <optional>

#include <tenon/autograd/engine.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/pointwise.hpp>

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
inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) {
  return ops::linear(input, weight, bias.defined() ? std::optional<Tensor>(bias) : std::nullopt);
}
inline Tensor relu(const Tensor& input) { return ops::relu(input); }
inline Tensor tanh(const Tensor& input) { return ops::tanh(input); }
inline Tensor sigmoid(const Tensor& input) { return ops::sigmoid(input); }

/// Softmax and negative log-likelihood in one.
/// Shapes: input (N, C, ..) scores; target (N, ..) classes of int64, or probabilities of the shape of `input`.
/// Dtypes: floating input; the result has its dtype. Errors: as the operator cross_entropy_loss.
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyOptions& o = {}) {
  return ops::cross_entropy_loss(input, target, o.weight, static_cast<std::int64_t>(o.reduction), o.ignore_index,
                                 o.label_smoothing);
}
/// The squared difference, its mean or its sum. Shapes: input and target broadcast.
inline Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean) {
  return ops::mse_loss(input, target, static_cast<std::int64_t>(reduction));
}

}  // namespace functional
}  // namespace tenon::nn
