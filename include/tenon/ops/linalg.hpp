// Matrix products.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace linalg_family {

TENON_OPERATORS_OUT(mm, (base, "aten::mm(Tensor self, Tensor mat2) -> Tensor", with_method, Tag::core));
TENON_OPERATORS_OUT(_int_mm, "aten::_int_mm(Tensor self, Tensor mat2) -> Tensor");
TENON_OPERATORS(addmm,
                (base, "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
                 with_method, Tag::core));
TENON_OPERATORS_OUT(bmm, (base, "aten::bmm(Tensor self, Tensor mat2) -> Tensor", with_method, Tag::core));
TENON_OPERATORS(baddbmm,
                (base,
                 "aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
                 with_method));
TENON_OPERATORS(addmv,
                (base, "aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
                 with_method, inplace_function));
TENON_OPERATORS_OUT(matmul, (base, "aten::matmul(Tensor self, Tensor other) -> Tensor", with_method));
TENON_OPERATORS_OUT(linear, "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor");
TENON_OPERATORS_OUT(mv, (base, "aten::mv(Tensor self, Tensor vec) -> Tensor", with_method));
TENON_OPERATORS_OUT(dot, (base, "aten::dot(Tensor self, Tensor tensor) -> Tensor", with_method));
TENON_OPERATORS_OUT(vdot, (base, "aten::vdot(Tensor self, Tensor other) -> Tensor", with_method));
TENON_OPERATORS_OUT(outer, (base, "aten::outer(Tensor self, Tensor vec2) -> Tensor", with_method));
TENON_OPERATORS(tril, (base, "aten::tril(Tensor self, SymInt diagonal=0) -> Tensor", with_method));
TENON_OPERATORS(triu, (base, "aten::triu(Tensor self, SymInt diagonal=0) -> Tensor", with_method));
TENON_OPERATORS_OUT(trace, (base, "aten::trace(Tensor self) -> Tensor", with_method, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(trace_backward, (base, "aten::trace_backward(Tensor grad, SymInt[] sizes) -> Tensor",
                                       no_device_check, no_device_guard));

}  // namespace linalg_family
}  // namespace tenon::ops
