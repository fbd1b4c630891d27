// States whose tensors a module takes over.
#include <tenon/nn/dynamic/any_module.hpp>
#include <tenon/nn/dynamic/assign_state.hpp>
#include <tenon/nn/dynamic/lazy.hpp>

#include "../support.hpp"

using namespace test;

namespace {

struct Tied {
  nn::Linear in{2, 2}, out{2, 2};
  nn::Buffer count = tensor({0.0});
  Tied() { out.weight = in.weight; }
  TENON_FIELDS(in, out, count)
};

}  // namespace

TEST_CASE("a module takes the tensors of a state over", "[nn][dynamic]") {
  nn::Sequential net{nn::Linear{2, 3}, nn::BatchNorm1d{3}};
  nn::requires_grad_(net.get<0>(), false);
  nn::NamedTensors given = nn::state(nn::clone(net));
  for (auto& [name, t] : given)
    if (t.is_floating_point()) t = t.detach().to(kBFloat16);
  auto apart = nn::assign_state(net, given);
  CHECK(apart.missing_keys.empty());
  CHECK(apart.unexpected_keys.empty());
  nn::NamedTensors now = nn::state(net);
  REQUIRE(names(now) == names(given));
  for (std::size_t i = 0; i < now.size(); ++i) {
    INFO(now[i].first);
    CHECK(now[i].second.data_ptr() == given[i].second.data_ptr());
    CHECK(now[i].second.dtype() == given[i].second.dtype());
  }
  // What required grad does so still, as a leaf.
  CHECK(names(nn::named_parameters(net)) == std::vector<std::string>{"1.weight", "1.bias"});
  CHECK_FALSE(given[2].second.requires_grad());
}

TEST_CASE("a module on the device Meta gets its memory from a state", "[nn][dynamic]") {
  nn::Linear trained{2, 3};
  nn::AnyModule empty = [] {
    DefaultDeviceGuard meta(kMeta);
    return nn::Linear{2, 3};
  }();
  nn::assign_state(empty, nn::state(trained));
  Tensor x = ops::randn({4, 2});
  CHECK(ops::equal(empty(x), trained(x)));
  CHECK(nn::parameters(empty)[0].requires_grad());
  nn::LazyLinear late{.out_features = 3};
  nn::assign_state(late, nn::state(trained));
  CHECK(ops::equal(late(x), trained(x)));
}

TEST_CASE("tensors that parts share stay shared when a state is taken over", "[nn][dynamic]") {
  Tied net;
  nn::assign_state(net, nn::state(nn::clone(net)));
  CHECK(net.out.weight.is_same(net.in.weight));
  CHECK(nn::parameters(net).size() == 3);
}

TEST_CASE("a state that does not fit is not taken over", "[nn][dynamic]") {
  nn::Linear layer{2, 3};
  Tensor weight = layer.weight, w = ops::zeros({3, 2}), b = ops::zeros({3});
  CHECK_ERROR(nn::assign_state(layer, {{"weight", w}}), ValueError,
              "assign_state(): expected a tensor named 'bias', got none among 1 tensors");
  CHECK_ERROR(nn::assign_state(layer, {{"weight", w}, {"bias", b}, {"scale", b}}), ValueError,
              "assign_state(): tensor 'scale': the module has no tensor of that name");
  CHECK_ERROR(nn::assign_state(layer, {{"weight", w}, {"bias", w}}), ValueError,
              "assign_state(): tensor 'bias': expected shape [3], got [3, 2]");
  CHECK_ERROR(nn::assign_state(layer, {{"weight", w}, {"bias", Tensor()}}), ValueError,
              "assign_state(): tensor 'bias' is undefined");
  CHECK_ERROR(nn::assign_state(layer, {{"weight", w}, {"bias", ops::zeros({3}, "dtype"_a = kLong)}}), ValueError,
              "assign_state(): tensor 'bias': expected elements that can be trained, got int64");
  CHECK(layer.weight.is_same(weight));
  auto apart = nn::assign_state(layer, {{"weight", w}, {"scale", b}}, false);
  CHECK(apart.missing_keys == std::vector<std::string>{"bias"});
  CHECK(apart.unexpected_keys == std::vector<std::string>{"scale"});
  CHECK(layer.weight.data_ptr() == w.data_ptr());
  nn::LazyLinear late{.out_features = 3};
  CHECK_ERROR(nn::assign_state(late, {{"weight", b}, {"bias", b}}), ValueError,
              "assign_state(): tensor 'weight': shape [3] is none of the lazy layer that it is for");
}
