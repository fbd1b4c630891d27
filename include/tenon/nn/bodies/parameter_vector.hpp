// Tensors joined and taken apart.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/parameter_vector.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::utils {

TENON_BODY Tensor parameters_to_vector(const std::vector<Tensor>& parameters) {
  TENON_CHECK(!parameters.empty(), ValueError, "parameters_to_vector(): expected a tensor, got none");
  std::vector<Tensor> parts;
  for (const Tensor& p : parameters) {
    TENON_CHECK(p.device() == parameters[0].device(), ValueError,
                "Found two parameters on different devices, this is currently not supported.");
    parts.push_back(ops::reshape(p, {-1}));
  }
  return ops::cat(parts);
}
TENON_BODY void vector_to_parameters(const Tensor& vector, const std::vector<Tensor>& parameters) {
  std::int64_t count = 0;
  for (const Tensor& p : parameters) count += p.numel();
  TENON_CHECK(vector.dim() == 1 && vector.size(0) == count, ValueError, "vector_to_parameters(): expected a vector of ",
              count, " elements, got shape ", vector.sizes());
  NoGradGuard no_grad;
  std::int64_t at = 0;
  for (Tensor p : parameters) {
    ops::copy_(p, ops::view(ops::narrow(vector, 0, at, p.numel()), p.sizes()));
    at += p.numel();
  }
}

}  // namespace tenon::nn::utils
