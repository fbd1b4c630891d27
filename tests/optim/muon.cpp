// Muon's step, whose direction is nearly orthogonal whatever the gradient's size.
#include "support.hpp"

using namespace test;

TEST_CASE("Muon's first step has singular values near one times lr", "[optim][muon]") {
  Tensor p = ops::zeros({2, 3});
  p.set_requires_grad(true);
  p.grad() = ops::zeros({2, 3});
  p.grad().select(0, 0).select(0, 0).fill_(100);
  p.grad().select(0, 1).select(0, 2).fill_(-30);
  optim::Muon({p}, {.lr = 0.5, .weight_decay = 0}).step();
  auto moved = values(p);
  CHECK(moved[0] < -0.5 * 0.6);
  CHECK(moved[0] > -0.5 * 1.3);
  CHECK(moved[5] > 0.5 * 0.6);
  CHECK(moved[5] < 0.5 * 1.3);
  CHECK(moved[1] == 0);
}

TEST_CASE("Muon takes matrices only", "[optim][muon]") {
  Tensor p = parameter(kFloat);
  set_gradient(p, 0);
  optim::Muon muon({p});
  CHECK_ERROR_CONTAINS(muon.step(), ValueError, "only supports 2D parameters");
  CHECK_ERROR_CONTAINS(optim::Muon({p}, {.adjust_lr_fn = "x"}), ValueError, "Muon: option 'adjust_lr_fn'");
}
