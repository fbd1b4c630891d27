// Attention by its operators.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/base/body.hpp>
#include <tenon/nn/functional/attention.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/attention.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                               const AttentionOptions& o) {
  return ops::scaled_dot_product_attention(query, key, value, o.attn_mask, o.dropout_p, o.is_causal,
                                           "scale"_a = o.scale, "enable_gqa"_a = o.enable_gqa);
}

namespace detail {

/// A mask that is added to scores: minus infinity where one of bool hides.
inline Tensor added_mask(const Tensor& mask, const char* name, ScalarType dtype) {
  if (!mask.defined()) return mask;
  TENON_CHECK(mask.dtype() == kBool || is_floating_type(mask.dtype()), TypeError, "only bool and floating types of ",
              name, " are supported, got ", mask.dtype());
  if (mask.dtype() != kBool) return mask;
  Tensor zeros = ops::zeros(mask.sizes(), "dtype"_a = dtype, "device"_a = mask.device());
  return ops::masked_fill(zeros, mask, -std::numeric_limits<double>::infinity());
}
/// Weights of rows of scores; a row without any place to look at has none where `hidden_rows_are_zero`, else NaN.
inline Tensor attention_weights(const Tensor& scores, bool hidden_rows_are_zero) {
  if (!hidden_rows_are_zero) return ops::softmax(scores, -1);
  Tensor hidden = ops::all(ops::eq(scores, -std::numeric_limits<double>::infinity()), -1, true);
  return ops::masked_fill(ops::softmax(ops::masked_fill(scores, hidden, 0), -1), hidden, 0);
}

}  // namespace detail

TENON_BODY std::tuple<Tensor, Tensor> multi_head_attention_forward(
    const Tensor& query, const Tensor& key, const Tensor& value, std::int64_t embed_dim_to_check,
    std::int64_t num_heads, const Tensor& in_proj_weight, const Tensor& in_proj_bias, const Tensor& bias_k,
    const Tensor& bias_v, bool add_zero_attn, double dropout_p, const Tensor& out_proj_weight,
    const Tensor& out_proj_bias, const MultiHeadAttentionForwardOptions& o) {
  TENON_CHECK(query.dim() == 2 || query.dim() == 3, ValueError,
              "query should be unbatched 2D or batched 3D tensor but received ", query.dim(), "-D query tensor");
  bool batched = query.dim() == 3;
  TENON_CHECK(key.dim() == query.dim() && value.dim() == query.dim(), ValueError, "For ",
              batched ? "batched (3-D)" : "unbatched (2-D)", " `query`, expected `key` and `value` to be ", query.dim(),
              "-D but found ", key.dim(), "-D and ", value.dim(), "-D tensors respectively");
  TENON_CHECK(!o.is_causal || o.attn_mask.defined(), ValueError, "Need attn_mask if specifying the is_causal hint.");
  Tensor q = query, k = key, v = value;
  if (!batched)
    for (Tensor* t : {&q, &k, &v}) *t = ops::unsqueeze(*t, 1);
  const std::int64_t length = q.size(0), batch = q.size(1), e = q.size(2);
  TENON_CHECK(e == embed_dim_to_check, ValueError, "was expecting embedding dimension of ", embed_dim_to_check,
              ", but got ", e);
  const std::int64_t heads = num_heads, width = heads > 0 ? e / heads : 0;
  TENON_CHECK(heads > 0 && width * heads == e, ValueError, "embed_dim ", e, " not divisible by num_heads ", heads);

  Tensor weights[3] = {o.q_proj_weight, o.k_proj_weight, o.v_proj_weight};
  if (o.use_separate_proj_weight) {
    TENON_CHECK(k.size(0) == v.size(0) && k.size(1) == v.size(1), ValueError, "key's sequence and batch dims ",
                k.sizes(), " do not match value's ", v.sizes());
    for (unsigned i = 0; i < 3; ++i)
      TENON_CHECK(weights[i].defined(), ValueError, "use_separate_proj_weight is True but ", "qkv"[i],
                  "_proj_weight is None");
  } else {
    TENON_CHECK(k.sizes() == v.sizes(), ValueError, "key shape ", k.sizes(), " does not match value shape ", v.sizes());
    TENON_CHECK(in_proj_weight.defined(), ValueError, "use_separate_proj_weight is False but in_proj_weight is None");
    for (std::int64_t i = 0; i < 3; ++i) weights[i] = ops::narrow(in_proj_weight, 0, i * e, e);
  }
  auto project = [&](Tensor& t, std::int64_t i) {
    std::optional<Tensor> shift;
    if (in_proj_bias.defined()) shift = ops::narrow(in_proj_bias, 0, i * e, e);
    t = ops::linear(t, weights[i], shift);
  };
  project(q, 0);
  project(k, 1);
  project(v, 2);

  // The hint takes the mask's place where nothing else hides places, as in PyTorch.
  bool causal = o.is_causal && !o.key_padding_mask.defined() && !o.need_weights;
  Tensor mask = causal ? Tensor() : detail::added_mask(o.attn_mask, "attn_mask", q.dtype());
  Tensor padding = detail::added_mask(o.key_padding_mask, "key_padding_mask", q.dtype());
  if (padding.defined() && !batched) padding = ops::unsqueeze(padding, 0);
  std::int64_t source = k.size(0);
  if (mask.defined()) {
    bool plain = mask.dim() == 2 && mask.size(0) == length && mask.size(1) == source;
    bool each = mask.dim() == 3 && mask.size(0) == batch * heads && mask.size(1) == length && mask.size(2) == source;
    TENON_CHECK(plain || each, ValueError, "The shape of the attn_mask is ", mask.sizes(), ", but should be (", length,
                ", ", source, ") or (", batch * heads, ", ", length, ", ", source, ")");
    if (plain) mask = ops::unsqueeze(mask, 0);
  }
  if (padding.defined())
    TENON_CHECK(padding.dim() == 2 && padding.size(0) == batch && padding.size(1) == source, ValueError,
                "expecting key_padding_mask shape of (", batch, ", ", source, "), but got ", padding.sizes());
  // A place more to look at, which no mask hides.
  auto widen = [&](Tensor& m) {
    if (!m.defined()) return;
    DimVector sizes(m.sizes());
    sizes.back() = 1;
    m = ops::cat({m, ops::new_zeros(m, IntArrayRef(sizes))}, -1);
  };
  auto with_place = [&](std::int64_t dim, const Tensor& k_place, const Tensor& v_place) {
    k = ops::cat({k, k_place}, dim);
    v = ops::cat({v, v_place}, dim);
    widen(mask);
    widen(padding);
  };
  TENON_CHECK(bias_k.defined() == bias_v.defined(), ValueError, "bias_", bias_k.defined() ? 'k' : 'v',
              " is set but bias_", bias_k.defined() ? 'v' : 'k', " is None");
  if (bias_k.defined()) {
    TENON_CHECK(!o.static_k.defined(), ValueError, "bias cannot be added to static key.");
    TENON_CHECK(!o.static_v.defined(), ValueError, "bias cannot be added to static value.");
    with_place(0, ops::expand(bias_k, {1, batch, e}), ops::expand(bias_v, {1, batch, e}));
  }
  auto split = [&](const Tensor& t) {
    return ops::transpose(ops::reshape(t, {t.size(0), batch * heads, width}), 0, 1);
  };
  auto split_or_given = [&](const Tensor& t, const Tensor& given, const char* name) {
    if (!given.defined()) return split(t);
    TENON_CHECK(given.dim() == 3 && given.size(0) == batch * heads && given.size(2) == width, ValueError, "expecting ",
                name, " of shape (", batch * heads, ", S, ", width, "), but got ", given.sizes());
    return given;
  };
  q = split(q);
  k = split_or_given(k, o.static_k, "static_k");
  v = split_or_given(v, o.static_v, "static_v");
  if (add_zero_attn) {
    Tensor zeros = ops::new_zeros(k, {batch * heads, 1, width});
    with_place(1, zeros, zeros);
  }
  source = k.size(1);
  if (causal) {
    Tensor later = ops::triu(ops::ones({length, source}, "dtype"_a = kBool, "device"_a = q.device()), 1);
    mask = ops::unsqueeze(detail::added_mask(later, "attn_mask", q.dtype()), 0);
  }
  if (padding.defined()) {
    TENON_CHECK(padding.size(1) == source, ValueError, "expecting key_padding_mask shape of (", batch, ", ", source,
                "), but got ", padding.sizes());
    padding = ops::reshape(ops::expand(ops::reshape(padding, {batch, 1, 1, source}), {-1, heads, -1, -1}),
                           {batch * heads, 1, source});
    mask = mask.defined() ? ops::add(mask, padding) : padding;
  }

  Tensor scores = ops::bmm(ops::mul(q, std::sqrt(1.0 / static_cast<double>(width))), ops::transpose(k, 1, 2));
  if (mask.defined()) scores = ops::add(scores, mask);
  Tensor attention = detail::attention_weights(scores, mask.defined() && !o.need_weights);
  if (o.training && dropout_p > 0) attention = ops::dropout(attention, dropout_p, true);
  Tensor out = ops::reshape(ops::transpose(ops::bmm(attention, v), 0, 1), {length * batch, e});
  out = ops::linear(out, out_proj_weight, out_proj_bias.defined() ? std::optional(out_proj_bias) : std::nullopt);
  out = ops::reshape(out, {length, batch, out.size(1)});
  if (!batched) out = ops::squeeze(out, 1);
  if (!o.need_weights) return {out, Tensor()};
  attention = ops::reshape(attention, {batch, heads, length, source});
  if (o.average_attn_weights) attention = ops::mean(attention, {1});
  return {out, batched ? attention : ops::squeeze(attention, 0)};
}

}  // namespace tenon::nn::functional
