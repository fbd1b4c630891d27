// Uniform numbers, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Uniform's figures are those of PyTorch", "[distributions][uniform]") {
  Tensor low = leaf({0.5, -1}), high = leaf({2, 0.3});
  Uniform d{.low = low, .high = high};
  close(d.entropy(), {0.4054651081081644, 0.26236426446749106});
  slope(d.entropy(), low, {-0.6666666666666666, -0.7692307692307692});
  slope(d.entropy(), high, {0.6666666666666666, 0.7692307692307692});
  close(d.mean(), {1.25, -0.35});
  close(d.variance(), {0.1875, 0.14083333333333334});
  close(d.mode(), {kNaN, kNaN});
  close(d.stddev(), {0.43301270189221935, 0.37527767497325676});
  Tensor value = f64({1.5, -0.75});
  close(d.log_prob(value), {-0.4054651081081644, -0.26236426446749106});
  slope(d.log_prob(value), low, {0.6666666666666666, 0.7692307692307692});
  slope(d.log_prob(value), high, {-0.6666666666666666, -0.7692307692307692});
  close(d.cdf(value), {0.6666666666666666, 0.1923076923076923});
  slope(d.cdf(value), low, {-0.2222222222222222, -0.621301775147929});
  slope(d.cdf(value), high, {-0.4444444444444444, -0.14792899408284022});
  close(d.icdf(f64({0.1, 0.9})), {0.65, 0.17000000000000015});
  manual_seed(5);
  close(d.sample({2}), {1.463022509942141, -0.66231471027079, 1.0412414291407313, -0.5903276094062343});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {1.3663713556356976, 0.16303146945394298});
  slope(drawn, low, {0.42241909624286833, 0.10536040811235159});
  slope(drawn, high, {0.5775809037571317, 0.8946395918876484});
  CHECK_ERROR((Uniform{f64({0, 1}), 1}), ValueError,
              "Uniform: expected parameter 'high' to be greater than its bound, got 1 in shape [2]");
  CHECK_ERROR((Uniform{1, 0}), ValueError,
              "Uniform: expected parameter 'high' to be greater than 1, got 0 in shape []");
  CHECK_ERROR((Uniform{0, 2}.log_prob(f64({3}))), ValueError,
              "Uniform.log_prob(): expected a value that is in [0, 2], got 3 in shape [1]");
  close(Uniform{.low = 0, .high = 2, .validate_args = false}.log_prob(f64({3})), {-kInf});
}
