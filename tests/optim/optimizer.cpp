// What all optimisers share: parameters, groups, gradients, state.
#include <memory>

#include <tenon/nn/clip_grad.hpp>

#include "support.hpp"

using namespace test;

TEST_CASE("parameters without a gradient stay as they are and cost no state", "[optim][optimizer]") {
  Tensor a = parameter(kDouble), b = parameter(kDouble);
  optim::Adam adam({a, b}, {.lr = 0.1});
  set_gradient(a, 0);
  adam.step();
  CHECK(values(b) == std::vector<double>(kStart, kStart + kElements));
  auto state = adam.state();
  REQUIRE(state.size() == 10);
  CHECK(state[3].first == "param_groups.0.lr");
  CHECK(state[0].first == "0.step");
  CHECK(state[1].first == "0.exp_avg");
  CHECK(state[2].first == "0.exp_avg_sq");
}

TEST_CASE("a step counts as one write of each parameter and is not recorded", "[optim][optimizer]") {
  Tensor a = parameter(kDouble);
  optim::SGD sgd({a}, {.lr = 0.1});
  set_gradient(a, 0);
  std::uint32_t before = a.version();
  sgd.step();
  CHECK(a.version() == before + 1);
  CHECK(a.is_leaf());
  CHECK(a.requires_grad());
}

TEST_CASE("a step between forward and backward of a saved parameter is noticed", "[optim][optimizer]") {
  Tensor a = parameter(kDouble);
  optim::SGD sgd({a}, {.lr = 0.1});
  set_gradient(a, 0);
  Tensor y = ops::sum(ops::mul(a, a));
  sgd.step();
  CHECK_ERROR_CONTAINS(y.backward(), AutogradError, "modified by an inplace operation");
}

TEST_CASE("zero_grad drops gradients or fills them with zeros", "[optim][optimizer]") {
  Tensor a = parameter(kDouble);
  optim::SGD sgd({a});
  set_gradient(a, 0);
  sgd.zero_grad(false);
  CHECK(values(a.grad()) == std::vector<double>(kElements, 0));
  sgd.zero_grad();
  CHECK(!a.grad().defined());
  sgd.zero_grad();
}

TEST_CASE("groups have options of their own, which may change between steps", "[optim][optimizer]") {
  Tensor a = parameter(kDouble), b = parameter(kDouble);
  optim::SGD sgd({a}, {.lr = 1});
  sgd.add_param_group({b}, {.lr = 2});
  set_gradient(a, 0);
  set_gradient(b, 0);
  sgd.step();
  CHECK(values(a)[0] == 1.625);
  CHECK(values(b)[0] == 2.25);
  sgd.groups()[1].options.lr = 0;
  sgd.options().lr = 0;
  sgd.step();
  CHECK(values(b)[0] == 2.25);
  CHECK(sgd.parameters().size() == 2);
  sgd.options().lr = -1;
  CHECK_ERROR_CONTAINS(sgd.step(), ValueError, "option 'lr'");
}

TEST_CASE("options that a group does not name are the rule's defaults", "[optim][optimizer]") {
  Tensor a = parameter(kDouble), b = parameter(kDouble), c = parameter(kDouble);
  optim::AdamW adam({a}, {.lr = 0.5, .weight_decay = 0.25});
  adam.add_param_group({b}, {.lr = 0.125});
  CHECK(adam.groups()[1].options.weight_decay == 1e-2);
  auto like_the_first = adam.options();
  like_the_first.lr = 0.125;
  adam.add_param_group({c}, like_the_first);
  CHECK(adam.groups()[2].options.weight_decay == 0.25);
}

TEST_CASE("lists of parameters that make no sense are refused", "[optim][optimizer]") {
  Tensor a = parameter(kDouble);
  CHECK_ERROR(optim::Adam({}), ValueError, "Adam: optimizer got an empty parameter list");
  CHECK_ERROR(
      optim::Adam({ops::mul(a, a)}), ValueError,
      "Adam: can't optimize a non-leaf Tensor, parameter 0; give the leaf that it was computed from, or detach() it");
  CHECK_ERROR(optim::Adam({a, a}), ValueError, "Adam: parameter 1 is given twice");
  CHECK_ERROR(optim::Adam({a, Tensor()}), ValueError, "Adam: parameter 1 is undefined");
  optim::Adam adam({a});
  a.grad() = ops::zeros({2}, "dtype"_a = kDouble);
  CHECK_ERROR_CONTAINS(adam.step(), ValueError, "expected a gradient of shape [5], got [2]");
}

TEST_CASE("a rate may be the element of a tensor", "[optim][optimizer]") {
  auto step = [](auto rate) {
    std::vector<Tensor> p{ops::ones({2})}, g{ops::ones({2})}, m{ops::ones({2})}, v{ops::ones({2})}, none,
        count{tensor(3.0f)};
    ops::_fused_sgd_(p, g, m, "weight_decay"_a = 0., "momentum"_a = 0.5, "lr"_a = rate, "dampening"_a = 0.,
                     "nesterov"_a = false, "maximize"_a = false, "is_first_step"_a = false);
    ops::_fused_adagrad_(p, g, v, count, "lr"_a = rate, "lr_decay"_a = 0.5, "weight_decay"_a = 0., "eps"_a = 0.,
                         "maximize"_a = false);
    auto adam = [&](auto op) {
      op(p, g, m, v, none, count, "lr"_a = rate, "beta1"_a = 0.5, "beta2"_a = 0.5, "weight_decay"_a = 0.5,
         "eps"_a = 0.1, "amsgrad"_a = false, "maximize"_a = false);
    };
    adam(ops::_fused_adam_);
    adam(ops::_fused_adamw_);
    return p[0];
  };
  CHECK(ops::equal(step(0.25), step(tensor(0.25f))));
  CHECK_THROWS_AS(step(tensor({0.25f, 0.5f})), ValueError);
}

TEST_CASE("a step on copies leaves what it is given", "[optim][optimizer]") {
  std::vector<Tensor> p{ops::ones({2})}, g{ops::ones({2}) * 2}, m{ops::zeros({2})}, v{ops::zeros({2})}, none,
      count{tensor(1.0f)}, out{ops::empty({0})};
  auto [params, grads, buffers] = ops::_fused_sgd(p, g, m, "weight_decay"_a = 0., "momentum"_a = 0.5, "lr"_a = 0.25,
                                                  "dampening"_a = 0., "nesterov"_a = false, "maximize"_a = false,
                                                  "is_first_step"_a = true, "grad_scale"_a = tensor({2.0f}));
  CHECK(values(params[0]) == std::vector<double>{0.75, 0.75});
  CHECK(values(grads[0]) == std::vector<double>{1, 1});
  CHECK(values(buffers[0]) == std::vector<double>{1, 1});
  auto adam = [&](auto op) {
    return op(p, g, m, v, none, count, "lr"_a = 0.5, "beta1"_a = 0.5, "beta2"_a = 0.5, "weight_decay"_a = 0.,
              "eps"_a = 0., "amsgrad"_a = false, "maximize"_a = false);
  };
  CHECK(values(std::get<0>(adam(ops::_fused_adam))[0]) == std::vector<double>{0.5, 0.5});
  CHECK(std::get<4>(adam(ops::_fused_adamw)).empty());
  ops::_fused_adam_out(p, g, m, v, none, count, 0.5, 0.5, 0.5, 0., 0., false, false, std::nullopt, std::nullopt, out);
  CHECK(values(out[0]) == std::vector<double>{0.5, 0.5});
  auto sums = ops::_fused_adagrad(p, g, v, count, "lr"_a = tensor(0.5f), "lr_decay"_a = 0., "weight_decay"_a = 0.,
                                  "eps"_a = 0., "maximize"_a = false);
  CHECK(values(std::get<2>(sums)[0]) == std::vector<double>{4, 4});
  CHECK(values(p[0]) == std::vector<double>{1, 1});
  CHECK(values(g[0]) == std::vector<double>{2, 2});
  CHECK(values(m[0]) == std::vector<double>{0, 0});
  CHECK(out.size() == 1);
}

TEST_CASE("a list of the wrong length is refused with the operator and the argument", "[optim][optimizer]") {
  std::vector<Tensor> one{ops::ones({2})}, two{ops::ones({2}), ops::ones({2})}, none;
  auto text = [](const char* op, const char* list) {
    return concat(op, "(): argument '", list, "': expected 1 tensors, got 2");
  };
  CHECK_ERROR(
      ops::_fused_sgd_(one, two, none, "weight_decay"_a = 0., "momentum"_a = 0., "lr"_a = 0.1, "dampening"_a = 0.,
                       "nesterov"_a = false, "maximize"_a = false, "is_first_step"_a = true),
      ValueError, text("_fused_sgd_", "grads"));
  auto sgd = [&](double momentum, const std::vector<Tensor>& buffers) {
    ops::_fused_sgd_(one, one, buffers, "weight_decay"_a = 0., "momentum"_a = momentum, "lr"_a = 0.5,
                     "dampening"_a = 0., "nesterov"_a = false, "maximize"_a = false, "is_first_step"_a = true);
  };
  // Buffers may be left out where there is no momentum, and there alone.
  CHECK_ERROR(sgd(0.9, none), ValueError, "_fused_sgd_(): argument 'momentum_buffer_list': expected 1 tensors, got 0");
  CHECK_ERROR(sgd(0., two), ValueError, text("_fused_sgd_", "momentum_buffer_list"));
  sgd(0., none);
  CHECK(one[0].sum().item<float>() == 1);
  CHECK_ERROR(ops::_fused_adagrad_(one, one, two, one, "lr"_a = 0.1, "lr_decay"_a = 0., "weight_decay"_a = 0.,
                                   "eps"_a = 1e-8, "maximize"_a = false),
              ValueError, text("_fused_adagrad_", "state_sums"));
  CHECK_ERROR(
      ops::_fused_rmsprop_(one, one, two, none, none, "lr"_a = 0.1, "alpha"_a = 0.9, "eps"_a = 1e-8,
                           "weight_decay"_a = 0., "momentum"_a = 0., "centered"_a = false, "maximize"_a = false),
      ValueError, text("_fused_rmsprop_", "square_avgs"));
  auto adam = [&](auto op, const std::vector<Tensor>& averages, const std::vector<Tensor>& squares) {
    op(one, one, averages, squares, none, one, "lr"_a = 0.1, "beta1"_a = 0.9, "beta2"_a = 0.99, "weight_decay"_a = 0.,
       "eps"_a = 1e-8, "amsgrad"_a = false, "maximize"_a = false);
  };
  CHECK_ERROR(adam(ops::_fused_adam_, two, one), ValueError, text("_fused_adam_", "exp_avgs"));
  CHECK_ERROR(adam(ops::_fused_adamw_, one, two), ValueError, text("_fused_adamw_", "exp_avg_sqs"));
}

TEST_CASE("an optimiser goes on from another's state", "[optim][optimizer]") {
  auto last = [](auto make, bool interrupted) {
    Tensor p = parameter(kFloat);
    auto steps = [&](auto& optimizer, int from, int to) {
      for (int k = from; k < to; ++k) {
        set_gradient(p, k);
        optimizer.step();
      }
    };
    auto first = make(p);
    steps(*first, 0, 3);
    if (!interrupted) {
      steps(*first, 3, 6);
    } else {
      auto second = make(p);
      second->load_state(first->state());
      steps(*second, 3, 6);
    }
    return values(p);
  };
  auto adam = [](const Tensor& p) {
    return std::make_unique<optim::Adam>(std::vector<Tensor>{p}, optim::AdamOptions{.lr = 0.1, .amsgrad = true});
  };
  auto sgd = [](const Tensor& p) {
    return std::make_unique<optim::SGD>(std::vector<Tensor>{p},
                                        optim::SGDOptions{.lr = 0.1, .momentum = 0.9, .dampening = 0.5});
  };
  auto rmsprop = [](const Tensor& p) {
    return std::make_unique<optim::RMSprop>(std::vector<Tensor>{p},
                                            optim::RMSpropOptions{.momentum = 0.9, .centered = true});
  };
  auto adagrad = [](const Tensor& p) {
    return std::make_unique<optim::Adagrad>(std::vector<Tensor>{p}, optim::AdagradOptions{.lr_decay = 0.5});
  };
  auto nadam = [](const Tensor& p) { return std::make_unique<optim::NAdam>(std::vector<Tensor>{p}); };
  auto asgd = [](const Tensor& p) {
    return std::make_unique<optim::ASGD>(std::vector<Tensor>{p}, optim::ASGDOptions{.lambd = 0.5, .t0 = 2});
  };
  auto rprop = [](const Tensor& p) { return std::make_unique<optim::Rprop>(std::vector<Tensor>{p}); };
  auto radam = [](const Tensor& p) { return std::make_unique<optim::RAdam>(std::vector<Tensor>{p}); };
  auto adafactor = [](const Tensor& p) { return std::make_unique<optim::Adafactor>(std::vector<Tensor>{p}); };
  CHECK(last(nadam, false) == last(nadam, true));
  CHECK(last(asgd, false) == last(asgd, true));
  CHECK(last(rprop, false) == last(rprop, true));
  CHECK(last(radam, false) == last(radam, true));
  CHECK(last(adafactor, false) == last(adafactor, true));
  CHECK(last(adam, false) == last(adam, true));
  CHECK(last(sgd, false) == last(sgd, true));
  CHECK(last(rmsprop, false) == last(rmsprop, true));
  CHECK(last(adagrad, false) == last(adagrad, true));
}

TEST_CASE("optimiser state that does not fit is refused and changes nothing", "[optim][optimizer]") {
  Tensor p = parameter(kFloat);
  optim::Adam adam({p});
  set_gradient(p, 0);
  adam.step();
  auto before = values(adam.state()[1].second);
  auto state = adam.state();
  state.emplace_back("7.exp_avg", state[1].second);
  CHECK_ERROR_CONTAINS(adam.load_state(state), ValueError, "got 1 others");
  state = adam.state();
  state[1].second = ops::zeros({4});
  CHECK_ERROR_CONTAINS(adam.load_state(state), ValueError, "tensor '0.exp_avg': expected shape [5], got [4]");
  CHECK(values(adam.state()[1].second) == before);
}

TEST_CASE("options are part of an optimiser's state", "[optim][optimizer]") {
  Tensor p = parameter(kFloat);
  optim::Adam from({p}, {.lr = 0.1, .betas = {0.5, 0.7}, .amsgrad = true});
  from.note(0, "initial_lr", 0.25);
  optim::Adam to({p});
  to.load_state(from.state());
  CHECK(to.options().lr == 0.1);
  CHECK(to.options().betas == std::pair(0.5, 0.7));
  CHECK(to.options().amsgrad);
  REQUIRE(to.number(0, "initial_lr"));
  CHECK(*to.number(0, "initial_lr") == 0.25);
  optim::Adafactor small({p}, {.eps = {1e-4, 0.5}}), other({p});
  other.load_state(small.state());
  CHECK(other.options().eps == small.options().eps);
  auto state = from.state();
  state[0].second = scalar_tensor(3.0, kDouble);
  state.emplace_back("param_groups.0.speed", scalar_tensor(1.0, kDouble));
  CHECK_ERROR_CONTAINS(to.load_state(state), ValueError, "no option 'speed'");
  CHECK(to.options().lr == 0.1);
}

TEST_CASE("a step with a closure returns the loss", "[optim][optimizer]") {
  Tensor p = parameter(kDouble);
  optim::SGD sgd({p}, {.lr = 0.5});
  NoGradGuard no_grad;
  Tensor loss = sgd.step([&] {
    Tensor l = ops::sum(ops::mul(p, p));
    l.backward();
    return l;
  });
  CHECK(loss.item<double>() == 14.3125);
  CHECK(values(p) == std::vector<double>(kElements, 0));
}

TEST_CASE("long parameters and those that end inside a vector are stepped to their last element",
          "[optim][optimizer]") {
  for (std::int64_t n : {0, 1, 7, 16, 33, 100003}) {
    Tensor p = ops::ones({n});
    p.set_requires_grad(true);
    optim::Adam adam({p}, {.lr = 0.5, .eps = 0});
    p.grad() = ops::full({n}, 3, "dtype"_a = kFloat);
    adam.step();
    const float* at = p.data_ptr<float>();
    for (std::int64_t i = 0; i < n; ++i) REQUIRE(at[i] == Approx(0.5f));
  }
}

TEST_CASE("layers learn at rates of their own under one schedule", "[optim][optimizer]") {
  nn::Linear body{4, 4}, head{4, 2};
  optim::AdamW optimizer(nn::parameters(body), {.lr = 1e-4});
  optimizer.add_param_group(nn::parameters(head), {.lr = 1e-3});
  optim::CosineAnnealingLR schedule(optimizer, {.T_max = 100});
  for (int k = 0; k < 50; ++k) schedule.step();
  CHECK(optimizer.groups()[0].options.lr == Approx(0.5e-4));
  CHECK(optimizer.groups()[1].options.lr == Approx(0.5e-3));
  nn::functional::mse_loss(head(body(ops::ones({3, 4}))), ops::zeros({3, 2})).backward();
  std::vector<Tensor> grads;
  for (const Tensor& p : optimizer.parameters()) grads.push_back(p.grad());
  CHECK(nn::utils::get_total_norm(grads).item<double>() ==
        Approx(ops::norm(ops::cat({grads[0].flatten(), grads[1], grads[2].flatten(), grads[3]})).item<double>()));
}

TEST_CASE("hooks run before and after each step, a closure's part included", "[optim][optimizer]") {
  Tensor a = parameter(kDouble);
  optim::SGD sgd({a}, {.lr = 1});
  std::vector<std::string> said;
  const double at_first = values(a)[0];
  const std::int64_t number = sgd.register_step_pre_hook([&](optim::Optimizer& o) {
    CHECK(&o == &sgd);
    said.push_back("pre");
  });
  sgd.register_step_pre_hook([&](optim::Optimizer& o) { *o.number(0, "lr") = 2; });
  sgd.register_step_post_hook([&](optim::Optimizer&) {
    said.push_back("post");
    CHECK(values(a)[0] != at_first);
  });
  set_gradient(a, 0);
  sgd.step();
  CHECK(said == std::vector<std::string>{"pre", "post"});
  CHECK(values(a)[0] == at_first + 2 * 5. / 8);  // with the rate that the hook set
  sgd.step([&] {
    said.push_back("closure");
    return ops::zeros({});
  });
  CHECK(said == std::vector<std::string>{"pre", "post", "pre", "closure", "post"});
  CHECK(sgd.remove_hook(number));
  CHECK_FALSE(sgd.remove_hook(number));
  sgd.step();
  CHECK(said.size() == 6);
}

TEST_CASE("after a hook that throws the next step runs as ever", "[optim][optimizer]") {
  Tensor a = parameter(kDouble);
  optim::SGD sgd({a}, {.lr = 1});
  set_gradient(a, 0);
  const std::int64_t number = sgd.register_step_pre_hook([](optim::Optimizer&) { throw ValueError("not this step"); });
  CHECK_ERROR(sgd.step(), ValueError, "not this step");
  CHECK(values(a)[0] == kStart[0]);
  sgd.remove_hook(number);
  int after = 0;
  sgd.register_step_post_hook([&](optim::Optimizer&) { ++after; });
  sgd.step();
  CHECK(values(a)[0] != kStart[0]);
  CHECK(after == 1);
}

TEST_CASE("hooks run once around all evaluations of L-BFGS", "[optim][optimizer]") {
  Tensor a = parameter(kDouble);
  optim::LBFGS lbfgs({a}, {.max_iter = 4});
  int before = 0, after = 0, evaluations = 0;
  lbfgs.register_step_pre_hook([&](optim::Optimizer&) { ++before; });
  lbfgs.register_step_post_hook([&](optim::Optimizer&) { ++after; });
  lbfgs.step([&] {
    ++evaluations;
    lbfgs.zero_grad();
    Tensor loss = ops::sum(ops::pow(a, 4));
    loss.backward();
    return loss;
  });
  CHECK(evaluations > 1);
  CHECK(before == 1);
  CHECK(after == 1);
}
