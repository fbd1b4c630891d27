// Attention of queries to keys and values.
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

struct AttentionOptions {
  std::optional<Tensor> attn_mask = {};  ///< of bool: what takes part; else added to the scores
  double dropout_p = 0;
  bool is_causal = false;
  std::optional<double> scale = {};  ///< one by the square root of the width if left out
  bool enable_gqa = false;
};
/// softmax(query @ key.T * scale + mask) @ value.
/// Shapes: query (.., L, E), key (.., S, E), value (.., S, V); the result is (.., L, V).
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionOptions& o = {});

/// What may follow the parameters in a call of multi_head_attention_forward.
struct MultiHeadAttentionForwardOptions {
  bool training = true;          ///< else nothing is dropped
  Tensor key_padding_mask = {};  ///< (N, S) or (S)
  bool need_weights = true;
  Tensor attn_mask = {};                  ///< (L, S) or (N num_heads, L, S)
  bool use_separate_proj_weight = false;  ///< by the three weights that follow, not by in_proj_weight
  Tensor q_proj_weight = {}, k_proj_weight = {}, v_proj_weight = {};
  Tensor static_k = {}, static_v = {};  ///< (N num_heads, S, E / num_heads): take the place of projected ones
  bool average_attn_weights = true;
  bool is_causal = false;  ///< a hint that attn_mask hides what is later
};
/// What MultiheadAttention computes, by parameters that are given; undefined tensors stand for None.
/// Shapes: query (L, N, E) or (L, E), key (S, N, kdim), value (S, N, vdim), in_proj_weight (3 E, E), in_proj_bias (3
/// E), bias_k and bias_v (1, 1, E), out_proj_weight (E, E). Results: as those of MultiheadAttention. Errors: ValueError
/// for shapes that do not fit, and where a weight is missing.
std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                        std::int64_t embed_dim_to_check, std::int64_t num_heads,
                                                        const Tensor& in_proj_weight, const Tensor& in_proj_bias,
                                                        const Tensor& bias_k, const Tensor& bias_v, bool add_zero_attn,
                                                        double dropout_p, const Tensor& out_proj_weight,
                                                        const Tensor& out_proj_bias,
                                                        const MultiHeadAttentionForwardOptions& o = {});

}  // namespace tenon::nn::functional
