// Where elements are not zero, and the elements that a mask selects.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(nonzero, "aten::nonzero(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(nonzero_static, "aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor");
TENON_OPERATORS_PLAIN(nonzero_numpy, "aten::nonzero_numpy(Tensor self) -> Tensor[]");
TENON_OPERATORS_PLAIN(argwhere, "aten::argwhere(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(masked_select, "aten::masked_select(Tensor self, Tensor mask) -> Tensor");
TENON_OPERATORS_PLAIN(masked_select_backward,
                      "aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor");

}  // namespace tenon::ops
