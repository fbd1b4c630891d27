// Filling parameters.
#include <algorithm>
#include <cmath>

#include "support.hpp"

using namespace test;

TEST_CASE("fills write in place and record nothing", "[nn][init]") {
  Tensor t = ops::zeros({3}).requires_grad_();
  nn::init::constant_(t, 2.5);
  CHECK(values(t) == std::vector<double>{2.5, 2.5, 2.5});
  CHECK(t.is_leaf());
  nn::init::ones_(t);
  CHECK(values(t) == std::vector<double>{1, 1, 1});
  nn::init::zeros_(t);
  CHECK(values(t) == std::vector<double>{0, 0, 0});
}

TEST_CASE("a generator of its own repeats", "[nn][init]") {
  Tensor a = ops::zeros({50}), b = ops::zeros({50});
  nn::init::uniform_(a, 2, 3, Generator(5));
  nn::init::uniform_(b, 2, 3, Generator(5));
  CHECK(values(a) == values(b));
  for (double x : values(a)) CHECK((x >= 2 && x < 3));
  nn::init::normal_(a, 100, 0.001, Generator(5));
  for (double x : values(a)) CHECK(x == Approx(100).margin(0.01));
}

TEST_CASE("kaiming_uniform_ keeps within its bound", "[nn][init]") {
  Tensor w = ops::zeros({30, 6});
  CHECK(nn::init::fan_in(w) == 6);
  CHECK(nn::init::fan_in(ops::zeros({4, 3, 2, 2})) == 12);
  nn::init::kaiming_uniform_(w);  // sqrt(3) * sqrt(2) / sqrt(6) = 1
  double most = 0;
  for (double x : values(w)) most = std::max(most, std::abs(x));
  CHECK(most <= 1);
  CHECK(most > 0.9);
  CHECK_ERROR(nn::init::fan_in(ops::zeros({3})), ValueError,
              "fan_in(): expected a tensor of at least 2 dimensions, got shape [3]");
}
