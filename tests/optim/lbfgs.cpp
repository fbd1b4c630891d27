// L-BFGS on functions whose minimum is known.
#include "support.hpp"

using namespace test;

namespace {

/// The valley of Rosenbrock, whose minimum lies at (1, 1).
Tensor valley(const Tensor& p) {
  Tensor x = p.select(0, 0), y = p.select(0, 1);
  Tensor a = ops::rsub(x, 1), b = ops::sub(y, ops::mul(x, x));
  return ops::add(ops::mul(a, a), ops::mul(ops::mul(b, b), 100));
}
Tensor start() {
  Tensor p = ops::zeros({2}, "dtype"_a = kDouble);
  p.select(0, 0).fill_(-1.2);
  p.select(0, 1).fill_(1.0);
  p.set_requires_grad(true);
  return p;
}
void run(optim::LBFGS& lbfgs, const Tensor& p, int steps, double sign = 1) {
  for (int i = 0; i < steps; ++i)
    lbfgs.step([&] {
      lbfgs.zero_grad();
      Tensor loss = ops::mul(valley(p), sign);
      loss.backward();
      return loss;
    });
}

}  // namespace

TEST_CASE("L-BFGS with a line search finds the end of a curved valley", "[optim][lbfgs]") {
  Tensor p = start();
  optim::LBFGS lbfgs({p}, {.max_iter = 10, .line_search_fn = "strong_wolfe"});
  run(lbfgs, p, 10);
  check_near(values(p), {1, 1}, 1e-4);
}

TEST_CASE("L-BFGS searches with the calls that are left, upwards too, as PyTorch does", "[optim][lbfgs]") {
  for (bool maximize : {false, true}) {
    Tensor p = start();
    optim::LBFGS lbfgs({p}, {.max_iter = 3, .max_eval = 3, .line_search_fn = "strong_wolfe", .maximize = maximize});
    run(lbfgs, p, 4, maximize ? -1 : 1);
    check_near(values(p), {-0.9431278012083242, 0.8529662725410918}, 1e-9);
  }
  Tensor p = start();
  optim::LBFGS lbfgs({p}, {.lr = 0.001, .max_iter = 3, .maximize = true});
  run(lbfgs, p, 4, -1);
  check_near(values(p), {-1.198339839720919, 1.0008346006613886}, 1e-9);
}

TEST_CASE("L-BFGS goes on from another's state to the bit", "[optim][lbfgs]") {
  for (const char* search : {"", "strong_wolfe"}) {
    const double lr = *search ? 1 : 0.001;
    optim::LBFGSOptions options{.lr = lr, .max_iter = 3, .history_size = 2, .line_search_fn = search};
    Tensor p = start(), q = start();
    optim::LBFGS whole({p}, options), first({q}, options), second({q});
    run(whole, p, 4);
    run(first, q, 2);
    second.load_state(first.state());
    CHECK(second.options().history_size == 2);
    run(second, q, 2);
    CHECK(values(p) == values(q));
  }
}

TEST_CASE("L-BFGS refuses a step without a closure and an unknown search", "[optim][lbfgs]") {
  Tensor p = start();
  optim::LBFGS lbfgs({p});
  CHECK_ERROR_CONTAINS(lbfgs.step(), ValueError, "needs a closure");
  CHECK_ERROR_CONTAINS(optim::LBFGS({p}, {.line_search_fn = "wolfe"}), ValueError, "'strong_wolfe' is supported");
}
