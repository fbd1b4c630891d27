// Attention over several heads.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

/// What a call of MultiheadAttention takes by name. Masks of bool hide where they are true; others are added to the
/// scores. Shapes: key_padding_mask (N, S) or (S); attn_mask (L, S) or (N num_heads, L, S).
struct MultiheadAttentionOptions {
  Tensor key_padding_mask = {};
  bool need_weights = true;
  Tensor attn_mask = {};
  bool average_attn_weights = true;
  bool is_causal = false;
};

/// Heads that weigh the values by how much their keys answer the queries (Vaswani et al., 2017).
/// Shapes: query (L, N, E), key (S, N, kdim), value (S, N, vdim); the batch comes first with `batch_first` and is left
/// out in two dimensions. Results: (L, N, E), and the weights (N, L, S), (N, heads, L, S) unless averaged, or
/// undefined. Errors: ValueError unless the heads divide embed_dim, and for shapes that do not fit.
struct MultiheadAttention {
  Count embed_dim, num_heads;
  double dropout = 0;
  bool bias = true, add_bias_kv = false, add_zero_attn = false;
  std::optional<std::int64_t> kdim = std::nullopt, vdim = std::nullopt;
  bool batch_first = false;
  ScalarType dtype = get_default_dtype();
  bool training = true;
  Linear out_proj = {embed_dim, embed_dim, bias, dtype};
  Parameter q_proj_weight = {}, k_proj_weight = {}, v_proj_weight = {}, in_proj_bias = {}, bias_k = {}, bias_v = {};
  Parameter in_proj_weight = start();

  std::tuple<Tensor, Tensor> operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                        const MultiheadAttentionOptions& o = {}) const;
  Tensor start();
  static std::string_view tenon_printed_as(std::string_view part) {
    return part == "out_proj" ? "NonDynamicallyQuantizableLinear" : "";
  }
  TENON_FIELDS(in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight, in_proj_bias, bias_k, bias_v, out_proj)
};

}  // namespace tenon::nn
