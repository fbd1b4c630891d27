// Derivatives of embeddings.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/by_composition.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/embedding.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>

namespace tenon::ops {

namespace derivatives {

/// The rows that the gradient's elements were added to; those of the padding pass nothing back.
inline Tensor rows_of_gradient(const Tensor& grad, const Tensor& indices, std::int64_t rows, std::int64_t padding_idx,
                               bool scale_grad_by_freq) {
  Tensor out = embedding(grad, indices);
  if (padding_idx >= 0) out = masked_fill(out, unsqueeze(eq(indices, Scalar(padding_idx)), -1), Scalar(0));
  if (!scale_grad_by_freq) return out;
  Tensor one = ones_like(select(out, -1, 0));
  Tensor counts = embedding_dense_backward(unsqueeze(one, -1), indices, rows, -1, false);
  return div(out, embedding(counts, indices));
}

}  // namespace derivatives

TENON_DERIVATIVE(embedding_base,
                 TENON_WRT((weight), (grad, weight_sizes, indices, padding_idx, scale_grad_by_freq, sparse),
                           embedding_backward(grad, indices, weight_sizes[0], padding_idx, scale_grad_by_freq,
                                              sparse)));
TENON_DERIVATIVE(embedding_dense_backward_base,
                 TENON_WRT((grad_output), (grad, indices, num_weights, padding_idx, scale_grad_by_freq),
                           derivatives::rows_of_gradient(grad, indices, num_weights, padding_idx, scale_grad_by_freq)));
TENON_DERIVATIVE(_embedding_bag_base,
                 TENON_WRT((weight),
                           (grad, indices, offsets, result1, result2, result3, weight_sizes, scale_grad_by_freq, mode,
                            sparse, per_sample_weights, padding_idx),
                           _embedding_bag_backward(grad, indices, offsets, result1, result2, result3, weight_sizes[0],
                                                   scale_grad_by_freq, mode, sparse, per_sample_weights, padding_idx)),
                 TENON_WRT((per_sample_weights), (grad, weight, indices, offsets, result1, mode, padding_idx),
                           _embedding_bag_per_sample_weights_backward(grad, weight, indices, offsets, result1, mode,
                                                                      padding_idx)));

}  // namespace tenon::ops
