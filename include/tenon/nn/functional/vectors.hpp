// Vectors of length one, and vectors that stand for classes.
#pragma once
#include <cstdint>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

/// Divides by the p-norm over `dim`, or by `eps` where the norm is smaller.
Tensor normalize(const Tensor& input, double p = 2, std::int64_t dim = 1, double eps = 1e-12);
/// 1 at each class, 0 elsewhere, along a new last dimension. Errors: ValueError where a class is out of range.
Tensor one_hot(const Tensor& classes, std::int64_t num_classes = -1);

}  // namespace tenon::nn::functional
