// Schedules beside their closed forms.
#include <cmath>

#include "support.hpp"

using namespace test;

TEST_CASE("the recursive cosine stays within 1e-12 of its closed form", "[optim][lr_schedules]") {
  Tensor p = parameter(kFloat);
  optim::SGD sgd({p}, {.lr = 0.3});
  optim::CosineAnnealingLR schedule(sgd, {.T_max = 50, .eta_min = 0.01});
  for (int k = 1; k <= 50; ++k) {
    schedule.step();
    double expected = 0.01 + 0.29 * (1 + std::cos(3.14159265358979323846 * k / 50)) / 2;
    CHECK(sgd.options().lr == Approx(expected).epsilon(1e-12).margin(1e-12));
  }
}

TEST_CASE("chained schedules multiply and a saved one goes on to the bit", "[optim][lr_schedules]") {
  Tensor p = parameter(kFloat);
  optim::SGD sgd({p}, {.lr = 1}), other({p}, {.lr = 1});
  optim::StepLR steps(sgd, {.step_size = 2, .gamma = 0.5});
  optim::ExponentialLR decay(sgd, {.gamma = 0.9});
  for (int k = 0; k < 4; ++k) {
    steps.step();
    decay.step();
  }
  CHECK(sgd.options().lr == Approx(0.25 * 0.9 * 0.9 * 0.9 * 0.9).epsilon(1e-14));
  optim::StepLR resumed(other, {.step_size = 2, .gamma = 0.5});
  other.load_state(sgd.state());
  resumed.load_state(steps.state());
  steps.step();
  resumed.step();
  CHECK(other.options().lr == sgd.options().lr);
  CHECK_ERROR_CONTAINS(resumed.load_state({}), ValueError, "has no 'base_lrs'");
}

TEST_CASE("a plateau lowers the rate after its patience", "[optim][lr_schedules]") {
  Tensor p = parameter(kFloat);
  optim::SGD sgd({p}, {.lr = 1});
  optim::ReduceLROnPlateau schedule(sgd, {.patience = 1});
  for (double metric : {1.0, 1.0}) schedule.step(metric);
  CHECK(sgd.options().lr == 1);
  schedule.step(1.0);
  CHECK(sgd.options().lr == 0.1);
  CHECK_ERROR_CONTAINS(schedule.step(), ValueError, "needs the metric");
}
