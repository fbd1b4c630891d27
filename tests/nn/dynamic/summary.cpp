// Summaries of models: shapes, parameters and multiply-adds, counted by hand.
#include <tenon/nn/dynamic/summary.hpp>

#include "../support.hpp"

using namespace test;

namespace {

struct Block {
  nn::Linear inner{8, 8, false};
  nn::ReLU act;
  Tensor operator()(const Tensor& x) const { return nn::Calling(this)(x + act(inner(x))); }
  TENON_FIELDS(inner, act)
};
struct Net {
  nn::Conv2d conv{.in_channels = 2, .out_channels = 4, .kernel_size = 3, .stride = 2, .padding = 1, .groups = 2};
  nn::BatchNorm2d norm{4};
  nn::Sequential<nn::Flatten, nn::ReLU, nn::Linear> head{nn::Flatten{}, nn::ReLU{}, nn::Linear{16, 8}};
  Block block;
  nn::AnyModule last = nn::Linear{8, 3};
  bool training = true;
  Tensor operator()(const Tensor& x) const { return last(block(block(head(norm(conv(x)))))); }
  TENON_FIELDS(conv, norm, head, block, last)
};
const nn::LayerSummary& find(const nn::ModelSummary& s, const std::string& name) {
  for (const auto& layer : s.layers)
    if (layer.name == name) return layer;
  throw std::out_of_range(name);
}
std::int64_t products(const nn::ModelSummary& s) {
  std::int64_t sum = 0;
  for (const auto& layer : s.layers) sum += layer.multiply_adds;
  return sum;
}

}  // namespace

TEST_CASE("a summary has the shapes, parameters and multiply-adds of each layer", "[nn][dynamic][summary]") {
  Net net;
  nn::requires_grad_(net.norm, false);
  net.norm.training = false;
  auto s = nn::summary(net, ops::zeros({5, 2, 4, 4}));
  CHECK(net.training);
  CHECK(net.conv.weight.requires_grad());
  CHECK_FALSE(net.norm.training);
  CHECK(net.norm.num_batches_tracked.item<std::int64_t>() == 0);

  CHECK(find(s, "").type == "Net");
  CHECK(find(s, "").output == std::vector<std::int64_t>{5, 3});
  CHECK(find(s, "conv").output == std::vector<std::int64_t>{5, 4, 2, 2});
  CHECK(find(s, "conv").parameters == 4 * 9 + 4);
  CHECK(find(s, "conv").multiply_adds == 5 * 4 * 2 * 2 * 9);
  CHECK(find(s, "norm").type == "BatchNorm2d");
  CHECK(find(s, "norm").parameters == 8);
  CHECK(find(s, "head").output == std::vector<std::int64_t>{5, 8});
  CHECK(find(s, "head").parameters == 0);
  CHECK(find(s, "head.0").output == std::vector<std::int64_t>{5, 16});
  CHECK(find(s, "head.1").output == std::vector<std::int64_t>{5, 16});
  CHECK(find(s, "head.2").multiply_adds == 5 * 16 * 8);
  CHECK(find(s, "block").calls == 2);
  CHECK(find(s, "block").depth == 1);
  CHECK(find(s, "block.inner").multiply_adds == 2 * 5 * 8 * 8);
  CHECK(find(s, "block.act").output == std::vector<std::int64_t>{5, 8});
  CHECK(find(s, "last").type == "Linear");
  CHECK(find(s, "last").multiply_adds == 5 * 8 * 3);
  CHECK(s.layers.size() == 11);
  CHECK(s.parameters == 40 + 8 + (16 * 8 + 8) + 64 + 27);
  CHECK(s.trainable == s.parameters - 8);
  CHECK(s.multiply_adds == products(s));
}

TEST_CASE("recurrent and attention layers count their products", "[nn][dynamic][summary]") {
  nn::LSTM lstm{.input_size = 3, .hidden_size = 4, .num_layers = 2, .bidirectional = true};
  auto s = nn::summary(lstm, ops::zeros({5, 2, 3}));
  CHECK(find(s, "").output == std::vector<std::int64_t>{5, 2, 8});
  CHECK(s.multiply_adds == 5 * 2 * 2 * (16 * 3 + 16 * 4 + 16 * 8 + 16 * 4));
  CHECK(s.parameters == nn::parameter_count(lstm));
  auto of_packed = nn::summary(lstm, nn::pack_padded_sequence(ops::zeros({5, 2, 3}), {5, 2}));
  CHECK(of_packed.multiply_adds == 7 * 2 * (16 * 3 + 16 * 4 + 16 * 8 + 16 * 4));

  nn::GRU gru{3, 4};
  auto packed = nn::pack_padded_sequence(ops::zeros({5, 2, 3}), {5, 2});
  CHECK(nn::summary(gru, packed).multiply_adds == 7 * (12 * 3 + 12 * 4));

  nn::TransformerEncoderLayer layer{.d_model = 8, .nhead = 2, .dim_feedforward = 16};
  auto t = nn::summary(layer, ops::zeros({6, 2, 8}));
  // Four projections of tokens, scores and their values, two layers behind.
  CHECK(t.multiply_adds == 12 * 4 * 64 + 2 * 2 * 6 * 6 * 8 + 12 * 2 * 8 * 16);
  CHECK(find(t, "self_attn").output == std::vector<std::int64_t>{6, 2, 8});
  // Attention takes the weights of its last projection and does not call that layer, as in PyTorch.
  CHECK(find(t, "self_attn").multiply_adds == 12 * 4 * 64 + 2 * 2 * 6 * 6 * 8);
  CHECK(find(t, "norm2").calls == 1);

  nn::ConvTranspose2d up{.in_channels = 2, .out_channels = 3, .kernel_size = 3, .stride = 2};
  CHECK(nn::summary(up, ops::zeros({4, 2, 5, 5})).multiply_adds == 4 * 25 * 2 * 3 * 9);
}

TEST_CASE("a summary prints as a table", "[nn][dynamic][summary]") {
  nn::Sequential net{nn::Linear{64, 128}, nn::ReLU{}, nn::Linear{128, 10}};
  CHECK(nn::summary(net, ops::zeros({32, 64})).text() ==
        R"(=====================================================
Layer (type)  Output shape  Parameters  Multiply-adds
=====================================================
Sequential    [32, 10]               -              -
  0 (Linear)  [32, 128]          8,320        262,144
  1 (ReLU)    [32, 128]              -              -
  2 (Linear)  [32, 10]           1,290         40,960
=====================================================
Parameters: 9,610, of which 9,610 are trained
Multiply-adds: 303,104
=====================================================)");
}

TEST_CASE("a model is drawn as the tree of its modules", "[nn][dynamic][summary]") {
  nn::Sequential net{nn::Linear{3, 4}, nn::Sequential<nn::ReLU, nn::Linear>{nn::ReLU{}, nn::Linear{4, 1}}};
  CHECK(nn::summary(net, ops::zeros({2, 3})).dot() ==
        "digraph {\n  rankdir=LR;\n  node [shape=box];\n"
        "  m0 [label=\"Sequential\\n[2, 1]\"];\n"
        "  m1 [label=\"0: Linear\\n[2, 4]\\n16 parameters\"];\n  m0 -> m1;\n"
        "  m2 [label=\"1: Sequential\\n[2, 1]\"];\n  m0 -> m2;\n"
        "  m3 [label=\"0: ReLU\\n[2, 4]\"];\n  m2 -> m3;\n"
        "  m4 [label=\"1: Linear\\n[2, 1]\\n5 parameters\"];\n  m2 -> m4;\n}\n");
}
