// Where elements are not zero, and the elements that a mask selects.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(nonzero_base, "aten::nonzero(Tensor self) -> Tensor");
TENON_FUNCTION(nonzero, nonzero_base, nonzero_base_out);
TENON_OPERATOR_OUT(nonzero_static_base,
                   "aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor");
TENON_FUNCTION(nonzero_static, nonzero_static_base, nonzero_static_base_out);
TENON_OPERATOR(nonzero_numpy_base, "aten::nonzero_numpy(Tensor self) -> Tensor[]");
TENON_FUNCTION(nonzero_numpy, nonzero_numpy_base);
TENON_OPERATOR(argwhere_base, "aten::argwhere(Tensor self) -> Tensor");
TENON_FUNCTION(argwhere, argwhere_base);
TENON_OPERATOR_OUT(masked_select_base, "aten::masked_select(Tensor self, Tensor mask) -> Tensor");
TENON_FUNCTION(masked_select, masked_select_base, masked_select_base_out);
TENON_OPERATOR(masked_select_backward_base,
               "aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor");
TENON_FUNCTION(masked_select_backward, masked_select_backward_base);

}  // namespace tenon::ops
