// Attention by its operator.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/attention.hpp>
#include <tenon/ops/attention.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                               const AttentionOptions& o) {
  return ops::scaled_dot_product_attention(query, key, value, o.attn_mask, o.dropout_p, o.is_causal,
                                           "scale"_a = o.scale, "enable_gqa"_a = o.enable_gqa);
}

}  // namespace tenon::nn::functional
