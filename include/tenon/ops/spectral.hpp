// Eigenvalues, singular values, and what is made of them.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace spectral_family {

TENON_OPERATORS_OUT(
    _linalg_eigh,
    (base,
     "aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)",
     "eigenvalues"));
TENON_OPERATORS_OUT(
    linalg_eigh,
    (base, "aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)",
     "aten::linalg_eigh.eigvals(Tensor self, str UPLO=\"L\", *, Tensor(a!) eigvals, Tensor(b!) eigvecs) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)"));
TENON_OPERATORS_OUT(linalg_eigvalsh, "aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor");
TENON_OPERATORS_OUT(linalg_eig, "aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)");
TENON_OPERATORS_OUT(linalg_eigvals, "aten::linalg_eigvals(Tensor self) -> Tensor");
TENON_OPERATORS_PLAIN(_linalg_eigvals, "aten::_linalg_eigvals(Tensor self) -> Tensor");

TENON_OPERATORS_OUT(
    _linalg_svd,
    (base,
     "aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
     "U"));
TENON_OPERATORS_OUT(
    linalg_svd,
    (base,
     "aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
     "U"));
TENON_OPERATORS_OUT(linalg_svdvals, "aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor");
TENON_OPERATORS_OUT(svd,
                    (base,
                     "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
                     "U", with_method));

TENON_OPERATORS_OUT(
    linalg_pinv,
    (atol_rtol_tensor,
     "aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"),
    (atol_rtol_float,
     "aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"),
    (base, "aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor"),
    (rcond_tensor, "aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
     "out_rcond_tensor"));
TENON_OPERATORS_PLAIN(pinverse,
                      (base, "aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor", with_method));
TENON_OPERATORS_OUT(
    linalg_matrix_rank,
    (atol_rtol_tensor,
     "aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"),
    (atol_rtol_float,
     "aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"),
    (base, "aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor"),
    (tol_tensor, "aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
     "out_tol_tensor"));

TENON_OPERATORS_OUT(linalg_polar, "aten::linalg_polar(Tensor A) -> (Tensor U, Tensor H)");
TENON_OPERATORS_OUT(linalg_matrix_sqrth,
                    (base, "aten::linalg_matrix_sqrth(Tensor self) -> Tensor", out_tags({Tag::generated})));

}  // namespace spectral_family
}  // namespace tenon::ops
