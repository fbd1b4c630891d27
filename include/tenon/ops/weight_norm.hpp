// Weights by the norms of their slices, with these norms, and their gradients.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace weight_norm_family {

TENON_OPERATORS_OUT(_weight_norm_interface,
                    (base, "aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)",
                     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _weight_norm_interface_backward,
    (base,
     "aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    _weight_norm_differentiable_backward,
    "aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)");

}  // namespace weight_norm_family
}  // namespace tenon::ops
