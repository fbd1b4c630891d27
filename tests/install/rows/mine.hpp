// Operators of a foreign project.
#pragma once
#include <tenon/library/operators.hpp>

namespace mine {

TENON_OPERATORS(swish, "mine::swish(Tensor self, Scalar beta=1) -> Tensor");
TENON_OPERATORS(lanes, "mine::lanes(Tensor self) -> Tensor");

}  // namespace mine
