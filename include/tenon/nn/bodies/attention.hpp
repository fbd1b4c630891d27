// Attention by products of matrices.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/base/body.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/reduce.hpp>
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

namespace detail {

/// A mask that is added to scores: minus infinity where one of bool hides.
inline Tensor added_mask(const Tensor& mask, const char* name, ScalarType dtype) {
  if (!mask.defined()) return mask;
  TENON_CHECK(mask.dtype() == kBool || is_floating_type(mask.dtype()), TypeError, "only bool and floating types of ",
              name, " are supported, got ", mask.dtype());
  if (mask.dtype() != kBool) return mask;
  Tensor zeros = ops::zeros(mask.sizes(), "dtype"_a = dtype);
  return ops::masked_fill(zeros, mask, -std::numeric_limits<double>::infinity());
}
/// Weights of rows of scores; a row without any place to look at has none where `hidden_rows_are_zero`, else NaN.
inline Tensor attention_weights(const Tensor& scores, bool hidden_rows_are_zero) {
  if (!hidden_rows_are_zero) return ops::softmax(scores, -1);
  Tensor hidden = ops::all(ops::eq(scores, -std::numeric_limits<double>::infinity()), -1, true);
  return ops::masked_fill(ops::softmax(ops::masked_fill(scores, hidden, 0), -1), hidden, 0);
}

}  // namespace detail

TENON_BODY std::tuple<Tensor, Tensor> MultiheadAttention::operator()(const Tensor& query, const Tensor& key,
                                                                     const Tensor& value,
                                                                     const MultiheadAttentionOptions& o) const {
  Calling call(this);
  TENON_CHECK(query.dim() == 2 || query.dim() == 3, ValueError,
              "query should be unbatched 2D or batched 3D tensor but received ", query.dim(), "-D query tensor");
  bool batched = query.dim() == 3;
  TENON_CHECK(key.dim() == query.dim() && value.dim() == query.dim(), ValueError, "For ",
              batched ? "batched (3-D)" : "unbatched (2-D)", " `query`, expected `key` and `value` to be ", query.dim(),
              "-D but found ", key.dim(), "-D and ", value.dim(), "-D tensors respectively");
  TENON_CHECK(!o.is_causal || o.attn_mask.defined(), ValueError, "Need attn_mask if specifying the is_causal hint.");
  auto steps_first = [&](const Tensor& t) {
    return !batched ? ops::unsqueeze(t, 1) : batch_first ? ops::transpose(t, 0, 1) : t;
  };
  Tensor q = steps_first(query), k = steps_first(key), v = steps_first(value);
  std::int64_t length = q.size(0), batch = q.size(1), e = q.size(2), heads = num_heads, width = e / heads;
  TENON_CHECK(e == embed_dim, ValueError, "was expecting embedding dimension of ", std::int64_t(embed_dim),
              ", but got ", e);
  TENON_CHECK(k.size(0) == v.size(0) && k.size(1) == v.size(1), ValueError, "key's sequence and batch dims ", k.sizes(),
              " do not match value's ", v.sizes());

  Tensor weights[3] = {q_proj_weight, k_proj_weight, v_proj_weight};
  if (in_proj_weight.defined()) {
    TENON_CHECK(k.sizes() == v.sizes(), ValueError, "key shape ", k.sizes(), " does not match value shape ", v.sizes());
    for (std::int64_t i = 0; i < 3; ++i) weights[i] = ops::narrow(in_proj_weight, 0, i * e, e);
  }
  auto project = [&](const Tensor& t, std::int64_t i) {
    std::optional<Tensor> shift;
    if (in_proj_bias.defined()) shift = ops::narrow(in_proj_bias, 0, i * e, e);
    return ops::linear(t, weights[i], shift);
  };
  q = project(q, 0);
  k = project(k, 1);
  v = project(v, 2);

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
  auto with_place = [&](const Tensor& k_place, const Tensor& v_place) {
    k = ops::cat({k, k_place}, 0);
    v = ops::cat({v, v_place}, 0);
    widen(mask);
    widen(padding);
  };
  if (bias_k.defined()) with_place(ops::expand(bias_k, {1, batch, e}), ops::expand(bias_v, {1, batch, e}));
  if (add_zero_attn) {
    Tensor zeros = ops::new_zeros(k, {1, batch, e});
    with_place(zeros, zeros);
  }
  source = k.size(0);
  if (causal) {
    Tensor later = ops::triu(ops::ones({length, source}, "dtype"_a = kBool, "device"_a = q.device()), 1);
    mask = ops::unsqueeze(detail::added_mask(later, "attn_mask", q.dtype()), 0);
  }
  auto split = [&](const Tensor& t, std::int64_t n) {
    return ops::transpose(ops::reshape(t, {n, batch * heads, width}), 0, 1);
  };
  q = split(q, length);
  k = split(k, source);
  v = split(v, source);
  if (padding.defined()) {
    padding = ops::reshape(ops::expand(ops::reshape(padding, {batch, 1, 1, source}), {-1, heads, -1, -1}),
                           {batch * heads, 1, source});
    mask = mask.defined() ? ops::add(mask, padding) : padding;
  }

  Tensor scores = ops::bmm(ops::mul(q, std::sqrt(1.0 / static_cast<double>(width))), ops::transpose(k, 1, 2));
  if (mask.defined()) scores = ops::add(scores, mask);
  Tensor attention = detail::attention_weights(scores, mask.defined() && !o.need_weights);
  if (training && dropout > 0) attention = ops::dropout(attention, dropout, true);
  Tensor out = ops::reshape(ops::transpose(ops::bmm(attention, v), 0, 1), {length * batch, e});
  out = ops::reshape(out_proj(out), {length, batch, e});
  out = !batched ? ops::squeeze(out, 1) : batch_first ? ops::transpose(out, 0, 1) : out;
  if (!o.need_weights) return call(std::tuple(out, Tensor()));
  attention = ops::reshape(attention, {batch, heads, length, source});
  if (o.average_attn_weights) attention = ops::mean(attention, {1});
  return call(std::tuple(out, batched ? attention : ops::squeeze(attention, 0)));
}

}  // namespace tenon::nn
