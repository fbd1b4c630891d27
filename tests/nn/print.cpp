// Printed models, compared with what PyTorch 2.15 prints.
#include <map>
#include <sstream>

#include "support.hpp"

using namespace test;

namespace {

struct Block {
  nn::Linear a{2, 2};
  nn::ReLU act;
  Tensor operator()(const Tensor& x) const { return act(a(x)); }
  TENON_FIELDS(a, act)
};
struct Net {
  nn::Conv2d conv{.in_channels = 1, .out_channels = 2, .kernel_size = 3, .padding = 1};
  std::vector<Block> blocks = std::vector<Block>(2);
  std::optional<nn::LayerNorm> norm;
  nn::Sequential<nn::Dropout, nn::MaxPool2d> tail{nn::Dropout{0.25}, nn::MaxPool2d{2}};
  Tensor operator()(const Tensor& x) const { return tail(conv(x)); }
  TENON_FIELDS(conv, blocks, norm, tail)
};

}  // namespace

TEST_CASE("layers print as PyTorch's", "[nn][print]") {
  CHECK(nn::to_string(nn::Linear{3, 4, false}) == "Linear(in_features=3, out_features=4, bias=False)");
  CHECK(nn::to_string(nn::BatchNorm2d{4}) ==
        "BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)");
  CHECK(nn::to_string(nn::Dropout2d{}) == "Dropout2d(p=0.5, inplace=False)");
  CHECK(nn::to_string(nn::ReflectionPad1d{{1, 2}}) == "ReflectionPad1d((1, 2))");
  CHECK(nn::to_string(nn::AvgPool1d{3}) == "AvgPool1d(kernel_size=(3,), stride=(3,), padding=(0,))");
  CHECK(nn::to_string(nn::Fold{{4, 5}, 2}) ==
        "Fold(output_size=(4, 5), kernel_size=2, dilation=1, padding=0, stride=1)");
  CHECK(nn::to_string(nn::Upsample{.size = {3, 4}, .mode = "bilinear"}) == "Upsample(size=(3, 4), mode='bilinear')");
  CHECK(nn::to_string(nn::ReLU{true}) == "ReLU(inplace=True)");
  CHECK(nn::to_string(nn::LSTM{.input_size = 3, .hidden_size = 4, .num_layers = 2}) == "LSTM(3, 4, num_layers=2)");
  CHECK(nn::to_string(nn::EmbeddingBag{5, 3}) == "EmbeddingBag(5, 3, mode='mean')");
  CHECK(nn::to_string(nn::CTCLoss{}) == "CTCLoss()");
  CHECK(nn::to_string(nn::AdaptiveAvgPool2d{{3, -1}}) == "AdaptiveAvgPool2d(output_size=(3, None))");
  CHECK(
      nn::to_string(nn::MultiheadAttention{4, 2}) ==
      "MultiheadAttention(\n  (out_proj): NonDynamicallyQuantizableLinear(in_features=4, out_features=4, bias=True)\n)");
}

TEST_CASE("a model prints its parts under their names, and equal ones of a list once", "[nn][print]") {
  std::ostringstream out;
  out << Net{};
  CHECK(out.str() == R"(Net(
  (conv): Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
  (blocks): ModuleList(
    (0-1): 2 x Block(
      (a): Linear(in_features=2, out_features=2, bias=True)
      (act): ReLU()
    )
  )
  (tail): Sequential(
    (0): Dropout(p=0.25, inplace=False)
    (1): MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)
  )
))");
  CHECK(nn::to_string(nn::Sequential{[](const Tensor& x) { return x; }}) == "Sequential(\n  (0): Lambda()\n)");
}

TEST_CASE("apply reaches parts before what they are in", "[nn][print]") {
  std::vector<std::string> seen;
  Block block;
  nn::apply(block, [&](const auto& m) { seen.push_back(nn::to_string(m).substr(0, 5)); });
  CHECK(seen == std::vector<std::string>{"Linea", "ReLU(", "Block"});
}

TEST_CASE("lists and maps of parameters print as PyTorch's", "[nn][print]") {
  struct Weights {
    nn::Linear a{1, 1};
    std::vector<nn::Parameter> w{ops::ones({3}), ops::ones({2})};
    std::map<std::string, nn::Parameter> d{{"a", ops::ones({2, 3})}, {"b", ops::ones({2}, "dtype"_a = kDouble)}};
    TENON_FIELDS(a, w, d)
  };
  CHECK(nn::to_string(Weights{}) == R"(Weights(
  (a): Linear(in_features=1, out_features=1, bias=True)
  (w): ParameterList(
      (0): Parameter containing: [torch.float32 of size 3]
      (1): Parameter containing: [torch.float32 of size 2]
  )
  (d): ParameterDict(
      (a): Parameter containing: [torch.FloatTensor of size 2x3]
      (b): Parameter containing: [torch.DoubleTensor of size 2]
  )
))");
  CHECK(nn::to_string(std::vector<nn::Parameter>{ops::ones({2, 3})}) ==
        "ParameterList(  (0): Parameter containing: [torch.float32 of size 2x3])");
  CHECK(nn::to_string(std::vector<nn::Parameter>{}) == "ParameterList()");
}
