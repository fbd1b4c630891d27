// Matrix products.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(mm_base, "aten::mm(Tensor self, Tensor mat2) -> Tensor");
TENON_FUNCTION(mm, mm_base, mm_base_out);
TENON_OPERATOR_FORMS(addmm_base,
                     "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(addmm, addmm_base, addmm_base_out);
TENON_FUNCTION(addmm_, addmm_base_);
TENON_OPERATOR_OUT(bmm_base, "aten::bmm(Tensor self, Tensor mat2) -> Tensor");
TENON_FUNCTION(bmm, bmm_base, bmm_base_out);
TENON_OPERATOR_FORMS(
    baddbmm_base,
    "aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(baddbmm, baddbmm_base, baddbmm_base_out);
TENON_OPERATOR_FORMS(addmv_base,
                     "aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(addmv, addmv_base, addmv_base_out);
TENON_OPERATOR(matmul_base, "aten::matmul(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR(matmul_base_out, "aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(matmul, matmul_base, matmul_base_out);
TENON_OPERATOR(linear_base, "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor");
TENON_OPERATOR(linear_base_out,
               "aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(linear, linear_base, linear_base_out);
TENON_OPERATOR_OUT(mv_base, "aten::mv(Tensor self, Tensor vec) -> Tensor");
TENON_FUNCTION(mv, mv_base, mv_base_out);
TENON_OPERATOR_OUT(dot_base, "aten::dot(Tensor self, Tensor tensor) -> Tensor");
TENON_FUNCTION(dot, dot_base, dot_base_out);
TENON_OPERATOR_OUT(vdot_base, "aten::vdot(Tensor self, Tensor other) -> Tensor");
TENON_FUNCTION(vdot, vdot_base);
TENON_OPERATOR(outer_base, "aten::outer(Tensor self, Tensor vec2) -> Tensor");
TENON_OPERATOR(outer_base_out, "aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(outer, outer_base, outer_base_out);
TENON_OPERATOR_FORMS(tril_base, "aten::tril(Tensor self, SymInt diagonal=0) -> Tensor");
TENON_OPERATOR_FORMS(triu_base, "aten::triu(Tensor self, SymInt diagonal=0) -> Tensor");
TENON_FUNCTION(tril, tril_base, tril_base_out);
TENON_FUNCTION(triu, triu_base, triu_base_out);
TENON_OPERATOR_OUT(trace_base, "aten::trace(Tensor self) -> Tensor");
TENON_FUNCTION(trace, trace_base);

}  // namespace tenon::ops
