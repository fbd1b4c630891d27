// Layers are described by options, in order or by name.
#include "support.hpp"

using namespace test;

TEST_CASE("a layer's options stand in order or by name, a size for all dimensions or for each", "[nn][options]") {
  nn::Conv2d a{3, 16, 3}, b{.in_channels = 3, .out_channels = 16, .kernel_size = {3, 5}, .padding = "same"};
  CHECK(a.weight.sizes() == IntArrayRef({16, 3, 3, 3}));
  CHECK(b.weight.sizes() == IntArrayRef({16, 3, 3, 5}));
  CHECK(a.bias.sizes() == IntArrayRef({16}));
  CHECK(b(ops::ones({2, 3, 7, 8})).sizes() == IntArrayRef({2, 16, 7, 8}));
  nn::Conv2d bare{.in_channels = 4, .out_channels = 4, .kernel_size = 1, .groups = 2, .bias = false};
  CHECK(nn::parameters(bare).size() == 1);
  CHECK_FALSE(bare.bias.defined());
  CHECK(nn::ConvTranspose1d{2, 3, 4}.weight.sizes() == IntArrayRef({2, 3, 4}));
}

TEST_CASE("a layer describes itself as PyTorch prints it", "[nn][options]") {
  CHECK(nn::Linear{64, 10}.extra_repr() == "in_features=64, out_features=10, bias=True");
  CHECK(nn::Conv2d{3, 16, 3}.extra_repr() == "3, 16, kernel_size=(3, 3), stride=(1, 1)");
  CHECK(nn::Conv1d{.in_channels = 4, .out_channels = 4, .kernel_size = 2, .padding = 1, .groups = 2, .bias = false}
            .extra_repr() == "4, 4, kernel_size=(2,), stride=(1,), padding=(1,), groups=2, bias=False");
  CHECK(nn::BatchNorm2d{8}.extra_repr() ==
        "8, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True");
  CHECK(nn::LSTM{.input_size = 3, .hidden_size = 5, .num_layers = 2, .batch_first = true}.extra_repr() ==
        "3, 5, num_layers=2, batch_first=True");
  CHECK(nn::Dropout{0.2}.extra_repr() == "p=0.2, inplace=False");
  CHECK(nn::Softmax{1}.extra_repr() == "dim=1");
  CHECK(nn::LayerNorm{8}.extra_repr() == "(8,), eps=1e-05, elementwise_affine=True, bias=True");
  CHECK(nn::Upsample{.scale_factor = 2.0}.extra_repr() == "scale_factor=2.0, mode='nearest'");
  CHECK(nn::Upsample{.size = {4, 4}}.extra_repr() == "size=(4, 4), mode='nearest'");
  CHECK(nn::UpsamplingBilinear2d{.size = 4}.extra_repr() == "size=4, mode='bilinear'");
  CHECK(nn::MaxPool2d{2}.extra_repr() == "kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False");
}

TEST_CASE("the shape of a norm and the size of a resize are one number or several", "[nn][options]") {
  CHECK(nn::LayerNorm{8}.weight.sizes() == IntArrayRef({8}));
  CHECK(nn::LayerNorm{{2, 3}}.bias.sizes() == IntArrayRef({2, 3}));
  CHECK(nn::LayerNorm{.normalized_shape = 8, .bias = false}(ops::ones({2, 8})).sizes() == IntArrayRef({2, 8}));
  CHECK(nn::RMSNorm{8}.weight.sizes() == IntArrayRef({8}));
  CHECK(nn::RMSNorm{.normalized_shape = {2, 3}}(ops::ones({4, 2, 3})).sizes() == IntArrayRef({4, 2, 3}));
  Tensor x = ops::ones({1, 2, 3, 4});
  CHECK(nn::Upsample{.scale_factor = 2.0}(x).sizes() == IntArrayRef({1, 2, 6, 8}));
  CHECK(nn::Upsample{.scale_factor = {2, 3}}(x).sizes() == IntArrayRef({1, 2, 6, 12}));
  CHECK(nn::Upsample{.size = 5}(x).sizes() == IntArrayRef({1, 2, 5, 5}));
  CHECK(nn::UpsamplingNearest2d{.scale_factor = 2}(x).sizes() == IntArrayRef({1, 2, 6, 8}));
}

TEST_CASE("options that fit no layer are refused", "[nn][options]") {
  CHECK_ERROR((nn::Conv2d{3, 4, {1, 2, 3}}), ValueError, "expected one size or 2 of them, got 3");
  CHECK_ERROR((nn::Conv2d{.in_channels = 3, .out_channels = 4, .kernel_size = 3, .groups = 2}), ValueError,
              "in_channels must be divisible by groups");
  CHECK_ERROR((nn::Conv2d{.in_channels = 3, .out_channels = 4, .kernel_size = 3, .stride = 2, .padding = "same"}),
              ValueError, "padding='same' is not supported for strided convolutions");
  CHECK_ERROR((nn::GroupNorm{3, 4}), ValueError, "num_channels must be divisible by num_groups");
  CHECK_ERROR((nn::MultiheadAttention{4, 3}), ValueError, "embed_dim must be divisible by num_heads");
  CHECK_ERROR((nn::Dropout{1.5}), ValueError, "dropout probability has to be between 0 and 1, but got 1.5");
}

TEST_CASE("norms leave out their shift alone", "[nn][options]") {
  auto names_of = [](const auto& layer) {
    std::vector<std::string> found;
    for (const auto& [name, t] : nn::state(layer)) found.push_back(name);
    return found;
  };
  nn::BatchNorm2d batch{.num_features = 3, .bias = false};
  CHECK(names_of(batch) == std::vector<std::string>{"weight", "running_mean", "running_var", "num_batches_tracked"});
  CHECK(nn::to_string(batch) ==
        "BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=False, track_running_stats=True)");
  CHECK(names_of(nn::GroupNorm{.num_groups = 2, .num_channels = 4, .bias = false}) ==
        std::vector<std::string>{"weight"});
  CHECK(names_of(nn::InstanceNorm1d{.num_features = 3, .bias = false}).empty());
  CHECK(batch(ops::randn({2, 3, 4, 4})).sizes() == IntArrayRef({2, 3, 4, 4}));
  CHECK_ERROR((nn::GroupNorm{4, 4}(ops::ones({1, 4}))), ValueError,
              "Expected more than 1 value per channel when training, got input size [1, 4]");
  CHECK(nn::GroupNorm{2, 4}(ops::ones({1, 4})).sizes() == IntArrayRef({1, 4}));
}
