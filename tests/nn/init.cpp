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

TEST_CASE("orthogonal rows or columns have the length asked for", "[nn][init]") {
  for (const auto& sizes : std::vector<std::vector<std::int64_t>>{{3, 5}, {6, 2}}) {
    Tensor w = ops::empty(sizes, kDouble);
    nn::init::orthogonal_(w, 2, Generator(4));
    Tensor product = sizes[0] < sizes[1] ? ops::mm(w, ops::t(w)) : ops::mm(ops::t(w), w);
    CHECK(ops::abs(product - ops::diag(ops::ones({product.size(0)}, kDouble)) * 4).max().item<double>() < 1e-12);
  }
}

TEST_CASE("identities of matrices and of convolutions have ones on their diagonals", "[nn][init]") {
  Tensor m = ops::empty({2, 3}), w = ops::empty({4, 2, 3});
  nn::init::eye_(m);
  CHECK(values(m) == std::vector<double>{1, 0, 0, 0, 1, 0});
  nn::init::dirac_(w, 2);
  CHECK(values(w.select(2, 1)) == std::vector<double>{1, 0, 0, 1, 1, 0, 0, 1});
  CHECK(w.sum().item<float>() == 4);
}

TEST_CASE("truncated normal numbers lie within their bounds, also far from the mean", "[nn][init]") {
  Tensor t = ops::empty({500}, kDouble);
  nn::init::trunc_normal_(t, 0, 1, -0.5, 2, Generator(1));
  CHECK((t.min().item<double>() >= -0.5 && t.max().item<double>() <= 2));
  nn::init::trunc_normal_(t, 0, 1, 3, 4, Generator(1));
  CHECK((t.min().item<double>() >= 3 && t.max().item<double>() <= 4 && t.mean().item<double>() < 3.4));
}

TEST_CASE("gains of nonlinearities, and deviations from fans", "[nn][init]") {
  CHECK(nn::init::calculate_gain("tanh") == 5.0 / 3);
  CHECK_ERROR(nn::init::calculate_gain("step"), ValueError, "Unsupported nonlinearity step");
  CHECK(nn::init::fan_out(ops::empty({4, 2, 3})) == 12);
  Tensor w = ops::empty({40, 50}, kDouble);
  nn::init::kaiming_normal_(w, 0, "fan_out", "relu", Generator(2));
  CHECK(std::abs(w.std().item<double>() / std::sqrt(2.0 / 40) - 1) < 0.1);
  nn::init::sparse_(w, 0.25, 1, Generator(2));
  CHECK(ops::eq(w, 0).sum(0).min().item<std::int64_t>() == 10);
}
