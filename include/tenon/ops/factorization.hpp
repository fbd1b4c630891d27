// Factorizations of matrices: Cholesky, LU, LDL, QR.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace factorization_family {

TENON_OPERATORS_OUT(
    linalg_cholesky_ex,
    (base,
     "aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
     "L"));
TENON_OPERATORS_OUT(linalg_cholesky, "aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor");
TENON_OPERATORS_OUT(cholesky_inverse,
                    (base, "aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor", with_method));

TENON_OPERATORS_OUT(
    linalg_lu_factor_ex,
    "aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)");
TENON_OPERATORS_OUT(linalg_lu_factor,
                    "aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)");
TENON_OPERATORS_OUT(linalg_lu, "aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)");
TENON_OPERATORS_OUT(
    lu_unpack,
    "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)");
TENON_OPERATORS_PLAIN(
    _lu_with_info,
    "aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info)");

TENON_OPERATORS_OUT(
    linalg_ldl_factor_ex,
    "aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)");
TENON_OPERATORS_OUT(linalg_ldl_factor,
                    "aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)");

TENON_OPERATORS_OUT(geqrf, (base, "aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)", "a", with_method));
TENON_OPERATORS_OUT(linalg_qr, "aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)");
TENON_OPERATORS_OUT(linalg_householder_product, "aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor");
TENON_OPERATORS_OUT(orgqr, (base, "aten::orgqr(Tensor self, Tensor input2) -> Tensor", with_method));
TENON_OPERATORS_OUT(
    ormqr,
    (base, "aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor",
     with_method));

}  // namespace factorization_family
}  // namespace tenon::ops
