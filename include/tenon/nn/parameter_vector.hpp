// All parameters in one vector: torch.nn.utils.parameters_to_vector and vector_to_parameters.
#pragma once
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::utils {

/// The elements of all tensors in one dimension, in their order; it is recorded, so that gradients reach them.
/// Errors: ValueError without a tensor, and for tensors on different devices.
Tensor parameters_to_vector(const std::vector<Tensor>& parameters);
/// Copies the elements of a vector into tensors, in their order. Errors: ValueError unless it has as many as they.
void vector_to_parameters(const Tensor& vector, const std::vector<Tensor>& parameters);

}  // namespace tenon::nn::utils
