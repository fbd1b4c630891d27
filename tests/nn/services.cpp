// What is done to a whole module: modes, buffers, conversion, copies, freezing, visits.
#include "support.hpp"

using namespace test;

namespace {

struct Net {
  nn::Conv2d conv{.in_channels = 1, .out_channels = 2, .kernel_size = 3, .padding = 1};
  nn::BatchNorm2d norm{2};
  std::vector<nn::Dropout> drops = std::vector<nn::Dropout>(2);
  nn::Linear head{8, 3};
  bool training = true;
  Tensor operator()(const Tensor& x) const {
    Tensor y = norm(conv(x)).relu();
    for (const auto& drop : drops) y = drop(y);
    return head(y.flatten(1));
  }
  TENON_FIELDS(conv, norm, drops, head)
};
struct Tied {
  nn::Linear in{3, 3};
  nn::Linear out{3, 3, false, kFloat, in.weight};
};
struct OwnForward {
  nn::Linear inner{2, 2};
  Tensor forward(const Tensor& x) const { return inner(x) + 1; }
};

}  // namespace

TEST_CASE("train and eval reach every module, in lists and holders too", "[nn][services]") {
  Net net;
  nn::eval(net);
  CHECK_FALSE(net.training);
  CHECK_FALSE(net.norm.training);
  CHECK_FALSE(net.drops[1].training);
  Tensor x = ops::ones({2, 1, 2, 2});
  CHECK(values(net(x)) == values(net(x)));
  CHECK(net.norm.num_batches_tracked.item<int>() == 0);
  nn::train(net);
  CHECK(net.drops[0].training);
  net(x);
  CHECK(net.norm.num_batches_tracked.item<int>() == 1);
}

TEST_CASE("buffers belong to the state and not to the parameters", "[nn][services]") {
  Net net;
  CHECK(names(nn::named_buffers(net)) ==
        std::vector<std::string>{"norm.running_mean", "norm.running_var", "norm.num_batches_tracked"});
  CHECK(names(nn::named_parameters(net)) ==
        std::vector<std::string>{"conv.weight", "conv.bias", "norm.weight", "norm.bias", "head.weight", "head.bias"});
  CHECK(names(nn::state(net)) == std::vector<std::string>{"conv.weight", "conv.bias", "norm.weight", "norm.bias",
                                                          "norm.running_mean", "norm.running_var",
                                                          "norm.num_batches_tracked", "head.weight", "head.bias"});
}

TEST_CASE("a module is converted in place; integers stay and leaves stay leaves", "[nn][services]") {
  Net net;
  nn::to(net, kDouble);
  CHECK(net.conv.weight.dtype() == kDouble);
  CHECK(net.norm.running_mean.dtype() == kDouble);
  CHECK(net.norm.num_batches_tracked.dtype() == kLong);
  CHECK(nn::parameters(net).size() == 6);
  CHECK(net.head.weight.is_leaf());
  nn::eval(net);
  net(ops::ones({1, 1, 2, 2}, kDouble)).sum().backward();
  CHECK(net.conv.weight.grad().dtype() == kDouble);
}

TEST_CASE("a module is laid out with channels last, and answers the same", "[nn][services]") {
  Net net;
  nn::eval(net);
  Tensor x = ops::rand({2, 1, 2, 2}), before = net(x);
  Tensor weight = net.conv.weight.clone(), bias = net.conv.bias;
  nn::to(net, MemoryFormat::ChannelsLast);
  CHECK(net.conv.weight.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(ops::equal(net.conv.weight, weight));
  CHECK(net.conv.weight.is_leaf());
  CHECK(net.conv.bias.is_same(bias));
  CHECK(nn::parameters(net).size() == 6);
  CHECK(ops::allclose(net(x.contiguous(MemoryFormat::ChannelsLast)), before));
  nn::to(net, MemoryFormat::Contiguous);
  CHECK(net.conv.weight.is_contiguous());
  CHECK_THROWS_AS(nn::to(net, MemoryFormat::Preserve), ValueError);

  nn::Conv2d wide{2, 3, 2}, tied = wide;
  std::vector<nn::Conv2d> both{wide, tied};
  nn::to(both, MemoryFormat::ChannelsLast);
  CHECK(both[0].weight.stride(1) == 1);
  CHECK(both[0].weight.is_same(both[1].weight));
}

TEST_CASE("tensors that modules share stay shared", "[nn][services]") {
  Tied tied;
  CHECK(tied.out.weight.is_same(tied.in.weight));
  Tied copy = nn::clone(tied);
  CHECK(copy.out.weight.is_same(copy.in.weight));
  CHECK_FALSE(copy.in.weight.is_same(tied.in.weight));
  nn::to(tied, kDouble);
  CHECK(tied.out.weight.is_same(tied.in.weight));
}

TEST_CASE("a clone shares no memory with its model", "[nn][services]") {
  nn::Linear a{2, 2}, b = nn::clone(a);
  CHECK(values(a.weight) == values(b.weight));
  nn::init::zeros_(a.weight);
  CHECK(values(b.weight) != values(a.weight));
  CHECK(b.weight.requires_grad());
}

TEST_CASE("frozen parameters are not trained", "[nn][services]") {
  Net net;
  nn::requires_grad_(net.conv, false);
  CHECK(nn::parameters(net).size() == 4);
  nn::requires_grad_(net.conv);
  CHECK(nn::parameters(net).size() == 6);
  CHECK_FALSE(net.norm.running_mean.requires_grad());
}

TEST_CASE("every module is visited with its name, the outer one first", "[nn][services]") {
  Net net;
  std::vector<std::string> seen;
  nn::for_each_module(net, [&](const std::string& name, auto&) { seen.push_back(name); });
  CHECK(seen == std::vector<std::string>{"", "conv", "norm", "drops.0", "drops.1", "head"});
}

TEST_CASE("a part of a Sequential may have forward in place of a call operator", "[nn][services]") {
  nn::Sequential net{OwnForward{}, nn::ReLU{}};
  Tensor x = ops::zeros({1, 2});
  CHECK(values(net(x)) == values(ops::relu(net.get<0>().inner(x) + 1)));
  CHECK(names(nn::named_parameters(net)) == std::vector<std::string>{"0.0.weight", "0.0.bias"});
}
