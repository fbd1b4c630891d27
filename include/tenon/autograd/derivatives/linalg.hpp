// Derivatives of matrix products.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

using derivatives::conj_of;
using derivatives::scaled;
inline bool is_column_major(const autograd::Geometry& g) {
  return g.sizes.size() == 2 && g.strides[0] == 1 && g.strides[1] == g.sizes[0];
}
/// The gradient has the layout of its operand, so that the gradient of a transposed weight is row-major.
inline Tensor first_factor_gradient(const Tensor& grad, const Tensor& mat2, const autograd::Geometry& self,
                                    const Scalar& alpha) {
  if (is_column_major(self)) return scaled(t(mm(conj_of(mat2), t(grad))), alpha);
  return scaled(mm(grad, t(conj_of(mat2))), alpha);
}
inline Tensor second_factor_gradient(const Tensor& grad, const Tensor& mat1, const autograd::Geometry& mat2,
                                     const Scalar& alpha) {
  if (is_column_major(mat2)) return scaled(t(mm(t(grad), conj_of(mat1))), alpha);
  return scaled(mm(t(conj_of(mat1)), grad), alpha);
}
inline Tensor first_batch_gradient(const Tensor& grad, const Tensor& batch2, const Scalar& alpha) {
  return scaled(bmm(grad, conj_of(transpose(batch2, 1, 2))), alpha);
}
inline Tensor second_batch_gradient(const Tensor& grad, const Tensor& batch1, const Scalar& alpha) {
  return scaled(bmm(conj_of(transpose(batch1, 1, 2)), grad), alpha);
}
inline Tensor matrix_gradient(const Tensor& grad, const Tensor& vec, const Scalar& alpha) {
  return scaled(mul(unsqueeze(grad, 1), unsqueeze(conj_of(vec), 0)), alpha);
}
inline Tensor vector_gradient(const Tensor& grad, const Tensor& mat, const Scalar& alpha) {
  return scaled(mv(t(conj_of(mat)), grad), alpha);
}

}  // namespace derivatives

TENON_DERIVATIVE(mm_base,
                 TENON_WRT((self), (grad, mat2, self_geometry),
                           derivatives::first_factor_gradient(grad, mat2, self_geometry, 1)),
                 TENON_WRT((mat2), (grad, self, mat2_geometry),
                           derivatives::second_factor_gradient(grad, self, mat2_geometry, 1)));
TENON_DERIVATIVE(addmm_base, TENON_WRT((self), (grad, beta), derivatives::scaled(grad, beta)),
                 TENON_WRT((mat1), (grad, mat2, mat1_geometry, alpha),
                           derivatives::first_factor_gradient(grad, mat2, mat1_geometry, alpha)),
                 TENON_WRT((mat2), (grad, mat1, mat2_geometry, alpha),
                           derivatives::second_factor_gradient(grad, mat1, mat2_geometry, alpha)));
TENON_DERIVATIVE(bmm_base, TENON_WRT((self), (grad, mat2), derivatives::first_batch_gradient(grad, mat2, 1)),
                 TENON_WRT((mat2), (grad, self), derivatives::second_batch_gradient(grad, self, 1)));
TENON_DERIVATIVE(baddbmm_base, TENON_WRT((self), (grad, beta), derivatives::scaled(grad, beta)),
                 TENON_WRT((batch1), (grad, batch2, alpha), derivatives::first_batch_gradient(grad, batch2, alpha)),
                 TENON_WRT((batch2), (grad, batch1, alpha), derivatives::second_batch_gradient(grad, batch1, alpha)));
TENON_DERIVATIVE(mv_base, TENON_WRT((self), (grad, vec), derivatives::matrix_gradient(grad, vec, 1)),
                 TENON_WRT((vec), (grad, self), derivatives::vector_gradient(grad, self, 1)));
TENON_DERIVATIVE(addmv_base, TENON_WRT((self), (grad, beta), derivatives::scaled(grad, beta)),
                 TENON_WRT((mat), (grad, vec, alpha), derivatives::matrix_gradient(grad, vec, alpha)),
                 TENON_WRT((vec), (grad, mat, alpha), derivatives::vector_gradient(grad, mat, alpha)));
TENON_DERIVATIVE(dot_base, TENON_WRT((self), (grad, tensor), derivatives::times_conj(grad, tensor)),
                 TENON_WRT((tensor), (grad, self), derivatives::times_conj(grad, self)));

TENON_DERIVATIVE(vdot_base, TENON_WRT((self), (grad, other), mul(derivatives::conj_of(grad), other)),
                 TENON_WRT((other), (grad, self), mul(grad, self)));
TENON_DERIVATIVE(tril_base, TENON_WRT((self), (grad, diagonal), tril(grad, diagonal)));
TENON_DERIVATIVE(triu_base, TENON_WRT((self), (grad, diagonal), triu(grad, diagonal)));
TENON_DERIVATIVE(trace_base, TENON_WRT((self), (grad, self_sizes), trace_backward(grad, self_sizes)));

TENON_NOT_DIFFERENTIABLE(outer_base_out);
TENON_NOT_DIFFERENTIABLE(matmul_base_out);
TENON_NOT_DIFFERENTIABLE(linear_base_out);

}  // namespace tenon::ops
