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
template <class Layer>
Tensor feed_forward(const Layer& l, const Tensor& x) {
  return l.linear2(l.dropout_inside(l.activation(l.linear1(x))));
}
inline Tensor attend(const MultiheadAttention& attention, const Tensor& x, const Tensor& to, const Tensor& mask,
                     const Tensor& padding, bool is_causal) {
  return std::get<0>(attention(x, to, to,
                               {.key_padding_mask = padding,
                                .need_weights = false,
                                .attn_mask = mask,
                                .is_causal = is_causal && mask.defined()}));
}
}  // namespace detail

TENON_BODY Tensor TransformerEncoderLayer::operator()(const Tensor& src, const EncoderMasks& m) const {
  Calling call(this);
  auto attend = [&](const Tensor& x) {
    return dropout1(detail::attend(self_attn, x, x, m.src_mask, m.src_key_padding_mask, m.is_causal));
  };
  auto feed = [&](const Tensor& x) { return dropout2(detail::feed_forward(*this, x)); };
  if (norm_first) {
    Tensor x = src + attend(norm1(src));
    return call(x + feed(norm2(x)));
  }
  Tensor x = norm1(src + attend(src));
  return call(norm2(x + feed(x)));
}

TENON_BODY Tensor TransformerDecoderLayer::operator()(const Tensor& tgt, const Tensor& memory,
                                                      const DecoderMasks& m) const {
  Calling call(this);
  auto attend = [&](const Tensor& x) {
    return dropout1(detail::attend(self_attn, x, x, m.tgt_mask, m.tgt_key_padding_mask, m.tgt_is_causal));
  };
  auto remember = [&](const Tensor& x) {
    return dropout2(
        detail::attend(multihead_attn, x, memory, m.memory_mask, m.memory_key_padding_mask, m.memory_is_causal));
  };
  auto feed = [&](const Tensor& x) { return dropout3(detail::feed_forward(*this, x)); };
  if (norm_first) {
    Tensor x = tgt + attend(norm1(tgt));
    x = x + remember(norm2(x));
    return call(x + feed(norm3(x)));
  }
  Tensor x = norm1(tgt + attend(tgt));
  x = norm2(x + remember(x));
  return call(norm3(x + feed(x)));
}

TENON_BODY Tensor TransformerEncoder::operator()(const Tensor& src, const EncoderMasks& masks) const {
  Calling call(this);
  TENON_CHECK(!layers.empty(), IndexError, "TransformerEncoder: expected at least one layer, got none");
  Tensor x = src;
  for (const auto& layer : layers) x = layer(x, masks);
  return call(norm ? (*norm)(x) : x);
}
TENON_BODY Tensor TransformerDecoder::operator()(const Tensor& tgt, const Tensor& memory,
                                                 const DecoderMasks& masks) const {
  Calling call(this);
  TENON_CHECK(!layers.empty(), IndexError, "TransformerDecoder: expected at least one layer, got none");
  Tensor x = tgt;
  for (const auto& layer : layers) x = layer(x, memory, masks);
  return call(norm ? (*norm)(x) : x);
}

TENON_BODY TransformerEncoder Transformer::new_encoder() const {
  TransformerEncoderLayer layer = {d_model,        nhead,       dim_feedforward, dropout, activation,
                                   layer_norm_eps, batch_first, norm_first,      bias,    dtype};
  return {layer, num_encoder_layers, detail::norm_of(d_model, layer_norm_eps, bias, dtype)};
}
TENON_BODY TransformerDecoder Transformer::new_decoder() {
  TransformerDecoderLayer layer = {d_model,        nhead,       dim_feedforward, dropout, activation,
                                   layer_norm_eps, batch_first, norm_first,      bias,    dtype};
  TransformerDecoder made = {layer, num_decoder_layers, detail::norm_of(d_model, layer_norm_eps, bias, dtype)};
  auto spread = [](const auto& module) {
    for (const Tensor& p : parameters(module))
      if (p.dim() > 1)
        init::uniform_(p, -std::sqrt(6.0 / static_cast<double>(p.size(0) + p.size(1))),
                       std::sqrt(6.0 / static_cast<double>(p.size(0) + p.size(1))));
  };
  spread(encoder);
  spread(made);
  return made;
}
TENON_BODY Tensor Transformer::operator()(const Tensor& src, const Tensor& tgt, const EncoderMasks& src_masks,
                                          const DecoderMasks& tgt_masks) const {
  std::int64_t batch_dim = batch_first ? 0 : 1;
  TENON_CHECK(src.dim() == tgt.dim() && (src.dim() != 3 || src.size(batch_dim) == tgt.size(batch_dim)), ValueError,
              "the batch number of src and tgt must be equal");
  TENON_CHECK(src.size(-1) == d_model && tgt.size(-1) == d_model, ValueError,
              "the feature number of src and tgt must be equal to d_model");
  return Calling(this)(decoder(tgt, encoder(src, src_masks), tgt_masks));
}

TENON_BODY Tensor square_subsequent_mask(std::int64_t size, ScalarType dtype) {
  Tensor full = ops::full({size, size}, -std::numeric_limits<double>::infinity(), "dtype"_a = dtype);
  return ops::triu(full, 1);
}

}  // namespace tenon::nn
