// Parts and tensors of modules by their names.
#include <tenon/nn/lookup.hpp>
#include <tenon/nn/dynamic/any_module.hpp>
#include <tenon/nn/dynamic/prune.hpp>

#include "support.hpp"

using namespace test;

namespace {

struct Block {
  nn::Linear inner{2, 2};
  nn::BatchNorm1d norm{2};
  TENON_FIELDS(inner, norm)
};
struct Net {
  Block first;
  std::vector<Block> blocks = std::vector<Block>(2);
  nn::AnyModule any = nn::Linear{2, 3};
  nn::Pruned<nn::Linear> pruned = nn::Linear{2, 2};
  TENON_FIELDS(first, blocks, any, pruned)
};

}  // namespace

TEST_CASE("tensors of a module are found by their names", "[nn][lookup]") {
  Net net;
  CHECK(nn::get_parameter(net, "blocks.1.inner.bias").is_same(net.blocks[1].inner.bias));
  CHECK(nn::get_parameter(net, "any.weight").sizes() == IntArrayRef({3, 2}));
  nn::requires_grad_(net.first, false);
  CHECK(nn::get_parameter(net, "first.inner.weight").is_same(net.first.inner.weight));
  CHECK(nn::get_buffer(net, "first.norm.running_mean").is_same(net.first.norm.running_mean));
  CHECK(nn::buffers(net).size() == 9);
  CHECK(nn::buffers(net)[0].is_same(net.first.norm.running_mean));
  CHECK_ERROR(nn::get_parameter(net, "first.norm.running_mean"), ValueError,
              "get_parameter(): the module has no parameter called 'first.norm.running_mean'");
  CHECK_ERROR(nn::get_buffer(net, "first.norm.weight"), ValueError,
              "get_buffer(): the module has no buffer called 'first.norm.weight'");
}

TEST_CASE("a part of a module is found by its name and type", "[nn][lookup]") {
  Net net;
  CHECK(&nn::get_submodule<Block>(net, "blocks.1") == &net.blocks[1]);
  nn::get_submodule<nn::BatchNorm1d>(net, "blocks.1.norm").eps = 0.5;
  CHECK(net.blocks[1].norm.eps == 0.5);
  CHECK(&nn::get_submodule<Net>(net, "") == &net);
  CHECK(&nn::get_submodule<nn::Linear>(net, "any") == net.any.as<nn::Linear>());
  const Net& fixed = net;
  CHECK(&nn::get_submodule<nn::Linear>(fixed, "first.inner") == &net.first.inner);
  static_assert(std::is_same_v<decltype(nn::get_submodule<Block>(fixed, "first")), const Block&>);
  CHECK_ERROR(nn::get_submodule<Block>(net, "blocks.2"), ValueError,
              "get_submodule(): the module has no part called 'blocks.2'");
  CHECK_ERROR(nn::get_submodule<Block>(net, "any"), TypeError,
              "get_submodule(): the part called 'any' is of another type than the one asked for");
}

TEST_CASE("the children of a module are its own parts alone", "[nn][lookup]") {
  auto children = [](const auto& m) {
    std::vector<std::string> names;
    nn::for_each_child(m, [&](const std::string& name, const auto&) { names.push_back(name); });
    return names;
  };
  Net net;
  CHECK(children(net) == std::vector<std::string>{"first", "blocks.0", "blocks.1", "any", "pruned"});
  CHECK(children(net.first) == std::vector<std::string>{"inner", "norm"});
  CHECK(children(net.first.inner).empty());
  CHECK(children(net.pruned).empty());
  CHECK(children(nn::Sequential{nn::ReLU{}, nn::Sequential{nn::Linear{2, 2}}}) == std::vector<std::string>{"0", "1"});
}
