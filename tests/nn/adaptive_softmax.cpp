// A softmax in groups: a distribution over all classes, of which the loss reads one.
#include "support.hpp"

using namespace test;

TEST_CASE("an adaptive softmax is a distribution whose targets the loss reads", "[nn][adaptive_softmax]") {
  manual_seed(3);
  nn::AdaptiveLogSoftmaxWithLoss layer{.in_features = 6, .n_classes = 12, .cutoffs = {3, 7}, .div_value = 2};
  CHECK(names(nn::state(layer)) == std::vector<std::string>{"head.weight", "tail.0.0.weight", "tail.0.1.weight",
                                                            "tail.1.0.weight", "tail.1.1.weight"});
  Tensor x = ops::randn({5, 6}) * 4, target = tensor({0, 11, 4, 2, 7});
  Tensor all = layer.log_prob(x);
  for (double sum : values(all.exp().sum(1))) CHECK(sum == Approx(1));
  auto [output, loss] = layer(x, target);
  std::vector<double> got = values(output), expected = values(all.gather(1, target.unsqueeze(1)).squeeze(1));
  for (std::size_t i = 0; i < 5; ++i) CHECK(got[i] == Approx(expected[i]));
  CHECK(loss.item<double>() == Approx(-output.mean().item<double>()));
  CHECK(values(layer.predict(x)) == values(all.argmax(1)));
  auto [one, of_one] = layer(x.select(0, 1), target.select(0, 1));
  CHECK(one.dim() == 0);
  CHECK(one.item<double>() == Approx(expected[1]));
  loss.backward();
  CHECK(layer.head.weight.grad().defined());
}

TEST_CASE("an adaptive softmax refuses cutoffs and targets that do not fit", "[nn][adaptive_softmax]") {
  using Layer = nn::AdaptiveLogSoftmaxWithLoss;
  CHECK_ERROR(Layer({4, 8, {}}), ValueError, "cutoffs should be a sequence of length larger than 0");
  for (const std::vector<std::int64_t>& cutoffs : {std::vector<std::int64_t>{3, 3}, {5, 2}, {0, 2}, {2, 8}})
    CHECK_ERROR_CONTAINS(Layer({4, 8, cutoffs}), ValueError, "unique, positive integers");
  Layer layer{4, 8, {2}};
  CHECK_ERROR(layer(ops::zeros({2, 4}), tensor({1, 8})), ValueError,
              "Target values should be in [0, 7], but values in range [1, 8] were found. ");
  CHECK_ERROR(layer(ops::zeros({2, 4}), tensor({1})), ValueError,
              "Input and target should have the same size in the batch dimension.");
  CHECK_ERROR_CONTAINS(layer(ops::zeros({4}), tensor({1})), ValueError, "1D target tensor expects 2D input");
}
