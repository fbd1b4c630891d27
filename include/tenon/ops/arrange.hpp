// The same elements in another order.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(flip, "aten::flip(Tensor self, int[] dims) -> Tensor");
TENON_OPERATORS_OUT(roll, "aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor");

}  // namespace tenon::ops
