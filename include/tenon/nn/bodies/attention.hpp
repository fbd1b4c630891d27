// The parameters of attention, which a function computes.
#pragma once
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/nn/functional/attention.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

TENON_BODY Tensor MultiheadAttention::start() {
  TENON_CHECK(embed_dim > 0 && num_heads > 0, ValueError,
              "embed_dim and num_heads must be greater than 0, got embed_dim=", std::int64_t(embed_dim),
              " and num_heads=", std::int64_t(num_heads), " instead");
  TENON_CHECK(embed_dim % num_heads == 0, ValueError, "embed_dim must be divisible by num_heads");
  auto spread = [&](std::int64_t rows, std::int64_t columns) {
    return detail::uniform_leaf({rows, columns}, std::sqrt(6.0 / static_cast<double>(rows + columns)), dtype);
  };
  std::int64_t e = embed_dim, k = kdim.value_or(e), v = vdim.value_or(e);
  Tensor all;
  if (k == e && v == e) {
    all = spread(3 * e, e);
  } else {
    q_proj_weight = spread(e, e);
    k_proj_weight = spread(e, k);
    v_proj_weight = spread(e, v);
  }
  if (bias) {
    in_proj_bias = detail::filled_leaf({3 * e}, 0, dtype);
    init::zeros_(out_proj.bias);
  }
  if (add_bias_kv)
    for (Parameter* p : {&bias_k, &bias_v}) {
      *p = detail::new_leaf({1, 1, e}, dtype);
      init::normal_(*p, 0, std::sqrt(1.0 / static_cast<double>(e)));
    }
  return all;
}

TENON_BODY std::tuple<Tensor, Tensor> MultiheadAttention::operator()(const Tensor& query, const Tensor& key,
                                                                     const Tensor& value,
                                                                     const MultiheadAttentionOptions& o) const {
  Calling call(this);
  bool turn = batch_first && query.dim() == 3 && key.dim() == 3 && value.dim() == 3;
  auto steps_first = [&](const Tensor& t) { return turn ? ops::transpose(t, 0, 1) : t; };
  auto [out, weights] = functional::multi_head_attention_forward(
      steps_first(query), steps_first(key), steps_first(value), embed_dim, num_heads, in_proj_weight, in_proj_bias,
      bias_k, bias_v, add_zero_attn, dropout, out_proj.weight, out_proj.bias,
      {.training = training,
       .key_padding_mask = o.key_padding_mask,
       .need_weights = o.need_weights,
       .attn_mask = o.attn_mask,
       .use_separate_proj_weight = !in_proj_weight.defined(),
       .q_proj_weight = q_proj_weight,
       .k_proj_weight = k_proj_weight,
       .v_proj_weight = v_proj_weight,
       .average_attn_weights = o.average_attn_weights,
       .is_causal = o.is_causal});
  return call(std::tuple(steps_first(out), weights));
}

}  // namespace tenon::nn
