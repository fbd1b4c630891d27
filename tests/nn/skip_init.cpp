// Modules without elements, and room for them.
#include "support.hpp"

using namespace test;

namespace {

struct Net {
  nn::Conv2d conv{1, 2, 3};
  nn::BatchNorm2d norm{2};
  nn::Linear head{8, 3}, tied{8, 3, false, kFloat, head.weight};
  nn::LSTM steps{3, 2};
  TENON_FIELDS(conv, norm, head, tied, steps)
};

}  // namespace

TEST_CASE("a module made on no device is given room and loads a state", "[nn][to_empty]") {
  Net full, made = [] {
    DefaultDeviceGuard meta(kMeta);
    return Net();
  }();
  for (const auto& [name, t] : nn::state(made)) CHECK(t.device() == Device(kMeta));
  nn::requires_grad_(made.conv, false);
  nn::to_empty(made, kCPU);
  CHECK(names(nn::state(made)) == names(nn::state(full)));
  for (const auto& [name, t] : nn::state(made)) CHECK(t.device() == Device(kCPU));
  CHECK(made.head.weight.is_same(made.tied.weight));
  CHECK(made.head.weight.requires_grad());
  CHECK_FALSE(made.conv.weight.requires_grad());
  CHECK_FALSE(made.norm.running_mean.requires_grad());
  CHECK(made.norm.num_batches_tracked.dtype() == kLong);
  nn::load_state(made, nn::state(full));
  CHECK(values(made.norm.running_var) == values(full.norm.running_var));
  CHECK(values(made.head.weight) == values(full.head.weight));
}

TEST_CASE("to_empty gives a module tensors of its own, laid out as before", "[nn][to_empty]") {
  nn::Conv2d conv{2, 2, 3}, copy = conv;
  nn::to(conv, MemoryFormat::ChannelsLast);
  Tensor before = copy.weight;
  nn::to_empty(conv, kCPU);
  CHECK_FALSE(conv.bias.is_same(copy.bias));
  CHECK(conv.weight.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(copy.weight.is_same(before));
  conv(ops::zeros({1, 2, 3, 3})).sum().backward();
  CHECK(conv.bias.grad().defined());
}

TEST_CASE("a layer is made without drawing", "[nn][skip_init]") {
  manual_seed(5);
  Tensor expected = ops::rand({3});
  manual_seed(5);
  nn::Linear layer = nn::utils::skip_init([] { return nn::Linear{5, 1}; });
  Net net = nn::utils::skip_init([] { return Net(); });
  CHECK(ops::equal(ops::rand({3}), expected));
  CHECK(layer.weight.sizes() == IntArrayRef({1, 5}));
  CHECK(layer.weight.device() == Device(kCPU));
  CHECK(nn::parameters(layer).size() == 2);
  CHECK(nn::parameter_count(net) == nn::parameter_count(Net()));
  CHECK(get_default_device() == Device(kCPU));
}
