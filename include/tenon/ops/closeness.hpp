// Whether tensors are equal, or nearly so.
#pragma once
#include <tenon/library/function.hpp>

namespace tenon::ops {

TENON_OPERATOR(
    isclose_base,
    "aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor");
TENON_FUNCTION(isclose, isclose_base);

}  // namespace tenon::ops
