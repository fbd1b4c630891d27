// Attention that does not keep its weights.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace flash_attention_family {

// Weights are not kept: the backward operator makes them again from the logarithm of their sums.
TENON_OPERATORS_PLAIN(
    _scaled_dot_product_flash_attention_for_cpu,
    (base,
     "aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    _scaled_dot_product_flash_attention_for_cpu_backward,
    (base,
     "aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
     no_device_check));
TENON_OPERATORS_OUT(
    _transform_bias_rescale_qkv,
    (base, "aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor)",
     out_tags({Tag::generated})));

}  // namespace flash_attention_family
}  // namespace tenon::ops
