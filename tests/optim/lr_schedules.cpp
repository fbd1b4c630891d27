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

// Rates of torch.optim.lr_scheduler of PyTorch 2.15.
TEST_CASE("a sequence begins with a chain, and its milestones count as no steps", "[optim][lr_schedules]") {
  auto list = [](auto... parts) {
    std::vector<std::unique_ptr<optim::LRScheduler>> all;
    (all.push_back(std::move(parts)), ...);
    return all;
  };
  auto rates = [](optim::SGD& sgd, optim::LRScheduler& schedule, int steps) {
    std::vector<double> out = {sgd.options().lr};
    for (int k = 0; k < steps; ++k) {
      schedule.step();
      out.push_back(sgd.options().lr);
    }
    return out;
  };
  auto check = [](const std::vector<double>& got, const std::vector<double>& expected) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).epsilon(1e-12));
  };
  Tensor p = parameter(kFloat);
  {
    optim::SGD sgd({p}, {.lr = 1});
    auto decay = std::make_unique<optim::ExponentialLR>(sgd, optim::ExponentialLROptions{.gamma = 0.5});
    auto rise = std::make_unique<optim::LinearLR>(sgd, optim::LinearLROptions{.start_factor = 0.5, .total_iters = 2});
    auto chain = std::make_unique<optim::ChainedScheduler>(sgd, list(std::move(decay), std::move(rise)));
    auto steps = std::make_unique<optim::StepLR>(sgd, optim::StepLROptions{.step_size = 2});
    optim::SequentialLR schedule(sgd, list(std::move(chain), std::move(steps)), {2});
    check(rates(sgd, schedule, 4), {0.25, 0.1875, 1.0, 1.0, 0.1});
  }
  {
    // PyTorch refuses a chain that begins later.
    optim::SGD sgd({p}, {.lr = 1});
    auto constant =
        std::make_unique<optim::ConstantLR>(sgd, optim::ConstantLROptions{.factor = 0.25, .total_iters = 10});
    auto decay = std::make_unique<optim::ExponentialLR>(sgd, optim::ExponentialLROptions{.gamma = 0.5});
    auto rise = std::make_unique<optim::LinearLR>(sgd, optim::LinearLROptions{.start_factor = 0.5, .total_iters = 2});
    auto chain = std::make_unique<optim::ChainedScheduler>(sgd, list(std::move(decay), std::move(rise)));
    optim::SequentialLR schedule(sgd, list(std::move(constant), std::move(chain)), {2});
    check(rates(sgd, schedule, 4), {0.25, 0.25, 0.5, 0.375, 0.25});
  }
  {
    optim::SGD sgd({p}, {.lr = 1});
    auto constant = std::make_unique<optim::ConstantLR>(sgd, optim::ConstantLROptions{.factor = 0.5});
    auto swa = std::make_unique<optim::SWALR>(
        sgd, optim::SWALROptions{.swa_lr = {0.1}, .anneal_epochs = 2, .anneal_strategy = "linear"});
    optim::SequentialLR schedule(sgd, list(std::move(constant), std::move(swa)), {1});
    check(rates(sgd, schedule, 4), {0.5, 0.5, 0.3, 0.1, 0.1});
  }
  {
    // Two on one optimiser share the aim of the later one, as in PyTorch.
    optim::SGD sgd({p}, {.lr = 0.1});
    optim::SWALR first(sgd, {.swa_lr = {0.05}, .anneal_epochs = 4, .anneal_strategy = "linear"}),
        second(sgd, {.swa_lr = {0.01}, .anneal_epochs = 4, .anneal_strategy = "linear"});
    check(rates(sgd, first, 1), {0.1, 0.0775});
    check(rates(sgd, second, 1), {0.0775, 0.060625});
    check(rates(sgd, first, 1), {0.060625, 0.04375});
  }
  auto lift_nothing = [&] {
    optim::SGD sgd({p}, {.lr = 1});
    optim::ConstantLR(sgd, {.factor = 0, .total_iters = 1}).step();
  };
  CHECK_ERROR_CONTAINS(lift_nothing(), ValueError, "a factor of 0");
}

TEST_CASE("the first rate of CyclicLR is the initial one of the schedule before it, else its base_lr",
          "[optim][schedule]") {
  Tensor p = ops::zeros({1});
  p.set_requires_grad(true);
  optim::SGD alone({p}, {.lr = 0.5, .momentum = 0.9}), behind({p}, {.lr = 0.5, .momentum = 0.9});
  optim::CyclicLR first(alone, {.base_lr = {0.1}, .max_lr = {0.2}, .step_size_up = 2});
  CHECK(first.get_last_lr() == std::vector{0.1});
  optim::ExponentialLR later(alone, {.gamma = 0.5});  // begins at 0.1, not at 0.5
  later.step(1);
  CHECK(later.get_last_lr() == std::vector{0.05});

  optim::ExponentialLR before(behind, {.gamma = 0.5});
  optim::CyclicLR second(behind, {.base_lr = {0.1}, .max_lr = {0.2}, .step_size_up = 2});
  CHECK(second.get_last_lr() == std::vector{0.5});
  second.step();
  CHECK(second.get_last_lr().at(0) == Approx(0.15));
}

// Numbers of PyTorch 2.15.
TEST_CASE("groups hold the limits of their momentum, which another schedule may set", "[optim][schedule]") {
  Tensor p = ops::zeros({1}).requires_grad_();
  optim::SGD sgd({p}, {.lr = 1, .momentum = 0.5});
  optim::OneCycleLR one(sgd, {.max_lr = {0.4}, .total_steps = 6, .base_momentum = {0.8}, .max_momentum = {0.9}});
  auto held = [&](const char* name) { return *sgd.number(0, name); };
  CHECK(held("max_lr") == 0.4);
  CHECK(held("min_lr") == Approx(1.6e-6));
  CHECK(held("max_momentum") == 0.9);
  CHECK(held("base_momentum") == 0.8);
  optim::CyclicLR cycle(
      sgd, {.base_lr = {0.1}, .max_lr = {0.2}, .step_size_up = 2, .base_momentum = {0.3}, .max_momentum = {0.7}});
  CHECK(held("max_momentum") == 0.7);
  CHECK(held("base_momentum") == 0.3);
  one.step();
  CHECK(held("momentum") == Approx(0.3022338347549743));
  one.step();
  CHECK(held("momentum") == Approx(0.3753020396282533));
  CHECK(held("lr") == Approx(0.3246982615799052));
}

TEST_CASE("CyclicLR takes a scale of one's own", "[optim][schedule]") {
  auto rates = [](const std::string& mode) {
    std::vector<Tensor> parameters{ops::zeros({1}).requires_grad_()};
    optim::SGD sgd(parameters, {.lr = 1.0});
    optim::CyclicLR schedule(sgd, {.base_lr = {0.1},
                                   .max_lr = {1.0},
                                   .step_size_up = 2,
                                   .mode = "mine",
                                   .scale_fn = [](double x) { return 1 / (1 + x); },
                                   .scale_mode = mode,
                                   .cycle_momentum = false});
    std::vector<double> all;
    for (int i = 0; i < 6; ++i) {
      all.push_back(schedule.get_last_lr()[0]);
      schedule.step();
    }
    return all;
  };
  const std::vector<double> by_step{0.1, 0.325, 0.4, 0.2125, 0.1, 0.175}, by_cycle{0.1, 0.325, 0.55, 0.325, 0.1, 0.25};
  const std::vector<double> steps = rates("iterations"), cycles = rates("cycle");
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(steps[i] == Approx(by_step[i]).epsilon(1e-12));
    CHECK(cycles[i] == Approx(by_cycle[i]).epsilon(1e-12));
  }
}

TEST_CASE("a schedule goes on after a last_epoch", "[optim][lr_schedules]") {
  using Make = std::unique_ptr<optim::LRScheduler> (*)(optim::Optimizer&, std::int64_t);
  // Rates and, where it moves, momenta of PyTorch 2.15: epoch 5 after four steps, and three more.
  struct Case {
    const char* name;
    Make make;
    std::vector<double> rates, momenta = std::vector<double>(4, 0.9);
  };
#define MAKE(NAME, ...)                                                                    \
#NAME, [](optim::Optimizer & o, std::int64_t e) -> std::unique_ptr < optim::LRScheduler> \
  { return std::make_unique<optim::NAME>(o, __VA_ARGS__); }
  using Lambdas = std::vector<optim::LRLambda>;
  const Case cases[] = {
      {MAKE(LambdaLR, Lambdas{[](double k) { return 1 / (k + 1); }}, e),
       {0.08333333333333333, 0.07142857142857142, 0.0625, 0.05555555555555555}},
      {MAKE(MultiplicativeLR, Lambdas{[](double) { return 0.9; }}, e),
       {0.32805000000000006, 0.2952450000000001, 0.2657205000000001, 0.23914845000000007}},
      {MAKE(StepLR, optim::StepLROptions{.step_size = 3, .gamma = 0.5, .last_epoch = e}), {0.25, 0.125, 0.125, 0.125}},
      {MAKE(MultiStepLR, optim::MultiStepLROptions{.milestones = {2, 6}, .gamma = 0.5, .last_epoch = e}),
       {0.25, 0.125, 0.125, 0.125}},
      {MAKE(ConstantLR, optim::ConstantLROptions{.factor = 0.5, .total_iters = 6, .last_epoch = e}),
       {0.25, 0.5, 0.5, 0.5}},
      {MAKE(LinearLR, optim::LinearLROptions{.start_factor = 0.25, .total_iters = 8, .last_epoch = e}),
       {0.3125, 0.35326086956521735, 0.39402173913043476, 0.43478260869565216}},
      {MAKE(ExponentialLR, optim::ExponentialLROptions{.gamma = 0.9, .last_epoch = e}),
       {0.32805000000000006, 0.2952450000000001, 0.2657205000000001, 0.23914845000000007}},
      {MAKE(PolynomialLR, optim::PolynomialLROptions{.total_iters = 10, .power = 2, .last_epoch = e}),
       {0.18000000000000002, 0.11520000000000004, 0.06480000000000005, 0.0288}},
      {MAKE(CosineAnnealingLR, optim::CosineAnnealingLROptions{.T_max = 10, .eta_min = 0.01, .last_epoch = e}),
       {0.33070916362186215, 0.2316045818109311, 0.1422010469698779, 0.07125000000000004}},
      {MAKE(CosineAnnealingWarmRestarts,
            optim::CosineAnnealingWarmRestartsOptions{.T_0 = 6, .T_mult = 2, .last_epoch = e}),
       {0.03349364905389032, 0.5, 0.49148145657226705, 0.4665063509461097}},
      {MAKE(CyclicLR, optim::CyclicLROptions{.base_lr = {0.1}, .max_lr = {0.5}, .step_size_up = 4, .last_epoch = e}),
       {0.4, 0.30000000000000004, 0.2, 0.1},
       {0.8250000000000001, 0.8500000000000001, 0.875, 0.9}},
      {MAKE(OneCycleLR, optim::OneCycleLROptions{.max_lr = {0.5}, .total_steps = 12, .last_epoch = e}),
       {0.4058728269748815, 0.32368949884755166, 0.23131855133348753, 0.14153049910434962},
       {0.8688255099070633, 0.8852622412794547, 0.9037365046793212, 0.9216941869558779}},
      {MAKE(SWALR, optim::SWALROptions{.swa_lr = {0.05}, .anneal_epochs = 6, .last_epoch = e}),
       {0.16250000000000006, 0.15496392896287475, 0.13437500000000002, 0.10625000000000001}},
  };
#undef MAKE
  for (const Case& c : cases) {
    INFO(c.name);
    Tensor p = parameter(kFloat);
    optim::SGD before({p}, {.lr = 0.5, .momentum = 0.9}), after({p}, {.lr = 0.5, .momentum = 0.9});
    auto schedule = c.make(before, -1);
    CHECK(schedule->last_epoch() == 0);
    for (int k = 0; k < 4; ++k) schedule->step();
    CHECK(schedule->last_epoch() == 4);
    CHECK_ERROR_CONTAINS(c.make(after, 4), ValueError,
                         "LRScheduler: with last_epoch = 4 group 0 of the optimizer needs 'initial_lr'; load the "
                         "state that it had after that epoch");
    after.load_state(before.state());
    schedule = c.make(after, 4);
    CHECK(schedule->last_epoch() == 5);
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(after.options().lr == Approx(c.rates[k]).epsilon(1e-12));
      CHECK(after.options().momentum == Approx(c.momenta[k]).epsilon(1e-12));
      schedule->step();
    }
  }
}

TEST_CASE("a sequence counts its epochs from last_epoch", "[optim][lr_schedules]") {
  Tensor p = parameter(kFloat);
  optim::SGD sgd({p}, {.lr = 0.5});
  std::vector<std::unique_ptr<optim::LRScheduler>> parts;
  parts.push_back(
      std::make_unique<optim::ConstantLR>(sgd, optim::ConstantLROptions{.factor = 0.5, .total_iters = 100}));
  parts.push_back(std::make_unique<optim::ExponentialLR>(sgd, optim::ExponentialLROptions{.gamma = 0.9}));
  optim::SequentialLR schedule(sgd, std::move(parts), {4}, 1);
  for (double rate : {0.25, 0.25, 0.5, 0.45, 0.405, 0.36450000000000005}) {
    CHECK(sgd.options().lr == Approx(rate).epsilon(1e-14));
    schedule.step();
  }
  CHECK(schedule.last_epoch() == 8);
}

TEST_CASE("a schedule that is refused says why and leaves its optimiser as it was", "[optim][lr_schedules]") {
  Tensor p = parameter(kFloat);
  optim::SGD sgd({p}, {.lr = 0.5, .momentum = 0.25});
  optim::Adagrad plain({p}, {.lr = 0.5});
  auto refuses = [&](const char* words, auto make) {
    CHECK_ERROR(make(sgd), ValueError, words);
    CHECK(sgd.state().size() == optim::SGD({p}).state().size());  // no notes
    CHECK((sgd.options().lr == 0.5 && sgd.options().momentum == 0.25));
  };
#define REFUSES(NAME, WORDS, ...) refuses(WORDS, [](auto& o) { optim::NAME(o, __VA_ARGS__); })
  REFUSES(StepLR, "StepLR: expected a positive step_size, got 0", {.step_size = 0});
  REFUSES(ConstantLR, "ConstantLR: expected a factor between 0 and 1, got 2", {.factor = 2});
  REFUSES(LinearLR, "LinearLR: expected a start_factor above 0 and of at most 1, got 0", {.start_factor = 0});
  REFUSES(LinearLR, "LinearLR: expected an end_factor between 0 and 1, got 2", {.end_factor = 2});
  REFUSES(CosineAnnealingLR, "CosineAnnealingLR: T_max must not be 0", {.T_max = 0});
  REFUSES(CyclicLR, "CyclicLR: expected a mode of 'triangular', 'triangular2' or 'exp_range', or a scale_fn, got 'saw'",
          {.base_lr = {0.1}, .max_lr = {1}, .mode = "saw"});
  REFUSES(CyclicLR, "CyclicLR: expected a scale_mode of 'cycle' or 'iterations', got 'steps'",
          {.base_lr = {0.1}, .max_lr = {1}, .scale_mode = "steps"});
  REFUSES(CyclicLR, "CyclicLR: expected a positive step_size_up and a step_size_down from 0 up, got 0 and 0",
          {.base_lr = {0.1}, .max_lr = {1}, .step_size_up = 0});
  REFUSES(CyclicLR, "CyclicLR: expected one number as max_lr, or one for each of the optimizer's 1 groups, got 2",
          {.base_lr = {0.1}, .max_lr = {1, 2}});
  REFUSES(OneCycleLR, "OneCycleLR: expected total_steps, or epochs and steps_per_epoch",
          {.max_lr = {0.1}, .epochs = 3});
  REFUSES(OneCycleLR, "OneCycleLR: expected positive steps and pct_start in [0, 1], got 3 and 2",
          {.max_lr = {0.1}, .total_steps = 3, .pct_start = 2});
  REFUSES(OneCycleLR, "OneCycleLR: expected an anneal_strategy of 'cos' or 'linear', got 'sine'",
          {.max_lr = {0.1}, .total_steps = 3, .anneal_strategy = "sine"});
  REFUSES(OneCycleLR,
          "OneCycleLR: rates are divided by div_factor and final_div_factor, which must not be 0, got 0 and 10000",
          {.max_lr = {0.1}, .total_steps = 3, .div_factor = 0});
  REFUSES(SWALR, "SWALR: expected anneal_epochs from 0 up, got -1", {.swa_lr = {0.1}, .anneal_epochs = -1});
  REFUSES(CosineAnnealingWarmRestarts, "CosineAnnealingWarmRestarts: expected a positive T_0, got 0", {.T_0 = 0});
  REFUSES(CosineAnnealingWarmRestarts, "CosineAnnealingWarmRestarts: expected a T_mult of at least 1, got 0",
          {.T_0 = 1, .T_mult = 0});
  REFUSES(ReduceLROnPlateau, "ReduceLROnPlateau: expected a factor below 1, got 1", {.factor = 1});
  REFUSES(ReduceLROnPlateau, "ReduceLROnPlateau: expected a mode of 'min' or 'max', got 'low'", {.mode = "low"});
  REFUSES(ReduceLROnPlateau, "ReduceLROnPlateau: expected a threshold_mode of 'rel' or 'abs', got 'x'",
          {.threshold_mode = "x"});
#undef REFUSES
  auto same = [](double) { return 1.0; };
  CHECK_ERROR(optim::LambdaLR(sgd, {same, same}), ValueError,
              "lr_lambda: expected one function, or one for each of the optimizer's 1 groups, got 2");
  CHECK_ERROR(optim::CyclicLR(plain, {.base_lr = {0.1}, .max_lr = {1}}), ValueError,
              "CyclicLR: cycle_momentum needs an optimizer with momentum or betas, group 0 has neither; set "
              "cycle_momentum = false");
  CHECK(plain.options().lr == 0.5);
}

TEST_CASE("a schedule is asked for rates that it has", "[optim][lr_schedules]") {
  Tensor p = parameter(kFloat);
  optim::SGD sgd({p}, {.lr = 1});
  CHECK_ERROR(optim::LinearLR(sgd, {.total_iters = 0}).step(3), ValueError,
              "LinearLR: step(epoch) needs positive total_iters, got 0");
  CHECK_ERROR(optim::PolynomialLR(sgd, {.total_iters = 0}).step(3), ValueError,
              "PolynomialLR: step(epoch) needs positive total_iters, got 0");
  CHECK_ERROR(optim::CosineAnnealingWarmRestarts(sgd, {.T_0 = 2}).step(-1), ValueError,
              "CosineAnnealingWarmRestarts: expected an epoch from 0 up, got -1");
  auto past_the_end = [&] {
    optim::OneCycleLR once(sgd, {.max_lr = {1}, .total_steps = 2});
    for (int i = 0; i < 3; ++i) once.step();
  };
  CHECK_ERROR(past_the_end(), ValueError,
              "OneCycleLR: Tried to step 3 times. The specified number of total steps is 2");
}
