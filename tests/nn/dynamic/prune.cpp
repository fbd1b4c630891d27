// Weights held at zero; what PyTorch 2.15 prunes of the same tensors.
#include <tenon/nn/dynamic/any_module.hpp>
#include <tenon/nn/dynamic/prune.hpp>

#include "../support.hpp"

using namespace test;
namespace prune = nn::utils::prune;

namespace {
nn::Pruned<nn::Linear> layer_of(const Tensor& weight) {
  nn::Linear layer{weight.size(1), weight.size(0)};
  NoGradGuard no_grad;
  layer.weight.copy_(weight);
  return layer;
}
Tensor some_weight() {
  return tensor({{0.1f, -0.5f, 0.3f, 0.2f}, {-0.05f, 0.6f, -0.7f, 0.4f}, {0.9f, 0.01f, 0.02f, -0.03f}});
}
using Values = std::vector<double>;
}  // namespace

TEST_CASE("the smallest weights are pruned, each time of what is left", "[nn][dynamic]") {
  auto layer = layer_of(some_weight());
  CHECK(!prune::is_pruned(layer));
  prune::l1_unstructured(layer, "weight", 0.3);  // round(3.6) = 4
  CHECK(values(layer.mask("weight")) == Values{1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0});
  CHECK(prune::is_pruned(layer));
  CHECK(prune::is_pruned(nn::Sequential{nn::ReLU{}, layer}));
  CHECK(names(nn::state(layer)) == std::vector<std::string>{"bias", "weight_orig", "weight_mask"});
  CHECK(names(nn::named_buffers(layer)) == std::vector<std::string>{"weight_mask"});
  prune::l1_unstructured(layer, "weight", 2);
  CHECK(values(layer.mask("weight")) == Values{0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0});
  Tensor x = ops::ones({1, 4});
  CHECK(values(layer(x) - layer.layer().bias) == values(ops::sum(layer.value("weight"), {1})));
  layer(x).sum().backward();
  CHECK(values(nn::named_parameters(layer)[1].second.grad()) == Values{0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0});
  CHECK(nn::to_string(layer) == "Linear(in_features=4, out_features=3, bias=True)");
  Tensor kept = layer.value("weight");
  prune::remove(layer, "weight");
  CHECK(values(layer.layer().weight) == values(kept));
  CHECK(names(nn::state(layer)) == std::vector<std::string>{"weight", "bias"});
  CHECK_ERROR(prune::remove(layer, "weight"), ValueError,
              "Parameter 'weight' has to be pruned before pruning can be removed");
}

TEST_CASE("whole slices are pruned by their norms or at random", "[nn][dynamic]") {
  auto layer = layer_of(some_weight());
  prune::ln_structured(layer, "weight", 0.5, 2, 1);
  CHECK(values(layer.mask("weight")) == Values{1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0});
  prune::ln_structured(layer, "weight", 1, INFINITY, 1);  // of the two that are left
  CHECK(values(layer.mask("weight")) == Values{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  auto other = layer_of(some_weight());
  manual_seed(1);
  prune::random_structured(other, "weight", 2, 0);
  CHECK(ops::sum(other.mask("weight")).item<double>() == 4);
  prune::random_unstructured(other, "weight", 0.5);
  CHECK(ops::sum(other.mask("weight")).item<double>() == 2);
  prune::identity(other, "bias");
  CHECK(names(nn::state(other)) == std::vector<std::string>{"weight_orig", "bias_orig", "weight_mask", "bias_mask"});
}

TEST_CASE("several tensors are pruned as if they were one", "[nn][dynamic]") {
  auto a = layer_of(some_weight()), b = layer_of(some_weight() * 0.1);
  prune::custom_from_mask(a, "weight", ops::eye(3, 4));
  prune::global_unstructured({{a, "weight"}, {b, "weight"}}, prune::Unstructured::L1, 0.5);
  CHECK(ops::sum(a.mask("weight")).item<double>() + ops::sum(b.mask("weight")).item<double>() == 7);
  CHECK(values(a.mask("weight")) == Values{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("what cannot be pruned is told", "[nn][dynamic]") {
  auto layer = layer_of(some_weight());
  CHECK_ERROR(prune::l1_unstructured(layer, "weights", 1), ValueError,
              "the layer has no tensor called 'weights', only 'weight', 'bias'");
  CHECK_ERROR(prune::l1_unstructured(layer, "weight", 1.5), ValueError,
              "amount=1.5 should either be a float in the range [0, 1] or a non-negative integer");
  CHECK_ERROR(prune::l1_unstructured(layer, "weight", -1), ValueError,
              "amount=-1 should either be a float in the range [0, 1] or a non-negative integer");
  CHECK_ERROR(prune::l1_unstructured(layer, "weight", 13), ValueError,
              "amount=13 should be smaller than the number of parameters to prune=12");
  CHECK_ERROR(
      prune::ln_structured(layer, "bias", 1, 2, 0), ValueError,
      "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape [3] with 1 dims");
  CHECK_ERROR(prune::ln_structured(layer, "weight", 1, 2, 2), IndexError, "Invalid index 2 for tensor of size [3, 4]");
  CHECK_ERROR(prune::custom_from_mask(layer, "weight", ops::ones({2})), ValueError,
              "mask should have the same shape as the parameter, got [2] vs [3, 4]");
  CHECK(!layer.is_pruned());
  CHECK(layer.layer().weight.defined());
}

TEST_CASE("a layer that can be pruned stands where the layer would", "[nn][dynamic]") {
  nn::Pruned<nn::Linear> head = nn::Linear{64, 10};
  nn::utils::prune::l1_unstructured(head, "weight", 0.3);
  CHECK(ops::sum(head.mask("weight")).item<double>() == 640 - 192);
}
