// Hooks that wait for the gradients of several tensors.
#include <tenon/autograd/graph/callback.hpp>
#include <tenon/autograd/graph/multi_grad_hook.hpp>

#include "../support.hpp"

using namespace tenon;
using autograd::MultiGradMode;
using autograd::register_multi_grad_hook;
using test::leaf;
using test::values;

TEST_CASE("a hook of several tensors gets their gradients once in each run", "[autograd][graph][hooks]") {
  Tensor a = leaf({1, 2, 3}), b = leaf({4, 5, 6}), c = mul(a, b), d = mul(a, b);
  std::vector<std::vector<bool>> seen;
  std::vector<double> of_a;
  auto handle = register_multi_grad_hook({a, b, c, d}, [&](TensorList grads) {
    seen.emplace_back();
    for (const Tensor& g : grads) seen.back().push_back(g.defined());
    of_a = values(grads[0]);
  });
  // As PyTorch 2.15 in the documentation of its function.
  sum(c).backward({}, true);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0] == std::vector<bool>{true, true, true, false});
  CHECK(of_a == std::vector<double>{4, 5, 6});
  sum(c).backward({}, true, false, {a});
  REQUIRE(seen.size() == 2);
  CHECK(seen[1] == std::vector<bool>{true, false, true, false});
  (void)autograd::grad({sum(add(c, d))}, {a, b}, {}, true);
  REQUIRE(seen.size() == 3);
  CHECK(seen[2] == std::vector<bool>{true, true, true, true});
  CHECK(of_a == std::vector<double>{8, 10, 12});
  sum(mul(d, 2)).backward({}, true);
  CHECK(seen.size() == 4);
  handle.remove();
  sum(c).backward();
  CHECK(seen.size() == 4);
  CHECK_ERROR_CONTAINS(register_multi_grad_hook({a, test::vector({1})}, [](TensorList) {}), AutogradError,
                       "cannot register a hook on a tensor that doesn't require gradient");
}

TEST_CASE("by Any a hook gets the first gradient of each run", "[autograd][graph][hooks]") {
  Tensor a = leaf({1, 2}), c = mul(a, 3), d = mul(c, 5);
  std::vector<std::vector<double>> seen;
  auto handle = register_multi_grad_hook<MultiGradMode::Any>({a, test::vector({1}), c, d},
                                                             [&](const Tensor& grad) { seen.push_back(values(grad)); });
  sum(d).backward({}, true);
  sum(c).backward({}, true);
  CHECK(seen == std::vector<std::vector<double>>{{1, 1}, {1, 1}});
  (void)autograd::grad({sum(mul(d, 2))}, {a}, {}, true);
  CHECK(seen.back() == std::vector<double>{2, 2});
  handle.remove();
  sum(d).backward();
  CHECK(seen.size() == 3);
}

TEST_CASE("hooks of several tensors keep nothing of a run that threw", "[autograd][graph][hooks]") {
  Tensor a = leaf({1, 2}), x = mul(a, 2), y = mul(a, 3), out = sum(mul(x, y));
  bool broken = true;
  std::vector<Tensor> of_y;
  std::vector<std::vector<double>> all, any;
  x.register_hook([&](const Tensor&) {
    if (broken) fail<ValueError>("broken");
  });
  y.register_hook([&](const Tensor& grad) { of_y.push_back(grad); });
  register_multi_grad_hook({x, y}, [&](TensorList grads) { all.push_back(values(grads[1])); });
  register_multi_grad_hook<MultiGradMode::Any>({x, y}, [&](const Tensor& grad) { any.push_back(values(grad)); });
  for (int i = 0; i < 3; ++i) CHECK_THROWS_AS(out.backward({}, true), ValueError);
  REQUIRE(of_y.size() == 3);
  for (const Tensor& grad : of_y) CHECK(grad.use_count() == 1);
  CHECK(all.empty());
  CHECK(any.size() == 3);
  broken = false;
  out.backward({}, true);
  CHECK(all == std::vector<std::vector<double>>{{2, 4}});
  CHECK(any.size() == 4);
  CHECK_ERROR(autograd::kept_in_run(std::make_shared<int>()), AutogradError,
              "kept_in_run(): expected to be called during a backward pass");
}

TEST_CASE("hooks of several tensors end with what they watch", "[autograd][graph][hooks]") {
  auto captured = std::make_shared<int>();
  {
    Tensor a = leaf({1, 2}), x = mul(a, 2), y = mul(a, 3);
    register_multi_grad_hook({x, y}, [captured](TensorList) { ++*captured; });
    register_multi_grad_hook<MultiGradMode::Any>({x, y}, [captured](const Tensor&) { ++*captured; });
    sum(mul(x, y)).backward();
    CHECK(*captured == 2);
    CHECK(captured.use_count() > 1);
  }
  CHECK(captured.use_count() == 1);
}

TEST_CASE("hooks of several tensors do not wait for those that ended", "[autograd][graph][hooks]") {
  int calls = 0;
  Tensor a = leaf({1, 2}), x = mul(a, 2);
  {
    Tensor ended = mul(a, 3);
    register_multi_grad_hook({x, ended}, [&](TensorList grads) { calls += grads[0].defined() && !grads[1].defined(); });
  }
  Tensor in_its_place = mul(a, 5);
  in_its_place.register_hook([](const Tensor&) {});
  sum(mul(x, in_its_place)).backward();
  CHECK(calls == 1);
}

TEST_CASE("what a run comes by is known within it alone", "[autograd][graph][hooks]") {
  Tensor a = leaf({1, 2}), b = leaf({3, 4}), c = mul(a, 2);
  bool by_b = true, by_a = false;
  c.register_hook([&](const Tensor&) {
    by_a = autograd::run_comes_by(*autograd::gradient_edge(a).node);
    by_b = autograd::run_comes_by(*autograd::gradient_edge(b).node);
  });
  sum(c).backward();
  CHECK(by_a);
  CHECK(!by_b);
  CHECK_ERROR_CONTAINS(autograd::run_comes_by(*autograd::gradient_edge(b).node), AutogradError,
                       "run_comes_by(): expected to be called during a backward pass");
}
