// Layers of transformers (Vaswani et al., 2017) and stacks of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/nn/container.hpp>
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
/// lambda. Copies share it. One with parameters is given by its type, `TransformerEncoderLayerOf<nn::PReLU>`.
/// Errors: ValueError for another word.
class Activation {
 public:
  Activation(const std::string& name);
  Activation(const char* name) : Activation(std::string(name)) {}
  template <class F>
    requires(!std::is_same_v<F, Activation> && std::is_invocable_r_v<Tensor, const F&, const Tensor&>)
  Activation(F function) : call_(make_intrusive<CallOf<F>>(std::move(function))) {
    static_assert(
        !detail::has_parts_or_mode<F>,
        "tenon: an activation with parameters or a mode would be lost in a transformer's layer; give its type, "
        "TransformerEncoderLayerOf<PReLU>");
  }
  Tensor operator()(const Tensor& x) const;
  // Nothing of it is the layer's: it is not looked into, and not printed.
  template <class This, class F>
  static void tenon_walk(This&, const std::string&, F&) {}
  static constexpr bool tenon_printed = false;

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
/// The activation of a layer that is not given one.
template <class Act>
Act new_activation() {
  if constexpr (std::is_same_v<Act, Activation>)
    return "relu";
  else
    return {};
}
/// An activation of any type, as compiled code calls it.
struct ActivationRef {
  const void* activation;
  Tensor (*call)(const void* activation, const Tensor& x);
  template <class Act>
  explicit ActivationRef(const Act& act)
      : activation(&act),
        call([](const void* at, const Tensor& x) -> Tensor { return run(*static_cast<const Act*>(at), x); }) {}
  Tensor operator()(const Tensor& x) const { return call(activation, x); }
};
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

namespace detail {
/// What a layer computes with.
struct EncoderParts {
  const MultiheadAttention& self_attn;
  const Linear &linear1, &linear2;
  const LayerNorm &norm1, &norm2;
  const Dropout &dropout, &dropout1, &dropout2;
  ActivationRef activation;
  bool norm_first;
};
struct DecoderParts : EncoderParts {
  const MultiheadAttention& multihead_attn;
  const LayerNorm& norm3;
  const Dropout& dropout3;
};
Tensor encode(const EncoderParts& l, const Tensor& src, const EncoderMasks& masks);
Tensor decode(const DecoderParts& l, const Tensor& tgt, const Tensor& memory, const DecoderMasks& masks);
}  // namespace detail

/// Attention of a sequence to itself, then two linear layers, each with its input added and normalised.
/// Shapes: (L, N, d_model), (N, L, d_model) with `batch_first`, or (L, d_model). `activation`: "relu", "gelu" or a
/// function, or a module of the type that is named, whose parameters are the layer's: `activation.weight`.
template <class Act>
struct TransformerEncoderLayerOf {
  Count d_model, nhead;
  std::int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  Act activation = detail::new_activation<Act>();
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
  ScalarType dtype = get_default_dtype();
  MultiheadAttention self_attn = detail::attention_of(*this);
  Linear linear1 = {d_model, dim_feedforward, bias, dtype};
  Linear linear2 = {dim_feedforward, d_model, bias, dtype};
  LayerNorm norm1 = detail::norm_of(*this);
  LayerNorm norm2 = detail::norm_of(*this);
  Dropout dropout_inside = {dropout}, dropout1 = {dropout}, dropout2 = {dropout};

  Tensor operator()(const Tensor& src, const EncoderMasks& masks = {}) const {
    return Calling(this)(detail::encode({self_attn, linear1, linear2, norm1, norm2, dropout_inside, dropout1, dropout2,
                                         detail::ActivationRef(activation), norm_first},
                                        src, masks));
  }
  static std::string tenon_name() { return "TransformerEncoderLayer"; }
  TENON_FIELDS_AS("self_attn, linear1, dropout, linear2, norm1, norm2, dropout1, dropout2, activation", self_attn,
                  linear1, dropout_inside, linear2, norm1, norm2, dropout1, dropout2, activation)
};
using TransformerEncoderLayer = TransformerEncoderLayerOf<Activation>;

/// The same with attention to an encoder's result, the memory, between.
template <class Act>
struct TransformerDecoderLayerOf {
  Count d_model, nhead;
  std::int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  Act activation = detail::new_activation<Act>();
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

  Tensor operator()(const Tensor& tgt, const Tensor& memory, const DecoderMasks& masks = {}) const {
    return Calling(this)(detail::decode({{self_attn, linear1, linear2, norm1, norm2, dropout_inside, dropout1, dropout2,
                                          detail::ActivationRef(activation), norm_first},
                                         multihead_attn,
                                         norm3,
                                         dropout3},
                                        tgt, memory, masks));
  }
  static std::string tenon_name() { return "TransformerDecoderLayer"; }
  TENON_FIELDS_AS(
      "self_attn, multihead_attn, linear1, dropout, linear2, norm1, norm2, norm3, dropout1, dropout2, dropout3, "
      "activation",
      self_attn, multihead_attn, linear1, dropout_inside, linear2, norm1, norm2, norm3, dropout1, dropout2, dropout3,
      activation)
};
using TransformerDecoderLayer = TransformerDecoderLayerOf<Activation>;

namespace detail {
inline bool given(const EncoderMasks& m) {
  return m.src_mask.defined() || m.src_key_padding_mask.defined() || m.is_causal;
}
inline bool given(const DecoderMasks& m) {
  return m.tgt_mask.defined() || m.memory_mask.defined() || m.tgt_key_padding_mask.defined() ||
         m.memory_key_padding_mask.defined() || m.tgt_is_causal || m.memory_is_causal;
}
/// Calls a part with masks, or without if it has no parameter for them.
template <class Part, class Masks, class... X>
Tensor run_masked(std::string_view whose, const Part& part, const Masks& masks, const X&... x) {
  constexpr bool takes_masks = requires { run(part, x..., masks); }
  , takes_none = requires { run(part, x...); };
  static_assert(takes_masks || takes_none,
                "tenon: a part of a transformer cannot be called, as a constant, with what it gets: (src, masks) in "
                "an encoder, (tgt, memory, masks) in a decoder, or the same without masks");
  if constexpr (takes_masks) {
    return run(part, x..., masks);
  } else if constexpr (takes_none) {
    TENON_CHECK(!given(masks), TypeError, whose, ": got masks, and its parts take none");
    return run(part, x...);
  } else {
    return {};
  }
}
/// Parameters with two or more dimensions by xavier_uniform_.
void draw_matrices(const std::vector<Tensor>& parameters);
}  // namespace detail

/// Copies of a layer one after another, and a norm behind them if one is given. The layer is any module that is called
/// as `layer(src, masks)` or `layer(src)`: `nn::TransformerEncoderOf{MyLayer{..}, 6}`; TransformerEncoder is the one of
/// the library's own layer. Errors: IndexError without a layer; TypeError if masks come to layers that take none.
/// Source: torch.nn.TransformerEncoder of PyTorch 2.15.
template <class Layer, class Norm = LayerNorm>
struct TransformerEncoderOf {
  Layer encoder_layer;
  Count num_layers;
  std::optional<Norm> norm = std::nullopt;
  std::vector<Layer> layers = detail::copies(encoder_layer, num_layers);

  Tensor operator()(const Tensor& src, const EncoderMasks& masks = {}) const {
    Calling call(this);
    TENON_CHECK(!layers.empty(), IndexError, "TransformerEncoder: expected at least one layer, got none");
    Tensor x = src;
    for (const Layer& layer : layers) x = detail::run_masked("TransformerEncoder", layer, masks, x);
    return call(norm ? detail::run(*norm, x) : x);
  }
  static std::string tenon_name() { return "TransformerEncoder"; }
  TENON_FIELDS(layers, norm)
};
template <class Layer>
TransformerEncoderOf(Layer, Count) -> TransformerEncoderOf<Layer>;
template <class Layer, class Norm>
TransformerEncoderOf(Layer, Count, Norm) -> TransformerEncoderOf<Layer, Norm>;
using TransformerEncoder = TransformerEncoderOf<TransformerEncoderLayer>;

/// The same for layers that are called as `layer(tgt, memory, masks)` or `layer(tgt, memory)`.
template <class Layer, class Norm = LayerNorm>
struct TransformerDecoderOf {
  Layer decoder_layer;
  Count num_layers;
  std::optional<Norm> norm = std::nullopt;
  std::vector<Layer> layers = detail::copies(decoder_layer, num_layers);

  Tensor operator()(const Tensor& tgt, const Tensor& memory, const DecoderMasks& masks = {}) const {
    Calling call(this);
    TENON_CHECK(!layers.empty(), IndexError, "TransformerDecoder: expected at least one layer, got none");
    Tensor x = tgt;
    for (const Layer& layer : layers) x = detail::run_masked("TransformerDecoder", layer, masks, x, memory);
    return call(norm ? detail::run(*norm, x) : x);
  }
  static std::string tenon_name() { return "TransformerDecoder"; }
  TENON_FIELDS(layers, norm)
};
template <class Layer>
TransformerDecoderOf(Layer, Count) -> TransformerDecoderOf<Layer>;
template <class Layer, class Norm>
TransformerDecoderOf(Layer, Count, Norm) -> TransformerDecoderOf<Layer, Norm>;
using TransformerDecoder = TransformerDecoderOf<TransformerDecoderLayer>;

/// An encoder and a decoder. Shapes: src (S, N, d_model), tgt (T, N, d_model), the result (T, N, d_model).
/// Modules of other types, PyTorch's `custom_encoder` and `custom_decoder`, are given as `.encoder` and `.decoder`:
/// `nn::TransformerOf<MyEncoder>{.d_model = 16, .encoder = MyEncoder{..}}`; they are called as `encoder(src, masks)`
/// and `decoder(tgt, memory, masks)`, or without masks. As in PyTorch, parameters with two or more dimensions are drawn
/// by xavier_uniform_, those of given parts too; `.drawn = false` leaves all as they are. Errors: ValueError for other
/// features than d_model, or batches of two sizes. Source: torch.nn.Transformer of PyTorch 2.15.
template <class Encoder = TransformerEncoder, class Decoder = TransformerDecoder>
struct TransformerOf {
  std::int64_t d_model = 512, nhead = 8, num_encoder_layers = 6, num_decoder_layers = 6, dim_feedforward = 2048;
  double dropout = 0.1;
  Activation activation = "relu";
  double layer_norm_eps = 1e-5;
  bool batch_first = false, norm_first = false, bias = true;
  ScalarType dtype = get_default_dtype();
  Encoder encoder = new_encoder();
  Decoder decoder = new_decoder();
  bool drawn = draw();

  Tensor operator()(const Tensor& src, const Tensor& tgt, const EncoderMasks& src_masks = {},
                    const DecoderMasks& tgt_masks = {}) const {
    std::int64_t batch_dim = batch_first ? 0 : 1;
    TENON_CHECK(src.dim() == tgt.dim() && (src.dim() != 3 || src.size(batch_dim) == tgt.size(batch_dim)), ValueError,
                "the batch number of src and tgt must be equal");
    TENON_CHECK(src.size(-1) == d_model && tgt.size(-1) == d_model, ValueError,
                "the feature number of src and tgt must be equal to d_model");
    Calling call(this);
    Tensor memory = detail::run_masked("Transformer", encoder, src_masks, src);
    return call(detail::run_masked("Transformer", decoder, tgt_masks, tgt, memory));
  }
  TransformerEncoder new_encoder() const {
    return {new_layer<TransformerEncoderLayer>(), num_encoder_layers, detail::norm_of(*this)};
  }
  TransformerDecoder new_decoder() const {
    return {new_layer<TransformerDecoderLayer>(), num_decoder_layers, detail::norm_of(*this)};
  }
  static std::string tenon_name() { return "Transformer"; }
  TENON_FIELDS(encoder, decoder)

 private:
  template <class Layer>
  Layer new_layer() const {
    return {d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, dtype};
  }
  bool draw() const {
    detail::draw_matrices(parameters(*this));
    return true;
  }
};
using Transformer = TransformerOf<>;

/// A mask that lets each step see itself and those before it. Shape: (size, size).
Tensor square_subsequent_mask(std::int64_t size, ScalarType dtype = get_default_dtype());

}  // namespace tenon::nn
