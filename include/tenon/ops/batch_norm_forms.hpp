// Batch normalisation in the forms that compiled graphs call, with what other back ends reserve for the gradient.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace batch_norm_forms_family {

TENON_OPERATORS_OUT(
    _batch_norm_no_update,
    (base,
     "aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    _batch_norm_with_update_functional,
    (base,
     "aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
     Tag::generated));
// Moves the running statistics; gives mean and variance of this batch.
TENON_OPERATORS_OUT(
    batch_norm_update_stats,
    (base,
     "aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum) -> (Tensor, Tensor)",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    batch_norm_backward,
    "aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] output_mask, Tensor reserve) -> (Tensor, Tensor, Tensor)");

}  // namespace batch_norm_forms_family
}  // namespace tenon::ops
