// Adagrad beside PyTorch's, and by hand.
#include <cmath>

#include "support.hpp"

using namespace test;

TEST_CASE("Adagrad gives PyTorch's numbers for every option", "[optim][adagrad]") {
  check<optim::Adagrad>(
      {}, {1.005990486657805, -2.0144181242701817, 0.503375107926034, 2.990570000445749, -0.26102333290312296});
  check<optim::Adagrad>(
      {.lr = 0.1, .lr_decay = 0.1, .weight_decay = 0.05, .initial_accumulator_value = 0.1, .eps = 1e-06},
      {1.0449044457483425, -2.0578385589030033, 0.5038958607457487, 2.8784124231679966, -0.2898489588244547});
  check<optim::Adagrad>({.lr = 0.1, .maximize = true}, {0.9400951334219481, -1.8558187572981801, 0.4662489207396604,
                                                        3.0942999955425066, -0.13976667096877043});
}

TEST_CASE("both parts of a complex parameter start with the initial sum", "[optim][adagrad]") {
  Tensor p = ops::full({1}, Complex<double>(1, 2));
  p.set_requires_grad(true);
  optim::Adagrad adagrad({p}, {.lr = 0.25, .initial_accumulator_value = 0.75, .eps = 0});
  p.grad() = ops::full({1}, Complex<double>(0.5, -0.5));
  adagrad.step();  // sums of 0.75 + 0.25
  NoGradGuard no_grad;
  CHECK(p.item<Complex<double>>() == Complex<double>(0.875, 2.125));
}

TEST_CASE("Adagrad rounds as PyTorch does", "[optim][adagrad]") {
  check_exact<optim::Adagrad>({.lr = 0.1, .lr_decay = 0.01, .weight_decay = 0.01},
                              {1.08042741f, -2.11207676f, 0.518383801f, 2.89737296f, -0.392933995f});
}

TEST_CASE("the first step of Adagrad has the length lr", "[optim][adagrad]") {
  Tensor p = parameter(kDouble);
  optim::Adagrad adagrad({p}, {.lr = 0.25, .eps = 0});
  set_gradient(p, 0);
  adagrad.step();
  CHECK(values(p) == std::vector<double>{1.25, -2.25, 0.75, 2.75, -0.5});
}

TEST_CASE("options that Adagrad cannot take are refused by name", "[optim][adagrad]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::Adagrad({p}, {.lr_decay = -1}), ValueError, "Adagrad: option 'lr_decay'");
  CHECK_ERROR_CONTAINS(optim::Adagrad({p}, {.initial_accumulator_value = -1}), ValueError,
                       "option 'initial_accumulator_value'");
  CHECK_ERROR_CONTAINS(optim::Adagrad({p}, {.eps = std::nan("")}), ValueError, "option 'eps'");
}
