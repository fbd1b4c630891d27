// Keeping gradients small: torch.nn.utils.clip_grad_norm_ and clip_grad_value_.
#pragma once
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::utils {

/// The norm of all tensors as one vector; a zero where there are none. `norm_type` may be infinite.
/// Errors: ValueError with `error_if_nonfinite` if it is not finite.
Tensor get_total_norm(const std::vector<Tensor>& tensors, double norm_type = 2.0, bool error_if_nonfinite = false);
/// Scales the gradients of the parameters that have one in place, so that their norm together is at most `max_norm`.
/// Returns the norm before. Errors: as get_total_norm().
/// Cost: two passes over the gradients.
Tensor clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);
/// The scaling of clip_grad_norm_() by a norm that is known.
void clip_grads_with_norm_(const std::vector<Tensor>& parameters, double max_norm, const Tensor& total_norm);
/// Cuts every element of the gradients to [-clip_value, clip_value], in place.
void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value);

}  // namespace tenon::nn::utils
