// Ensembles of modules, and batch norms without running statistics.
#include <tenon/func/ensemble.hpp>

#include <memory>

#include "support.hpp"

using namespace test;

namespace {
struct Net {
  nn::Linear first{3, 4}, second{4, 2};
  nn::Dropout drop{};
  Tensor operator()(const Tensor& x) const { return second(drop(ops::relu(first(x)))); }
};
struct Tied {
  Tensor weight = ops::randn({2}).requires_grad_(), again = weight;
  Tensor operator()(const Tensor& x) const { return ops::mul(ops::mul(x, weight), again); }
};
struct Pointing {
  std::shared_ptr<nn::Linear> layer = std::make_shared<nn::Linear>(3, 4);
};
}  // namespace

TEST_CASE("an ensemble runs and learns as its modules do one by one", "[func]") {
  std::vector<Net> models(3);
  for (Net& m : models) {
    nn::to(m, kDouble);
    nn::eval(m);
  }
  Net stacked = func::stack_module_state(models);
  REQUIRE(stacked.first.weight.sizes() == IntArrayRef({3, 4, 3}));
  CHECK(nn::parameters(stacked).size() == 4);
  CHECK(stacked.second.bias.is_leaf());
  Tensor x = drawn({5, 3}), xs = drawn({3, 5, 3});
  auto run = [](const Net& m, const Tensor& at) { return m(at); };
  Tensor same = func::vmap(run, {.in_dims = {0, std::nullopt}})(stacked, x), each = func::vmap(run)(stacked, xs);
  ops::sum(each).backward();
  for (int i = 0; i < 3; ++i) {
    check_close(same[i], models[i](x));
    check_close(each[i], models[i](xs[i]));
    ops::sum(models[i](xs[i])).backward();
    check_close(stacked.first.weight.grad()[i], models[i].first.weight.grad());
    CHECK(models[i].first.weight.dim() == 2);
  }
}

TEST_CASE("a stack of modules keeps what they share, and refuses what differs", "[func]") {
  std::vector<Tied> tied(2);
  Tied both = func::stack_module_state(tied);
  CHECK(both.weight.is_same(both.again));
  CHECK(nn::parameters(both).size() == 1);
  CHECK_THROWS_WITH(func::stack_module_state(std::vector<Net>()),
                    "stack_module_state: expected at least one model, got 0");
  std::vector<Net> models(2);
  nn::eval(models[1]);
  CHECK_THROWS_WITH(
      func::stack_module_state(models),
      "stack_module_state: expected all models to be in the same mode, got some in training and some not");
  std::vector<nn::Linear> layers{nn::Linear(3, 2), nn::Linear(3, 4)};
  CHECK_THROWS_WITH(func::stack_module_state(layers),
                    "stack_module_state: expected models whose tensors 'weight' have one shape and one "
                    "requires_grad, got others");
  std::vector<Pointing> pointing(2);
  CHECK_THROWS_WITH(
      func::stack_module_state(pointing),
      "stack_module_state: expected a module that can be copied, got one whose '0.weight' is held by a pointer");
  CHECK(pointing[0].layer->weight.dim() == 2);
}

TEST_CASE("batch norms without running statistics run within vmap", "[func]") {
  Warnings silent;
  struct Normed {
    nn::BatchNorm2d norm{2};
    nn::InstanceNorm2d other{.num_features = 2, .track_running_stats = true};
    Tensor operator()(const Tensor& x) const { return norm(x); }
  };
  Normed net;
  nn::to(net, kDouble);
  Tensor xs = drawn({3, 4, 2, 5, 5});
  auto run = [&](const Tensor& x) { return net(x); };
  CHECK(&func::replace_all_batch_norm_modules_(net) == &net);
  CHECK(!net.norm.track_running_stats);
  CHECK(net.other.running_mean.defined());
  CHECK(nn::named_buffers(net.norm).empty());
  Tensor all = func::vmap(run)(xs);
  Tensor mean = ops::mean(xs[1], {0, 2, 3}, true),
         var = ops::var(xs[1], {0, 2, 3}, "correction"_a = 0, "keepdim"_a = true);
  check_close(all[1], ops::div(ops::sub(xs[1], mean), ops::sqrt(ops::add(var, 1e-5))));
  check_close(func::vmap(run)(xs), all);
  nn::eval(net);
  check_close(func::vmap(run)(xs), all);
}
