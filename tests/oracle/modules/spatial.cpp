// Pooling, padding, embedding and what moves elements, from a record's options.
#include "erased_module.hpp"

namespace oracle {

namespace {

/// A layer whose record may ask for the places of what it found.
template <class M>
Made with_places(const Options& o, M module) {
  bool places = o.flag("return_indices", false);
  return erased(std::move(module), [places](M& m, const Inputs& in) {
    auto [out, indices] = m.with_indices(in[0]);
    return places ? Results{out, indices} : Results{out};
  });
}

template <std::size_t N>
void add_rank(Makers& m) {
  std::string rank = concat(N, "d");
  m["MaxPool" + rank] = [](const Options& o) {
    return with_places(o, nn::MaxPool<N>{.kernel_size = o.sizes<N>("kernel_size"),
                                         .stride = o.optional_sizes<N>("stride"),
                                         .padding = o.sizes<N>("padding", 0),
                                         .dilation = o.sizes<N>("dilation", 1),
                                         .ceil_mode = o.flag("ceil_mode", false)});
  };
  m["AvgPool" + rank] = [](const Options& o) {
    return layer(nn::AvgPool<N>{.kernel_size = o.sizes<N>("kernel_size"),
                                .stride = o.optional_sizes<N>("stride"),
                                .padding = o.sizes<N>("padding", 0),
                                .ceil_mode = o.flag("ceil_mode", false),
                                .count_include_pad = o.flag("count_include_pad", true),
                                .divisor_override = o.optional_count("divisor_override")});
  };
  m["LPPool" + rank] = [](const Options& o) {
    return layer(nn::LPPool<N>{.norm_type = o.real("norm_type", 2),
                               .kernel_size = o.sizes<N>("kernel_size"),
                               .stride = o.optional_sizes<N>("stride"),
                               .ceil_mode = o.flag("ceil_mode", false)});
  };
  m["MaxUnpool" + rank] = [](const Options& o) {
    return erased(nn::MaxUnpool<N>{.kernel_size = o.sizes<N>("kernel_size"),
                                   .stride = o.optional_sizes<N>("stride"),
                                   .padding = o.sizes<N>("padding", 0)},
                  [](auto& layer, const Inputs& in) {
                    std::vector<std::int64_t> size;
                    if (in.plain.contains("output_size") && !in.plain.at("output_size").is_null())
                      size = ints(in.plain.at("output_size"));
                    return Results{layer(in[0], in[1], size)};
                  });
  };
  m["AdaptiveAvgPool" + rank] = [](const Options& o) {
    return layer(nn::AdaptiveAvgPool<N>{o.sizes<N>("output_size")});
  };
  m["AdaptiveMaxPool" + rank] = [](const Options& o) {
    return with_places(o, nn::AdaptiveMaxPool<N>{o.sizes<N>("output_size")});
  };
  m["ZeroPad" + rank] = [](const Options& o) { return layer(nn::ZeroPad<N>{o.sizes<2 * N>("padding")}); };
  m["ReflectionPad" + rank] = [](const Options& o) { return layer(nn::ReflectionPad<N>{o.sizes<2 * N>("padding")}); };
  m["ReplicationPad" + rank] = [](const Options& o) { return layer(nn::ReplicationPad<N>{o.sizes<2 * N>("padding")}); };
  m["CircularPad" + rank] = [](const Options& o) { return layer(nn::CircularPad<N>{o.sizes<2 * N>("padding")}); };
  m["ConstantPad" + rank] = [](const Options& o) {
    return layer(nn::ConstantPad<N>{o.sizes<2 * N>("padding"), o.real("value", 0)});
  };
}

template <class T>
nn::OneOrSeveral<T> one_or_several(const Options& o, const char* name) {
  if (!o.has(name)) return {};
  const json& v = o.at(name);
  if (!v.is_array()) return static_cast<T>(number(v));
  std::vector<T> out;
  for (const json& item : v) out.push_back(static_cast<T>(number(item)));
  return out;
}
std::optional<bool> optional_flag(const Options& o, const char* name) {
  return o.has(name) ? std::optional(o.flag(name, false)) : std::nullopt;
}

template <std::size_t N>
Made fractional(const Options& o) {
  std::vector<double> ratio = one_or_several<double>(o, "output_ratio");
  return with_places(o, nn::FractionalMaxPool<N>{.kernel_size = o.sizes<N>("kernel_size"),
                                                 .output_size = o.optional_sizes<N>("output_size"),
                                                 .output_ratio = ratio,
                                                 .random_samples = o.tensor("_random_samples")});
}

}  // namespace

void add_spatial_layers(Makers& m) {
  add_rank<1>(m);
  add_rank<2>(m);
  add_rank<3>(m);
  m["FractionalMaxPool2d"] = fractional<2>;
  m["FractionalMaxPool3d"] = fractional<3>;
  m["Flatten"] = [](const Options& o) { return layer(nn::Flatten{o.count("start_dim", 1), o.count("end_dim", -1)}); };
  m["Unflatten"] = [](const Options& o) { return layer(nn::Unflatten{o.count("dim"), o.list("unflattened_size")}); };
  m["PixelShuffle"] = [](const Options& o) { return layer(nn::PixelShuffle{o.count("upscale_factor")}); };
  m["PixelUnshuffle"] = [](const Options& o) { return layer(nn::PixelUnshuffle{o.count("downscale_factor")}); };
  m["ChannelShuffle"] = [](const Options& o) { return layer(nn::ChannelShuffle{o.count("groups")}); };
  m["Unfold"] = [](const Options& o) {
    return layer(nn::Unfold{o.sizes<2>("kernel_size"), o.sizes<2>("dilation", 1), o.sizes<2>("padding", 0),
                            o.sizes<2>("stride", 1)});
  };
  m["Fold"] = [](const Options& o) {
    return layer(nn::Fold{o.sizes<2>("output_size"), o.sizes<2>("kernel_size"), o.sizes<2>("dilation", 1),
                          o.sizes<2>("padding", 0), o.sizes<2>("stride", 1)});
  };
  m["Upsample"] = [](const Options& o) {
    return layer(nn::Upsample{one_or_several<std::int64_t>(o, "size"), one_or_several<double>(o, "scale_factor"),
                              o.text("mode", "nearest"), optional_flag(o, "align_corners"),
                              optional_flag(o, "recompute_scale_factor")});
  };
  m["UpsamplingNearest2d"] = [](const Options& o) {
    return layer(
        nn::UpsamplingNearest2d{one_or_several<std::int64_t>(o, "size"), one_or_several<double>(o, "scale_factor")});
  };
  m["UpsamplingBilinear2d"] = [](const Options& o) {
    return layer(
        nn::UpsamplingBilinear2d{one_or_several<std::int64_t>(o, "size"), one_or_several<double>(o, "scale_factor")});
  };
  m["Embedding"] = [](const Options& o) {
    return layer(nn::Embedding{.num_embeddings = o.count("num_embeddings"),
                               .embedding_dim = o.count("embedding_dim"),
                               .padding_idx = o.optional_count("padding_idx"),
                               .max_norm = o.optional_real("max_norm"),
                               .norm_type = o.real("norm_type", 2),
                               .scale_grad_by_freq = o.flag("scale_grad_by_freq", false)});
  };
  m["EmbeddingBag"] = [](const Options& o) {
    return erased(nn::EmbeddingBag{.num_embeddings = o.count("num_embeddings"),
                                   .embedding_dim = o.count("embedding_dim"),
                                   .max_norm = o.optional_real("max_norm"),
                                   .norm_type = o.real("norm_type", 2),
                                   .scale_grad_by_freq = o.flag("scale_grad_by_freq", false),
                                   .mode = o.text("mode", "mean"),
                                   .include_last_offset = o.flag("include_last_offset", false),
                                   .padding_idx = o.optional_count("padding_idx")},
                  [](nn::EmbeddingBag& layer, const Inputs& in) {
                    return Results{layer(in[0], in.tensor_or_none(1), in.keyword("per_sample_weights"))};
                  });
  };
}

}  // namespace oracle
