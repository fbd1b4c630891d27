// Yes or no, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Bernoulli's figures are those of PyTorch", "[distributions][bernoulli]") {
  Tensor probs = leaf({0.2, 0.7});
  Bernoulli d{.probs = probs};
  close(d.entropy(), {0.5004024235381879, 0.6108643020548935});
  slope(d.entropy(), probs, {1.3862943611198906, -0.8472978603872034});
  close(d.mean(), {0.2, 0.7});
  close(d.variance(), {0.16000000000000003, 0.21000000000000002});
  close(d.mode(), {0, 1});
  close(d.stddev(), {0.4, 0.45825756949558405});
  Tensor value = f64({1, 0});
  close(d.log_prob(value), {-1.6094379124341003, -1.203972804325936});
  slope(d.log_prob(value), probs, {5, -3.333333333333333});
  manual_seed(5);
  close(d.sample({2}), {0, 1, 0, 1});
}

TEST_CASE("Bernoulli's figures by logits are those of PyTorch", "[distributions][bernoulli]") {
  Tensor logits = leaf({-0.3, 1.7});
  Bernoulli d{.logits = logits};
  close(d.entropy(), {0.6820224894250295, 0.43037698002827496});
  slope(d.entropy(), logits, {0.07333749350722375, -0.22202976984255374});
  close(d.mean(), {0.425557483188341, 0.8455347349164652});
  close(d.variance(), {0.24445831169074586, 0.13060574696620808});
  close(d.mode(), {0, 1});
  close(d.stddev(), {0.49442725621748024, 0.3613941711846057});
  Tensor value = f64({1, 0});
  close(d.log_prob(value), {-0.8543552444685272, -1.8677860293862658});
  slope(d.log_prob(value), logits, {0.5744425168116589, -0.8455347349164652});
  manual_seed(5);
  close(d.sample({2}), {0, 1, 1, 1});
}

TEST_CASE("Geometric's figures are those of PyTorch", "[distributions][geometric]") {
  Tensor probs = leaf({0.2, 0.7});
  Geometric d{.probs = probs};
  close(d.entropy(), {2.5020121176909393, 0.8726632886498479});
  slope(d.entropy(), probs, {-5.578588782855243, -2.457087355767216});
  close(d.mean(), {4, 0.4285714285714286});
  close(d.variance(), {20, 0.6122448979591838});
  close(d.mode(), {0, 0});
  close(d.stddev(), {4.47213595499958, 0.7824607964359517});
  Tensor value = f64({3, 0});
  close(d.log_prob(value), {-2.2788685663767296, -0.35667494393873245});
  slope(d.log_prob(value), probs, {1.25, 1.4285714285714286});
  manual_seed(5);
  close(d.sample({2}), {1, 1, 4, 0});
}

TEST_CASE("Geometric's figures by logits are those of PyTorch", "[distributions][geometric]") {
  Tensor logits = leaf({-0.3, 1.7});
  Geometric d{.logits = logits};
  close(d.entropy(), {1.602656553740317, 0.5089997634110136});
  slope(d.entropy(), logits, {-0.7483013092717896, -0.34121373402474775});
  close(d.mean(), {1.3498588075760032, 0.1826835240527347});
  close(d.variance(), {3.1719776079665123, 0.2160567940130608});
  close(d.mode(), {0, 0});
  close(d.stddev(), {1.7810046625336253, 0.46481909815869316});
  Tensor value = f64({3, 0});
  close(d.log_prob(value), {-2.5174209778741083, -0.16778602938626597});
  slope(d.log_prob(value), logits, {-0.7022299327533642, 0.15446526508353475});
  manual_seed(5);
  close(d.sample({2}), {0, 0, 1, 0});
}

TEST_CASE("one form of a probability is given", "[distributions][bernoulli]") {
  CHECK_ERROR(Bernoulli{}, ValueError, "Bernoulli: expected either 'probs' or 'logits', got neither");
  CHECK_ERROR((Bernoulli{.probs = 0.5, .logits = 0}), ValueError,
              "Bernoulli: expected either 'probs' or 'logits', got both");
  CHECK_ERROR(Bernoulli{1.5}, ValueError, "Bernoulli: expected parameter 'probs' to be in [0, 1], got 1.5 in shape []");
  CHECK_ERROR(Bernoulli{0.5}.log_prob(f64({2})), ValueError,
              "Bernoulli.log_prob(): expected a value that is 0 or 1, got 2 in shape [1]");
  CHECK_ERROR(Geometric{0}, ValueError, "Geometric: expected parameter 'probs' to be positive, got 0 in shape []");
  CHECK_ERROR(Geometric{0.5}.log_prob(f64({0.5})), ValueError,
              "Geometric.log_prob(): expected a value that is a nonnegative integer, got 0.5 in shape [1]");
  close(Geometric{f64({1})}.log_prob(f64({0})), {0});
  Bernoulli pair{f64({0.2, 0.5})};
  close(pair.mode(), {0, kNaN});
  close(pair.enumerate_support(), {0, 0, 1, 1});
  CHECK(pair.enumerate_support(false).sizes() == IntArrayRef({2, 1}));
  static_assert(distribution<Bernoulli> && !reparameterized<Bernoulli>);
}
