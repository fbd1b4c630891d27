// Ways of pruning as objects; what PyTorch 2.15 prunes of the same tensors.
#include <tenon/nn/dynamic/pruning_methods.hpp>

#include "../support.hpp"

using namespace test;

namespace prune = nn::utils::prune;

namespace {

struct EveryOther : prune::BasePruningMethod {
  Tensor compute_mask(const Tensor&, const Tensor& default_mask) const override {
    Tensor mask = ops::ones_like(default_mask);
    for (std::int64_t i = 0; i < mask.numel(); i += 2) mask.view({-1}).select(0, i).fill_(0);
    return mask;
  }
};
struct WrongShape : prune::BasePruningMethod {
  Tensor compute_mask(const Tensor&, const Tensor&) const override { return ops::ones({2}); }
};
Tensor matrix() { return tensor({{0.5f, -1.0f, 2.0f}, {-0.25f, 3.0f, -4.0f}}); }

}  // namespace

TEST_CASE("ways of pruning prune tensors without a layer", "[nn][dynamic]") {
  const Tensor t = matrix();
  CHECK(ops::equal(prune::Identity().prune(t), t));
  CHECK(ops::equal(prune::L1Unstructured(2).prune(t), tensor({{0.0f, -1.0f, 2.0f}, {0.0f, 3.0f, -4.0f}})));
  const Tensor kept = tensor({{1.0f, 1.0f, 0.0f}, {1.0f, 1.0f, 1.0f}});
  CHECK(ops::equal(prune::L1Unstructured(2).prune(t, kept), tensor({{0.0f, -1.0f, 0.0f}, {0.0f, 3.0f, -4.0f}})));
  const Tensor scores = tensor({{9.0f, 8.0f, 1.0f}, {7.0f, 6.0f, 2.0f}});
  CHECK(ops::equal(prune::L1Unstructured(2).prune(t, {}, scores), tensor({{0.5f, -1.0f, 0.0f}, {-0.25f, 3.0f, 0.0f}})));
  CHECK(ops::equal(prune::LnStructured(1, 1, 1).prune(t), tensor({{0.0f, -1.0f, 2.0f}, {0.0f, 3.0f, -4.0f}})));
  CHECK(ops::equal(prune::CustomFromMask(kept).prune(t), tensor({{0.5f, -1.0f, 0.0f}, {-0.25f, 3.0f, -4.0f}})));
  CHECK(ops::eq(prune::RandomUnstructured(4).prune(t), 0).sum().item<std::int64_t>() == 4);
  CHECK(ops::eq(prune::RandomStructured(1, 0).prune(t), 0).sum().item<std::int64_t>() == 3);
  CHECK_ERROR(prune::L1Unstructured(1).prune(t, ops::ones({3})), ValueError,
              "prune(): expected a default_mask of shape [2, 3], got [3]");
  CHECK_ERROR(prune::L1Unstructured(1).prune(t, {}, ops::ones({3})), ValueError,
              "importance_scores and the mask should have the shape of the parameter, got [3] and [2, 3]");
}

TEST_CASE("a layer is pruned in a way of one's own", "[nn][dynamic]") {
  nn::Pruned<nn::Linear> layer = nn::Linear{3, 2};
  const Tensor before = layer.value("weight").detach().clone();
  prune::apply(layer, "weight", EveryOther{});
  const Tensor mask = tensor({{0.0f, 1.0f, 0.0f}, {1.0f, 0.0f, 1.0f}});
  CHECK(ops::equal(layer.mask("weight"), mask));
  CHECK(ops::equal(layer.value("weight"), before * mask));
  // What is pruned stays so, and another way takes of what is left.
  prune::apply(layer, "weight", prune::L1Unstructured(1), tensor({{1.0f, 5.0f, 2.0f}, {4.0f, 3.0f, 6.0f}}));
  CHECK(ops::equal(layer.mask("weight"), tensor({{0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}})));
  CHECK_ERROR(prune::apply(layer, "weight", WrongShape{}), ValueError,
              "compute_mask(): expected a mask of shape [2, 3], got [2]");
  CHECK_THROWS_AS(prune::apply(layer, "weights", EveryOther{}), ValueError);
}

TEST_CASE("ways of pruning follow each other in a container", "[nn][dynamic]") {
  prune::PruningContainer both;
  both.add_pruning_method(EveryOther{}).add_pruning_method(prune::L1Unstructured(2));
  // Of -1, -0.25 and -4, which are left.
  CHECK(ops::equal(both.prune(matrix()), tensor({{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -4.0f}})));
}
