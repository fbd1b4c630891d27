// Layers compute what their functions do and start as PyTorch's do.
#include <algorithm>

#include "support.hpp"

using namespace test;

TEST_CASE("Linear is x times the transposed weight plus bias", "[nn][layers]") {
  nn::Linear linear{2, 3};
  nn::load_state(linear,
                 {{"weight", tensor({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}})}, {"bias", tensor({0.5, 0.0, -0.5})}});
  CHECK(values(linear(tensor({{1.0f, 10.0f}}))) == std::vector<double>{21.5, 43, 64.5});
  CHECK(linear(ops::zeros({4, 5, 2})).sizes() == IntArrayRef({4, 5, 3}));
}

TEST_CASE("Linear starts uniform within 1/sqrt(in) and repeats with the seed", "[nn][layers]") {
  manual_seed(3);
  nn::Linear a{16, 64};
  manual_seed(3);
  nn::Linear b{16, 64};
  CHECK(values(a.weight) == values(b.weight));
  CHECK(values(a.bias) == values(b.bias));
  double least = 1, most = -1;
  for (double w : values(a.weight)) {
    least = std::min(least, w);
    most = std::max(most, w);
  }
  CHECK(least >= -0.25);
  CHECK(most <= 0.25);
  CHECK(least < -0.24);
  CHECK(most > 0.24);
  CHECK(a.weight.requires_grad());
  CHECK(a.weight.is_leaf());
}

// torch.manual_seed(0); torch.nn.Linear(3, 2) of PyTorch 2.15.
TEST_CASE("Linear draws the numbers that PyTorch draws", "[nn][layers]") {
  manual_seed(0);
  nn::Linear linear{3, 2};
  std::vector<double> weight = {-0.004322518, 0.309715837, -0.475185335, -0.424894601, -0.222368971, 0.154820725},
                      bias = {-0.011439145, 0.457774937};
  for (std::size_t i = 0; i < weight.size(); ++i) CHECK(values(linear.weight)[i] == Approx(weight[i]).epsilon(1e-6));
  for (std::size_t i = 0; i < bias.size(); ++i) CHECK(values(linear.bias)[i] == Approx(bias[i]).epsilon(1e-6));
}

TEST_CASE("Linear without bias has one parameter", "[nn][layers]") {
  nn::Linear linear{2, 3, false, kDouble};
  CHECK(names(nn::state(linear)) == std::vector<std::string>{"weight"});
  CHECK(linear(ops::ones({1, 2}, "dtype"_a = kDouble)).dtype() == kDouble);
}

TEST_CASE("Sequential runs its parts in order and names them by number", "[nn][layers]") {
  nn::Sequential net{nn::Linear{2, 3}, nn::ReLU{}, nn::Linear{3, 1}, [](const Tensor& x) { return ops::neg(x); }};
  CHECK(names(nn::named_parameters(net)) == std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"});
  Tensor x = tensor({{1.0f, -1.0f}});
  Tensor expected = ops::neg(net.get<2>()(ops::relu(net.get<0>()(x))));
  CHECK(values(net(x)) == values(expected));
  nn::Sequential nested{net, nn::Tanh{}};
  CHECK(names(nn::named_parameters(nested))[3] == "0.2.bias");
}

TEST_CASE("Sequential in braces draws its weights from left to right", "[nn][layers]") {
  manual_seed(42);
  nn::Sequential net{nn::Linear{3, 4}, nn::ReLU{}, nn::Linear{4, 2}};
  manual_seed(42);
  nn::Linear first{3, 4}, second{4, 2};
  CHECK(values(net.get<0>().weight) == values(first.weight));
  CHECK(values(net.get<2>().weight) == values(second.weight));
}

TEST_CASE("activations are the operators of their names", "[nn][layers]") {
  Tensor x = tensor({-1.0f, 0.5f});
  CHECK(values(nn::ReLU{}(x)) == std::vector<double>{0, 0.5});
  CHECK(values(nn::Tanh{}(x)) == values(ops::tanh(x)));
  CHECK(values(nn::Sigmoid{}(x)) == values(ops::sigmoid(x)));
}

TEST_CASE("the hint that attention is causal stands for the mask", "[nn]") {
  nn::MultiheadAttention attention{4, 2};
  Tensor x = ops::randn({3, 4}), causal = ops::triu(ops::ones({3, 3}, "dtype"_a = kBool), 1);
  auto attend = [&](nn::MultiheadAttentionOptions o) { return std::get<0>(attention(x, x, x, o)); };
  Tensor expected = attend({.need_weights = false, .attn_mask = causal});
  Tensor nothing = ops::zeros({3, 3}, "dtype"_a = kBool);
  CHECK(ops::allclose(attend({.need_weights = false, .attn_mask = nothing, .is_causal = true}), expected));
  CHECK(!ops::allclose(attend({.attn_mask = nothing, .is_causal = true}), expected));
}

TEST_CASE("dropout of channels takes an example without a batch", "[nn][dropout]") {
  auto channels = [](const Tensor& y) {
    for (std::int64_t c = 0; c < y.size(0); ++c) {
      Tensor one = y.select(0, c).reshape({-1});
      CHECK(ops::eq(one, one.select(0, 0)).all().item<bool>());
    }
  };
  manual_seed(3);
  Tensor line = ops::ones({64, 5});
  channels(nn::Dropout1d{}(line));
  channels(nn::Dropout3d{}(ops::ones({64, 2, 2, 3})));
  Tensor written = nn::Dropout1d{.inplace = true}(line);
  CHECK(written.is_same(line));
  channels(line);
  CHECK(ops::eq(line, 0).any().item<bool>());
  CHECK_ERROR(nn::Dropout1d{}(ops::ones({2})), ValueError,
              "dropout1d: Expected 2D or 3D input, but received a 1D input.");
}

TEST_CASE("Hardtanh wants two bounds, the function takes one twice, as PyTorch's", "[nn][layers]") {
  Tensor x = tensor({-2.0f, 0.5f, 3.0f});
  CHECK(values(nn::functional::hardtanh(x, 1, 1)) == std::vector<double>{1, 1, 1});
  CHECK_ERROR((nn::Hardtanh{1, 1}(x)), ValueError, "max_val (1) must be greater than min_val (1)");
}
