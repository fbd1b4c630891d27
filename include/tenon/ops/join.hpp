// Joining tensors.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(cat, (base, "aten::cat(Tensor[] tensors, int dim=0) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(stack, "aten::stack(Tensor[] tensors, int dim=0) -> Tensor");

}  // namespace tenon::ops
