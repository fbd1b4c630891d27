// The functions behind the normalising layers, in PyTorch's order of arguments: running statistics come before the
// scale and the shift, which the operators of these names take first.
#pragma once
#include <cstdint>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

/// Every channel to mean 0 and variance 1: those of the batch in training, which move the running ones by `momentum`,
/// else the running ones. Undefined tensors are left out. Shapes: input (N, C, ..), all others (C).
/// Errors: ValueError for one value per channel in training, and for an `eps` below 0, or of 0 in training.
Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var, const Tensor& weight = {},
                  const Tensor& bias = {}, bool training = false, double momentum = 0.1, double eps = 1e-5);
/// The same for every channel of each example. Errors: ValueError for one element of it in training.
Tensor instance_norm(const Tensor& input, const Tensor& running_mean = {}, const Tensor& running_var = {},
                     const Tensor& weight = {}, const Tensor& bias = {}, bool use_input_stats = true,
                     double momentum = 0.1, double eps = 1e-5);
/// Divides by a power of the squares of `size` neighbouring channels. Shapes: input (N, C, L..).
/// Errors: ValueError for fewer than three dimensions.
Tensor local_response_norm(const Tensor& input, std::int64_t size, double alpha = 1e-4, double beta = 0.75,
                           double k = 1);

}  // namespace tenon::nn::functional
