// Linear layers, activations, convolutions, norms and dropout from a record's options.
#include "erased_module.hpp"

namespace oracle {

namespace {

class ErasedRow : public ErasedModule {
 public:
  explicit ErasedRow(std::vector<Made> parts) : parts_(std::move(parts)) {}
  Results call(const Inputs& in) override {
    Inputs now = in;
    Results out;
    for (const Made& part : parts_) {
      out = part->call(now);
      now.positional.assign(1, out);
    }
    return out.empty() ? Results{in[0]} : out;
  }
  nn::NamedTensors state() const override {
    return all([](const ErasedModule& m) { return m.state(); });
  }
  nn::NamedTensors named_parameters() const override {
    return all([](const ErasedModule& m) { return m.named_parameters(); });
  }
  void to(ScalarType dtype) override {
    for (const Made& part : parts_) part->to(dtype);
  }
  void to(Device device) override {
    for (const Made& part : parts_) part->to(device);
  }
  std::string printed() const override {
    mismatch("a row is printed by a Sequential, of which tests/nn/print.cpp knows");
  }
  void load(const nn::NamedTensors& tensors) override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      nn::NamedTensors own;
      std::string start = std::to_string(i) + ".";
      for (const auto& [name, t] : tensors)
        if (name.rfind(start, 0) == 0) own.emplace_back(name.substr(start.size()), t);
      parts_[i]->load(own);
    }
  }
  void train(bool on) override {
    for (const Made& part : parts_) part->train(on);
  }

 private:
  template <class F>
  nn::NamedTensors all(F of) const {
    nn::NamedTensors out;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      for (auto& [name, t] : of(*parts_[i])) out.emplace_back(concat(i, ".", name), t);
    return out;
  }
  std::vector<Made> parts_;
};

template <std::size_t N, bool Instance>
auto channel_norm(const Options& o) {
  return layer(nn::ChannelNorm<N, Instance>{.num_features = o.count("num_features"),
                                            .eps = o.real("eps", 1e-5),
                                            .momentum = o.optional_real("momentum", 0.1),
                                            .affine = o.flag("affine", !Instance),
                                            .track_running_stats = o.flag("track_running_stats", !Instance),
                                            .bias = o.flag("bias", true)});
}
template <std::size_t N>
void add_convolutions(Makers& m) {
  std::string rank = concat(N, "d");
  m["Conv" + rank] = [](const Options& o) {
    nn::ConvPadding<N> padding = 0;
    if (o.has("padding")) {
      if (o.at("padding").is_string())
        padding = o.text("padding", "");
      else
        padding = o.sizes<N>("padding");
    }
    return layer(nn::Conv<N>{.in_channels = o.count("in_channels"),
                             .out_channels = o.count("out_channels"),
                             .kernel_size = o.sizes<N>("kernel_size"),
                             .stride = o.sizes<N>("stride", 1),
                             .padding = padding,
                             .dilation = o.sizes<N>("dilation", 1),
                             .groups = o.count("groups", 1),
                             .bias = o.flag("bias", true),
                             .padding_mode = o.text("padding_mode", "zeros")});
  };
  m["ConvTranspose" + rank] = [](const Options& o) {
    return erased(nn::ConvTranspose<N>{.in_channels = o.count("in_channels"),
                                       .out_channels = o.count("out_channels"),
                                       .kernel_size = o.sizes<N>("kernel_size"),
                                       .stride = o.sizes<N>("stride", 1),
                                       .padding = o.sizes<N>("padding", 0),
                                       .output_padding = o.sizes<N>("output_padding", 0),
                                       .groups = o.count("groups", 1),
                                       .bias = o.flag("bias", true),
                                       .dilation = o.sizes<N>("dilation", 1),
                                       .padding_mode = o.text("padding_mode", "zeros")},
                  [](auto& layer, const Inputs& in) {
                    std::vector<std::int64_t> size;
                    if (in.plain.contains("output_size") && !in.plain.at("output_size").is_null())
                      size = ints(in.plain.at("output_size"));
                    return Results{layer(in[0], size)};
                  });
  };
  m["BatchNorm" + rank] = channel_norm<N, false>;
  m["InstanceNorm" + rank] = channel_norm<N, true>;
  m["Dropout" + rank] = [](const Options& o) {
    return layer(nn::detail::DropoutLayer<nn::detail::DropoutKind::Features, N>{.p = o.real("p", 0.5),
                                                                                .inplace = o.flag("inplace", false)});
  };
}

template <class Layer>
Maker plain() {
  return [](const Options&) { return layer(Layer{}); };
}
template <class Layer>
Maker with_inplace() {
  return [](const Options& o) { return layer(Layer{.inplace = o.flag("inplace", false)}); };
}

}  // namespace

void add_basic_layers(Makers& m) {
  m["Identity"] = plain<nn::Identity>();
  m["Linear"] = [](const Options& o) {
    return layer(nn::Linear{o.count("in_features"), o.count("out_features"), o.flag("bias", true)});
  };
  m["Bilinear"] = [](const Options& o) {
    return layer_of_two(
        nn::Bilinear{o.count("in1_features"), o.count("in2_features"), o.count("out_features"), o.flag("bias", true)});
  };
  m["Sequential"] = [](const Options& o) -> Made {
    std::vector<Made> parts;
    for (const json& part : o.at("modules"))
      parts.push_back(make_module(part.at("module").get<std::string>(), o.sub(part.at("options"))));
    return std::make_unique<ErasedRow>(std::move(parts));
  };
  add_convolutions<1>(m);
  add_convolutions<2>(m);
  add_convolutions<3>(m);
  m["Dropout"] = [](const Options& o) {
    return layer(nn::Dropout{.p = o.real("p", 0.5), .inplace = o.flag("inplace", false)});
  };
  m["AlphaDropout"] = [](const Options& o) {
    return layer(nn::AlphaDropout{.p = o.real("p", 0.5), .inplace = o.flag("inplace", false)});
  };
  m["FeatureAlphaDropout"] = [](const Options& o) {
    return layer(nn::FeatureAlphaDropout{.p = o.real("p", 0.5), .inplace = o.flag("inplace", false)});
  };
  m["LayerNorm"] = [](const Options& o) {
    return layer(nn::LayerNorm{.normalized_shape = o.list("normalized_shape"),
                               .eps = o.real("eps", 1e-5),
                               .elementwise_affine = o.flag("elementwise_affine", true),
                               .bias = o.flag("bias", true)});
  };
  m["RMSNorm"] = [](const Options& o) {
    return layer(nn::RMSNorm{.normalized_shape = o.list("normalized_shape"),
                             .eps = o.optional_real("eps"),
                             .elementwise_affine = o.flag("elementwise_affine", true)});
  };
  m["GroupNorm"] = [](const Options& o) {
    return layer(nn::GroupNorm{.num_groups = o.count("num_groups"),
                               .num_channels = o.count("num_channels"),
                               .eps = o.real("eps", 1e-5),
                               .affine = o.flag("affine", true),
                               .bias = o.flag("bias", true)});
  };
  m["LocalResponseNorm"] = [](const Options& o) {
    return layer(nn::LocalResponseNorm{o.count("size"), o.real("alpha", 1e-4), o.real("beta", 0.75), o.real("k", 1)});
  };
  m["CrossMapLRN2d"] = [](const Options& o) {
    Scalar k = 1;
    if (o.has("k")) k = o.at("k").is_number_integer() ? Scalar(o.count("k")) : Scalar(o.real("k", 1));
    return layer(nn::CrossMapLRN2d{o.count("size"), o.real("alpha", 1e-4), o.real("beta", 0.75), k});
  };

  m["ReLU"] = with_inplace<nn::ReLU>();
  m["ReLU6"] = with_inplace<nn::ReLU6>();
  m["SELU"] = with_inplace<nn::SELU>();
  m["SiLU"] = with_inplace<nn::SiLU>();
  m["Mish"] = with_inplace<nn::Mish>();
  m["Hardswish"] = with_inplace<nn::Hardswish>();
  m["Hardsigmoid"] = with_inplace<nn::Hardsigmoid>();
  m["Softsign"] = plain<nn::Softsign>();
  m["Sigmoid"] = plain<nn::Sigmoid>();
  m["LogSigmoid"] = plain<nn::LogSigmoid>();
  m["Tanh"] = plain<nn::Tanh>();
  m["Tanhshrink"] = plain<nn::Tanhshrink>();
  m["Softmax2d"] = plain<nn::Softmax2d>();
  m["ELU"] = [](const Options& o) {
    return layer(nn::ELU{.alpha = o.real("alpha", 1), .inplace = o.flag("inplace", false)});
  };
  m["CELU"] = [](const Options& o) {
    return layer(nn::CELU{.alpha = o.real("alpha", 1), .inplace = o.flag("inplace", false)});
  };
  m["GELU"] = [](const Options& o) { return layer(nn::GELU{o.text("approximate", "none")}); };
  m["Hardtanh"] = [](const Options& o) {
    return layer(nn::Hardtanh{o.real("min_val", -1), o.real("max_val", 1), o.flag("inplace", false)});
  };
  m["Hardshrink"] = [](const Options& o) { return layer(nn::Hardshrink{o.real("lambd", 0.5)}); };
  m["Softshrink"] = [](const Options& o) { return layer(nn::Softshrink{o.real("lambd", 0.5)}); };
  m["Softplus"] = [](const Options& o) { return layer(nn::Softplus{o.real("beta", 1), o.real("threshold", 20)}); };
  m["LeakyReLU"] = [](const Options& o) {
    return layer(nn::LeakyReLU{o.real("negative_slope", 0.01), o.flag("inplace", false)});
  };
  m["Threshold"] = [](const Options& o) {
    return layer(nn::Threshold{o.real("threshold", 0), o.real("value", 0), o.flag("inplace", false)});
  };
  m["RReLU"] = [](const Options& o) {
    return layer(nn::RReLU{o.real("lower", 1.0 / 8), o.real("upper", 1.0 / 3), o.flag("inplace", false)});
  };
  m["PReLU"] = [](const Options& o) { return layer(nn::PReLU{o.count("num_parameters", 1), o.real("init", 0.25)}); };
  m["GLU"] = [](const Options& o) { return layer(nn::GLU{o.count("dim", -1)}); };
  m["Softmax"] = [](const Options& o) { return layer(nn::Softmax{o.optional_count("dim")}); };
  m["LogSoftmax"] = [](const Options& o) { return layer(nn::LogSoftmax{o.optional_count("dim")}); };
  m["Softmin"] = [](const Options& o) { return layer(nn::Softmin{o.optional_count("dim")}); };
}

}  // namespace oracle
