// Norms, condition numbers, powers and exponentials of matrices.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace matrix_family {

TENON_OPERATORS_OUT(
    linalg_matrix_norm,
    "aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    (str_ord,
     "aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"));
TENON_OPERATORS_OUT(
    linalg_norm,
    "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    (ord_str,
     "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"));
TENON_OPERATORS_OUT(nuclear_norm, (base, "aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor"),
                    (dim, "aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", "dim_out"));
TENON_OPERATORS_OUT(frobenius_norm,
                    (dim, "aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", "out"));
TENON_OPERATORS_OUT(linalg_cond, "aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor",
                    (p_str, "aten::linalg_cond.p_str(Tensor self, str p) -> Tensor"));

TENON_OPERATORS_OUT(linalg_matrix_power, "aten::linalg_matrix_power(Tensor self, int n) -> Tensor");
TENON_OPERATORS_OUT(matrix_power, (base, "aten::matrix_power(Tensor self, int n) -> Tensor", with_method));
TENON_OPERATORS_OUT(linalg_matrix_exp,
                    (base, "aten::linalg_matrix_exp(Tensor self) -> Tensor", out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(matrix_exp, (base, "aten::matrix_exp(Tensor self) -> Tensor", with_method));

}  // namespace matrix_family
}  // namespace tenon::ops
