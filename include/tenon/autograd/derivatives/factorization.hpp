// Derivatives of factorizations.
#pragma once
#include <tenon/autograd/derivatives/matrices.hpp>
#include <tenon/ops/factorization.hpp>

namespace tenon::ops {

namespace derivatives {

/// With P the lower triangle of L' gL, its diagonal halved: L'^-1 (P + P')/2 L^-1 (Murray, arXiv:1602.07527).
inline Tensor cholesky_gradient(const Tensor& grad, bool upper, const Tensor& factor) {
  if (!grad.defined()) return {};
  Tensor L = upper ? derivatives::adjoint(factor) : factor, g = upper ? derivatives::adjoint(grad) : grad,
         Lh = derivatives::adjoint(L);
  Tensor phi = tril(matmul(Lh, g));
  phi = mul(add(phi, derivatives::adjoint(tril(phi, -1))), Scalar(0.5));
  Tensor left = linalg_solve_triangular(Lh, phi, "upper"_a = true);
  return linalg_solve_triangular(L, left, "upper"_a = false, "left"_a = false);
}
inline Tensor cholesky_inverse_gradient(const Tensor& grad, const Tensor& L, bool upper, const Tensor& inverse) {
  Tensor both = add(grad, derivatives::adjoint(grad));
  Tensor inner = matmul(inverse, matmul(both, inverse));
  return neg(upper ? matmul(L, inner) : matmul(inner, L));
}

/// The gradient of A = P L U from those of L and U, either of which may be undefined; k is the smaller size.
inline Tensor lu_gradient(const Tensor& grad_l, const Tensor& grad_u, const Tensor& P, const Tensor& L,
                          const Tensor& U) {
  if (!grad_l.defined() && !grad_u.defined()) return {};
  std::int64_t m = L.sizes()[L.dim() - 2], n = U.sizes().back(), k = L.sizes().back();
  Tensor L1 = derivatives::top_rows(L, k), U1 = derivatives::left_columns(U, k), lower, upper;
  if (grad_l.defined()) lower = matmul(derivatives::adjoint(L1), derivatives::top_rows(grad_l, k));
  if (grad_u.defined()) upper = matmul(derivatives::left_columns(grad_u, k), derivatives::adjoint(U1));
  // What the part beyond the square one passes through it.
  if (m < n && grad_u.defined())
    lower = derivatives::plus(lower, neg(matmul(slice(grad_u, -1, k), derivatives::adjoint(slice(U, -1, k)))));
  if (m > n && grad_l.defined())
    upper = derivatives::plus(upper, neg(matmul(derivatives::adjoint(slice(L, -2, k)), slice(grad_l, -2, k))));
  Tensor phi = derivatives::plus(lower.defined() ? Tensor(tril(lower, -1)) : lower,
                                 upper.defined() ? Tensor(triu(upper)) : upper);
  Tensor square = linalg_solve_triangular(derivatives::adjoint(L1), phi, "upper"_a = true, "unitriangular"_a = true);
  Tensor out = linalg_solve_triangular(derivatives::adjoint(U1), square, "upper"_a = false, "left"_a = false);
  if (m < n) {
    Tensor right = grad_u.defined() ? linalg_solve_triangular(derivatives::adjoint(L1), slice(grad_u, -1, k),
                                                              "upper"_a = true, "unitriangular"_a = true)
                                    : zeros_like(slice(U, -1, k));
    Tensor both[] = {out, right};
    out = cat(TensorList(both, 2), -1);
  } else if (m > n) {
    Tensor below = grad_l.defined() ? linalg_solve_triangular(derivatives::adjoint(U1), slice(grad_l, -2, k),
                                                              "upper"_a = false, "left"_a = false)
                                    : zeros_like(slice(L, -2, k));
    Tensor both[] = {out, below};
    out = cat(TensorList(both, 2), -2);
  }
  return matmul(P, out);
}
inline Tensor lu_factor_gradient(const Tensor& grad, const Tensor& LU, const Tensor& pivots) {
  if (!grad.defined()) return {};
  auto [P, L, U] = lu_unpack(LU, pivots);
  std::int64_t k = L.sizes().back();
  return lu_gradient(tril(derivatives::left_columns(grad, k), -1), triu(derivatives::top_rows(grad, k)), P, L, U);
}
inline Tensor lu_unpack_gradient(const Tensor& grad_l, const Tensor& grad_u, IntArrayRef sizes) {
  if (!grad_l.defined() && !grad_u.defined()) return {};
  std::int64_t m = sizes[sizes.size() - 2], n = sizes.back();
  Tensor lower, upper;
  // Each lies in one part of the whole matrix.
  auto widened = [&](const Tensor& t, std::int64_t dim, std::int64_t size) {
    if (t.sizes()[t.dim() + dim] == size) return t;
    DimVector rest(t.sizes());
    std::size_t at = rest.size() + static_cast<std::size_t>(dim);
    rest[at] = size - rest[at];
    Tensor both[] = {t, new_zeros(t, IntArrayRef(rest))};
    return Tensor(cat(TensorList(both, 2), dim));
  };
  if (grad_l.defined()) lower = widened(tril(grad_l, -1), -1, n);
  if (grad_u.defined()) upper = widened(triu(grad_u), -2, m);
  return derivatives::plus(lower, upper);
}

/// Walter, Lehmann and Lamour, Optim. Methods Softw. 27 (2012); for a wide A the columns beyond the square part are
/// projections on Q.
inline Tensor qr_gradient(const Tensor& grad_q, const Tensor& grad_r, const Tensor& Q, const Tensor& R,
                          std::string_view mode) {
  TENON_CHECK(mode != "r", AutogradError,
              "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
              "linalg.qr(A, mode='reduced') if you are going to require its derivative...");
  std::int64_t m = Q.sizes()[Q.dim() - 2], n = R.sizes().back(), k = m < n ? m : n;
  TENON_CHECK(mode != "complete" || m <= n, AutogradError,
              "The QR decomposition is not differentiable when mode='complete' and nrows > ncols");
  if (!grad_q.defined() && !grad_r.defined()) return {};
  Tensor R1 = derivatives::left_columns(R, k), gq = grad_q, right;
  if (n > m) {
    Tensor R2 = slice(R, -1, k), g2 = grad_r.defined() ? Tensor(slice(grad_r, -1, k)) : Tensor();
    right = g2.defined() ? Tensor(matmul(Q, g2)) : Tensor(zeros_like(R2));
    if (g2.defined()) gq = derivatives::plus(gq, matmul(Q, matmul(R2, derivatives::adjoint(g2))));
  }
  Tensor inner;
  if (grad_r.defined()) inner = matmul(derivatives::left_columns(grad_r, k), derivatives::adjoint(R1));
  if (gq.defined()) inner = derivatives::plus(inner, neg(matmul(derivatives::adjoint(Q), gq)));
  inner = triu(inner);
  Tensor sum = add(inner, derivatives::adjoint(inner));
  sum = derivatives::with_diagonal(sum, mul(derivatives::diagonal_of(sum), Scalar(0.5)));
  Tensor out = derivatives::plus(gq, matmul(Q, sum));
  out = linalg_solve_triangular(derivatives::adjoint(R1), out, "upper"_a = false, "left"_a = false);
  if (!right.defined()) return out;
  Tensor both[] = {out, right};
  return cat(TensorList(both, 2), -1);
}

/// Runs the reflections H_i = I - tau_i v_i v_i' over C again, the last one first (or, for the adjoint of their
/// product, the first one first), and then back over the gradient: gradients of the columns that hold v, and of tau.
inline std::tuple<Tensor, Tensor> reflections_gradient(Tensor grad, const Tensor& C, const Tensor& input,
                                                       const Tensor& tau, bool adjoint_product) {
  std::int64_t n = input.sizes().back(), k = tau.sizes().back();
  // v_i: 1 at row i, the stored elements below.
  Tensor vectors = tril(input, -1);
  vectors = derivatives::with_diagonal(vectors, ones_like(derivatives::diagonal_of(vectors)));
  auto column = [&](std::int64_t i) { return slice(vectors, -1, i, i + 1); };
  auto factor = [&](std::int64_t i) {
    Tensor t = slice(tau, -1, i, i + 1);
    return unsqueeze(adjoint_product ? derivatives::conj_of(t) : t, -1);
  };
  auto place = [&](std::int64_t step) { return adjoint_product ? step : k - 1 - step; };
  std::vector<Tensor> before;  // what each reflection is applied to
  Tensor x = C;
  for (std::int64_t step = 0; step < k; ++step) {
    before.push_back(x);
    Tensor v = column(place(step));
    x = sub(x, mul(factor(place(step)), matmul(v, matmul(derivatives::adjoint(v), x))));
  }
  std::vector<Tensor> columns(static_cast<std::size_t>(n)), taus(static_cast<std::size_t>(k));
  for (std::int64_t step = k; step-- > 0;) {
    std::int64_t i = place(step);
    Tensor v = column(i), t = factor(i), in = before[static_cast<std::size_t>(step)];
    Tensor w = matmul(derivatives::adjoint(v), in), wh = derivatives::adjoint(w), gw = matmul(grad, wh);
    Tensor slope = neg(matmul(derivatives::adjoint(v), gw));  // of the factor, 1 x 1
    Tensor g_tau = squeeze(slope, -1);
    taus[static_cast<std::size_t>(i)] = adjoint_product ? derivatives::conj_of(g_tau) : g_tau;
    columns[static_cast<std::size_t>(i)] =
        neg(add(mul(derivatives::conj_of(t), gw), mul(t, matmul(in, matmul(derivatives::adjoint(grad), v)))));
    grad = sub(grad, mul(derivatives::conj_of(t), matmul(v, matmul(derivatives::adjoint(v), grad))));
  }
  for (std::int64_t i = k; i < n; ++i) columns[static_cast<std::size_t>(i)] = zeros_like(slice(input, -1, i, i + 1));
  Tensor g_input = n == 0 ? Tensor(zeros_like(input)) : Tensor(tril(cat(TensorList(columns), -1), -1));
  Tensor g_tau = k == 0 ? Tensor(zeros_like(tau)) : Tensor(cat(TensorList(taus), -1));
  return {g_input, g_tau};
}
/// The first n columns of the identity, in a batch.
inline Tensor identity_like(const Tensor& t) {
  Tensor out = zeros_like(t);
  fill_(diagonal(out, 0, -2, -1), Scalar(1));
  return out;
}
inline std::tuple<Tensor, Tensor> householder_gradient(const Tensor& grad, const Tensor& input, const Tensor& tau) {
  if (input.numel() == 0 || tau.numel() == 0) return {};
  return reflections_gradient(grad, identity_like(input), input, tau, false);
}
inline std::tuple<Tensor, Tensor, Tensor> ormqr_gradient(const Tensor& grad, const Tensor& self, const Tensor& tau,
                                                         const Tensor& other, bool left, bool transpose,
                                                         autograd::Needs needs) {
  Tensor of_self, of_tau, of_other;
  if (needs[2]) of_other = ormqr(self, tau, grad, left, !transpose);
  if ((needs[0] || needs[1]) && self.numel() != 0 && tau.numel() != 0)
    // A product from the right is that of the adjoints from the left.
    std::tie(of_self, of_tau) =
        left ? reflections_gradient(grad, other, self, tau, transpose)
             : reflections_gradient(derivatives::adjoint(grad), derivatives::adjoint(other), self, tau, !transpose);
  return {of_self, of_tau, of_other};
}

}  // namespace derivatives

TENON_DERIVATIVE(linalg_cholesky_ex_base,
                 TENON_WRT((self), (grad_L, upper, L), derivatives::cholesky_gradient(grad_L, upper, L)));
TENON_DERIVATIVE(cholesky_inverse_base, TENON_WRT((self), (grad, self, upper, result),
                                                  derivatives::cholesky_inverse_gradient(grad, self, upper, result)));
TENON_DERIVATIVE(linalg_lu_factor_ex_base,
                 TENON_WRT((A), (grad_LU, LU, pivots), derivatives::lu_factor_gradient(grad_LU, LU, pivots)));
TENON_DERIVATIVE(lu_unpack_base, TENON_WRT((LU_data), (grad_L, grad_U, LU_data_sizes),
                                           derivatives::lu_unpack_gradient(grad_L, grad_U, LU_data_sizes)));
TENON_DERIVATIVE(linalg_lu_base,
                 TENON_WRT((A), (grad_L, grad_U, P, L, U), derivatives::lu_gradient(grad_L, grad_U, P, L, U)));
TENON_DERIVATIVE(linalg_qr_base,
                 TENON_WRT((A), (grad_Q, grad_R, Q, R, mode), derivatives::qr_gradient(grad_Q, grad_R, Q, R, mode)));
TENON_DERIVATIVE(linalg_householder_product_base,
                 TENON_WRT((input, tau), (grad, input, tau), derivatives::householder_gradient(grad, input, tau)));
TENON_DERIVATIVE(ormqr_base,
                 TENON_WRT((self, input2, input3), (grad, self, input2, input3, left, transpose, needs),
                           derivatives::ormqr_gradient(grad, self, input2, input3, left, transpose, needs)));

}  // namespace tenon::ops
