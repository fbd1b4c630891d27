// Elementwise special functions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS(erf, "aten::erf(Tensor self) -> Tensor");
TENON_OPERATORS(erfc, "aten::erfc(Tensor self) -> Tensor");
TENON_OPERATORS(lgamma, "aten::lgamma(Tensor self) -> Tensor");
TENON_OPERATORS(digamma, "aten::digamma(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(polygamma, "aten::polygamma(int n, Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_polygamma, "aten::special_polygamma(int n, Tensor self) -> Tensor");
TENON_OPERATORS(erfinv, "aten::erfinv(Tensor self) -> Tensor");
TENON_OPERATORS(sinc, "aten::sinc(Tensor self) -> Tensor");
TENON_OPERATORS(xlogy, (Tensor, "aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", "OutTensor"));
TENON_OPERATORS(logit, "aten::logit(Tensor self, float? eps=None) -> Tensor");

}  // namespace tenon::ops
