// What several threads may do at once, in the words of docs/promises.md.
#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include <tenon/optim/sgd.hpp>

#include "support.hpp"

using namespace test;

namespace {

/// Runs `f(i)` on `n` threads that begin together; the first exception comes out.
template <class F>
void on_threads(int n, F f) {
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    threads.emplace_back([&, i] {
      try {
        f(i);
      } catch (...) { errors[static_cast<std::size_t>(i)] = std::current_exception(); }
    });
  for (std::thread& t : threads) t.join();
  for (const std::exception_ptr& e : errors)
    if (e) std::rethrow_exception(e);
}

nn::Linear trained(std::int64_t seed) {
  manual_seed(seed);
  return nn::Linear{4, 3};
}
/// A few steps of a model of one's own.
Tensor train(nn::Linear& model, const Tensor& x) {
  optim::SGD sgd(nn::parameters(model), {.lr = 0.1});
  for (int i = 0; i < 5; ++i) {
    sgd.zero_grad();
    model(x).square().sum().backward();
    sgd.step();
  }
  return model.weight.detach().clone();
}

}  // namespace

TEST_CASE("tensors and a module that nobody writes serve several threads", "[nn][shared][threads]") {
  nn::Linear model = trained(1);
  Tensor x = ops::linspace(-1, 1, 32).view({8, 4}), expected = model(x).detach();
  bool same[4] = {true, true, true, true};
  on_threads(4, [&](int k) {
    for (int i = 0; i < 20; ++i) same[k] = same[k] && ops::equal(model(x).detach(), expected);
  });
  CHECK((same[0] && same[1] && same[2] && same[3]));
}

TEST_CASE("models of several threads train as they would alone", "[nn][shared][threads]") {
  Tensor x = ops::linspace(-1, 1, 32).view({8, 4});
  std::vector<Tensor> alone, together(4);
  std::vector<nn::Linear> models;
  for (int i = 0; i < 4; ++i) {
    nn::Linear model = trained(i);
    alone.push_back(train(model, x));
    models.push_back(trained(i));
  }
  on_threads(4, [&](int i) {
    auto k = static_cast<std::size_t>(i);
    together[k] = train(models[k], x);
  });
  for (std::size_t i = 0; i < 4; ++i) CHECK(ops::equal(alone[i], together[i]));
}

TEST_CASE("threads that draw from one generator share its numbers", "[nn][shared][threads]") {
  constexpr int kThreads = 4, kDraws = 50;
  auto draw = [] { return ops::rand({1}).item<float>(); };
  std::vector<float> alone, drawn[kThreads], together;
  manual_seed(7);
  for (int i = 0; i < kThreads * kDraws; ++i) alone.push_back(draw());
  manual_seed(7);
  on_threads(kThreads, [&](int i) {
    for (int k = 0; k < kDraws; ++k) drawn[i].push_back(draw());
  });
  for (const auto& list : drawn) together.insert(together.end(), list.begin(), list.end());
  std::sort(alone.begin(), alone.end());
  std::sort(together.begin(), together.end());
  CHECK(alone == together);
}

TEST_CASE("what a thread sets for itself is not set for others", "[nn][shared][threads]") {
  NoGradGuard off;
  DefaultDeviceGuard meta(kMeta);
  bool records = false, on_cpu = false;
  on_threads(1, [&](int) {
    records = is_grad_enabled();
    on_cpu = ops::zeros({2}).is_cpu();
  });
  CHECK((records && on_cpu));
  CHECK((!is_grad_enabled() && ops::zeros({2}).device() == Device(kMeta)));
}
