// Binomial distributions, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Binomial's figures are those of PyTorch", "[distributions][binomial]") {
  Tensor probs = leaf({0.3, 0.8});
  Binomial d{.total_count = 10, .probs = probs};
  close(d.entropy(), {1.7790787840900624, 1.6219291434356853});
  slope(d.entropy(), probs, {1.0757159672358585, -2.210729422176772});
  close(d.mean(), {3, 8});
  close(d.variance(), {2.0999999999999996, 1.5999999999999996});
  close(d.mode(), {3, 8});
  close(d.stddev(), {1.4491376746189437, 1.2649110640673515});
  Tensor value = f64({3, 9});
  close(d.log_prob(value), {-1.321151277766889, -1.3151447812679393});
  slope(d.log_prob(value), probs, {0, 6.250000000000001});
  manual_seed(5);
  close(d.sample({2}), {3, 7, 3, 8});
}

TEST_CASE("Binomial's figures by logits are those of PyTorch", "[distributions][binomial]") {
  Tensor logits = leaf({0.3, -0.8});
  Binomial d{.total_count = 7, .logits = logits};
  close(d.entropy(), {1.6828135800335033, 1.603764111930409});
  slope(d.entropy(), logits, {-0.08701109866240131, 0.22763456839457907});
  close(d.mean(), {4.021097617681614, 2.1701786321067127});
  close(d.variance(), {1.7112081818352212, 1.497367875642061});
  close(d.mode(), {4, 2});
  close(d.stddev(), {1.3081315613634668, 1.2236698393120837});
  Tensor value = f64({3, 2});
  close(d.log_prob(value), {-1.5251386497902768, -1.1531822239110205});
  slope(d.log_prob(value), logits, {-1.0210976176816118, -0.1701786321067127});
  manual_seed(5);
  close(d.sample({2}), {4, 3, 4, 2});
}

TEST_CASE("NegativeBinomial's figures are those of PyTorch", "[distributions][negativebinomial]") {
  Tensor total_count = leaf({2.5, 4}), probs = leaf({0.3, 0.8});
  NegativeBinomial d{.total_count = total_count, .probs = probs};
  close(d.mean(), {1.0714285714285712, 16.000000000000004});
  close(d.variance(), {1.5306122448979587, 80.00000000000004});
  close(d.mode(), {0, 12});
  close(d.stddev(), {1.2371791482634835, 8.944271909999161});
  Tensor value = f64({3, 9});
  close(d.log_prob(value), {-2.622234144906897, -3.0524160652119274});
  slope(d.log_prob(value), total_count, {0.5512615639977756, -0.33956056755675545});
  slope(d.log_prob(value), probs, {6.428571428571427, -8.750000000000005});
  manual_seed(5);
  close(d.sample({2}), {1, 9, 1, 27});
}

TEST_CASE("counts are checked and enumerated", "[distributions][binomial]") {
  CHECK_ERROR((Binomial{2.5, 0.5}), ValueError,
              "Binomial: expected parameter 'total_count' to be a nonnegative integer, got 2.5 in shape []");
  CHECK_ERROR((Binomial{3, 0.5}.log_prob(f64({4}))), ValueError,
              "Binomial.log_prob(): expected a value that is an integer in [0, 3], got 4 in shape [1]");
  CHECK_ERROR((Binomial{f64({2, 3}), 0.5}.entropy()), NotImplementedError,
              "Binomial: expected one 'total_count' for the values to enumerate, got several");
  CHECK_ERROR((NegativeBinomial{1, 1}), ValueError,
              "NegativeBinomial: expected parameter 'probs' to be in [0, 1), got 1 in shape []");
  Binomial d{tensor({2, 2}), f64({0.5, 0.1})};
  CHECK(d.total_count.dtype() == kDouble);
  close(d.enumerate_support(), {0, 0, 1, 1, 2, 2});
  close(d.log_prob(d.enumerate_support(false)).exp().sum(0), {1, 1});
}
