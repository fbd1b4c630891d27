// The functions behind the activation layers, with PyTorch's names and defaults.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

// Elementwise; shapes and dtypes stay. With `inplace` the argument is written and given back.
Tensor relu(const Tensor& input, bool inplace = false);
Tensor relu6(const Tensor& input, bool inplace = false);
Tensor elu(const Tensor& input, double alpha = 1, bool inplace = false);
Tensor selu(const Tensor& input, bool inplace = false);
Tensor celu(const Tensor& input, double alpha = 1, bool inplace = false);
/// `approximate` is "none" or "tanh".
Tensor gelu(const Tensor& input, std::string_view approximate = "none");
Tensor silu(const Tensor& input, bool inplace = false);
Tensor mish(const Tensor& input, bool inplace = false);
Tensor hardswish(const Tensor& input, bool inplace = false);
Tensor hardsigmoid(const Tensor& input, bool inplace = false);
Tensor hardtanh(const Tensor& input, double min_val = -1, double max_val = 1, bool inplace = false);
Tensor hardshrink(const Tensor& input, double lambd = 0.5);
Tensor softshrink(const Tensor& input, double lambd = 0.5);
Tensor softplus(const Tensor& input, double beta = 1, double threshold = 20);
Tensor softsign(const Tensor& input);
Tensor sigmoid(const Tensor& input);
Tensor logsigmoid(const Tensor& input);
Tensor tanh(const Tensor& input);
Tensor tanhshrink(const Tensor& input);
Tensor leaky_relu(const Tensor& input, double negative_slope = 0.01, bool inplace = false);
/// The input where it exceeds `threshold`, else `value`.
Tensor threshold(const Tensor& input, double threshold, double value, bool inplace = false);
/// Slopes of negative elements are drawn from [lower, upper) in training, and are their mean otherwise.
Tensor rrelu(const Tensor& input, double lower = 1.0 / 8, double upper = 1.0 / 3, bool training = false,
             bool inplace = false);
/// Shapes: weight has one element, or one for each channel, the input's dimension 1.
Tensor prelu(const Tensor& input, const Tensor& weight);

// Along a dimension. Without `dim` it is the first of 0-, 1- and 3-dimensional inputs and the second of others.
Tensor glu(const Tensor& input, std::int64_t dim = -1);
Tensor softmax(const Tensor& input, const std::optional<std::int64_t>& dim = std::nullopt,
               const std::optional<ScalarType>& dtype = std::nullopt);
Tensor log_softmax(const Tensor& input, const std::optional<std::int64_t>& dim = std::nullopt,
                   const std::optional<ScalarType>& dtype = std::nullopt);
Tensor softmin(const Tensor& input, const std::optional<std::int64_t>& dim = std::nullopt,
               const std::optional<ScalarType>& dtype = std::nullopt);
/// Samples of the distribution whose logarithms are given, softened by the temperature `tau`; `hard`: of ones and
/// zeros, with the gradient of the soft ones. Drawn anew at each call. `eps` has no effect, and another one than its
/// default warns, as in PyTorch. Source: https://arxiv.org/abs/1611.00712
Tensor gumbel_softmax(const Tensor& logits, double tau = 1, bool hard = false, double eps = 1e-10,
                      std::int64_t dim = -1);
/// Over the channels of (N, C, H, W) or (C, H, W). Throws ValueError for other ranks.
Tensor softmax2d(const Tensor& input);

}  // namespace tenon::nn::functional
