// Look-ups by the operator embedding.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/ops/embedding.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/unique.hpp>
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
/// Brings the rows that are looked up down to a norm, in place.
inline void renorm(const Tensor& weight, const Tensor& indices, const std::optional<double>& max_norm,
                   double norm_type) {
  if (!max_norm || indices.numel() == 0) return;
  NoGradGuard no_grad;
  Tensor rows = std::get<0>(ops::_unique(indices)), found = ops::index_select(weight, 0, rows);
  Tensor norms = ops::norm(found, norm_type, {1}, true);
  Tensor table = weight;
  ops::index_copy_(table, 0, rows, ops::where(ops::gt(norms, *max_norm), found * (*max_norm / (norms + 1e-7)), found));
}

TENON_BODY Tensor new_parameters(Embedding& l) {
  l.padding_idx = padding_row(l.padding_idx, l.num_embeddings);
  return new_table(l.num_embeddings, l.embedding_dim, l.padding_idx, l.dtype);
}

}  // namespace detail

TENON_BODY Tensor Embedding::operator()(const Tensor& indices) const {
  detail::renorm(weight, indices, max_norm, norm_type);
  return ops::embedding(weight, indices, padding_idx.value_or(-1), scale_grad_by_freq);
}

}  // namespace tenon::nn
