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

/// A table of its own for a layer, in the memory of the one given.
inline Tensor given_table(const Tensor& embeddings, bool freeze, const char* layer) {
  TENON_CHECK(embeddings.dim() == 2, ValueError, layer,
              "::from_pretrained(): embeddings: expected 2 dimensions, got shape ", embeddings.sizes());
  Tensor table = ops::detach(embeddings);
  if (!freeze) table.set_requires_grad(true);
  return table;
}

}  // namespace detail

TENON_BODY Embedding Embedding::from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& o) {
  Tensor table = detail::given_table(embeddings, o.freeze, "Embedding");
  return {.num_embeddings = table.size(0),
          .embedding_dim = table.size(1),
          .padding_idx = detail::padding_row(o.padding_idx, table.size(0)),
          .max_norm = o.max_norm,
          .norm_type = o.norm_type,
          .scale_grad_by_freq = o.scale_grad_by_freq,
          .dtype = table.dtype(),
          .weight = table};
}
TENON_BODY EmbeddingBag EmbeddingBag::from_pretrained(const Tensor& embeddings,
                                                      const EmbeddingBagFromPretrainedOptions& o) {
  Tensor table = detail::given_table(embeddings, o.freeze, "EmbeddingBag");
  return {.num_embeddings = table.size(0),
          .embedding_dim = table.size(1),
          .max_norm = o.max_norm,
          .norm_type = o.norm_type,
          .scale_grad_by_freq = o.scale_grad_by_freq,
          .mode = o.mode,
          .include_last_offset = o.include_last_offset,
          .padding_idx = detail::padding_row(o.padding_idx, table.size(0)),
          .dtype = table.dtype(),
          .weight = table};
}

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
