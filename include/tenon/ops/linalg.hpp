// Matrix products.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(mm, "aten::mm(Tensor self, Tensor mat2) -> Tensor");
TENON_OPERATORS(addmm,
                "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
TENON_OPERATORS_OUT(bmm, "aten::bmm(Tensor self, Tensor mat2) -> Tensor");
TENON_OPERATORS(baddbmm,
                "aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
TENON_OPERATORS(addmv, "aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
TENON_OPERATORS_OUT(matmul, "aten::matmul(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(linear, "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor");
TENON_OPERATORS_OUT(mv, "aten::mv(Tensor self, Tensor vec) -> Tensor");
TENON_OPERATORS_OUT(dot, "aten::dot(Tensor self, Tensor tensor) -> Tensor");
TENON_OPERATORS_OUT(vdot, "aten::vdot(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(outer, "aten::outer(Tensor self, Tensor vec2) -> Tensor");
TENON_OPERATORS(tril, "aten::tril(Tensor self, SymInt diagonal=0) -> Tensor");
TENON_OPERATORS(triu, "aten::triu(Tensor self, SymInt diagonal=0) -> Tensor");
TENON_OPERATORS_OUT(trace, "aten::trace(Tensor self) -> Tensor");

}  // namespace tenon::ops
