// Derivatives of solutions, inverses and determinants.
#pragma once
#include <tenon/autograd/derivatives/matrices.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/spectral.hpp>

namespace tenon::ops {

namespace derivatives {

inline bool is_vector_side(const Tensor& A, const autograd::Geometry& B) {
  if (B.sizes.size() == 1) return true;
  return B.sizes.size() + 1 == A.sizes().size() && IntArrayRef(B.sizes) == A.sizes().slice(0, A.sizes().size() - 1);
}
/// Of A X = B (or X A = B): the adjoint equation gives B's gradient, with X that of A. The factors serve where nobody
/// differentiates again.
inline std::tuple<Tensor, Tensor> solve_gradient(const Tensor& grad, const Tensor& X, const Tensor& A, const Tensor& LU,
                                                 const Tensor& pivots, bool left, const autograd::Geometry& B,
                                                 autograd::Needs needs) {
  if (!grad.defined()) return {};
  bool vector = is_vector_side(A, B);
  Tensor g = vector ? Tensor(unsqueeze(grad, -1)) : grad, x = vector ? Tensor(unsqueeze(X, -1)) : X;
  Tensor of_b = is_grad_enabled() ? linalg_solve(derivatives::adjoint(A), g, "left"_a = left)
                                  : linalg_lu_solve(LU, pivots, g, "left"_a = left, "adjoint"_a = true);
  Tensor of_a;
  if (needs[0]) of_a = neg(left ? matmul(of_b, derivatives::adjoint(x)) : matmul(derivatives::adjoint(x), of_b));
  return {of_a, vector ? Tensor(squeeze(of_b, -1)) : of_b};
}
inline std::tuple<Tensor, Tensor> triangular_gradient(const Tensor& grad, const Tensor& X, const Tensor& A, bool upper,
                                                      bool left, bool unit, autograd::Needs needs) {
  Tensor of_b = linalg_solve_triangular(derivatives::adjoint(A), grad, "upper"_a = !upper, "left"_a = left,
                                        "unitriangular"_a = unit),
         of_a;
  if (needs[0]) {
    of_a = neg(left ? matmul(of_b, derivatives::adjoint(X)) : matmul(derivatives::adjoint(X), of_b));
    of_a = upper ? triu(of_a, unit ? 1 : 0) : tril(of_a, unit ? -1 : 0);
  }
  return {of_a, of_b};
}
inline std::tuple<Tensor, Tensor> old_triangular_gradient(const Tensor& grad, const Tensor& grad_copy, const Tensor& x,
                                                          const Tensor& A, bool upper, bool turned, bool unit,
                                                          autograd::Needs needs) {
  Tensor of_b, of_a;
  if (grad.defined()) {
    of_b = std::get<0>(triangular_solve(grad, derivatives::conj_of(A), upper, !turned, unit));
    if (needs[1]) {
      of_a = neg(turned ? matmul(derivatives::conj_of(x), derivatives::transposed(of_b))
                        : matmul(of_b, derivatives::adjoint(x)));
      of_a = upper ? triu(of_a, unit ? 1 : 0) : tril(of_a, unit ? -1 : 0);
    }
  }
  return {of_b, derivatives::plus(of_a, grad_copy)};
}
/// dA = P (dL U + L dU) where A's gradient is known.
inline std::tuple<Tensor, Tensor> lu_solve_gradient(const Tensor& grad, const Tensor& X, const Tensor& LU,
                                                    const Tensor& pivots, bool left, bool adjoint,
                                                    autograd::Needs needs) {
  Tensor of_b = linalg_lu_solve(LU, pivots, grad, "left"_a = left, "adjoint"_a = !adjoint), of_lu;
  if (needs[0]) {
    auto [P, L, U] = lu_unpack(LU, pivots);
    Tensor of_op = neg(left ? matmul(of_b, derivatives::adjoint(X)) : matmul(derivatives::adjoint(X), of_b));
    Tensor g = matmul(derivatives::transposed(P), adjoint ? derivatives::adjoint(of_op) : of_op);
    of_lu = add(tril(matmul(g, derivatives::adjoint(U)), -1), triu(matmul(derivatives::adjoint(L), g)));
  }
  return {of_lu, of_b};
}
inline std::tuple<Tensor, Tensor> cholesky_solve_gradient(const Tensor& grad, const Tensor& L, bool upper,
                                                          const Tensor& X, autograd::Needs needs) {
  Tensor of_b = cholesky_solve(grad, L, upper), of_l;
  if (needs[1]) {
    Tensor inner = matmul(of_b, derivatives::adjoint(X));
    inner = add(inner, derivatives::adjoint(inner));
    of_l = neg(upper ? matmul(L, inner) : matmul(inner, L));
  }
  return {of_b, of_l};
}
inline Tensor inverse_gradient(const Tensor& grad, const Tensor& inverse) {
  if (!grad.defined()) return {};
  Tensor h = derivatives::adjoint(inverse);
  return neg(matmul(h, matmul(grad, h)));
}

/// Products of all elements but one along the last dimension.
inline Tensor products_without_one(const Tensor& s) {
  std::int64_t n = s.sizes().back();
  if (n == 0) return s;
  std::vector<Tensor> out;
  for (std::int64_t i = 0; i < n; ++i) {
    Tensor one = i == 0 ? Tensor(slice(s, -1, 1)) : Tensor(slice(s, -1, 0, i));
    Tensor p = prod(one, -1, true);
    if (i > 0 && i + 1 < n) p = mul(p, prod(slice(s, -1, i + 1), -1, true));
    out.push_back(p);
  }
  return cat(TensorList(out), -1);
}
/// A'^-1 B by the factors that a determinant left, which are those of the transpose where A is real and row-major.
/// Where the gradient is differentiated, or A stands for other tensors that lie otherwise, by operators of A alone.
inline Tensor divided_by_adjoint(const Tensor& A, const Tensor& LU, const Tensor& pivots, const Tensor& B) {
  if (is_grad_enabled() || autograd::is_transformed(A)) return linalg_solve(derivatives::adjoint(A), B);
  return linalg_lu_solve(LU, pivots, B, "adjoint"_a = A.is_complex() || !A.is_contiguous());
}
/// det(A) conj(g) A'^-1; where that is no inverse, the adjugate by singular values.
inline Tensor det_gradient(const Tensor& grad, const Tensor& det, const Tensor& A, const Tensor& LU,
                           const Tensor& pivots) {
  if (!grad.defined()) return {};
  std::int64_t n = A.sizes().back();
  if (A.numel() == 0 || n == 0) return zeros_like(A);
  // The determinant of one element is that element: its slope does not depend on A.
  if (n == 1) return unsqueeze(unsqueeze(grad, -1), -1);
  bool singular = any(eq(derivatives::diagonal_of(LU), Scalar(0))).item().to<bool>();
  if (!singular) {
    Tensor unit = zeros_like(A);
    fill_(diagonal(unit, 0, -2, -1), Scalar(1));
    Tensor right = mul(unit, unsqueeze(unsqueeze(mul(grad, derivatives::conj_of(det)), -1), -1));
    return divided_by_adjoint(A, LU, pivots, right);
  }
  auto [U, S, Vh] = linalg_svd(A);
  Tensor alpha = mul(derivatives::conj_of(mul(linalg_det(U), linalg_det(Vh))), grad);
  Tensor gamma = mul(unsqueeze(alpha, -1), products_without_one(S));
  return matmul(derivatives::columns_times(U, gamma), Vh);
}
inline Tensor slogdet_gradient(const Tensor& grad_sign, const Tensor& grad_log, const Tensor& sign, const Tensor& A,
                               const Tensor& LU, const Tensor& pivots) {
  Tensor g = grad_log;
  // The phase of a complex determinant turns its sign.
  if (A.is_complex() && grad_sign.defined())
    g = derivatives::plus(g, mul(derivatives::imaginary_part(mul(derivatives::conj_of(grad_sign), sign)),
                                 Scalar(Complex<double>(0.0, -1.0))));
  if (!g.defined()) return {};
  Tensor unit = zeros_like(A);
  fill_(diagonal(unit, 0, -2, -1), Scalar(1));
  Tensor right = mul(unit, unsqueeze(unsqueeze(g, -1), -1));
  return divided_by_adjoint(A, LU, pivots, right);
}

/// Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973).
inline Tensor pinv_gradient(const Tensor& grad, const Tensor& pinv, const Tensor& A) {
  Tensor gh = derivatives::adjoint(grad), ph = derivatives::adjoint(pinv);
  std::int64_t m = A.sizes()[A.dim() - 2], n = A.sizes().back();
  if (m <= n) {
    Tensor K = matmul(gh, pinv), Kp = matmul(K, ph);
    return add(sub(sub(Kp, derivatives::adjoint(matmul(pinv, K))), matmul(matmul(A, pinv), Kp)),
               matmul(matmul(ph, pinv), sub(gh, matmul(K, A))));
  }
  Tensor K = matmul(pinv, gh), pK = matmul(ph, K);
  return add(sub(add(neg(derivatives::adjoint(matmul(K, pinv))), matmul(matmul(sub(gh, matmul(A, K)), pinv), ph)),
                 matmul(matmul(pK, pinv), A)),
             pK);
}
inline std::tuple<Tensor, Tensor> lstsq_gradient(const Tensor& grad_x, const Tensor& grad_residuals, const Tensor& A,
                                                 const Tensor& B, const Tensor& X, const autograd::Geometry& given,
                                                 autograd::Needs needs) {
  bool vector = is_vector_side(A, given);
  auto column = [&](const Tensor& t) { return vector ? Tensor(unsqueeze(t, -1)) : t; };
  Tensor of_a, of_b, b = column(B);
  if (grad_x.defined()) {
    Tensor g = column(grad_x), pinv = linalg_pinv(A);
    if (needs[0]) of_a = pinv_gradient(matmul(g, derivatives::adjoint(b)), pinv, A);
    of_b = matmul(derivatives::adjoint(pinv), g);
  }
  if (grad_residuals.defined() && grad_residuals.numel() != 0) {
    Tensor x = column(X), twice = mul(sub(matmul(A, x), b), mul(unsqueeze(grad_residuals, -2), Scalar(2)));
    if (needs[0]) of_a = derivatives::plus(of_a, matmul(twice, derivatives::adjoint(x)));
    of_b = derivatives::plus(of_b, neg(twice));
  }
  return {of_a, of_b.defined() && vector ? Tensor(squeeze(of_b, -1)) : of_b};
}

}  // namespace derivatives

TENON_DERIVATIVE(_linalg_solve_ex_base,
                 TENON_WRT((A, B), (grad_result, result, A, LU, pivots, left, B_geometry, needs),
                           derivatives::solve_gradient(grad_result, result, A, LU, pivots, left, B_geometry, needs)));
TENON_DERIVATIVE(linalg_solve_triangular_base,
                 TENON_WRT((self, B), (grad, result, self, upper, left, unitriangular, needs),
                           derivatives::triangular_gradient(grad, result, self, upper, left, unitriangular, needs)));
TENON_DERIVATIVE(triangular_solve_base,
                 TENON_WRT((self, A), (grad0, grad1, solution, A, upper, transpose, unitriangular, needs),
                           derivatives::old_triangular_gradient(grad0, grad1, solution, A, upper, transpose,
                                                                unitriangular, needs)));
TENON_DERIVATIVE(linalg_lu_solve_base,
                 TENON_WRT((LU, B), (grad, result, LU, pivots, left, adjoint, needs),
                           derivatives::lu_solve_gradient(grad, result, LU, pivots, left, adjoint, needs)));
TENON_DERIVATIVE(cholesky_solve_base,
                 TENON_WRT((self, input2), (grad, input2, upper, result, needs),
                           derivatives::cholesky_solve_gradient(grad, input2, upper, result, needs)));
TENON_DERIVATIVE(linalg_inv_ex_base,
                 TENON_WRT((A), (grad_inverse, inverse), derivatives::inverse_gradient(grad_inverse, inverse)));
TENON_DERIVATIVE(_linalg_det_base, TENON_WRT((A), (grad_result, result, A, LU, pivots),
                                             derivatives::det_gradient(grad_result, result, A, LU, pivots)));
TENON_DERIVATIVE(_linalg_slogdet_base,
                 TENON_WRT((A), (grad_sign, grad_logabsdet, sign, A, LU, pivots),
                           derivatives::slogdet_gradient(grad_sign, grad_logabsdet, sign, A, LU, pivots)));
TENON_DERIVATIVE(linalg_pinv_atol_rtol_tensor,
                 TENON_WRT((self), (grad, result, self), derivatives::pinv_gradient(grad, result, self)));
TENON_DERIVATIVE(linalg_lstsq_base,
                 TENON_WRT((self, b), (grad_solution, grad_residuals, self, b, solution, b_geometry, needs),
                           derivatives::lstsq_gradient(grad_solution, grad_residuals, self, b, solution, b_geometry,
                                                       needs)));

}  // namespace tenon::ops
