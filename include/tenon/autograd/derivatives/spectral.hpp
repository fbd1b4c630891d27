// Derivatives of eigenvalues, singular values and matrix exponentials.
#pragma once
#include <cmath>

#include <tenon/autograd/derivatives/matrices.hpp>
#include <tenon/ops/backward_names.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/spectral.hpp>

namespace tenon::ops {

namespace derivatives {

/// Differences of eigenvalues, column minus row, with ones on the diagonal.
inline Tensor gaps(const Tensor& values) {
  Tensor e = sub(unsqueeze(values, -2), unsqueeze(values, -1));
  return derivatives::with_diagonal(e, ones_like(derivatives::diagonal_of(e)));
}
/// Complex vectors have a free phase: a loss that depends on it has no derivative.
inline void check_phase(const char* what, const Tensor& imaginary) {
  if (imaginary.is_meta() || imaginary.numel() == 0) return;
  double most = amax(abs(imaginary.detach())).item().to_double();
  TENON_CHECK(most <= 1e-2 || std::isnan(most), AutogradError, what,
              " in the complex case are specified up to multiplication by e^{i phi}. The specified loss function "
              "depends on this quantity, so it is ill-defined.");
}
/// Boeddeker et al., arXiv:1701.00392, section 4.
inline Tensor eigh_gradient(const Tensor& grad_l, const Tensor& grad_v, const Tensor& L, const Tensor& V) {
  if (!grad_l.defined() && !grad_v.defined()) return {};
  Tensor vh = derivatives::adjoint(V);
  if (!grad_v.defined()) return matmul(derivatives::columns_times(V, grad_l), vh);
  Tensor inner = matmul(vh, grad_v);
  if (inner.is_complex())
    check_phase("linalg_eigh_backward: The eigenvectors", derivatives::imaginary_part(derivatives::diagonal_of(inner)));
  inner = div(inner, gaps(L));
  Tensor diagonal = grad_l.defined() ? grad_l : Tensor(zeros_like(L));
  inner = derivatives::with_diagonal(inner, inner.is_complex() ? Tensor(to(diagonal, inner.dtype())) : diagonal);
  return matmul(V, matmul(inner, vh));
}
inline Tensor eig_gradient(const Tensor& grad_l, const Tensor& grad_v, const Tensor& L, const Tensor& V) {
  if (!grad_l.defined() && !grad_v.defined()) return {};
  Tensor vh = derivatives::adjoint(V);
  if (!grad_v.defined()) return linalg_solve(vh, derivatives::rows_times(vh, grad_l));
  Tensor inner = matmul(vh, grad_v), own = derivatives::diagonal_of(inner);
  check_phase("linalg_eig_backward: The eigenvectors", derivatives::imaginary_part(own));
  // Vectors are normalised: what lengthens them does not count.
  inner = sub(inner, derivatives::columns_times(matmul(vh, V), derivatives::real_part(own)));
  inner = div(inner, derivatives::conj_of(gaps(L)));
  inner = derivatives::with_diagonal(inner, grad_l.defined() ? grad_l : Tensor(zeros_like(L)));
  return linalg_solve(vh, matmul(inner, vh));
}

/// Townsend, "Differentiating the Singular Value Decomposition" (2016), with the phase of complex vectors fixed.
inline Tensor svd_gradient(Tensor grad_u, const Tensor& grad_s, Tensor grad_vh, Tensor U, const Tensor& S, Tensor Vh,
                           bool compute_uv) {
  if (!grad_u.defined() && !grad_s.defined() && !grad_vh.defined()) return {};
  TENON_CHECK(compute_uv, AutogradError,
              "svd_backward: Setting compute_uv to false in torch.svd doesn't compute singular matrices, and hence we "
              "cannot compute backward. Please use torch.svd(compute_uv=True)");
  std::int64_t k = S.sizes().back();
  // Columns beyond the k-th are no function of the matrix.
  U = derivatives::left_columns(U, k);
  Vh = derivatives::top_rows(Vh, k);
  if (grad_u.defined()) grad_u = derivatives::left_columns(grad_u, k);
  if (grad_vh.defined()) grad_vh = derivatives::top_rows(grad_vh, k);
  std::int64_t m = U.sizes()[U.dim() - 2], n = Vh.sizes().back();
  if (!grad_u.defined() && !grad_vh.defined())
    return m >= n ? matmul(U, derivatives::rows_times(Vh, grad_s)) : matmul(derivatives::columns_times(U, grad_s), Vh);
  bool complex = U.is_complex();
  Tensor of_u, of_v;
  if (grad_u.defined()) of_u = derivatives::skew(matmul(derivatives::adjoint(U), grad_u));
  if (grad_vh.defined()) of_v = derivatives::skew(matmul(Vh, derivatives::adjoint(grad_vh)));
  if (complex) {
    Tensor phase;
    if (of_u.defined()) phase = derivatives::imaginary_part(derivatives::diagonal_of(of_u));
    if (of_v.defined()) phase = derivatives::plus(phase, derivatives::imaginary_part(derivatives::diagonal_of(of_v)));
    check_phase("svd_backward: The singular vectors", phase);
  }
  Tensor squares = mul(S, S), gap = gaps(squares), inner;
  if (of_u.defined()) inner = derivatives::columns_times(div(of_u, gap), S);
  if (of_v.defined()) inner = derivatives::plus(inner, derivatives::rows_times(div(of_v, gap), S));
  if (grad_s.defined()) inner = add(inner, derivatives::diagonal_matrix(grad_s));
  if (complex && of_u.defined() && of_v.defined()) {
    // The diagonal of a skew matrix is imaginary; it is shared out by the singular values.
    Tensor diagonal = derivatives::diagonal_matrix(div(derivatives::diagonal_of(of_u), mul(S, Scalar(2))));
    inner =
        add(derivatives::with_diagonal(inner, grad_s.defined() ? Tensor(to(grad_s, inner.dtype()))
                                                               : Tensor(zeros_like(derivatives::diagonal_of(inner)))),
            diagonal);
  }
  if (m > k && grad_u.defined()) {
    Tensor scaled = div(grad_u, unsqueeze(S, -2));
    Tensor out = sub(add(matmul(U, inner), scaled), matmul(U, matmul(derivatives::adjoint(U), scaled)));
    return matmul(out, Vh);
  }
  if (n > k && grad_vh.defined()) {
    Tensor scaled = div(grad_vh, unsqueeze(S, -1));
    Tensor out = sub(add(matmul(inner, Vh), scaled), matmul(matmul(scaled, derivatives::adjoint(Vh)), Vh));
    return matmul(U, out);
  }
  return m >= n ? matmul(U, matmul(inner, Vh)) : matmul(matmul(U, inner), Vh);
}

/// X dX + dX X = dA, solved in the eigenvectors of A; the gradient is Hermitian as A is.
inline Tensor matrix_sqrth_gradient(const Tensor& grad, const Tensor& self) {
  auto [values, vectors] = linalg_eigh(self);
  Tensor roots = sqrt(clamp_min(values, 0)), sums = add(unsqueeze(roots, -2), unsqueeze(roots, -1));
  Tensor both = mul(add(grad, derivatives::adjoint(grad)), Scalar(0.5));
  Tensor inner = div(matmul(derivatives::adjoint(vectors), matmul(both, vectors)), sums);
  return matmul(vectors, matmul(inner, derivatives::adjoint(vectors)));
}

/// The derivative of exp in direction G is the block beside the diagonal of exp [A G; 0 A]
/// (Mathias, SIAM J. Matrix Anal. Appl. 17 (1996)).
inline Tensor matrix_exp_gradient(const Tensor& grad, const Tensor& self) {
  if (self.sym_numel() == SymInt(0)) return zeros_like(self);
  Tensor a = derivatives::adjoint(self), none = zeros_like(a);
  const SymInt n = self.sym_sizes().back();
  Tensor top[] = {a, grad}, bottom[] = {none, a};
  Tensor rows[] = {cat(TensorList(top, 2), -1), cat(TensorList(bottom, 2), -1)};
  Tensor whole = linalg_matrix_exp(cat(TensorList(rows, 2), -2));
  return slice(slice(whole, -2, 0, n), -1, n);
}

}  // namespace derivatives

TENON_DERIVATIVE(_linalg_eigh_base, TENON_WRT((A), (grad0, grad1, eigenvalues, eigenvectors),
                                              derivatives::eigh_gradient(grad0, grad1, eigenvalues, eigenvectors)));
TENON_DERIVATIVE(linalg_eig_base, TENON_WRT((self), (grad0, grad1, eigenvalues, eigenvectors),
                                            derivatives::eig_gradient(grad0, grad1, eigenvalues, eigenvectors)));
TENON_DERIVATIVE(_linalg_svd_base, TENON_WRT((A), (grad_U, grad_S, grad_Vh, U, S, Vh, compute_uv),
                                             derivatives::svd_gradient(grad_U, grad_S, grad_Vh, U, S, Vh, compute_uv)));
TENON_DERIVATIVE(linalg_matrix_sqrth_base,
                 TENON_WRT((self), (grad, self), derivatives::matrix_sqrth_gradient(grad, self)));
TENON_DERIVATIVE(linalg_matrix_exp_base, TENON_WRT((self), (grad, self), derivatives::matrix_exp_gradient(grad, self)));
namespace derivatives {
inline Tensor matrix_exp_backward(const Tensor& self, const Tensor& grad) { return matrix_exp_gradient(grad, self); }
}  // namespace derivatives
TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<matrix_exp_backward_base>().impl<matrix_exp_backward_base, &derivatives::matrix_exp_backward>();
}

}  // namespace tenon::ops
