// Elementwise functions of numbers: values that decide between plausible definitions, and answers of PyTorch 2.15.
#include <cmath>
#include <limits>

#include "../ops/support.hpp"

using namespace test;

namespace {
Tensor doubles(TensorData data) { return tensor(data).to(kDouble); }
}  // namespace

TEST_CASE("remainders take the sign of the dividend or of the divisor", "[cpu][pointwise_math]") {
  Tensor a = tensor({7, -7, 7, -7}), b = tensor({3, 3, -3, -3});
  REQUIRE(values(ops::fmod(a, b)) == Numbers{1, -1, 1, -1});
  REQUIRE(values(ops::remainder(a, b)) == Numbers{1, 2, -2, -1});
  REQUIRE(values(ops::remainder(a.to(kFloat), 3)) == Numbers{1, 2, 1, 2});
  REQUIRE(values(ops::floor_divide(a, b)) == Numbers{2, -3, -3, 2});
  REQUIRE_THROWS_TEXT(ops::fmod(a, 0), "ZeroDivisionError");
}

TEST_CASE("fused forms and interpolation are what their formulas say", "[cpu][pointwise_math]") {
  Tensor x = doubles({1.0, 2.0}), y = doubles({3.0, 4.0}), z = doubles({5.0, 8.0});
  REQUIRE(values(ops::addcmul(x, y, z, "value"_a = 2)) == Numbers{31, 66});
  REQUIRE(values(ops::addcdiv(x, z, y, "value"_a = 3)) == Numbers{6, 8});
  REQUIRE(values(ops::lerp(x, y, 0.25)) == Numbers{1.5, 2.5});
  REQUIRE(values(ops::lerp(x, y, doubles({0.0, 1.0}))) == Numbers{1, 4});
  REQUIRE(values(ops::rsub(x, 1)) == Numbers{0, -1});
  REQUIRE_THROWS_AS(ops::addcdiv(x, tensor({1, 1}), tensor({1, 1})), TypeError);
}

TEST_CASE("derivatives of elementwise operators agree with finite differences", "[cpu][pointwise_math]") {
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

TEST_CASE("a direction has the gradient of the complex one, a neighbour that of its number",
          "[cpu][pointwise_math][autograd]") {
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

TEST_CASE("numbers are rounded to decimals, before and behind the point", "[cpu][pointwise_math]") {
  Tensor x = doubles({1.25, -27.36, 14.0});
  REQUIRE(values(ops::round_decimals(x, 1)) == Numbers{1.2, -27.4, 14});
  REQUIRE(values(ops::round_decimals(x, -1)) == Numbers{0, -30, 10});
  Tensor half = tensor({30.171875}).to(kHalf);
  REQUIRE(values(ops::round_decimals(half, 1)) == Numbers{30.203125});  // the half next to 30.2
  REQUIRE(values(ops::round_decimals_(x, 0)) == Numbers{1, -27, 14});
  REQUIRE_THROWS_TEXT(ops::round_decimals(tensor({1}), 0), "\"round_cpu\" not implemented for 'Long'");
}

TEST_CASE("log1p, expm1 and logaddexp of complex numbers keep the digits of small ones", "[cpu][pointwise_math]") {
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

TEST_CASE("digamma is the logarithmic derivative of the gamma function", "[cpu][pointwise_math]") {
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

TEST_CASE("a reversed difference is laid out as the difference", "[cpu][pointwise_math]") {
  Tensor x = counted({3, 2}), y = counted({2, 3}).t();
  CHECK(seen(ops::rsub(x, y)) == seen(ops::sub(y, x)));
  CHECK(values(ops::rsub(x, y, "alpha"_a = 2)) == values(ops::sub(y, x, "alpha"_a = 2)));
}

TEST_CASE("factors that the dtype cannot hold are refused", "[cpu][pointwise_math]") {
  Tensor x = tensor({1.0f, 2.0f}), n = tensor({1, 2}).to(kInt);
  CHECK_ERROR(ops::add(x, x, "alpha"_a = 1e300), ValueError,
              "value cannot be converted to type float32 without overflow");
  CHECK_ERROR(ops::sub(n, n, "alpha"_a = std::int64_t{1} << 40), ValueError,
              "value cannot be converted to type int32 without overflow");
  CHECK_ERROR(ops::addcmul(n, n, n, "value"_a = 1e300), ValueError,
              "value cannot be converted to type int32 without overflow");
}

TEST_CASE("an operand is not resized for the result", "[cpu][pointwise_math]") {
  Tensor x = counted({2}), y = counted({3, 2});
  CHECK_ERROR(ops::minimum(x, y, "out"_a = x), ValueError,
              "output with shape [2] doesn't match the broadcast shape [3, 2]");
  CHECK(values(ops::minimum(y, x, "out"_a = y)) == Numbers{0, 1, 0, 1, 0, 1});
}

TEST_CASE("an operator of one operand that keeps its dtype keeps that of its out tensor", "[cpu][pointwise_math]") {
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

TEST_CASE("a neighbour is one of the dtype itself", "[cpu][pointwise_math]") {
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

TEST_CASE("a power is written to a tensor of a wider dtype, whatever its exponent", "[cpu][pointwise_math]") {
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
