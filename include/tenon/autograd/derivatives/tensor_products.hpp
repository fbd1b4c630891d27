// Derivatives of products that are no basic ones.
#pragma once
#include <tenon/autograd/derivatives/linalg.hpp>
#include <tenon/ops/tensor_products.hpp>

namespace tenon::ops {

namespace derivatives {

/// A gradient that every matrix of a batch shares.
inline Tensor for_each(const Tensor& grad, const Tensor& batch) {
  std::int64_t sizes[] = {batch.sizes()[0], grad.sizes()[0], grad.sizes()[1]};
  return expand(unsqueeze(grad, 0), IntArrayRef(sizes, 3));
}

}  // namespace derivatives

TENON_DERIVATIVE(addbmm_base, TENON_WRT((self), (grad, beta), derivatives::scaled(grad, beta)),
                 TENON_WRT((batch1), (grad, batch2, alpha),
                           derivatives::first_batch_gradient(derivatives::for_each(grad, batch2), batch2, alpha)),
                 TENON_WRT((batch2), (grad, batch1, alpha),
                           derivatives::second_batch_gradient(derivatives::for_each(grad, batch1), batch1, alpha)));
TENON_DERIVATIVE(addbmm_base_, TENON_WRT((self), (grad, beta), derivatives::scaled(grad, beta)),
                 TENON_WRT((batch1), (grad, batch2, alpha),
                           derivatives::first_batch_gradient(derivatives::for_each(grad, batch2), batch2, alpha)),
                 TENON_WRT((batch2), (grad, batch1, alpha),
                           derivatives::second_batch_gradient(derivatives::for_each(grad, batch1), batch1, alpha)));
TENON_DERIVATIVE(addr_base, TENON_WRT((self), (grad, beta), derivatives::scaled(grad, beta)),
                 TENON_WRT((vec1), (grad, vec2, alpha),
                           derivatives::scaled(mv(grad, derivatives::conj_of(vec2)), alpha)),
                 TENON_WRT((vec2), (grad, vec1, alpha),
                           derivatives::scaled(mv(t(grad), derivatives::conj_of(vec1)), alpha)));
TENON_DERIVATIVE(linalg_cross_base,
                 TENON_WRT((self), (grad, other, dim), linalg_cross(derivatives::conj_of(other), grad, "dim"_a = dim)),
                 TENON_WRT((other), (grad, self, dim), linalg_cross(grad, derivatives::conj_of(self), "dim"_a = dim)));

TENON_NOT_DIFFERENTIABLE(_trilinear_base_out);
TENON_NOT_DIFFERENTIABLE(inner_base_out);
TENON_NOT_DIFFERENTIABLE(ger_base_out);
TENON_NOT_DIFFERENTIABLE(kron_base_out);
TENON_NOT_DIFFERENTIABLE(tensordot_base_out);
TENON_NOT_DIFFERENTIABLE(chain_matmul_base_out);
TENON_NOT_DIFFERENTIABLE(cross_base_out);
TENON_NOT_DIFFERENTIABLE(linalg_matmul_base_out);
TENON_NOT_DIFFERENTIABLE(linalg_multi_dot_base_out);
TENON_NOT_DIFFERENTIABLE(linalg_vecdot_base_out);

}  // namespace tenon::ops
