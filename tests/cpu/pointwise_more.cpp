// The further elementwise operators: values that decide between plausible definitions.
#include <cmath>
#include <limits>

#include "../ops/support.hpp"

using namespace test;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
Tensor doubles(TensorData data) { return tensor(data).to(kDouble); }
}  // namespace

TEST_CASE("remainders take the sign of the dividend or of the divisor", "[cpu][pointwise_more]") {
  Tensor a = tensor({7, -7, 7, -7}), b = tensor({3, 3, -3, -3});
  REQUIRE(values(ops::fmod(a, b)) == Numbers{1, -1, 1, -1});
  REQUIRE(values(ops::remainder(a, b)) == Numbers{1, 2, -2, -1});
  REQUIRE(values(ops::remainder(a.to(kFloat), 3)) == Numbers{1, 2, 1, 2});
  REQUIRE(values(ops::floor_divide(a, b)) == Numbers{2, -3, -3, 2});
  REQUIRE_THROWS_TEXT(ops::fmod(a, 0), "ZeroDivisionError");
}

TEST_CASE("clamp takes either limit or both, as numbers or tensors", "[cpu][pointwise_more]") {
  Tensor x = doubles({-2.0, 0.5, 3.0});
  REQUIRE(values(ops::clamp(x, -1, 1)) == Numbers{-1, 0.5, 1});
  REQUIRE(values(ops::clamp(x, "max"_a = 1)) == Numbers{-2, 0.5, 1});
  REQUIRE(values(ops::clamp(x, "min"_a = 0)) == Numbers{0, 0.5, 3});
  REQUIRE(values(ops::clamp(x, "max"_a = doubles({0.0, 0.0, 0.0}))) == Numbers{-2, 0, 0});
  REQUIRE(values(ops::clamp_min(tensor({1, 5}), 2.5)) == Numbers{2.5, 5});
  REQUIRE_THROWS_TEXT(ops::clamp_base(x, std::nullopt, std::nullopt),
                      "torch.clamp: At least one of 'min' or 'max' must not be None");
}

TEST_CASE("tests of numbers give bools for every dtype", "[cpu][pointwise_more]") {
  Tensor x = doubles({1.0, kInf, -kInf, kNan});
  REQUIRE(values(ops::isnan(x)) == Numbers{0, 0, 0, 1});
  REQUIRE(values(ops::isinf(x)) == Numbers{0, 1, 1, 0});
  REQUIRE(values(ops::isfinite(x)) == Numbers{1, 0, 0, 0});
  REQUIRE(values(ops::isposinf(x)) == Numbers{0, 1, 0, 0});
  REQUIRE(values(ops::isneginf(x.to(kHalf))) == Numbers{0, 0, 1, 0});
  REQUIRE(values(ops::isfinite(tensor({1, 2}))) == Numbers{1, 1});
  REQUIRE(values(ops::signbit(doubles({-0.0, 0.0, -1.0}))) == Numbers{1, 0, 1});
  REQUIRE(values(ops::nan_to_num(x.to(kFloat), "nan"_a = 7.0)) ==
          Numbers{1, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(), 7});
}

TEST_CASE("bits and truth", "[cpu][pointwise_more]") {
  Tensor a = tensor({12, 10}), b = tensor({10, 3}), t = tensor({true, false});
  REQUIRE(values(ops::bitwise_and(a, b)) == Numbers{8, 2});
  REQUIRE(values(ops::bitwise_or(a, 1)) == Numbers{13, 11});
  REQUIRE(values(ops::bitwise_xor(a.to(kByte), b.to(kByte))) == Numbers{6, 9});
  REQUIRE(values(ops::bitwise_not(a)) == Numbers{-13, -11});
  REQUIRE(values(ops::bitwise_not(t)) == Numbers{0, 1});
  REQUIRE(values(ops::bitwise_left_shift(a, 2)) == Numbers{48, 40});
  for (auto [type, width] : {std::pair{kByte, 8}, {kChar, 8}, {kShort, 16}, {kInt, 32}, {kLong, 64}}) {
    CAPTURE(type);
    Tensor one = ops::ones({5}, "dtype"_a = type), by = tensor({width - 2, width, width + 1, 0, 1}).to(type);
    double high = std::ldexp(1.0, width - 2);
    REQUIRE(values(ops::bitwise_left_shift(one, by)) == Numbers{high, 0, 0, 1, 2});
    REQUIRE(values(ops::bitwise_right_shift(one * 2, by)) == Numbers{0, 0, 0, 2, 1});
    REQUIRE(values(ops::bitwise_left_shift(one, width)) == Numbers{0, 0, 0, 0, 0});
  }
  REQUIRE(values(ops::bitwise_right_shift(tensor({-8, 8}), 70)) == Numbers{-1, 0});
  REQUIRE(values(ops::logical_and(doubles({0.5, 0.0}), t)) == Numbers{1, 0});
  REQUIRE(values(ops::logical_xor(a, 1 * t)) == Numbers{0, 1});
  REQUIRE(ops::logical_not(a).dtype() == kBool);
  REQUIRE(values(ops::gcd(a, b)) == Numbers{2, 1});
  REQUIRE(values(ops::lcm(a, b)) == Numbers{60, 30});
  REQUIRE_THROWS_AS(ops::bitwise_and(doubles({1.0}), doubles({1.0})), TypeError);
}

TEST_CASE("fused forms and interpolation", "[cpu][pointwise_more]") {
  Tensor x = doubles({1.0, 2.0}), y = doubles({3.0, 4.0}), z = doubles({5.0, 8.0});
  REQUIRE(values(ops::addcmul(x, y, z, "value"_a = 2)) == Numbers{31, 66});
  REQUIRE(values(ops::addcdiv(x, z, y, "value"_a = 3)) == Numbers{6, 8});
  REQUIRE(values(ops::lerp(x, y, 0.25)) == Numbers{1.5, 2.5});
  REQUIRE(values(ops::lerp(x, y, doubles({0.0, 1.0}))) == Numbers{1, 4});
  REQUIRE(values(ops::rsub(x, 1)) == Numbers{0, -1});
  REQUIRE_THROWS_AS(ops::addcdiv(x, tensor({1, 1}), tensor({1, 1})), TypeError);
}

TEST_CASE("activations follow their formulas", "[cpu][pointwise_more]") {
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

TEST_CASE("derivatives of the further operators agree with finite differences", "[cpu][pointwise_more]") {
  Tensor x = doubles({-1.3, -0.4, 0.3, 0.8}).requires_grad_(), y = doubles({0.9, -0.7, 1.4, 0.6}).requires_grad_(),
         z = doubles({0.2, 1.1, -0.5, 2.0}).requires_grad_();
  using In = const std::vector<Tensor>&;
  autograd::gradcheck([](In in) { return ops::atan2(in[0], in[1]); }, {x, y});
  Tensor origin = ops::zeros({2}, "dtype"_a = kDouble).requires_grad_();
  ops::atan2(origin, origin).sum().backward();
  CHECK(ops::amax(ops::abs(origin.grad())).item<double>() == 0);
  // A part that starts where the written tensor does is a part all the same.
  Tensor whole = doubles({1, 2, 3, 4});
  CHECK_THROWS_AS(ops::mul_(whole, whole.narrow(0, 0, 1)), ValueError);
  autograd::gradcheck([](In in) { return ops::hypot(in[0], in[1]); }, {x, y});
  autograd::gradcheck([](In in) { return ops::logaddexp(in[0], in[1]); }, {x, y});
  autograd::gradcheck([](In in) { return ops::addcmul(in[0], in[1], in[2], "value"_a = 0.5); }, {x, y, z});
  autograd::gradcheck([](In in) { return ops::addcdiv(in[0], in[1], in[2], "value"_a = 0.5); }, {x, y, z});
  autograd::gradcheck([](In in) { return ops::lerp(in[0], in[1], in[2]); }, {x, y, z});
  autograd::gradcheck([](In in) { return ops::remainder(in[0], in[1]); }, {x, y});
  autograd::gradcheck([](In in) { return ops::clamp(in[0], -0.5, 0.5); }, {x});
  autograd::gradcheck([](In in) { return ops::clamp_Tensor(in[0], in[1], in[2]); }, {x, y, z});
  for (const char* mode : {"none", "tanh"})
    autograd::gradcheck([&](In in) { return ops::gelu(in[0], "approximate"_a = mode); }, {x});
  autograd::gradcheck([](In in) { return ops::silu(in[0]); }, {x});
  autograd::gradcheck([](In in) { return ops::softplus(in[0], 2, 1); }, {x});
  autograd::gradcheck([](In in) { return ops::elu(in[0], 1.5); }, {x});
  autograd::gradcheck([](In in) { return ops::mish(in[0]); }, {x});
  autograd::gradcheck([](In in) { return ops::hardswish(in[0]); }, {x});
  autograd::gradcheck([](In in) { return ops::sinc(in[0]); }, {x});
  autograd::gradcheck([](In in) { return ops::asinh(in[0]); }, {x});
  autograd::gradcheck([](In in) { return ops::fmax(in[0], in[1]); }, {x, y});
}

TEST_CASE("a bool has no sign", "[cpu][pointwise_more]") {
  REQUIRE(values(ops::signbit(tensor({true, false}))) == Numbers{0, 0});
  REQUIRE(values(ops::signbit(doubles({-1.0, 2.0}))) == Numbers{1, 0});
}

TEST_CASE("gradients of directions and of neighbouring numbers", "[cpu][pointwise_more][autograd]") {
  Tensor z = tensor({1.0}).to(kComplexDouble);
  z.fill_(Complex<double>(3, 4));
  z.set_requires_grad(true);
  Tensor g = tensor({1.0}).to(kComplexDouble);
  g.fill_(Complex<double>(1, 2));
  auto slope = autograd::grad({ops::sgn(z)}, {z}, {g})[0].item().to<Complex<double>>();
  REQUIRE(std::abs(slope.re + 0.064) < 1e-12);
  REQUIRE(std::abs(slope.im - 0.048) < 1e-12);
  Tensor a = doubles({1.0, 2.0}).set_requires_grad(true), b = doubles({1.0, 3.0}).set_requires_grad(true);
  std::vector<Tensor> both = autograd::grad({ops::sum(ops::nextafter(a, b))}, {a, b});
  REQUIRE(values(both[0]) == Numbers{0, 1});
  REQUIRE(values(both[1]) == Numbers{0, 0});
}

TEST_CASE("numbers are rounded to decimals, before and behind the point", "[cpu][pointwise_more]") {
  Tensor x = doubles({1.25, -27.36, 14.0});
  REQUIRE(values(ops::round_decimals(x, 1)) == Numbers{1.2, -27.4, 14});
  REQUIRE(values(ops::round_decimals(x, -1)) == Numbers{0, -30, 10});
  Tensor half = tensor({30.171875}).to(kHalf);
  REQUIRE(values(ops::round_decimals(half, 1)) == Numbers{30.203125});  // the half next to 30.2
  REQUIRE(values(ops::round_decimals_(x, 0)) == Numbers{1, -27, 14});
  REQUIRE_THROWS_TEXT(ops::round_decimals(tensor({1}), 0), "\"round_cpu\" not implemented for 'Long'");
}

// What follows compares with answers of PyTorch 2.15.
TEST_CASE("logit rounds its steps in 16 bits and takes crossing and negative limits", "[cpu][pointwise_more]") {
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

TEST_CASE("log1p, expm1 and logaddexp of complex numbers", "[cpu][pointwise_more]") {
  auto z = [](double re, double im) {
    return ops::full({1}, Scalar(Complex<double>(re, im)), "dtype"_a = kComplexDouble);
  };
  auto close = [](const Tensor& t, double re, double im) {
    auto c = t.item().to<Complex<double>>();
    CHECK(c.re == Approx(re).epsilon(1e-14));
    CHECK(c.im == Approx(im).epsilon(1e-14));
  };
  close(ops::log1p(z(1e-4, 1e-5)), 9.999505032330984e-05, 9.99900009965677e-06);
  close(ops::log1p(z(3, -2)), 1.4978661367769956, -0.4636476090008061);
  close(ops::expm1(z(1e-4, 1e-5)), 0.00010000495016167059, 1.0001000049834983e-05);
  close(ops::expm1(z(3, -2)), -9.358532650935372, -18.263727040666765);
  close(ops::logaddexp(z(1e-4, 1e-5), z(103, -2)), 103, -2);
  double inf = std::numeric_limits<double>::infinity();
  close(ops::logaddexp(z(-inf, 1), z(-inf, 1)), -inf, 1);
  CHECK(ops::log1p(z(1, 1).to(kComplexFloat)).dtype() == kComplexFloat);
  Tensor a = z(1, 2).set_requires_grad(true), y = ops::logaddexp(a, z(0.5, -1));
  close(autograd::grad(TensorList(y), TensorList(a), TensorList(ops::ones_like(y)))[0], 2.3930544684073864,
        -0.5126660306146696);
}

TEST_CASE("digamma is the logarithmic derivative of the gamma function", "[cpu][pointwise_more]") {
  Numbers expected{-1.9635100260214229, -0.5772156649015328, 1.016990911068179,
                   2.970523992242149,   0.03648997397857639, 4.4662758723502805};
  Numbers got = values(ops::digamma(tensor({0.5, 1.0, 3.25, 20.0, -0.5, -3.25}).to(kDouble)));
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(got[i] == Approx(expected[i]).epsilon(1e-13));
  double inf = std::numeric_limits<double>::infinity();
  Numbers poles = values(ops::digamma(tensor({0.0, -0.0, -2.0})));
  CHECK(poles[0] == -inf);
  CHECK(poles[1] == inf);
  CHECK(std::isnan(poles[2]));
  using List = std::vector<Tensor>;
  Tensor x = tensor({0.5, 3.25, 20.0, -0.5, -3.25}).to(kDouble);
  Numbers higher[] = {
      {-1.9635100260214229, 1.016990911068179, 2.970523992242149, 0.03648997397857639, 4.4662758723502805},
      {4.934802202073678, 0.35979829037509636, 0.05127082293520924, 8.934802200117687, 19.474085068056},
      {-16.828796644234316, -0.12815694713911513, -0.0026281224023146543, -0.82879664423432, 123.95521103942201},
      {97.40909103400242, 0.09043335532465575, 0.00026937422133963896, 193.40909103400242, 1558.508802818279}};
  for (int n = 0; n < 4; ++n) {
    CAPTURE(n);
    Numbers values_of_n = values(ops::polygamma(n, x));
    for (std::size_t i = 0; i < 5; ++i) CHECK(values_of_n[i] == Approx(higher[n][i]).epsilon(1e-9));
  }
  CHECK(ops::special_polygamma(1, tensor({2})).dtype() == kFloat);
  Tensor into = x.clone();
  CHECK(values(into.polygamma_(1)) == values(ops::polygamma(1, x)));
  CHECK_ERROR(tensor({2}).polygamma_(1), TypeError,
              "result type float32 can't be cast to the desired output type int64");
  CHECK_ERROR(ops::polygamma(-1, x), ValueError, "polygamma(n, x) does not support negative n.");
  autograd::gradcheck([](const List& in) { return ops::polygamma(1, ops::digamma(in[0]) * 0.1 + 3.0); },
                      {tensor({0.5, 3.25, -0.5}).to(kDouble).set_requires_grad(true)});
  autograd::gradcheck([](const List& in) { return ops::lgamma(in[0]); },
                      {tensor({0.5, 3.25, -0.5}).to(kDouble).set_requires_grad(true)});
}

TEST_CASE("limits that elements cannot reach bound nothing, or leave nothing", "[cpu][pointwise_more]") {
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

TEST_CASE("at a limit the gradient stops, or is shared with a limit that is a tensor", "[cpu][pointwise_more]") {
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

TEST_CASE("shrinking passes no gradient at its limits", "[cpu][pointwise_more][autograd]") {
  for (auto shrink : {+[](const Tensor& x) { return ops::softshrink(x, 0.5); },
                      +[](const Tensor& x) { return ops::hardshrink(x, 0.5); }}) {
    Tensor x = doubles({-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75}).requires_grad_();
    shrink(x).sum().backward();
    CHECK(values(x.grad()) == Numbers{1, 0, 0, 0, 0, 0, 1});
  }
}

TEST_CASE("a reversed difference is laid out as the difference", "[cpu][pointwise_more]") {
  Tensor x = counted({3, 2}), y = counted({2, 3}).t();
  CHECK(seen(ops::rsub(x, y)) == seen(ops::sub(y, x)));
  CHECK(values(ops::rsub(x, y, "alpha"_a = 2)) == values(ops::sub(y, x, "alpha"_a = 2)));
}

TEST_CASE("factors that the dtype cannot hold are refused", "[cpu][pointwise_more]") {
  Tensor x = tensor({1.0f, 2.0f}), n = tensor({1, 2}).to(kInt);
  CHECK_ERROR(ops::add(x, x, "alpha"_a = 1e300), ValueError,
              "value cannot be converted to type float32 without overflow");
  CHECK_ERROR(ops::sub(n, n, "alpha"_a = std::int64_t{1} << 40), ValueError,
              "value cannot be converted to type int32 without overflow");
  CHECK_ERROR(ops::addcmul(n, n, n, "value"_a = 1e300), ValueError,
              "value cannot be converted to type int32 without overflow");
}

TEST_CASE("an operand is not resized for the result", "[cpu][pointwise_more]") {
  Tensor x = counted({2}), y = counted({3, 2});
  CHECK_ERROR(ops::minimum(x, y, "out"_a = x), ValueError,
              "output with shape [2] doesn't match the broadcast shape [3, 2]");
  CHECK(values(ops::minimum(y, x, "out"_a = y)) == Numbers{0, 1, 0, 1, 0, 1});
}

TEST_CASE("an operator of one operand that keeps its dtype keeps that of its out tensor", "[cpu][pointwise_more]") {
  Tensor x = tensor({-1.5f, 0.5f}), n = tensor({1, 2}), wide = empty({2}, kDouble), truth = empty({2}, kByte);
  auto refuses = [&](auto f) {
    CHECK_ERROR(f(x, wide), TypeError, "Expected out tensor to have dtype float32, but got float64 instead");
  };
  refuses([](const Tensor& x, Tensor out) { ops::abs(x, "out"_a = out); });
  refuses([](const Tensor& x, Tensor out) { ops::neg(x, "out"_a = out); });
  refuses([](const Tensor& x, Tensor out) { ops::relu(x, "out"_a = out); });
  refuses([](const Tensor& x, Tensor out) { ops::hardtanh(x, "out"_a = out); });
  refuses([](const Tensor& x, Tensor out) { ops::clamp(x, 0, 1, "out"_a = out); });
  refuses([](const Tensor& x, Tensor out) { ops::clamp_min(x, 0, "out"_a = out); });
  refuses([](const Tensor& x, Tensor out) { ops::round(x, "decimals"_a = 2, "out"_a = out); });
  CHECK_ERROR(ops::isneginf(x, "out"_a = truth), TypeError,
              "Expected out tensor to have dtype bool, but got uint8 instead");
  // Others cast: several operands, a result of another dtype, a modulus, and a threshold.
  CHECK(values(ops::clamp(n, 0.5, 1.5, "out"_a = empty({2}))) == Numbers{1, 1.5});
  CHECK(values(ops::clamp(x, tensor({0.0f}), "out"_a = wide)) == Numbers{0, 0.5});
  CHECK(values(ops::exp(zeros({2}), "out"_a = wide)) == Numbers{1, 1});
  CHECK(values(ops::abs(ops::complex(x, x * 0), "out"_a = wide)) == Numbers{1.5, 0.5});
  CHECK(values(ops::threshold(x, 0, 7, "out"_a = wide)) == Numbers{7, 0.5});
}

TEST_CASE("a neighbour is one of the dtype itself", "[cpu][pointwise]") {
  const double inf = std::numeric_limits<double>::infinity();
  Tensor a = tensor({1.0, 2.0, 0.0, -1.0, -inf, 3.0}, kDouble), b = tensor({2.0, 0.0, -1.0, -2.0, 1.0, 3.0}, kDouble);
  auto bits = [&](ScalarType dtype) {
    Tensor y = ops::nextafter(a.to(dtype), b.to(dtype)).view(kShort);
    const std::int16_t* at = y.data_ptr<std::int16_t>();
    std::vector<int> found;
    for (int i = 0; i < 6; ++i) found.push_back(static_cast<std::uint16_t>(at[i]));
    return found;
  };
  CHECK(bits(kHalf) == std::vector<int>{0x3c01, 0x3fff, 0x8001, 0xbc01, 0xfbff, 0x4200});
  CHECK(bits(kBFloat16) == std::vector<int>{0x3f81, 0x3fff, 0x8001, 0xbf81, 0xff7f, 0x4040});
}

TEST_CASE("a power is written to a tensor of a wider dtype, whatever its exponent", "[cpu][pointwise]") {
  Tensor x = tensor({1, 2, 3}, kShort);
  for (int exponent : {0, 1, 2, 3, 4}) {
    Tensor wide = ops::empty({3}, "dtype"_a = kDouble);
    ops::pow(x, exponent, "out"_a = wide);
    CHECK(ops::equal(wide, ops::pow(x.to(kDouble), exponent)));
  }
  Tensor one = ops::empty({3}, "dtype"_a = kDouble);
  ops::pow(1, x, "out"_a = one);
  CHECK(ops::equal(one, ops::ones({3}, "dtype"_a = kDouble)));
  Tensor narrow = ops::empty({3}, "dtype"_a = kShort);
  CHECK_ERROR_CONTAINS(ops::pow(x.to(kDouble), 2, "out"_a = narrow), TypeError, "can't be cast to");
}
