// Operators of a foreign project.
#pragma once
#include <tenon/library/operators.hpp>

namespace mine {

TENON_OPERATORS(swish, "mine::swish(Tensor self, Scalar beta=1) -> Tensor");
TENON_OPERATORS(lanes, "mine::lanes(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(
    rms, "mine::rms(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
TENON_OPERATORS_OUT(lanes_of_sum,
                    "mine::lanes_of_sum(Tensor self, float scale, int[1]? dim=None, bool keepdim=False) -> Tensor");

}  // namespace mine
