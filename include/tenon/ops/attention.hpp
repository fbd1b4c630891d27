// Attention.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace attention_family {

TENON_OPERATORS_PLAIN(
    scaled_dot_product_attention,
    (base,
     "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    _scaled_dot_product_attention_math,
    (base,
     "aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)",
     Tag::nondeterministic_seeded));
// Which path can serve a call: 0 the mathematical one, 1 that of flash attention.
TENON_OPERATORS_PLAIN(
    _fused_sdp_choice,
    (base,
     "aten::_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> int",
     Tag::nondeterministic_seeded));

}  // namespace attention_family
}  // namespace tenon::ops
