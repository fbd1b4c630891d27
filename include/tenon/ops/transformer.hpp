// Attention and the layer of an encoder as one operator each, for inference.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace transformer_family {

// Mask types: 0 for (steps, steps), 1 for (batch, steps), 2 for (batch, heads, steps, steps).
TENON_OPERATORS_OUT(
    _native_multi_head_attention,
    (base,
     "aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _transformer_encoder_layer_fwd,
    (base,
     "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace transformer_family
}  // namespace tenon::ops
