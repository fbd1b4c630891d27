// Second names of operators: `clip` is `clamp`, `arcsin` is `asin`, and the matrices of a batch turned over.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace second_names_family {

TENON_OPERATORS(absolute, (base, "aten::absolute(Tensor self) -> Tensor", with_method, no_device_check));
TENON_OPERATORS(negative, (base, "aten::negative(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(fix, (base, "aten::fix(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(arccos, (base, "aten::arccos(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(arccosh, (base, "aten::arccosh(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(arcsin, (base, "aten::arcsin(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(arcsinh, (base, "aten::arcsinh(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(arctan, (base, "aten::arctan(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(arctanh, (base, "aten::arctanh(Tensor self) -> Tensor", with_method, inplace_function));
TENON_OPERATORS(arctan2, (base, "aten::arctan2(Tensor self, Tensor other) -> Tensor", with_method));
TENON_OPERATORS(clip,
                (base, "aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", with_method,
                 inplace_function, Tag::pointwise),
                (Tensor, "aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", "Tensor_out",
                 with_method, inplace_function, Tag::pointwise, out_tags()));
TENON_OPERATORS_PLAIN(mT, (base, "aten::mT(Tensor(a) self) -> Tensor(a)", method_only));
TENON_OPERATORS_PLAIN(mH, (base, "aten::mH(Tensor(a) self) -> Tensor(a)", method_only));
TENON_OPERATORS_PLAIN(adjoint, (base, "aten::adjoint(Tensor(a) self) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(numpy_T, (base, "aten::numpy_T(Tensor(a) self) -> Tensor(a)", method_only));
TENON_OPERATORS_PLAIN(matrix_H, (base, "aten::matrix_H(Tensor(a) self) -> Tensor(a)", method_only));

}  // namespace second_names_family
}  // namespace tenon::ops
