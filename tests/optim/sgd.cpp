// Stochastic gradient descent beside PyTorch's, and by hand.
#include "support.hpp"

using namespace test;

TEST_CASE("SGD gives PyTorch's numbers for every option", "[optim][sgd]") {
  check<optim::SGD>({}, {1.0002500000000003, -2.0004999999999997, 0.5001249999999999, 2.999375, -0.25});
  check<optim::SGD>({.lr = 0.1}, {1.025, -2.05, 0.5125000000000001, 2.9375, -0.25});
  check<optim::SGD>({.lr = 0.1, .momentum = 0.9},
                    {1.2089375, -2.1841, 0.5071000000000001, 2.8491874999999998, -0.32098750000000004});
  check<optim::SGD>({.lr = 0.1, .momentum = 0.9, .dampening = 0.5},
                    {1.2119375000000001, -2.1350374999999997, 0.5465375, 2.817125, -0.3069875});
  check<optim::SGD>(
      {.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true},
      {1.1994478453464759, -2.1904529728036612, 0.5126346572215635, 2.7663273197599527, -0.31027245192953173});
  check<optim::SGD>({.lr = 0.1, .momentum = 0.9, .weight_decay = 0.1, .maximize = true},
                    {0.7083794975, -1.6419096450000001, 0.44961268, 2.8792844925, -0.159250715});
}

TEST_CASE("SGD rounds as PyTorch does", "[optim][sgd]") {
  check_exact<optim::SGD>({.lr = 0.1, .momentum = 0.9, .dampening = 0.3, .weight_decay = 0.01},
                          {1.31689286f, -2.12393451f, 0.475228131f, 2.67686009f, -0.436930716f});
  check_exact<optim::SGD>({.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true},
                          {1.28370976f, -2.09326911f, 0.421523452f, 2.66866064f, -0.46205461f});
}

TEST_CASE("a step of plain SGD subtracts lr times the gradient", "[optim][sgd]") {
  Tensor p = parameter(kDouble);
  optim::SGD sgd({p}, {.lr = 0.5});
  set_gradient(p, 0);
  sgd.step();
  // The gradient is -5/8, 2/8, -2/8, 5/8, 1/8.
  CHECK(values(p) == std::vector<double>{1 + 0.3125, -2 - 0.125, 0.5 + 0.125, 3 - 0.3125, -0.25 - 0.0625});
}

TEST_CASE("a momentum buffer starts as the first gradient of its parameter, however late", "[optim][sgd]") {
  Tensor early = parameter(kDouble), late = parameter(kDouble);
  optim::SGD sgd({early, late}, {.lr = 0.5, .momentum = 0.9, .dampening = 0.5});
  set_gradient(early, 0);
  sgd.step();
  set_gradient(early, 0);
  set_gradient(late, 0);
  sgd.step();
  CHECK(values(late)[0] == 1 + 0.3125);
  CHECK(values(early)[0] == Approx(1 + 0.3125 + 0.5 * (0.9 * 0.625 + 0.5 * 0.625)));
}

TEST_CASE("complex parameters are stepped as pairs of real ones", "[optim][sgd]") {
  Tensor p = ops::zeros({3}, "dtype"_a = kComplexDouble);
  p.set_requires_grad(true);
  optim::SGD sgd({p}, {.lr = 0.5});
  p.grad() = ops::full({3}, Complex<double>{1, -2}, "dtype"_a = kComplexDouble);
  sgd.step();
  for (int i = 0; i < 3; ++i) {
    Complex<double> z = static_cast<const Complex<double>*>(p.data_ptr())[i];
    CHECK(z.re == -0.5);
    CHECK(z.im == 1);
  }
}

TEST_CASE("options that SGD cannot take are refused by name", "[optim][sgd]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR(optim::SGD({p}, {.lr = -1}), ValueError,
              "SGD: option 'lr': expected a number that is not negative, got -1");
  CHECK_ERROR_CONTAINS(optim::SGD({p}, {.momentum = -0.5}), ValueError, "option 'momentum'");
  CHECK_ERROR_CONTAINS(optim::SGD({p}, {.weight_decay = -0.5}), ValueError, "option 'weight_decay'");
  CHECK_ERROR_CONTAINS(optim::SGD({p}, {.nesterov = true}), ValueError, "option 'nesterov'");
}
