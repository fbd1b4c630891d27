// Masks of attention in which a query sees no later key: torch.nn.attention.bias.
#pragma once
#include <cstdint>

#include <tenon/base/device.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::attention {

/// A mask for scaled_dot_product_attention(), `{.attn_mask = causal_upper_left(4, 12)}`: query i sees keys 0 to i, as
/// with `is_causal`. Shape: (seq_len_q, seq_len_kv), of bool; PyTorch's is a tensor that is made where it is used.
/// Errors: ValueError for a negative length. Source: torch.nn.attention.bias.causal_upper_left of PyTorch 2.15.
Tensor causal_upper_left(std::int64_t seq_len_q, std::int64_t seq_len_kv, Device device = kCPU);
/// The same for queries that are the last of the keys' sequence, as those of a cache are: the last query sees all
/// keys. Warns where there are fewer keys than queries: the first queries see none then, and their results are zeros.
Tensor causal_lower_right(std::int64_t seq_len_q, std::int64_t seq_len_kv, Device device = kCPU);

}  // namespace tenon::nn::attention
