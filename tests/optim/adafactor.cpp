// Adafactor's first step, by hand: the estimate of squares is theirs, so each element moves by its sign.
#include <cmath>

#include "support.hpp"

using namespace test;

TEST_CASE("the first step of Adafactor follows signs and the parameter's size", "[optim][adafactor]") {
  Tensor p = parameter(kDouble);
  set_gradient(p, 0);
  double square = 0;
  for (double v : values(p)) square += v * v;
  const double alpha = std::sqrt(square / 5) * 0.01;  // root mean square times lr, which is below 1 / sqrt(1)
  auto before = values(p), grad = values(p.grad());
  optim::Adafactor({p}).step();
  for (std::size_t i = 0; i < before.size(); ++i) before[i] -= alpha * (grad[i] > 0 ? 1 : -1);
  check_near(values(p), before, 1e-12);
}

TEST_CASE("of a matrix Adafactor keeps rows and columns", "[optim][adafactor]") {
  Tensor p = ops::ones({3, 4}, "dtype"_a = kDouble);
  p.set_requires_grad(true);
  p.grad() = ops::full({3, 4}, 0.5, "dtype"_a = kDouble);
  optim::Adafactor adafactor({p}, {.lr = 0.25, .weight_decay = 0.5});
  adafactor.step();
  // Squares are all equal, so the estimate is exact: ones shrunk by 1 - 0.125, then moved by their old size times lr.
  check_near(values(p), std::vector<double>(12, 0.875 - 0.25), 1e-12);
  auto state = adafactor.state();
  CHECK(state[1].first == "0.row_var");
  CHECK(state[1].second.sizes() == IntArrayRef({3, 1}));
  CHECK(state[2].second.sizes() == IntArrayRef({1, 4}));
}

TEST_CASE("options that Adafactor cannot take are refused by name", "[optim][adafactor]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::Adafactor({p}, {.d = 0.5}), ValueError, "Adafactor: option 'd'");
}
