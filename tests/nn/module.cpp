// Parameters and state of modules.
#include <deque>
#include <map>
#include <memory>

#include "support.hpp"

using namespace test;

namespace {

struct Block {
  nn::Linear inner{2, 2};
  Tensor scale = ops::ones({2}).requires_grad_();
  Tensor mean = ops::zeros({2});
  int count = 0;
  Tensor operator()(const Tensor& x) const { return inner(x) * scale + mean; }
};
struct Net {
  nn::Linear first{3, 2};
  std::vector<Block> blocks = std::vector<Block>(2);
  std::unique_ptr<nn::Linear> optional;
  std::optional<nn::Linear> head = nn::Linear{2, 1, false};
  TENON_FIELDS(first, blocks, optional, head)
};
struct Contained {
  std::map<std::string, nn::Linear> by_name = {{"out", nn::Linear{2, 1, false}}, {"in", nn::Linear{2, 2, false}}};
  std::deque<nn::Linear> row = {nn::Linear{2, 2, false}};
  std::pair<nn::Linear, int> pair = {nn::Linear{2, 2, false}, 3};
  std::string label = "not looked into";
};
struct Tied {
  nn::Linear a{2, 2};
  nn::Linear b = a;
};

}  // namespace

TEST_CASE("parameters are found through structs, lists and holders, with their names", "[nn][module]") {
  Net net;
  CHECK(names(nn::named_parameters(net)) ==
        std::vector<std::string>{"first.weight", "first.bias", "blocks.0.0.weight", "blocks.0.0.bias", "blocks.0.1",
                                 "blocks.1.0.weight", "blocks.1.0.bias", "blocks.1.1", "head.weight"});
  CHECK(nn::parameters(net).size() == 9);
  CHECK(nn::parameters(net)[0].is_same(net.first.weight));
  CHECK(nn::parameter_count(net) == 6 + 2 + 2 * (4 + 2 + 2) + 2);
  net.optional = std::make_unique<nn::Linear>(2, 2);
  CHECK(nn::parameters(net).size() == 11);
}

TEST_CASE("the state is every tensor, parameters those leaves that require grad", "[nn][module]") {
  Block block;
  CHECK(names(nn::state(block)) == std::vector<std::string>{"0.weight", "0.bias", "1", "2"});
  block.inner.weight.set_requires_grad(false);
  CHECK(names(nn::named_parameters(block)) == std::vector<std::string>{"0.bias", "1"});
  block.mean = block.scale * 2;
  CHECK(nn::parameters(block).size() == 2);
}

TEST_CASE("a tensor that two modules share is one parameter", "[nn][module]") {
  Tied tied;
  CHECK(nn::parameters(tied).size() == 2);
  CHECK(nn::state(tied).size() == 4);
}

TEST_CASE("zero_grad drops or zeroes the gradients of all parameters", "[nn][module]") {
  Block block;
  ops::sum(block(ops::ones({1, 2}))).backward();
  REQUIRE(block.scale.grad().defined());
  nn::zero_grad(block, false);
  CHECK(values(block.scale.grad()) == std::vector<double>{0, 0});
  nn::zero_grad(block);
  CHECK(!block.scale.grad().defined());
  CHECK(!block.inner.weight.grad().defined());
}

TEST_CASE("a module takes over another's state by copying", "[nn][module]") {
  Net a, b;
  b.head->weight.set_requires_grad(false);
  nn::load_state(b, nn::state(a));
  CHECK(values(a.blocks[1].inner.weight) == values(b.blocks[1].inner.weight));
  CHECK(!a.first.weight.is_same(b.first.weight));
  CHECK(b.first.weight.requires_grad());
  CHECK(b.first.weight.is_leaf());
}

TEST_CASE("state that does not fit is refused and changes nothing", "[nn][module]") {
  nn::Linear a{2, 3}, b{2, 3};
  auto before = values(b.weight);
  auto state = nn::state(a);
  state.pop_back();
  CHECK_ERROR_CONTAINS(nn::load_state(b, state), ValueError,
                       "expected a tensor named 'bias', got none among 1 tensors");
  state = nn::state(a);
  state[1].second = ops::zeros({4});
  CHECK_ERROR_CONTAINS(nn::load_state(b, state), ValueError, "tensor 'bias': expected shape [3], got [4]");
  state = nn::state(a);
  state.emplace_back("extra", ops::zeros({1}));
  CHECK_ERROR_CONTAINS(nn::load_state(b, state), ValueError, "tensor 'extra'");
  CHECK(values(b.weight) == before);
}

TEST_CASE("state is matched by name: its order is its own, and of two of a name the last counts", "[nn][module]") {
  nn::Linear a(2, 3), b(2, 3);
  auto state = nn::state(a);
  std::swap(state[0], state[1]);
  nn::load_state(b, state);
  CHECK((values(b.weight) == values(a.weight) && values(b.bias) == values(a.bias)));
  CHECK((b.weight.requires_grad() && b.bias.is_leaf()));
  state.emplace_back("bias", ops::ones({3}));
  nn::load_state(b, state);
  CHECK(values(b.bias) == values(ops::ones({3})));
  CHECK(values(b.weight) == values(a.weight));
  state = nn::state(a);
  state[0].first = "other";
  CHECK_ERROR_CONTAINS(nn::load_state(b, state), ValueError, "expected a tensor named 'weight', got none among 2");
}

TEST_CASE("parameters are found in containers of all kinds", "[nn][module]") {
  std::vector<std::string> names;
  for (auto& [name, t] : nn::named_parameters(Contained())) names.push_back(name);
  CHECK(names == std::vector<std::string>{"0.in.weight", "0.out.weight", "1.0.weight", "2.0.weight"});
}

TEST_CASE("state that is not strict loads what fits and names the rest", "[nn][module]") {
  nn::Linear a{2, 3}, b{2, 3};
  auto before = values(b.bias);
  nn::NamedTensors state{{"weight", ops::ones({3, 2})}, {"other.weight", ops::ones({1})}};
  nn::IncompatibleKeys apart = nn::load_state(b, state, false);
  CHECK(apart.missing_keys == std::vector<std::string>{"bias"});
  CHECK(apart.unexpected_keys == std::vector<std::string>{"other.weight"});
  CHECK(values(b.weight) == std::vector<double>(6, 1.0));
  CHECK(values(b.bias) == before);
  // Another shape is an error all the same.
  state[0].second = ops::zeros({3, 3});
  CHECK_ERROR(nn::load_state(b, state, false), ValueError,
              "load_state(): tensor 'weight': expected shape [3, 2], got [3, 3]");
  CHECK(values(b.weight) == std::vector<double>(6, 1.0));
  // One number may come as a list of one.
  nn::BatchNorm1d norm{2};
  state = nn::state(norm);
  state.back().second = tensor({7});
  CHECK(nn::load_state(norm, state).missing_keys.empty());
  CHECK(norm.num_batches_tracked.item<std::int64_t>() == 7);
}
