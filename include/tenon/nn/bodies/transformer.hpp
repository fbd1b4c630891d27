// The order in which transformers add, normalise and drop.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/base/body.hpp>
#include <tenon/nn/functional/activation.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/nn/transformer.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/operators.hpp>

namespace tenon::nn {

TENON_BODY Activation::Activation(const std::string& name) : gelu_(name == "gelu") {
  TENON_CHECK(gelu_ || name == "relu", ValueError, "activation should be relu/gelu, not ", name);
}
TENON_BODY Tensor Activation::operator()(const Tensor& x) const {
  if (call_) return call_->call(x);
  return gelu_ ? functional::gelu(x) : functional::relu(x);
}

namespace detail {
TENON_BODY LayerNorm norm_of(std::int64_t features, double eps, bool bias, ScalarType dtype) {
  return {.normalized_shape = {features}, .eps = eps, .bias = bias, .dtype = dtype};
}
inline Tensor feed_forward(const EncoderParts& l, const Tensor& x) {
  return l.linear2(l.dropout(l.activation(l.linear1(x))));
}
inline Tensor attend(const MultiheadAttention& attention, const Tensor& x, const Tensor& to, const Tensor& mask,
                     const Tensor& padding, bool is_causal) {
  return std::get<0>(attention(x, to, to,
                               {.key_padding_mask = padding,
                                .need_weights = false,
                                .attn_mask = mask,
                                .is_causal = is_causal && mask.defined()}));
}
TENON_BODY void draw_matrices(const std::vector<Tensor>& parameters) {
  for (const Tensor& p : parameters)
    if (p.dim() > 1) init::xavier_uniform_(p);
}

TENON_BODY Tensor encode(const EncoderParts& l, const Tensor& src, const EncoderMasks& m) {
  auto to_self = [&](const Tensor& x) {
    return l.dropout1(attend(l.self_attn, x, x, m.src_mask, m.src_key_padding_mask, m.is_causal));
  };
  auto feed = [&](const Tensor& x) { return l.dropout2(feed_forward(l, x)); };
  if (l.norm_first) {
    Tensor x = src + to_self(l.norm1(src));
    return x + feed(l.norm2(x));
  }
  Tensor x = l.norm1(src + to_self(src));
  return l.norm2(x + feed(x));
}

TENON_BODY Tensor decode(const DecoderParts& l, const Tensor& tgt, const Tensor& memory, const DecoderMasks& m) {
  auto to_self = [&](const Tensor& x) {
    return l.dropout1(attend(l.self_attn, x, x, m.tgt_mask, m.tgt_key_padding_mask, m.tgt_is_causal));
  };
  auto remember = [&](const Tensor& x) {
    return l.dropout2(
        attend(l.multihead_attn, x, memory, m.memory_mask, m.memory_key_padding_mask, m.memory_is_causal));
  };
  auto feed = [&](const Tensor& x) { return l.dropout3(feed_forward(l, x)); };
  if (l.norm_first) {
    Tensor x = tgt + to_self(l.norm1(tgt));
    x = x + remember(l.norm2(x));
    return x + feed(l.norm3(x));
  }
  Tensor x = l.norm1(tgt + to_self(tgt));
  x = l.norm2(x + remember(x));
  return l.norm3(x + feed(x));
}
}  // namespace detail

TENON_BODY Tensor square_subsequent_mask(std::int64_t size, ScalarType dtype) {
  Tensor full = ops::full({size, size}, -std::numeric_limits<double>::infinity(), "dtype"_a = dtype);
  return ops::triu(full, 1);
}

}  // namespace tenon::nn
