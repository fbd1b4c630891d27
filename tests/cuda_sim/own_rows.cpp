// Rows of a program's own, tests/install/cuda/mine.hpp, as kernels; own_rows_device.cpp is their unit of kernels.
#include <functional>
#include <vector>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/own_formulas.hpp>
#include <tenon/tenon.hpp>

#include "support.hpp"
#include "../install/cuda/mine.hpp"
#include "driver.hpp"
#include "own_rows.hpp"

using namespace tenon;
using namespace tenon::test;

TENON_POINTWISE(cubed, "mine::cubed(Tensor self) -> Tensor", [](auto x) { return x * x * x; });

TENON_FUSED(alone, [](auto x) { return x * x + 1; });

namespace {
using fake::driver;
}  // namespace

TEST_CASE("an operator of a lambda runs on the device where a .cu file has its row", "[cuda_runtime]") {
  fake::reset();
  Tensor x = ops::sin(ops::arange(70, "dtype"_a = kFloat)).reshape({10, 7}), y = x * 0.3;
  Tensor there = x.to(kCuda, kFloat), other = y.to(kCuda, kFloat);
  CHECK(ops::allclose(on_cpu(swish(there, "beta"_a = 2)), swish(x, "beta"_a = 2)));
  CHECK(ops::allclose(on_cpu(swish(there.transpose(0, 1))), swish(x.transpose(0, 1))));
  CHECK(ops::allclose(on_cpu(between(0.1, there, other)), between(0.1, x, y)));
  CHECK(ops::equal(on_cpu(is_above(there, 0.25)), is_above(x, 0.25)));
  CHECK(is_above(there).dtype() == kBool);
  Tensor halves = swish(there.to(kHalf));
  CHECK(halves.dtype() == kHalf);
  CHECK(ops::allclose(on_cpu(halves).to(kFloat), swish(x), 1e-2, 1e-3));
  Tensor whole = ops::arange(5).to(kCuda, kLong);
  CHECK(ops::allclose(on_cpu(swish(whole)), swish(ops::arange(5))));
  swish_(there);
  CHECK(ops::allclose(on_cpu(there), swish(x)));
}

TEST_CASE("its gradient on the device is the CPU's, and so is the gradient's", "[cuda_runtime]") {
  fake::reset();
  auto gradients = [](Tensor x) {
    x.requires_grad_();
    Tensor y = ops::sum(swish(x, "beta"_a = 1.5));
    std::vector<Tensor> first = autograd::grad({y}, {x}, {}, std::nullopt, true);
    std::vector<Tensor> second = autograd::grad({ops::sum(first[0] * first[0])}, {x});
    Tensor z = x.detach().requires_grad_();
    ops::sum(swish(z, "beta"_a = 1.5)).backward();
    return std::vector<Tensor>{first[0].detach(), second[0], z.grad()};
  };
  Tensor x = ops::sin(ops::arange(9, "dtype"_a = kFloat));
  std::vector<Tensor> here = gradients(x.clone()), there = gradients(x.to(kCuda, kFloat));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(there[i].device() == kCuda);
    CHECK(ops::allclose(on_cpu(there[i]), here[i], 1e-4, 1e-6));
  }
}

TEST_CASE("gradients of what lies at no multiple of a pack are the CPU's", "[cuda_runtime]") {
  fake::reset();
  auto gradient = [](const Tensor& x, const Tensor& by) {
    Tensor leaf = x.detach().clone().requires_grad_();
    swish(leaf.slice(0, 1)).backward(by.slice(0, 1));  // neither it nor what comes from behind
    return leaf.grad();
  };
  for (std::int64_t n : {5, 8, 42}) {
    Tensor x = ops::sin(ops::arange(n, "dtype"_a = kFloat)), by = ops::cos(ops::arange(n, "dtype"_a = kFloat));
    CHECK(ops::allclose(on_cpu(gradient(x.to(kCuda, kFloat), by.to(kCuda, kFloat))), gradient(x, by), 1e-4, 1e-6));
  }
}

TEST_CASE("each number of a call comes to its place in the gradient", "[cuda_runtime]") {
  fake::reset();
  Tensor x = ops::sin(ops::arange(24, "dtype"_a = kFloat)).reshape({4, 6});
  auto gradient = [](const Tensor& t) {
    Tensor leaf = t.clone().requires_grad_();
    bent(leaf.t(), 1.5, -0.75).backward(ops::ones_like(leaf.t()) * 0.5);  // by strides
    Tensor first = leaf.grad();
    leaf = t.clone().requires_grad_();
    bent(leaf, 1.5, -0.75).backward(ops::ones_like(leaf) * 0.5);  // by packs
    return std::vector<Tensor>{first, leaf.grad(), bent(t, 1.5, -0.75)};
  };
  std::vector<Tensor> here = gradient(x), there = gradient(x.to(kCuda, kFloat));
  for (std::size_t i = 0; i < 3; ++i) CHECK(ops::allclose(on_cpu(there[i]), here[i], 1e-4, 1e-6));
}

TEST_CASE("gradients are written to their elements alone", "[cuda_runtime]") {
  fake::reset();
  const char* name = nullptr;
  for (const cuda::OwnFormulas* own = cuda::own_formulas(); own; own = own->next)
    for (int i = 0; i < own->table.count; ++i)
      if (own->table.formulas[i].elements == 2) name = own->table.formulas[i].name;
  REQUIRE(name);
  for (std::int64_t n : {3, 4, 6, 37}) {
    Tensor x = ops::arange(40, "dtype"_a = kFloat).slice(0, 0, n).to(kCuda, kFloat), ones = ops::ones_like(x);
    Tensor memory = ops::full({2, 40}, 7.0, "device"_a = kCuda);
    const Tensor in[] = {x, x}, out[] = {memory.select(0, 0).slice(0, 0, n), memory.select(0, 1).slice(0, 0, n)};
    const Scalar numbers[] = {0.5};
    tenon_cuda_own_formulas.gradients(name, ones, {in, 2}, numbers, {out, 2});
    CHECK(ops::equal(on_cpu(memory).slice(1, n), ops::full({2, 40 - n}, 7.0)));
  }
}

TEST_CASE("an operator of a lambda without a row for the device says so", "[cuda_runtime]") {
  fake::reset();
  CHECK_ERROR_CONTAINS(cubed(ops::ones({2}, "device"_a = kCuda)), NotImplementedError,
                       "has no kernel for CUDA; put its row into a .cu file that ends with TENON_CUDA_ROWS");
}

namespace {

/// Calls of the fused kernels give the CPU's values and gradients on the device, in so many launches.
void check_fused(const std::function<Tensor(const std::vector<Tensor>&)>& f, const std::vector<Tensor>& inputs,
                 std::size_t launches) {
  std::vector<Tensor> here, there;
  for (const Tensor& t : inputs) {
    here.push_back(t.clone().requires_grad_());
    there.push_back(t.to(kCuda, t.dtype()).requires_grad_());
  }
  {
    NoGradGuard none;
    std::size_t before = driver().launches;
    Tensor y = f(there);
    CHECK(driver().launches - before == launches);
    Tensor expected = f(here);
    CHECK(y.dtype() == expected.dtype());
    CHECK(y.sizes() == expected.sizes());
    CHECK(ops::allclose(on_cpu(y), expected, 1e-5, 1e-6, true));
  }
  Tensor a = f(here), b = f(there),
         weight = ops::cos(ops::arange(a.numel(), "dtype"_a = kFloat)).view(a.sizes()).to(a.dtype());
  auto given = [](const Tensor& y, const Tensor& weight, const std::vector<Tensor>& x) {
    return autograd::grad({y}, x, {weight});
  };
  std::vector<Tensor> expected = given(a, weight, here), got = given(b, weight.to(kCuda, weight.dtype()), there);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("gradient " << i);
    CHECK(got[i].device() == kCuda);
    CHECK(got[i].dtype() == expected[i].dtype());
    CHECK(ops::allclose(on_cpu(got[i]), expected[i], 1e-4, 1e-5));
  }
}

}  // namespace

TEST_CASE("a fused expression is one kernel where a .cu file has it", "[cuda_runtime]") {
  fake::reset();
  Tensor a = waves({6, 11}, 0.7), b = waves({6, 11}, 1.3), row = waves({11}, 0.4);
  check_fused([](const auto& x) { return gate(x[0], x[1]); }, {a, b}, 1);
  check_fused([](const auto& x) { return gate(x[0], x[1]); }, {a, row}, 1);
  check_fused([](const auto& x) { return gate(x[0].transpose(0, 1), x[1].transpose(0, 1)); }, {a, b}, 1);
  check_fused([](const auto& x) { return gate(x[0], x[1]); }, {a.to(kDouble), b}, 1);
  check_fused([](const auto& x) { return gate(x[0].select(0, 0).select(0, 1), x[1].select(0, 2).select(0, 3)); },
              {a, b}, 1);
  check_fused([](const auto& x) { return distance(x[0], x[1], x[2], x[3]); }, {a, b, row, a * 0.3}, 1);
  NoGradGuard none;
  Tensor half = a.to(kCuda, kHalf), whole = ops::arange(66).reshape({6, 11});
  CHECK(gate(half, half).dtype() == kHalf);
  CHECK(ops::allclose(on_cpu(gate(half, half)).to(kFloat), gate(a, a), 1e-2, 1e-2));
  CHECK(ops::allclose(on_cpu(gate(whole.to(kCuda, kLong), b.to(kCuda, kFloat))), gate(whole, b)));
  CHECK(gate(ops::empty({0, 3}, "device"_a = kCuda), ops::empty({3}, "device"_a = kCuda)).numel() == 0);
}

TEST_CASE("the sum and the mean of a fused expression are the same kernel", "[cuda_runtime]") {
  fake::reset();
  Tensor a = waves({4, 5, 9}, 0.7), b = waves({4, 5, 9}, 1.3), row = waves({9}, 0.4);
  check_fused([](const auto& x) { return gate.sum()(x[0], x[1]); }, {a, b}, 1);
  check_fused([](const auto& x) { return gate.sum(DimVector{2})(x[0], x[1]); }, {a, row}, 1);
  check_fused([](const auto& x) { return gate.mean(DimVector{0, 2}, true)(x[0], x[1]); }, {a, b}, 1);
  check_fused([](const auto& x) { return gate.mean(DimVector{1})(x[0].transpose(0, 2), x[1].transpose(0, 2)); }, {a, b},
              1);
  check_fused([](const auto& x) { return distance.sum(DimVector{-1})(x[0], x[1], x[2], x[3]); }, {a, b, row, a * 0.3},
              1);
  // Long rows: several blocks for each, whose parts are added up in a second kernel.
  Tensor line = waves({2, 20000}, 0.01), other = waves({20000}, 0.03);
  check_fused([](const auto& x) { return gate.mean(DimVector{1})(x[0], x[1]); }, {line, other}, 2);
  // The last pack is not whole, of one block, of several, and of rows; rows that begin beside packs.
  for (std::int64_t n : {35, 163, 20003}) {
    INFO(n);
    std::size_t launches = n > 20000 ? 2 : 1;
    Tensor x = waves({n}, 0.7), y = waves({n}, 0.3);
    check_fused([](const auto& t) { return gate.mean()(t[0], t[1]); }, {x, y}, launches);
    check_fused([](const auto& t) { return gate.mean()(t[0].slice(0, 1), t[1].slice(0, 1)); }, {x, y}, launches);
    check_fused([](const auto& t) { return gate.mean()(t[0].to(kHalf), t[1].to(kHalf)).to(kFloat); }, {x, y},
                launches + 3);
    // One of the two at packs.
    check_fused([](const auto& t) { return gate.mean()(t[0].slice(0, 1), t[1].slice(0, 0, -1)); }, {x, y}, launches);
    check_fused([](const auto& t) { return gate.mean()(t[0].slice(0, 0, -1), t[1].slice(0, 1)); }, {x, y}, launches);
    check_fused([](const auto& t) { return gate.mean(DimVector{1})(t[0], t[1]); }, {waves({3, n}, 0.7), y}, launches);
    check_fused([](const auto& t) { return gate.mean()(t[0], t[1]); }, {x.to(kDouble), y}, launches);
    check_fused([](const auto& t) { return gate.mean()(t[0], t[1]); }, {x, y.to(kDouble)}, launches);
    check_fused([](const auto& t) { return gate.mean(DimVector{1})(t[0].slice(1, 0, -1), t[1].slice(1, 0, -1)); },
                {waves({3, n + 1}, 0.7), waves({3, n + 1}, 0.3)}, launches);
  }
  NoGradGuard none;
  Tensor whole = ops::arange(163), far = whole.to(kCuda, kLong);  // no elements of the sums' own dtype
  CHECK(ops::allclose(on_cpu(gate.sum()(far, far)), gate.sum()(whole, whole)));
  Tensor nothing = ops::empty({2, 0}, "device"_a = kCuda);
  CHECK(ops::equal(on_cpu(gate.sum(DimVector{1})(nothing, nothing)), ops::zeros({2})));
  CHECK(ops::isnan(on_cpu(gate.mean()(nothing, nothing))).item<bool>());
}

TEST_CASE("gradients of fused expressions and of lambdas are one kernel each", "[cuda_runtime]") {
  fake::reset();
  Tensor x = waves({8, 8}, 0.7).to(kCuda, kFloat).requires_grad_(),
         w = waves({8, 8}, 1.3).to(kCuda, kFloat).requires_grad_();
  Tensor ones = ops::ones({8, 8}, "device"_a = kCuda);
  auto launches_of = [&](const Tensor& y) {
    std::size_t before = driver().launches;
    (void)autograd::grad({y}, {x, w}, {ones}, std::nullopt, false, true);
    return driver().launches - before;
  };
  CHECK(launches_of(gate(x, w)) == 1);
  CHECK(launches_of(swish(x, "beta"_a = 2)) == 1);
  CHECK(launches_of(between(0.1, x, w)) == 1);
  // Dense or not, at the start of a pack or not, with the numbers of the call.
  Tensor here_x = on_cpu(x.detach()).view({64}).requires_grad_();
  for (std::int64_t from : {0, 1})
    for (std::int64_t count : {3, 4, 63}) {
      Tensor weight = waves({64}, 0.9).slice(0, from, from + count),
             y = swish(here_x.slice(0, 0, count), "beta"_a = 1.5);
      Tensor there = on_cpu(here_x.detach()).to(kCuda, kFloat).requires_grad_();
      Tensor z = swish(there.slice(0, 0, count), "beta"_a = 1.5), far = waves({64}, 0.9).to(kCuda, kFloat);
      CHECK(ops::allclose(on_cpu(autograd::grad({z}, {there}, {far.slice(0, from, from + count)})[0]),
                          autograd::grad({y}, {here_x}, {weight})[0], 1e-4, 1e-6));
    }
  // What is not as it lies in memory goes by operators, as gradients of gradients do.
  CHECK(launches_of(swish(ops::_neg_view(x))) > 1);
  Tensor here = on_cpu(x.detach()).requires_grad_();
  auto second = [](const Tensor& x) {
    Tensor first = autograd::grad({gate(x, x).sum()}, {x}, {}, std::nullopt, true)[0];
    return autograd::grad({(first * first).sum()}, {x})[0];
  };
  CHECK(ops::allclose(on_cpu(second(x)), second(here), 1e-4, 1e-5));
}

TEST_CASE("a fused expression without a .cu file computes by operators", "[cuda_runtime]") {
  fake::reset();
  Tensor x = waves({3, 4}, 0.7).to(kCuda, kFloat);
  CHECK(ops::allclose(on_cpu(alone.sum(DimVector{1})(x)), alone.sum(DimVector{1})(on_cpu(x))));
}
