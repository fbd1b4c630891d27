// Linear equations: solutions, inverses, determinants, least squares.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace solve_family {

TENON_OPERATORS_PLAIN(_linalg_check_errors,
                      "aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()");

TENON_OPERATORS_OUT(
    _linalg_solve_ex,
    (base,
     "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)",
     "result"));
TENON_OPERATORS_OUT(
    linalg_solve_ex,
    "aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)");
TENON_OPERATORS_OUT(linalg_solve, "aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor");
TENON_OPERATORS_OUT(
    linalg_solve_triangular,
    "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor");
TENON_OPERATORS_OUT(
    triangular_solve,
    (base,
     "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
     "aten::triangular_solve.X(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False, *, Tensor(a!) X, Tensor(b!) M) -> (Tensor(a!) solution, Tensor(b!) cloned_coefficient)",
     with_method));
TENON_OPERATORS_OUT(
    linalg_lu_solve,
    "aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor");
TENON_OPERATORS_OUT(lu_solve,
                    (base, "aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", with_method));
TENON_OPERATORS_OUT(linalg_ldl_solve,
                    "aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor");
TENON_OPERATORS_OUT(cholesky_solve,
                    (base, "aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
                     with_method));

TENON_OPERATORS_OUT(linalg_inv_ex,
                    (base, "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
                     "inverse"));
TENON_OPERATORS_OUT(linalg_inv, "aten::linalg_inv(Tensor A) -> Tensor");
TENON_OPERATORS_OUT(inverse, (base, "aten::inverse(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_OUT(
    linalg_lstsq,
    (base,
     "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
     Tag::dynamic_output_shape));

TENON_OPERATORS_OUT(_linalg_det,
                    (base, "aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", "result"));
TENON_OPERATORS_OUT(linalg_det, "aten::linalg_det(Tensor A) -> Tensor");
TENON_OPERATORS_PLAIN(det, (base, "aten::det(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_OUT(_linalg_slogdet,
                    (base,
                     "aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
                     "sign"));
TENON_OPERATORS_OUT(linalg_slogdet, "aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)");
TENON_OPERATORS_OUT(slogdet, (base, "aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", with_method));
TENON_OPERATORS_PLAIN(logdet, (base, "aten::logdet(Tensor self) -> Tensor", with_method));

TENON_OPERATORS_OUT(linalg_tensorinv, "aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor");
TENON_OPERATORS_OUT(linalg_tensorsolve,
                    "aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor");

}  // namespace solve_family
}  // namespace tenon::ops
