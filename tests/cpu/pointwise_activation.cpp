// Activations and limits: values that decide between plausible definitions, and answers of PyTorch 2.15.
#include <cmath>
#include <limits>

#include "../ops/support.hpp"

using namespace test;

namespace {
Tensor doubles(TensorData data) { return tensor(data).to(kDouble); }
}  // namespace

TEST_CASE("clamp takes either limit or both, as numbers or tensors", "[cpu][pointwise_activation]") {
  Tensor x = doubles({-2.0, 0.5, 3.0});
  REQUIRE(values(ops::clamp(x, -1, 1)) == Numbers{-1, 0.5, 1});
  REQUIRE(values(ops::clamp(x, "max"_a = 1)) == Numbers{-2, 0.5, 1});
  REQUIRE(values(ops::clamp(x, "min"_a = 0)) == Numbers{0, 0.5, 3});
  REQUIRE(values(ops::clamp(x, "max"_a = doubles({0.0, 0.0, 0.0}))) == Numbers{-2, 0, 0});
  REQUIRE(values(ops::clamp_min(tensor({1, 5}), 2.5)) == Numbers{2.5, 5});
  REQUIRE_THROWS_TEXT(ops::clamp_base(x, std::nullopt, std::nullopt),
                      "torch.clamp: At least one of 'min' or 'max' must not be None");
}

TEST_CASE("activations follow their formulas", "[cpu][pointwise_activation]") {
  Tensor x = doubles({-3.5, -0.25, 0.0, 0.75, 30.0});
  auto check = [&](const Tensor& got, auto f) {
    for (std::size_t i = 0; i < 5; ++i) REQUIRE(values(got)[i] == Approx(f(values(x)[i])).margin(1e-7));
  };
  check(ops::silu(x), [](double v) { return v / (1 + std::exp(-v)); });
  check(ops::gelu(x), [](double v) { return v * 0.5 * std::erfc(-v / std::sqrt(2.0)); });
  check(ops::gelu(x, "approximate"_a = "tanh"),
        [](double v) { return v * 0.5 * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v))); });
  check(ops::softplus(x), [](double v) { return v > 20 ? v : std::log1p(std::exp(v)); });
  check(ops::elu(x, 2), [](double v) { return v <= 0 ? 2 * std::expm1(v) : v; });
  check(ops::leaky_relu(x, 0.1), [](double v) { return v > 0 ? v : 0.1 * v; });
  check(ops::hardtanh(x), [](double v) { return std::fmin(std::fmax(v, -1.0), 1.0); });
  check(ops::hardswish(x), [](double v) { return v * std::fmin(std::fmax(v + 3, 0.0), 6.0) / 6; });
  check(ops::log_sigmoid(x), [](double v) { return std::fmin(v, 0.0) - std::log1p(std::exp(-std::fabs(v))); });
  check(ops::softshrink(x), [](double v) { return v > 0.5 ? v - 0.5 : v < -0.5 ? v + 0.5 : 0; });
  check(ops::mish(x), [](double v) { return v * std::tanh(std::log1p(std::exp(v))); });
}

TEST_CASE("logit rounds its steps in 16 bits and takes crossing and negative limits", "[cpu][pointwise_activation]") {
  CHECK(values(ops::logit(tensor({0.72216796875}).to(kHalf))) == Numbers{0.95556640625});
  Tensor x = tensor({0.3f, 0.5f, 1.0f, 0.0f, 1.25f});
  double bound = 0.40546518564224243;
  Numbers crossed = values(ops::logit(x, 0.6)), expected{bound, bound, -bound, bound, -bound};
  for (std::size_t i = 0; i < 5; ++i) CHECK(crossed[i] == Approx(expected[i]).epsilon(1e-6));
  Tensor free = ops::logit(x, -1.0);
  CHECK(values(free)[2] == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(values(free)[4]));
  x.requires_grad_();
  Tensor y = ops::logit(x, -1.0);
  Numbers g = values(autograd::grad(TensorList(y), TensorList(x), TensorList(ops::ones_like(y)))[0]);
  CHECK(g[1] == 4);
  CHECK(std::isnan(g[4]));
}

TEST_CASE("limits that elements cannot reach bound nothing, or leave nothing", "[cpu][pointwise_activation]") {
  Tensor bytes = tensor({1, 200}).to(kByte), shorts = tensor({-4, 7}).to(kShort);
  CHECK(values(ops::clamp(bytes, -5, 300)) == Numbers{1, 200});
  CHECK(values(ops::clamp_min(bytes, -5)) == Numbers{1, 200});
  CHECK(values(ops::clamp_max(shorts, std::int64_t{1} << 40)) == Numbers{-4, 7});
  CHECK_ERROR(ops::clamp_max(bytes, -1), ValueError, "Clamp max value -1 is outside the representable range of uint8");
  CHECK_ERROR(ops::clamp(shorts, 70000), ValueError,
              "Clamp min value 70000 is outside the representable range of int16");
  CHECK_ERROR(ops::clamp(tensor({1.0f}), 0, 1e300), ValueError,
              "value cannot be converted to type float32 without overflow");
  CHECK_ERROR(ops::clamp_max(tensor({1.0f}).to(kHalf), 70000), ValueError,
              "value cannot be converted to type float16 without overflow");
}

TEST_CASE("at a limit the gradient stops, or is shared with a limit that is a tensor", "[cpu][pointwise_activation]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto gradients = [](auto f, std::vector<Tensor> inputs) {
    for (Tensor& t : inputs) t.set_requires_grad(true);
    Tensor y = f(inputs);
    Numbers all;
    for (const Tensor& g : autograd::grad({y}, inputs, {ops::ones_like(y)}, std::nullopt, false, true))
      for (double v : values(g)) all.push_back(v);
    return all;
  };
  using In = const std::vector<Tensor>&;
  Tensor x = doubles({0.0, 1.0, 2.0, nan}), zero = doubles({0, 0, 0, 0}), two = doubles({2, 2, 2, 2});
  CHECK(gradients([](In t) { return ops::clamp(t[0], 0, 2); }, {x}) == Numbers{0, 1, 0, 0});
  CHECK(gradients([](In t) { return ops::clamp_min(t[0], 0); }, {x}) == Numbers{0, 1, 1, 0});
  CHECK(gradients([](In t) { return ops::clamp_max(t[0], 2); }, {x}) == Numbers{1, 1, 0, 0});
  CHECK(gradients([](In t) { return ops::clamp(t[0], t[1], t[2]); }, {x, zero, two}) ==
        Numbers{0.5, 1, 0.5, 1, 0.5, 0, 0, 0, 0, 0, 0.5, 0});
  CHECK(gradients([](In t) { return ops::clamp_min(t[0], t[1]); }, {x, zero}) == Numbers{0.5, 1, 1, 1, 0.5, 0, 0, 1});
  CHECK(gradients([](In t) { return ops::clamp_max(t[0], t[1]); }, {x, two}) == Numbers{1, 1, 0.5, 1, 0, 0, 0.5, 1});
  // Crossed limits: the upper one is the result. Equal ones: an element that both are keeps its gradient.
  CHECK(gradients([](In t) { return ops::clamp(t[0], t[1], t[2]); },
                  {x.narrow(0, 0, 3), two.narrow(0, 0, 3), zero.narrow(0, 0, 3)}) ==
        Numbers{0, 0, 0, 0, 0, 0, 1, 1, 1});
  CHECK(gradients([](In t) { return ops::clamp(t[0], t[1], t[2]); },
                  {doubles({1, 2, 3}), doubles({2, 2, 2}), doubles({2, 2, 2})}) == Numbers{0, 1, 0, 1, 0, 0, 0, 0, 1});
}

TEST_CASE("shrinking passes no gradient at its limits", "[cpu][pointwise_activation][autograd]") {
  for (auto shrink : {+[](const Tensor& x) { return ops::softshrink(x, 0.5); },
                      +[](const Tensor& x) { return ops::hardshrink(x, 0.5); }}) {
    Tensor x = doubles({-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75}).requires_grad_();
    shrink(x).sum().backward();
    CHECK(values(x.grad()) == Numbers{1, 0, 0, 0, 0, 0, 1});
  }
}
