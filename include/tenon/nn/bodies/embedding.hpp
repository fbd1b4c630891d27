// Tables as they start, and what looks rows up in them.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/functional/embedding.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

namespace detail {

/// The row that stands for padding, counted from the end if negative; throws ValueError if there is none.
inline std::optional<std::int64_t> padding_row(const std::optional<std::int64_t>& given, std::int64_t rows) {
  if (!given) return given;
  TENON_CHECK(*given < rows && *given >= -rows, ValueError, "Padding_idx must be within num_embeddings");
  return *given < 0 ? *given + rows : *given;
}
inline Tensor new_table(std::int64_t rows, std::int64_t width, const std::optional<std::int64_t>& padding,
                        ScalarType dtype) {
  Tensor table = new_leaf({rows, width}, dtype);
  init::normal_(table);
  if (padding) {
    NoGradGuard no_grad;
    init::zeros_(ops::select(table, 0, *padding));
  }
  return table;
}
TENON_BODY Tensor new_parameters(Embedding& l) {
  l.padding_idx = padding_row(l.padding_idx, l.num_embeddings);
  return new_table(l.num_embeddings, l.embedding_dim, l.padding_idx, l.dtype);
}
TENON_BODY Tensor new_parameters(EmbeddingBag& l) {
  l.padding_idx = padding_row(l.padding_idx, l.num_embeddings);
  return new_table(l.num_embeddings, l.embedding_dim, l.padding_idx, l.dtype);
}

}  // namespace detail

TENON_BODY Tensor Embedding::operator()(const Tensor& indices) const {
  return Calling(this)(functional::embedding(indices, weight, {padding_idx, max_norm, norm_type, scale_grad_by_freq}));
}
TENON_BODY Tensor EmbeddingBag::operator()(const Tensor& indices, const Tensor& offsets,
                                           const Tensor& per_sample_weights) const {
  return Calling(this)(functional::embedding_bag(indices, weight,
                                                 {.offsets = offsets,
                                                  .max_norm = max_norm,
                                                  .norm_type = norm_type,
                                                  .scale_grad_by_freq = scale_grad_by_freq,
                                                  .mode = mode,
                                                  .per_sample_weights = per_sample_weights,
                                                  .include_last_offset = include_last_offset,
                                                  .padding_idx = padding_idx}));
}

}  // namespace tenon::nn
