// The Poisson distribution, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Poisson's figures are those of PyTorch", "[distributions][poisson]") {
  Tensor rate = leaf({0.5, 4.2});
  Poisson d{.rate = rate};
  close(d.mean(), {0.5, 4.2});
  close(d.variance(), {0.5, 4.2});
  close(d.mode(), {0, 4});
  close(d.stddev(), {0.7071067811865476, 2.04939015319192});
  Tensor value = f64({2, 0});
  close(d.log_prob(value), {-2.5794415416798357, -4.2});
  slope(d.log_prob(value), rate, {3, -1});
  manual_seed(5);
  close(d.sample({2}), {1, 4, 2, 4});
  CHECK_ERROR(Poisson{-1}, ValueError, "Poisson: expected parameter 'rate' to be nonnegative, got -1 in shape []");
  close(Poisson{f64({0})}.log_prob(f64({0})), {0});
}
