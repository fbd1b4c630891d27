// Further views: sliding windows, and the same bytes as another dtype.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR(unfold_base, "aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)");
TENON_FUNCTION(unfold, unfold_base);
TENON_OPERATOR_OUT(
    unfold_backward_base,
    "aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor");
TENON_FUNCTION(unfold_backward, unfold_backward_base, unfold_backward_base_out);
TENON_OPERATOR(view_dtype, "aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)");

}  // namespace tenon::ops
