// Recurrent layers, attention and transformers from a record's options.
#include "erased_module.hpp"

namespace oracle {

namespace {

/// A packed result, padded again as the record has it.
Tensor padded(const nn::PackedSequence& s, bool batch_first) { return nn::pad_packed_sequence(s, batch_first).first; }

template <class M>
Results call_recurrent(M& m, const Inputs& in) {
  Tensor h = in.tensor_or_none(1);
  if (in.packed) {
    auto [out, last] = m(*in.packed, h);
    return {padded(out, m.batch_first), last};
  }
  auto [out, last] = m(in[0], h);
  return {out, last};
}
nn::LSTM::State pair_of(const Inputs& in) {
  if (in.positional.size() < 2 || in.positional[1].empty()) return {};
  return {in.positional[1].at(0), in.positional[1].at(1)};
}

template <class M>
M recurrent(const Options& o) {
  return {.input_size = o.count("input_size"),
          .hidden_size = o.count("hidden_size"),
          .num_layers = o.count("num_layers", 1),
          .bias = o.flag("bias", true),
          .batch_first = o.flag("batch_first", false),
          .dropout = o.real("dropout", 0),
          .bidirectional = o.flag("bidirectional", false)};
}
template <class M>
M transformer_layer(const Options& o) {
  return {.d_model = o.count("d_model"),
          .nhead = o.count("nhead"),
          .dim_feedforward = o.count("dim_feedforward", 2048),
          .dropout = o.real("dropout", 0.1),
          .activation = o.text("activation", "relu"),
          .layer_norm_eps = o.real("layer_norm_eps", 1e-5),
          .batch_first = o.flag("batch_first", false),
          .norm_first = o.flag("norm_first", false),
          .bias = o.flag("bias", true)};
}
constexpr auto encoder_layer = transformer_layer<nn::TransformerEncoderLayer>;
constexpr auto decoder_layer = transformer_layer<nn::TransformerDecoderLayer>;
std::optional<nn::LayerNorm> norm(const Options& o) {
  if (!o.has("norm")) return std::nullopt;
  Options of = o.sub(o.at("norm").at("options"));
  return nn::LayerNorm{.normalized_shape = of.list("normalized_shape"),
                       .eps = of.real("eps", 1e-5),
                       .elementwise_affine = of.flag("elementwise_affine", true),
                       .bias = of.flag("bias", true)};
}
nn::EncoderMasks encoder_masks(const Inputs& in, const char* mask) {
  return {.src_mask = in.keyword(mask),
          .src_key_padding_mask = in.keyword("src_key_padding_mask"),
          .is_causal = in.flag("is_causal", false)};
}
nn::DecoderMasks decoder_masks(const Inputs& in) {
  return {.tgt_mask = in.keyword("tgt_mask"),
          .memory_mask = in.keyword("memory_mask"),
          .tgt_key_padding_mask = in.keyword("tgt_key_padding_mask"),
          .memory_key_padding_mask = in.keyword("memory_key_padding_mask"),
          .tgt_is_causal = in.flag("tgt_is_causal", false),
          .memory_is_causal = in.flag("memory_is_causal", false)};
}

}  // namespace

void add_sequence_layers(Makers& m) {
  m["RNN"] = [](const Options& o) {
    return erased(nn::RNN{.input_size = o.count("input_size"),
                          .hidden_size = o.count("hidden_size"),
                          .num_layers = o.count("num_layers", 1),
                          .nonlinearity = o.text("nonlinearity", "tanh"),
                          .bias = o.flag("bias", true),
                          .batch_first = o.flag("batch_first", false),
                          .dropout = o.real("dropout", 0),
                          .bidirectional = o.flag("bidirectional", false)},
                  call_recurrent<nn::RNN>);
  };
  m["GRU"] = [](const Options& o) { return erased(recurrent<nn::GRU>(o), call_recurrent<nn::GRU>); };
  m["LSTM"] = [](const Options& o) {
    return erased(nn::LSTM{.input_size = o.count("input_size"),
                           .hidden_size = o.count("hidden_size"),
                           .num_layers = o.count("num_layers", 1),
                           .bias = o.flag("bias", true),
                           .batch_first = o.flag("batch_first", false),
                           .dropout = o.real("dropout", 0),
                           .bidirectional = o.flag("bidirectional", false),
                           .proj_size = o.count("proj_size", 0)},
                  [](nn::LSTM& layer, const Inputs& in) -> Results {
                    if (in.packed) {
                      auto [out, state] = layer(*in.packed, pair_of(in));
                      return {padded(out, layer.batch_first), std::get<0>(state), std::get<1>(state)};
                    }
                    auto [out, state] = layer(in[0], pair_of(in));
                    return {out, std::get<0>(state), std::get<1>(state)};
                  });
  };
  m["RNNCell"] = [](const Options& o) {
    return erased(nn::RNNCell{.input_size = o.count("input_size"),
                              .hidden_size = o.count("hidden_size"),
                              .bias = o.flag("bias", true),
                              .nonlinearity = o.text("nonlinearity", "tanh")},
                  [](nn::RNNCell& cell, const Inputs& in) { return Results{cell(in[0], in.tensor_or_none(1))}; });
  };
  m["GRUCell"] = [](const Options& o) {
    return erased(nn::GRUCell{o.count("input_size"), o.count("hidden_size"), o.flag("bias", true)},
                  [](nn::GRUCell& cell, const Inputs& in) { return Results{cell(in[0], in.tensor_or_none(1))}; });
  };
  m["LSTMCell"] = [](const Options& o) {
    return erased(nn::LSTMCell{o.count("input_size"), o.count("hidden_size"), o.flag("bias", true)},
                  [](nn::LSTMCell& cell, const Inputs& in) {
                    auto [h, c] = cell(in[0], pair_of(in));
                    return Results{h, c};
                  });
  };
  m["MultiheadAttention"] = [](const Options& o) {
    return erased(nn::MultiheadAttention{.embed_dim = o.count("embed_dim"),
                                         .num_heads = o.count("num_heads"),
                                         .dropout = o.real("dropout", 0),
                                         .bias = o.flag("bias", true),
                                         .add_bias_kv = o.flag("add_bias_kv", false),
                                         .add_zero_attn = o.flag("add_zero_attn", false),
                                         .kdim = o.optional_count("kdim"),
                                         .vdim = o.optional_count("vdim"),
                                         .batch_first = o.flag("batch_first", false)},
                  [](nn::MultiheadAttention& layer, const Inputs& in) {
                    auto [out, weights] = layer(in[0], in[1], in[2],
                                                {.key_padding_mask = in.keyword("key_padding_mask"),
                                                 .need_weights = in.flag("need_weights", true),
                                                 .attn_mask = in.keyword("attn_mask"),
                                                 .average_attn_weights = in.flag("average_attn_weights", true),
                                                 .is_causal = in.flag("is_causal", false)});
                    return Results{out, weights};
                  });
  };
  m["TransformerEncoderLayer"] = [](const Options& o) {
    return erased(encoder_layer(o), [](nn::TransformerEncoderLayer& layer, const Inputs& in) {
      return Results{layer(in[0], encoder_masks(in, "src_mask"))};
    });
  };
  m["TransformerDecoderLayer"] = [](const Options& o) {
    return erased(decoder_layer(o), [](nn::TransformerDecoderLayer& layer, const Inputs& in) {
      return Results{layer(in[0], in[1], decoder_masks(in))};
    });
  };
  m["TransformerEncoder"] = [](const Options& o) {
    auto part = encoder_layer(o.sub(o.at("encoder_layer").at("options")));
    return erased(nn::TransformerEncoder{part, o.count("num_layers"), norm(o)},
                  [](nn::TransformerEncoder& layer, const Inputs& in) {
                    return Results{layer(in[0], encoder_masks(in, "mask"))};
                  });
  };
  m["TransformerDecoder"] = [](const Options& o) {
    auto part = decoder_layer(o.sub(o.at("decoder_layer").at("options")));
    return erased(nn::TransformerDecoder{part, o.count("num_layers"), norm(o)},
                  [](nn::TransformerDecoder& layer, const Inputs& in) {
                    return Results{layer(in[0], in[1], decoder_masks(in))};
                  });
  };
  m["Transformer"] = [](const Options& o) {
    return erased(nn::Transformer{.d_model = o.count("d_model", 512),
                                  .nhead = o.count("nhead", 8),
                                  .num_encoder_layers = o.count("num_encoder_layers", 6),
                                  .num_decoder_layers = o.count("num_decoder_layers", 6),
                                  .dim_feedforward = o.count("dim_feedforward", 2048),
                                  .dropout = o.real("dropout", 0.1),
                                  .activation = o.text("activation", "relu"),
                                  .layer_norm_eps = o.real("layer_norm_eps", 1e-5),
                                  .batch_first = o.flag("batch_first", false),
                                  .norm_first = o.flag("norm_first", false),
                                  .bias = o.flag("bias", true)},
                  [](nn::Transformer& layer, const Inputs& in) {
                    return Results{layer(in[0], in[1], encoder_masks(in, "src_mask"), decoder_masks(in))};
                  });
  };
}

}  // namespace oracle
