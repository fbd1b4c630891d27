// Layers of transformers (Vaswani et al., 2017) and stacks of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/normalization.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

namespace detail {
/// A module of which something would be lost where modules are not looked into.
template <class F>
concept has_parts_or_mode = named_fields<F> || item_list<F> || is_holder<F> || requires(F& f) {
  f.training = true;
};
}  // namespace detail

/// The function between the linear layers of transformers: "relu", "gelu", or any of a tensor, `nn::SiLU{}` or a
/// lambda. Copies share it; tensors in it are not among the parameters. Errors: ValueError for another word.
class Activation {
 public:
  Activation(const std::string& name);
  Activation(const char* name) : Activation(std::string(name)) {}
  template <class F>
    requires(!std::is_same_v<F, Activation> && std::is_invocable_r_v<Tensor, const F&, const Tensor&>)
  Activation(F function) : call_(make_intrusive<CallOf<F>>(std::move(function))) {
    static_assert(!detail::has_parts_or_mode<F>,
                  "tenon: an activation with parameters or a mode would be lost in a transformer's layer");
  }
  Tensor operator()(const Tensor& x) const;

 private:
  struct Call : RefCounted {
    virtual Tensor call(const Tensor& x) const = 0;
  };
  template <class F>
  struct CallOf final : Call {
    explicit CallOf(F f) : function(std::move(f)) {}
    Tensor call(const Tensor& x) const override { return function(x); }
    F function;
  };
  bool gelu_ = false;
  intrusive_ptr<Call> call_;
};

namespace detail {
LayerNorm norm_of(std::int64_t features, double eps, bool bias, ScalarType dtype);
/// The parts that a layer's options make.
template <class Layer>
LayerNorm norm_of(const Layer& l) {
  return norm_of(l.d_model, l.layer_norm_eps, l.bias, l.dtype);
}
template <class Layer>
MultiheadAttention attention_of(const Layer& l) {
  return {.embed_dim = l.d_model,
          .num_heads = l.nhead,
          .dropout = l.dropout,
          .bias = l.bias,
          .batch_first = l.batch_first,
          .dtype = l.dtype};
}
/// Copies of a module that share nothing; the module itself gives up its tensors.
template <class Net>
std::vector<Net> copies(Net& module, std::int64_t count) {
  std::vector<Net> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(clone(module));
  auto drop = [](const std::string&, Tensor& t) { t = Tensor(); };
  walk(module, {}, drop);
  return out;
}
}  // namespace detail

/// Masks of an encoder's call, as those of MultiheadAttention.
struct EncoderMasks {
  Tensor src_mask = {}, src_key_padding_mask = {};
  bool is_causal = false;
};
/// Masks of a decoder's call.
struct DecoderMasks {
  Tensor tgt_mask = {}, memory_mask = {}, tgt_key_padding_mask = {}, memory_key_padding_mask = {};
  bool tgt_is_causal = false, memory_is_causal = false;
};

/// Attention of a sequence to itself, then two linear layers, each with its input added and normalised.
/// Shapes: (L, N, d_model), (N, L, d_model) with `batch_first`, or (L, d_model). `activation`: "relu", "gelu" or a
/// function.
struct TransformerEncoderLayer {
  Count d_model, nhead;
  std::int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  Activation activation = "relu";
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
  ScalarType dtype = get_default_dtype();
  MultiheadAttention self_attn = detail::attention_of(*this);
  Linear linear1 = {d_model, dim_feedforward, bias, dtype};
  Linear linear2 = {dim_feedforward, d_model, bias, dtype};
  LayerNorm norm1 = detail::norm_of(*this);
  LayerNorm norm2 = detail::norm_of(*this);
  Dropout dropout_inside = {dropout}, dropout1 = {dropout}, dropout2 = {dropout};

  Tensor operator()(const Tensor& src, const EncoderMasks& masks = {}) const;
  TENON_FIELDS_AS("self_attn, linear1, dropout, linear2, norm1, norm2, dropout1, dropout2", self_attn, linear1,
                  dropout_inside, linear2, norm1, norm2, dropout1, dropout2)
};

/// The same with attention to an encoder's result, the memory, between.
struct TransformerDecoderLayer {
  Count d_model, nhead;
  std::int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  Activation activation = "relu";
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
  ScalarType dtype = get_default_dtype();
  MultiheadAttention self_attn = detail::attention_of(*this);
  MultiheadAttention multihead_attn = detail::attention_of(*this);
  Linear linear1 = {d_model, dim_feedforward, bias, dtype};
  Linear linear2 = {dim_feedforward, d_model, bias, dtype};
  LayerNorm norm1 = detail::norm_of(*this);
  LayerNorm norm2 = detail::norm_of(*this);
  LayerNorm norm3 = detail::norm_of(*this);
  Dropout dropout_inside = {dropout}, dropout1 = {dropout}, dropout2 = {dropout}, dropout3 = {dropout};

  Tensor operator()(const Tensor& tgt, const Tensor& memory, const DecoderMasks& masks = {}) const;
  TENON_FIELDS_AS(
      "self_attn, multihead_attn, linear1, dropout, linear2, norm1, norm2, norm3, dropout1, dropout2, dropout3",
      self_attn, multihead_attn, linear1, dropout_inside, linear2, norm1, norm2, norm3, dropout1, dropout2, dropout3)
};

/// Copies of a layer one after another, and a norm behind them if one is given.
struct TransformerEncoder {
  TransformerEncoderLayer encoder_layer;
  Count num_layers;
  std::optional<LayerNorm> norm = std::nullopt;
  std::vector<TransformerEncoderLayer> layers = detail::copies(encoder_layer, num_layers);

  Tensor operator()(const Tensor& src, const EncoderMasks& masks = {}) const;
  TENON_FIELDS(layers, norm)
};
struct TransformerDecoder {
  TransformerDecoderLayer decoder_layer;
  Count num_layers;
  std::optional<LayerNorm> norm = std::nullopt;
  std::vector<TransformerDecoderLayer> layers = detail::copies(decoder_layer, num_layers);

  Tensor operator()(const Tensor& tgt, const Tensor& memory, const DecoderMasks& masks = {}) const;
  TENON_FIELDS(layers, norm)
};

/// An encoder and a decoder. Shapes: src (S, N, d_model), tgt (T, N, d_model), the result (T, N, d_model).
struct Transformer {
  std::int64_t d_model = 512, nhead = 8, num_encoder_layers = 6, num_decoder_layers = 6, dim_feedforward = 2048;
  double dropout = 0.1;
  Activation activation = "relu";
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
  ScalarType dtype = get_default_dtype();
  TransformerEncoder encoder = new_encoder();
  TransformerDecoder decoder = new_decoder();

  Tensor operator()(const Tensor& src, const Tensor& tgt, const EncoderMasks& src_masks = {},
                    const DecoderMasks& tgt_masks = {}) const;
  TransformerEncoder new_encoder() const;
  TransformerDecoder new_decoder();
  TENON_FIELDS(encoder, decoder)
};

/// A mask that lets each step see itself and those before it. Shape: (size, size).
Tensor square_subsequent_mask(std::int64_t size, ScalarType dtype = get_default_dtype());

}  // namespace tenon::nn
