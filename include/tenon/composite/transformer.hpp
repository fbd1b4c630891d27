// Attention and the layer of an encoder as one operator each, made of others.
#pragma once
#include <cmath>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/attention.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/flash_attention.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/normalization.hpp>
#include <tenon/ops/transformer.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace attention {

inline void check_native(const Tensor& query, const Tensor& key, const Tensor& value, std::int64_t width,
                         std::int64_t heads, const Tensor& weight, const Tensor& bias) {
  TENON_CHECK(query.dim() == 3, ValueError, "expected 3-D `query`, got ", query.dim(), "-D tensor");
  TENON_CHECK(query.sym_size(2) == width, ValueError, "passed-in embed_dim ", width, " didn't match last dim of query ",
              query.sym_size(2));
  TENON_CHECK(key.dim() == 3, ValueError, "expected 3-D `key`, got ", key.dim(), "-D tensor");
  TENON_CHECK(value.dim() == 3, ValueError, "expected 3-D `value`, got ", value.dim(), "-D tensor");
  TENON_CHECK(query.sym_sizes() == key.sym_sizes() && key.sym_sizes() == value.sym_sizes(), ValueError,
              "expected `query`/`key`/`value` shapes to match");
  TENON_CHECK(weight.dim() == 2, ValueError, "expected 2-D `qkv_weight`, got ", weight.dim(), "-D tensor");
  TENON_CHECK(weight.sym_size(0) == 3 * width, ValueError, "expected `qkv_weight` first dim to be 3x embed_dim");
  TENON_CHECK(weight.sym_size(1) == width, ValueError, "expected `qkv_weight` second dim to be embed_Dim");
  TENON_CHECK(bias.dim() == 1, ValueError, "expected 1-D `qkv_bias`, got ", bias.dim(), "-D tensor");
  TENON_CHECK(bias.sym_size(0) == 3 * width, ValueError,
              "expected `qkv_bias` first dim and first dim of query to be equal");
  TENON_CHECK(heads > 0 && width % heads == 0, ValueError, "`embed_dim` must divide evenly by `num_heads`");
}
/// Minus infinity where a mask of one of the three types hides a score.
inline Tensor with_mask(const Tensor& scores, const OptionalTensor& mask, std::optional<std::int64_t> type) {
  if (!is_given(mask)) return scores;
  TENON_CHECK(type.has_value(), ValueError, "Mask Type should be defined");
  TENON_CHECK(*type >= 0 && *type <= 2, ValueError,
              "Mask Type should be 0 (src_mask), 1 (src_key_padding_mask), or 2 (default_mask)");
  Tensor hidden = mask->dtype() == kBool ? *mask : Tensor(ops::to(*mask, kBool));
  if (*type == 1) hidden = ops::unsqueeze(ops::unsqueeze(hidden, 1), 1);
  return ops::masked_fill(scores, hidden, Scalar(-std::numeric_limits<double>::infinity()));
}
inline std::tuple<Tensor, Tensor> native(const Tensor& query, const Tensor& key, const Tensor& value,
                                         std::int64_t width, std::int64_t heads, const Tensor& qkv_weight,
                                         const Tensor& qkv_bias, const Tensor& weight, const Tensor& bias,
                                         const OptionalTensor& mask, bool need_weights, bool average,
                                         std::optional<std::int64_t> mask_type) {
  check_native(query, key, value, width, heads, qkv_weight, qkv_bias);
  auto part = [&](const Tensor& t, std::int64_t i) { return Tensor(ops::narrow(t, 0, i * width, width)); };
  Tensor rows = query.is_same(key) && key.is_same(value)
                    ? ops::linear(query, qkv_weight)
                    : ops::cat({ops::linear(query, part(qkv_weight, 0)), ops::linear(key, part(qkv_weight, 1)),
                                ops::linear(value, part(qkv_weight, 2))},
                               2);
  auto [q, k, v] = ops::_transform_bias_rescale_qkv(rows, qkv_bias, heads);
  Tensor weights = ops::softmax(with_mask(ops::matmul(q, ops::transpose(k, -2, -1)), mask, mask_type), -1);
  Tensor joined = ops::reshape(ops::transpose(ops::matmul(weights, v), 1, 2), query.sym_sizes());
  Tensor out = ops::linear(joined, weight, bias);
  if (!need_weights) return {out, Tensor()};
  return {out, average ? Tensor(ops::mean(weights, {1})) : weights};
}
/// The layer of an encoder: attention and two linear layers, each added to what it is given and normalised.
inline Tensor encoder_layer(const Tensor& src, std::int64_t width, std::int64_t heads, const Tensor& qkv_weight,
                            const Tensor& qkv_bias, const Tensor& proj_weight, const Tensor& proj_bias, bool use_gelu,
                            bool norm_first, double eps, const Tensor& norm_weight_1, const Tensor& norm_bias_1,
                            const Tensor& norm_weight_2, const Tensor& norm_bias_2, const Tensor& ffn_weight_1,
                            const Tensor& ffn_bias_1, const Tensor& ffn_weight_2, const Tensor& ffn_bias_2,
                            const OptionalTensor& mask, std::optional<std::int64_t> mask_type) {
  auto norm = [&](const Tensor& x, const Tensor& weight, const Tensor& bias) {
    SymInt shape[] = {SymInt(width)};
    return Tensor(ops::layer_norm(x, SymIntArrayRef(shape, 1), weight, bias, eps));
  };
  auto norm_1 = [&](const Tensor& x) { return norm(x, norm_weight_1, norm_bias_1); };
  auto norm_2 = [&](const Tensor& x) { return norm(x, norm_weight_2, norm_bias_2); };
  Tensor x = norm_first ? norm_1(src) : src;
  x = std::get<0>(ops::_native_multi_head_attention(x, x, x, width, heads, qkv_weight, qkv_bias, proj_weight, proj_bias,
                                                    mask, false, true, mask_type));
  x = ops::add(x, src);
  if (!norm_first) x = norm_1(x);
  Tensor inner = ops::linear(norm_first ? norm_2(x) : x, ffn_weight_1, ffn_bias_1);
  inner = ops::linear(use_gelu ? Tensor(ops::gelu(inner)) : Tensor(ops::relu(inner)), ffn_weight_2, ffn_bias_2);
  x = ops::add(inner, x);
  return norm_first ? x : norm_2(x);
}

}  // namespace attention

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = attention;
  constexpr auto all = DispatchKey::CompositeExplicitAutograd;
  define_forms(m, ops::_native_multi_head_attention_base);
  define_forms(m, ops::_transformer_encoder_layer_fwd_base);
  m.impl<ops::_native_multi_head_attention_base, &k::native>(all);
  m.impl<ops::_transformer_encoder_layer_fwd_base, &k::encoder_layer>(all);
  implement_out_by_copy<ops::_native_multi_head_attention_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::_transformer_encoder_layer_fwd_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite
