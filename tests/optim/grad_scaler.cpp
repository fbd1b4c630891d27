// Scaled losses: what PyTorch 2.15 does with scale, gradients and steps.
#include <tenon/optim/grad_scaler.hpp>

#include <cmath>
#include <limits>

#include <tenon/nn/clip_grad.hpp>

#include "support.hpp"

using namespace test;

namespace {

Tensor number_list(std::initializer_list<double> numbers) { return tensor(std::vector<double>(numbers), kFloat); }
/// The number that a state has by a name.
double number_in(const nn::NamedTensors& state, const std::string& name) {
  for (const auto& [own, t] : state)
    if (own == name) return t.to(kDouble).item<double>();
  FAIL("the state has no " << name);
  return 0;
}

}  // namespace

TEST_CASE("a scaler steps as PyTorch's does, and leaves out a step with an infinity", "[optim][grad_scaler]") {
  Tensor p = number_list({1, -2, 0.5}).requires_grad_(), q = number_list({3}).requires_grad_();
  const Tensor x = number_list({1, 2, 3});
  optim::SGD sgd({p, q}, {.lr = 0.1, .momentum = 0.9});
  optim::GradScaler scaler({.init_scale = 1024, .growth_interval = 2});
  CHECK(scaler.get_scale() == 1024);
  // torch.amp.GradScaler("cpu", init_scale=1024., growth_interval=2): the scale, the tracker, p[0] and q.
  struct Expected {
    double scale, tracker, p, q;
  };
  const Expected expected[] = {
      {1024, 1, 0.699999988079071, 3.1500000953674316},  {2048, 0, 0.11499998718500137, 3.8550000190734863},
      {2048, 1, -0.796999990940094, 5.878499984741211},  {1024, 0, -0.796999990940094, 5.878499984741211},
      {1024, 1, -1.6263045072555542, 7.738216876983643}, {2048, 0, -3.1465003490448, 13.238788604736328},
      {2048, 1, -5.838555335998535, 24.1444034576416}};
  for (int k = 0; k < 7; ++k) {
    sgd.zero_grad();
    Tensor loss = ops::sum(p * x * q);
    if (k == 3) loss = loss * std::numeric_limits<double>::infinity();
    scaler.scale(loss).backward();
    if (k == 4) {
      scaler.unscale_(sgd);
      nn::utils::clip_grad_norm_({p, q}, 0.5);
    }
    CHECK(scaler.step(sgd) == (k != 3));
    scaler.update();
    CHECK(scaler.get_scale() == expected[k].scale);
    CHECK(number_in(scaler.state(), "_growth_tracker") == expected[k].tracker);
    CHECK(values(p)[0] == Approx(expected[k].p).epsilon(1e-6));
    CHECK(values(q)[0] == Approx(expected[k].q).epsilon(1e-6));
  }
}

TEST_CASE("gradients below what float16 has come through when they are scaled", "[optim][grad_scaler]") {
  // The gradient of the product is 2^-27 in float16, which rounds to zero.
  auto gradient = [](double scale) {
    Tensor w = number_list({1}).requires_grad_();
    optim::SGD sgd({w}, {.lr = 1});
    optim::GradScaler scaler({.init_scale = scale});
    scaler.scale(ops::sum(w.to(kHalf)).to(kFloat) * std::ldexp(1.0, -27)).backward();
    scaler.unscale_(sgd);
    return w.grad().item<float>();
  };
  CHECK(gradient(1) == 0);
  CHECK(gradient(65536) == std::ldexp(1.0f, -27));
}

TEST_CASE("several losses and optimisers share a scaler", "[optim][grad_scaler]") {
  Tensor a = number_list({1}).requires_grad_(), b = number_list({2}).requires_grad_();
  optim::SGD first({a}, {.lr = 1}), second({b}, {.lr = 1});
  optim::GradScaler scaler({.init_scale = 8});
  std::vector<Tensor> losses = scaler.scale(std::vector<Tensor>{ops::sum(a), ops::sum(b * std::nan(""))});
  CHECK(losses[0].item<float>() == 8);
  for (const Tensor& loss : losses) loss.backward();
  CHECK(scaler.step(first));
  CHECK_FALSE(scaler.step(second));
  scaler.update();
  CHECK(scaler.get_scale() == 4);
  CHECK(a.item<float>() == 0);
  CHECK(b.item<float>() == 2);
}

TEST_CASE("a scaler that is not enabled passes everything", "[optim][grad_scaler]") {
  Tensor a = number_list({1}).requires_grad_();
  optim::SGD sgd({a}, {.lr = 1});
  optim::GradScaler scaler({.enabled = false});
  CHECK_FALSE(scaler.is_enabled());
  Tensor loss = ops::sum(a);
  CHECK(scaler.scale(loss).is_same(loss));
  loss.backward();
  scaler.unscale_(sgd);
  CHECK(scaler.step(sgd));
  scaler.update();
  CHECK(scaler.get_scale() == 1);
  CHECK(scaler.state().empty());
  CHECK(a.item<float>() == 0);
}

TEST_CASE("the state of a scaler has PyTorch's names and is taken over", "[optim][grad_scaler]") {
  Tensor a = number_list({1}).requires_grad_();
  optim::SGD sgd({a}, {.lr = 0.5});
  optim::GradScaler scaler({.init_scale = 64, .growth_factor = 4, .backoff_factor = 0.25, .growth_interval = 3});
  auto run = [&](optim::GradScaler& s) {
    sgd.zero_grad();
    s.scale(ops::sum(a)).backward();
    s.step(sgd);
    s.update();
  };
  run(scaler);
  run(scaler);
  const nn::NamedTensors state = scaler.state();
  CHECK(number_in(state, "scale") == 64);
  CHECK(number_in(state, "growth_factor") == 4);
  CHECK(number_in(state, "backoff_factor") == 0.25);
  CHECK(number_in(state, "growth_interval") == 3);
  CHECK(number_in(state, "_growth_tracker") == 2);
  optim::GradScaler fresh, used({.init_scale = 2});
  run(used);
  fresh.load_state(state);
  used.load_state(state);
  CHECK(used.get_scale() == 64);
  run(fresh);
  run(used);
  CHECK(fresh.get_scale() == 256);
  CHECK(used.get_scale() == 256);
  CHECK(fresh.get_backoff_factor() == 0.25);
  CHECK_ERROR(fresh.load_state({}), ValueError, "GradScaler: load_state(): the state has no 'scale'");
  used.update(16);
  CHECK(used.get_scale() == 16);
}

TEST_CASE("a scaler says what was done in the wrong order", "[optim][grad_scaler]") {
  CHECK_ERROR(optim::GradScaler({.growth_factor = 1}), ValueError,
              "GradScaler: option 'growth_factor': expected a number above 1, got 1");
  CHECK_ERROR(optim::GradScaler({.backoff_factor = 1}), ValueError,
              "GradScaler: option 'backoff_factor': expected a number below 1, got 1");
  Tensor a = number_list({1}).requires_grad_();
  optim::SGD sgd({a}, {.lr = 1});
  optim::GradScaler scaler({.init_scale = 8});
  CHECK_ERROR(scaler.step(sgd), ValueError, "GradScaler: step() was called before scale(); scale the loss first");
  Tensor loss = scaler.scale(ops::sum(a));
  CHECK_ERROR(scaler.update(), ValueError, "GradScaler: update(): no gradients were unscaled since the last update()");
  CHECK_ERROR(scaler.step(sgd), ValueError,
              "GradScaler: step(): no parameter of the optimizer has a gradient; call backward() first");
  scaler.update(8);
  loss = scaler.scale(ops::sum(a));
  loss.backward();
  scaler.unscale_(sgd);
  CHECK_ERROR(scaler.unscale_(sgd), ValueError,
              "GradScaler: unscale_() has already been called on this optimizer since the last update()");
  CHECK(scaler.step(sgd));
  CHECK(a.grad().item<float>() == 1);
  CHECK_ERROR(scaler.step(sgd), ValueError, "GradScaler: step() has already been called since the last update()");
  CHECK_ERROR(scaler.unscale_(sgd), ValueError, "GradScaler: unscale_() is being called after step()");
  scaler.update();
  Tensor h = number_list({1}).to(kHalf).requires_grad_();
  optim::SGD of_half({a, h}, {.lr = 1});
  scaler.scale(ops::sum(h)).backward();
  CHECK_ERROR(scaler.step(of_half), ValueError,
              "GradScaler: the gradient of parameter 1 is float16, which loses what unscaling divides by; expected "
              "parameters in float32");
}

TEST_CASE("steps under autocast in float16 are made with a scaler", "[optim][grad_scaler]") {
  nn::Sequential net{nn::Linear{4, 8}, nn::ReLU{}, nn::Linear{8, 3}};
  const Tensor x = ops::ones({2, 4}), labels = tensor({2, 0});
  optim::Adam optimizer(nn::parameters(net), {.lr = 0.01});
  optim::GradScaler scaler;
  std::vector<double> losses;
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    Tensor loss;
    {
      AutocastGuard autocast(kCPU, {.dtype = kHalf});
      loss = nn::functional::cross_entropy(net(x), labels);
    }
    scaler.scale(loss).backward();
    scaler.step(optimizer);
    scaler.update();
    losses.push_back(loss.item<double>());
  }
  CHECK(losses.back() < losses.front());
}
