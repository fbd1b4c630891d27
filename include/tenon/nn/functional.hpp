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

/// Divides by the p-norm over `dim`, or by `eps` where the norm is smaller.
Tensor normalize(const Tensor& input, double p = 2, std::int64_t dim = 1, double eps = 1e-12);
/// 1 at each class, 0 elsewhere, along a new last dimension. Errors: ValueError where a class is out of range.
Tensor one_hot(const Tensor& classes, std::int64_t num_classes = -1);

struct AttentionOptions {
  std::optional<Tensor> attn_mask = {};  ///< of bool: what takes part; else added to the scores
  double dropout_p = 0;
  bool is_causal = false;
  std::optional<double> scale = {};  ///< one by the square root of the width if left out
  bool enable_gqa = false;
};
/// softmax(query @ key.T * scale + mask) @ value.
/// Shapes: query (.., L, E), key (.., S, E), value (.., S, V); the result is (.., L, V).
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionOptions& o = {});

}  // namespace functional
}  // namespace tenon::nn
