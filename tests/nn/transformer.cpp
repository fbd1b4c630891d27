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
