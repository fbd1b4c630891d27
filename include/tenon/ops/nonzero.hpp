// Where elements are not zero, and the elements that a mask selects.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace nonzero_family {

TENON_OPERATORS_OUT(nonzero,
                    (base, "aten::nonzero(Tensor self) -> Tensor", with_method, Tag::core, Tag::dynamic_output_shape));
TENON_OPERATORS_OUT(nonzero_static,
                    (base, "aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor",
                     with_method));
TENON_OPERATORS_PLAIN(nonzero_numpy, (base, "aten::nonzero_numpy(Tensor self) -> Tensor[]", with_method));
TENON_OPERATORS_PLAIN(argwhere,
                      (base, "aten::argwhere(Tensor self) -> Tensor", with_method, Tag::dynamic_output_shape));
TENON_OPERATORS_OUT(masked_select, (base, "aten::masked_select(Tensor self, Tensor mask) -> Tensor", with_method,
                                    Tag::dynamic_output_shape));
TENON_OPERATORS_PLAIN(masked_select_backward,
                      (base, "aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor",
                       no_device_check, no_device_guard));

}  // namespace nonzero_family
}  // namespace tenon::ops
