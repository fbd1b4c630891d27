// Attention of queries to keys and values.
#pragma once
#include <optional>

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

}  // namespace tenon::nn::functional
