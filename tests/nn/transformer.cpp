// Layers of transformers.
#include <tenon/nn/dynamic/summary.hpp>

#include "support.hpp"

using namespace test;

namespace {

/// The result of a layer with plain numbers for parameters.
std::vector<double> results(nn::Activation activation) {
  nn::TransformerEncoderLayer layer{
      .d_model = 4, .nhead = 2, .dim_feedforward = 3, .dropout = 0, .activation = activation};
  NoGradGuard no_grad;
  std::int64_t i = 0;
  for (const Tensor& p : nn::parameters(layer)) {
    Tensor n = ops::arange(p.numel());
    p.copy_(((n * 7 + i++).remainder(5) - 2).view(p.sizes()) / 4.0);
  }
  return values(layer(tensor({0.5, -1.0, 0.25, 1.5, 2.0, 0.25, -0.5, -2.0}).view({2, 1, 4})));
}
void check_near(const std::vector<double>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).epsilon(1e-5));
}

struct Scaled {
  nn::Linear linear{4, 4};
  Tensor operator()(const Tensor& x) const { return x + linear(x); }
  TENON_FIELDS(linear)
};
struct Masked {
  nn::Linear linear{4, 4};
  Tensor operator()(const Tensor& x, const nn::EncoderMasks& masks) const {
    return linear(x).masked_fill(masks.src_key_padding_mask.t().unsqueeze(2), 0);
  }
  TENON_FIELDS(linear)
};
struct Remembering {
  nn::Linear linear{4, 4};
  Tensor operator()(const Tensor& x, const Tensor& memory) const { return linear(x) * memory.mean(0, true); }
  TENON_FIELDS(linear)
};
template <class Net>
Net& numbered(Net& net) {
  NoGradGuard no_grad;
  std::int64_t i = 0;
  for (const Tensor& p : nn::parameters(net))
    p.copy_(((ops::arange(p.numel()) * 7 + i++).remainder(5) - 2).view(p.sizes()) / 4.0);
  return net;
}
Tensor input() { return tensor({0.5, -1.0, 0.25, 1.5, 2.0, 0.25, -0.5, -2.0}).view({2, 1, 4}); }

}  // namespace

// Values of PyTorch 2.15.
TEST_CASE("a transformer's activation is a word or any function", "[nn][transformer]") {
  const std::vector<double> relu{-0.3227297, 0.25, -1.1727397, 0.0627384, -0.7804399, 0.25, -0.6758896, 0.3680946},
      gelu{-0.3989093, 0.25, -1.1573548, 0.1010319, -0.814622, 0.25, -0.6417131, 0.373037},
      silu{-0.4081036, 0.25, -1.1550324, 0.105553, -0.818669, 0.25, -0.6407008, 0.3727894},
      tanh{-0.4379938, 0.25, -1.149786, 0.1179412, -0.7999429, 0.25, -0.5397908, 0.3934689};
  check_near(results("relu"), relu);
  check_near(results(nn::ReLU{}), relu);
  check_near(results(std::string("gelu")), gelu);
  check_near(results(nn::GELU{}), gelu);
  check_near(results(nn::SiLU{}), silu);
  double scale = 1;
  check_near(results([scale](const Tensor& x) { return (x * scale).tanh(); }), tanh);
  CHECK_ERROR(nn::Activation("tanh"), ValueError, "activation should be relu/gelu, not tanh");
}

TEST_CASE("a transformer gives its activation to all layers", "[nn][transformer]") {
  int calls = 0;
  nn::Transformer net{.d_model = 4,
                      .nhead = 2,
                      .num_encoder_layers = 2,
                      .num_decoder_layers = 1,
                      .dim_feedforward = 3,
                      .activation = [&calls](const Tensor& x) {
                        ++calls;
                        return x.relu();
                      }};
  Tensor x = ops::ones({2, 1, 4});
  net(x, x);
  CHECK(calls == 3);
  nn::clone(net)(x, x);
  CHECK(calls == 6);
  CHECK(names(nn::state(net)) ==
        names(nn::state(nn::Transformer{
            .d_model = 4, .nhead = 2, .num_encoder_layers = 2, .num_decoder_layers = 1, .dim_feedforward = 3})));
  nn::TransformerEncoderLayer layer{.d_model = 4, .nhead = 2, .activation = nn::GELU{}};
  CHECK(nn::summary(layer, x).parameters == nn::parameter_count(layer));
}

// Values of torch.nn.TransformerEncoder and TransformerDecoder over modules of the same kind, PyTorch 2.15.
TEST_CASE("an encoder and a decoder copy a layer of any type", "[nn][transformer]") {
  nn::TransformerEncoderOf encoder{Scaled{}, 2};
  STATIC_REQUIRE(std::is_same_v<decltype(encoder), nn::TransformerEncoderOf<Scaled>>);
  CHECK(names(nn::state(encoder)) == std::vector<std::string>{"layers.0.linear.weight", "layers.0.linear.bias",
                                                              "layers.1.linear.weight", "layers.1.linear.bias"});
  CHECK(values(encoder.layers[0].linear.weight) == values(encoder.layers[1].linear.weight));
  NoGradGuard no_grad;
  check_near(values(numbered(encoder)(input())),
             {0.828125, -0.453125, -0.46875, 2.40625, 1.4375, -1.671875, -0.96875, 0.625});

  nn::TransformerEncoderOf masked{Masked{}, 2, nn::RMSNorm{{4}}};
  Tensor padding = tensor({0, 1}).view({1, 2}).to(kBool);
  check_near(values(numbered(masked)(input(), {.src_key_padding_mask = padding})),
             {0.5314018, 0.1213695, -0.2296181, -0.6691726, 0.0, -0.0, 0.0, -0.0});

  nn::TransformerDecoderOf decoder{Remembering{}, 2, nn::LayerNorm{{4}}};
  check_near(values(numbered(decoder)(input(), input() + 1)),
             {0.1602927, 0.1397193, 0.1774665, -0.5142129, 0.1631356, 0.2859632, 0.3080228, -0.5427452});
  CHECK(concat(nn::TransformerEncoderOf{Scaled{}, 1}) ==
        "TransformerEncoder(\n  (layers): ModuleList(\n    (0): Scaled(\n      (linear): Linear(in_features=4, "
        "out_features=4, bias=True)\n    )\n  )\n)");
}

TEST_CASE("masks that a transformer's parts would not see are refused", "[nn][transformer]") {
  Tensor x = input();
  nn::TransformerEncoderOf encoder{Scaled{}, 1};
  CHECK_ERROR(encoder(x, {.src_mask = ops::zeros({2, 2})}), TypeError,
              "TransformerEncoder: got masks, and its parts take none");
  CHECK_ERROR(encoder(x, {.is_causal = true}), TypeError, "TransformerEncoder: got masks, and its parts take none");
  nn::TransformerDecoderOf decoder{Remembering{}, 1};
  CHECK_ERROR(decoder(x, x, {.memory_mask = ops::zeros({2, 2})}), TypeError,
              "TransformerDecoder: got masks, and its parts take none");
  CHECK_ERROR(decoder(x, x, {.memory_is_causal = true}), TypeError,
              "TransformerDecoder: got masks, and its parts take none");
  nn::TransformerOf<Scaled> net{
      .d_model = 4, .nhead = 2, .num_decoder_layers = 1, .dim_feedforward = 3, .encoder = Scaled{}};
  CHECK_ERROR(net(x, x, {.src_mask = ops::zeros({2, 2})}), TypeError,
              "Transformer: got masks, and its parts take none");
}

TEST_CASE("a transformer takes an encoder and a decoder of one's own", "[nn][transformer]") {
  Scaled encoder;
  Remembering decoder;
  Tensor bias = encoder.linear.bias.clone(), before = encoder.linear.weight.clone();
  nn::TransformerOf<Scaled, Remembering> kept{.d_model = 4, .encoder = encoder, .decoder = decoder, .drawn = false};
  CHECK(values(encoder.linear.weight) == values(before));
  CHECK(names(nn::state(kept)) == std::vector<std::string>{"encoder.linear.weight", "encoder.linear.bias",
                                                           "decoder.linear.weight", "decoder.linear.bias"});
  nn::TransformerOf<Scaled, Remembering> net{.d_model = 4, .encoder = encoder, .decoder = decoder};
  CHECK(values(encoder.linear.weight) != values(before));
  CHECK(values(encoder.linear.bias) == values(bias));
  NoGradGuard no_grad;
  check_near(values(numbered(net)(input(), input() - 1)),
             {-0.1640625, -0.1875, -1.0898438, 0.28125, -0.1875, -0.25, 0.8476562, 0.4570312});
  CHECK_ERROR(net(ops::ones({2, 1, 3}), input()), ValueError,
              "the feature number of src and tgt must be equal to d_model");
}

TEST_CASE("a transformer's activation may have parameters of its own", "[nn][transformer]") {
  using Layer = nn::TransformerEncoderLayerOf<nn::PReLU>;
  nn::TransformerEncoderOf<Layer> encoder{Layer{.d_model = 4, .nhead = 2, .dim_feedforward = 3, .dropout = 0}, 2};
  CHECK(names(nn::state(encoder)).at(12) == "layers.0.activation.weight");
  CHECK(names(nn::state(encoder)).back() == "layers.1.activation.weight");
  Tensor x = ops::ones({2, 1, 4});
  encoder(x).square().sum().backward();
  CHECK(encoder.layers[1].activation.weight.grad().defined());
  nn::init::zeros_(encoder.layers[0].activation.weight);
  nn::TransformerEncoderLayer plain{.d_model = 4, .nhead = 2, .dim_feedforward = 3, .dropout = 0};
  nn::NamedTensors state = nn::state(encoder.layers[0]);
  state.pop_back();
  nn::load_state(plain, state);
  CHECK(values(plain(x)) == values(encoder.layers[0](x)));
  CHECK(nn::to_string(encoder.layers[0])
            .find("  (dropout2): Dropout(p=0.0, inplace=False)\n  (activation): "
                  "PReLU(num_parameters=1)\n)") != std::string::npos);
  CHECK(nn::to_string(plain).find("activation") == std::string::npos);

  using DecoderLayer = nn::TransformerDecoderLayerOf<nn::PReLU>;
  nn::TransformerDecoderOf<DecoderLayer> decoder{DecoderLayer{.d_model = 4, .nhead = 2, .dim_feedforward = 3}, 1};
  CHECK(names(nn::state(decoder)).back() == "layers.0.activation.weight");
  CHECK(decoder(x, x).sizes() == x.sizes());
}
