// Elementwise operators: values, promotion, forms, refusals.
#include <cmath>
#include <limits>

#include "../ops/support.hpp"

using namespace test;

namespace {
constexpr ScalarType kReal[] = {kByte, kChar, kShort, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble};
double nan() { return std::numeric_limits<double>::quiet_NaN(); }
}  // namespace

TEST_CASE("addition takes every dtype and scales by alpha", "[cpu][pointwise]") {
  for (ScalarType type : kReal) {
    CAPTURE(to_string(type));
    Tensor a = counted({37}, type), c = ops::add(a, a, "alpha"_a = 2);
    REQUIRE(c.dtype() == type);
    for (int i = 0; i < 37; ++i) REQUIRE(values(c)[static_cast<std::size_t>(i)] == 3 * i);
  }
  Tensor t = tensor({true, false}), f = tensor({false, false});
  REQUIRE(values(ops::add(t, f)) == Numbers{1, 0});
  REQUIRE(values(ops::mul(t, f)) == Numbers{0, 0});
  Tensor z = ops::mul(tensor({1.0f, 2.0f}).to(kComplexFloat), Scalar(Complex<double>(0, 2)));
  REQUIRE(z.dtype() == kComplexFloat);
  REQUIRE(z.data_ptr<Complex<float>>()[1] == Complex<float>(0, 4));
}

TEST_CASE("integers wrap around", "[cpu][pointwise]") {
  Tensor a = tensor({200, 100}).to(kByte);
  REQUIRE(values(ops::add(a, a)) == Numbers{144, 200});
  REQUIRE(values(ops::neg(a)) == Numbers{56, 156});
  Tensor big = tensor({std::numeric_limits<std::int64_t>::max()});
  REQUIRE(ops::add(big, 1).data_ptr<std::int64_t>()[0] == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("numbers promote by category only", "[cpu][pointwise]") {
  REQUIRE(ops::add(counted({2}, kInt), 1).dtype() == kInt);
  REQUIRE(ops::add(counted({2}, kInt), 1.5).dtype() == kFloat);
  REQUIRE(ops::add(counted({2}, kHalf), 1.5).dtype() == kHalf);
  REQUIRE(ops::mul(counted({2}, kDouble), Scalar(Complex<double>(0, 1))).dtype() == kComplexDouble);
  REQUIRE(ops::div(counted({2}, kLong), counted({2}, kLong)).dtype() == kFloat);
  REQUIRE(ops::exp(counted({2}, kByte)).dtype() == kFloat);
  REQUIRE(ops::abs(counted({2}).to(kComplexDouble)).dtype() == kDouble);
  REQUIRE(ops::lt(counted({2}, kInt), counted({2}, kDouble)).dtype() == kBool);
}

TEST_CASE("alpha must fit the dtype", "[cpu][pointwise]") {
  Tensor i = counted({2}, kLong), b = i.to(kBool);
  REQUIRE_THROWS_TEXT(ops::add(i, i, "alpha"_a = 1.5),
                      "For integral input tensors, argument alpha must not be a floating point number.");
  REQUIRE_THROWS_TEXT(ops::add(i, i, "alpha"_a = true), "Boolean alpha only supported for Boolean results.");
  REQUIRE_THROWS_TEXT(
      ops::sub(b, b),
      "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.");
  REQUIRE_THROWS_AS(ops::sub(i, b), TypeError);
  REQUIRE_THROWS_AS(ops::neg(b), TypeError);
}

TEST_CASE("bools are not subtracted, and what to do instead depends on how many there are", "[cpu][pointwise]") {
  Tensor b = ops::ones({2}, "dtype"_a = kBool), x = ops::ones({2});
  const char* two =
      "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.";
  const char* one =
      "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.";
  CHECK_ERROR(ops::sub(b, b), TypeError, two);
  CHECK_ERROR(ops::sub(b, true), TypeError, two);
  CHECK_ERROR(ops::sub(b, x), TypeError, one);
  CHECK_ERROR(ops::sub(x, b), TypeError, one);
  CHECK_ERROR(ops::sub(b, 1), TypeError, one);
  CHECK_ERROR(ops::sub(x, true), TypeError, one);
}

TEST_CASE("division rounds as it is asked to", "[cpu][pointwise]") {
  Tensor a = tensor({7, -7, 7, -7}), b = tensor({2, 2, -2, -2});
  REQUIRE(values(ops::div(a, b, "rounding_mode"_a = "trunc")) == Numbers{3, -3, -3, 3});
  REQUIRE(values(ops::div(a, b, "rounding_mode"_a = "floor")) == Numbers{3, -4, -4, 3});
  REQUIRE(values(ops::div(a.to(kFloat), b, "rounding_mode"_a = "floor")) == Numbers{3, -4, -4, 3});
  REQUIRE(values(ops::div(a, b)) == Numbers{3.5, -3.5, -3.5, 3.5});
  REQUIRE_THROWS_TEXT(ops::div(a, 0, "rounding_mode"_a = "floor"), "ZeroDivisionError");
  REQUIRE_THROWS_TEXT(ops::div(a, b, "rounding_mode"_a = "up"),
                      "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'");
}

TEST_CASE("powers with common exponents equal the general ones", "[cpu][pointwise]") {
  Tensor x = tensor({0.25, 1.0, 4.0, 9.0});
  for (double e : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 2.5}) {
    auto got = values(ops::pow(x, e)), in = values(x);
    for (std::size_t i = 0; i < 4; ++i) REQUIRE(got[i] == Approx(std::pow(in[i], e)));
  }
  Tensor i = tensor({-2, 0, 1, 3});
  REQUIRE(values(ops::pow(i, 3)) == Numbers{-8, 0, 1, 27});
  REQUIRE(values(ops::pow(2, i.abs())) == Numbers{4, 1, 2, 8});
  Tensor truth = tensor({true, false});
  REQUIRE(values(ops::pow_(truth, true)) == Numbers{1, 0});
  REQUIRE_THROWS_TEXT(ops::pow(i, -1), "Integers to negative integer powers are not allowed.");
}

TEST_CASE("maximum and relu pass NaN on", "[cpu][pointwise]") {
  Tensor a = tensor({1.0, nan(), -3.0}), b = tensor({nan(), 2.0, -4.0});
  auto m = values(ops::maximum(a, b));
  REQUIRE((std::isnan(m[0]) && std::isnan(m[1]) && m[2] == -3));
  auto r = values(ops::relu(a));
  REQUIRE((r[0] == 1 && std::isnan(r[1]) && r[2] == 0));
  REQUIRE_THROWS_AS(ops::relu(a.to(kBool)), TypeError);
}

TEST_CASE("where takes bool and byte conditions and promotes the rest", "[cpu][pointwise]") {
  Tensor c = tensor({true, false, true}), a = tensor({1, 2, 3}), b = tensor({0.5f, 0.25f, 0.125f});
  Tensor r = ops::where(c, a, b);
  REQUIRE(r.dtype() == kFloat);
  REQUIRE(values(r) == Numbers{1, 0.25, 3});
  REQUIRE(values(ops::where(c.to(kByte), a, 0)) == Numbers{1, 0, 3});
  REQUIRE_THROWS_AS(ops::where(b, a, a), TypeError);
}

TEST_CASE("strided, transposed and broadcast operands give what dense ones give", "[cpu][pointwise]") {
  Tensor m = counted({70, 90}), row = counted({90}), column = counted({70, 1});
  Tensor t = counted({90, 70}).t();
  REQUIRE(values(ops::add(m, t)) == values(ops::add(m, t.contiguous())));
  REQUIRE(values(ops::mul(m, row)) == values(ops::mul(m, row.expand({70, 90}).contiguous())));
  REQUIRE(values(ops::mul(column, row)) ==
          values(ops::mul(column.expand({70, 90}).contiguous(), row.expand({70, 90}).contiguous())));
  REQUIRE(list(ops::add(t, t).strides()) == Ints{1, 70});
  REQUIRE(ops::add(counted({0, 3}), row.narrow(0, 0, 3)).numel() == 0);
  REQUIRE(values(ops::exp(m.narrow(1, 3, 5))) == values(ops::exp(m.narrow(1, 3, 5).contiguous())));
}

TEST_CASE("results are written in place and to given tensors", "[cpu][pointwise]") {
  Tensor a = counted({5}), b = counted({5});
  void* data = a.data_ptr();
  a.add_(b).mul_(2);
  REQUIRE((a.data_ptr() == data && values(a) == Numbers{0, 4, 8, 12, 16}));
  Tensor i = counted({5}, kLong);
  REQUIRE_THROWS_TEXT(i.add_(1.5), "result type float32 can't be cast to the desired output type int64");
  REQUIRE_THROWS_AS(counted({1}).add_(counted({5})), ValueError);
  Tensor out = ops::empty({0}, "dtype"_a = kDouble);
  ops::add(b, b, "out"_a = out);
  REQUIRE((out.dtype() == kDouble && values(out) == Numbers{0, 2, 4, 6, 8}));
  Tensor whole = counted({6});
  REQUIRE_THROWS_AS(whole.narrow(0, 1, 5).add_(whole.narrow(0, 0, 5)), ValueError);
  REQUIRE_THROWS_AS(counted({1}).expand({4}).add_(1), ValueError);
}

TEST_CASE("tensors without data get shapes and dtypes", "[cpu][pointwise]") {
  Tensor a = ops::empty({3, 1}, "dtype"_a = kInt, "device"_a = Device("meta")),
         b = ops::empty({4}, "dtype"_a = kHalf, "device"_a = Device("meta"));
  Tensor c = ops::add(a, b);
  REQUIRE((c.is_meta() && c.dtype() == kHalf && list(c.sizes()) == Ints{3, 4}));
  REQUIRE(ops::gt(a, 2).dtype() == kBool);
}

TEST_CASE("an elementwise dtype without a loop is refused by name", "[cpu][pointwise]") {
  Tensor z = counted({2}).to(kComplexFloat);
  REQUIRE_THROWS_AS(ops::lt(z, z), NotImplementedError);
  REQUIRE_THROWS_TEXT(ops::maximum(z, z), "maximum not implemented for complex tensors.");
}

TEST_CASE("a number is compared in the dtype of the tensor", "[cpu][pointwise]") {
  Tensor b = tensor({255}).to(kByte), h = tensor({std::numeric_limits<double>::infinity()}).to(kHalf);
  CHECK(values(ops::gt(b, -1)) == Numbers{0});
  CHECK(values(ops::maximum(b, tensor(-4).to(kChar))) == Numbers{255});
  CHECK(values(ops::minimum(b, tensor(-4).to(kChar))) == Numbers{252});
  CHECK(values(ops::eq(b, 511)) == Numbers{1});
  CHECK(values(ops::eq(h, 1e10)) == Numbers{1});
  CHECK(values(ops::eq(tensor({2048.0}).to(kHalf), tensor({2049}))) == Numbers{1});
}

TEST_CASE("16-bit floats meet a number at full precision", "[cpu][pointwise]") {
  Tensor x = tensor({1021.0}).to(kHalf);
  CHECK(values(ops::mul(x, 0.1)) == Numbers{102.125});
  CHECK(values(ops::mul(x, tensor(0.1).to(kDouble))) == Numbers{102.125});
  CHECK(values(ops::mul(tensor(0.1).to(kDouble), x)) == Numbers{102.0625});  // not in front of it, and not in sums
  double inf = std::numeric_limits<double>::infinity();
  CHECK(std::isnan(values(ops::sub(tensor({inf}).to(kHalf), 1e10))[0]));
  CHECK(values(ops::div(tensor({std::numeric_limits<double>::infinity()}).to(kHalf), 1e10)) ==
        Numbers{std::numeric_limits<double>::infinity()});
}

TEST_CASE("results are of the operands' dtype before they reach an output of another", "[cpu][pointwise]") {
  Tensor a = tensor({16383}).to(kShort), wide = ops::empty({1}, "dtype"_a = kLong);
  ops::mul_Tensor_out(a, tensor({3}).to(kShort), wide);
  CHECK(values(wide) == Numbers{-16387});
  ops::sub_Tensor_out(tensor({2}).to(kByte), tensor({10}).to(kByte), 1, wide);
  CHECK(values(wide) == Numbers{248});
}

TEST_CASE("complex infinities are multiplied by alpha even if it is 1", "[cpu][pointwise]") {
  double inf = std::numeric_limits<double>::infinity();
  Tensor a = tensor({1.0}).to(kComplexDouble);
  auto z = ops::sub(a, tensor({inf}).to(kComplexDouble)).item().to<Complex<double>>();
  CHECK(z.re == -inf);
  CHECK(std::isnan(z.im));
}

TEST_CASE("strides of a result follow PyTorch's iterator where a size is 1", "[cpu][pointwise]") {
  Tensor column = ops::ones({1, 3}).t();  // strides 1 and 3
  CHECK(list(ops::mul(column, 2).strides()) == Ints{1, 3});
  CHECK(list(ops::pow(column, 2).strides()) == Ints{1, 1});
  CHECK(list(ops::abs(column).strides()) == Ints{1, 1});
  Tensor image = ops::ones({1, 2, 3, 2}).permute({0, 3, 1, 2});  // channels last
  CHECK(list(ops::abs(image.as_strided({1, 2, 2, 3}, {2, 1, 6, 2})).strides()) == Ints{12, 1, 6, 2});
  CHECK(list(ops::abs(ops::ones({6}).as_strided({3, 1, 2}, {1, 7, 3})).strides()) == Ints{1, 7, 3});
  Tensor one = ops::ones({1, 1}), other = one.as_strided({1, 1}, {2, 1});
  CHECK_ERROR_CONTAINS(one.mul_(other), ValueError, "some elements of the input tensor and the written-to tensor");
  CHECK(list(ops::where(ops::gt(column, 0), column, column).strides()) == Ints{1, 1});
  // Outside a size of 0, too, unless the result is row-major.
  Tensor none = ops::ones({3, 0, 2}).permute({2, 1, 0}), flat = ops::ones({3, 1, 2}).permute({2, 1, 0});
  CHECK(list(ops::gt(flat, none).strides()) == Ints{1, 2, 0});
  CHECK(list(ops::add(none, 1).strides()) == Ints{1, 2, 0});
  CHECK(list(ops::add(none, none).strides()) == Ints{3, 3, 1});
  CHECK(list(ops::add(ops::ones({2, 0, 3}), ops::ones({3})).strides()) == Ints{3, 3, 1});
  // Beside one element a size of 0 goes inside the size 1 that has its stride.
  Tensor empty = ops::ones({0, 1, 3});
  CHECK(list(ops::add(empty, 1).strides()) == Ints{3, 0, 1});
  CHECK(list(ops::mul(empty, ops::sum(ops::ones({2}))).strides()) == Ints{3, 0, 1});
  CHECK(list(ops::mul(empty, empty).strides()) == Ints{3, 3, 1});
  CHECK(list(ops::exp(empty).strides()) == Ints{3, 3, 1});
}

TEST_CASE("limits leave a -0 that equals them", "[cpu][pointwise]") {
  for (std::int64_t n : {1, 3, 8, 21}) {
    Tensor x = ops::neg(ops::zeros({n}));
    for (const Tensor& r : {ops::relu(x), ops::clamp(x, 0, 1), ops::clamp(x, "min"_a = 0), ops::hardtanh(x, 0, 1)})
      for (double v : values(r)) CHECK(std::signbit(v));
    for (double v : values(ops::clamp(ops::neg(x), -1, -0.0))) CHECK(!std::signbit(v));
    for (double v : values(ops::maximum(x, ops::zeros({n})))) CHECK(std::signbit(v));
  }
}

TEST_CASE("operands that overlap are computed one element after the other", "[cpu][pointwise]") {
  // Results of PyTorch 2.15 on the CPU, whose loops see what they have written.
  Tensor x = tensor({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}).reshape({2, 3});
  x.mul_(x.narrow(1, 1, 1));
  CHECK(values(x) == Numbers{2, 4, 12, 20, 25, 150});
  Tensor y = tensor({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}).reshape({2, 3});
  Tensor steps = y.as_strided({2, 3}, {1, 1}, 0);
  steps.add_(y);
  CHECK(values(y) == Numbers{2, 12, 16, 10, 5, 6});
  Tensor z = tensor({1.0, 2.0, 3.0, 4.0}), twice = z.as_strided({2, 3}, {1, 1}, 0);
  twice.mul_(2);
  CHECK(values(z) == Numbers{2, 8, 12, 8});
  Tensor t = tensor({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}).reshape({2, 3}).t();
  t.mul_(t.select(0, 1));
  CHECK(values(t.t()) == Numbers{2, 4, 12, 20, 25, 150});
  // Columns that lie between each other share nothing.
  Tensor pairs = tensor({1.0, 2.0, 3.0, 4.0}).reshape({2, 2}), left = pairs.select(1, 0);
  left.add_(pairs.select(1, 1));
  CHECK(values(pairs) == Numbers{3, 2, 7, 4});
}

TEST_CASE("an operand that is converted counts with the strides of its dense copy", "[cpu][pointwise]") {
  Tensor repeated = ops::ones({3, 1}).to(kChar).expand({3, 2}), column = ops::ones({2, 3}).to(kChar).t();
  CHECK(list(ops::add(repeated, column).strides()) == Ints{1, 3});
  CHECK(list(ops::div(repeated, column).strides()) == Ints{2, 1});
  CHECK(list(ops::add(repeated, column.to(kFloat)).strides()) == Ints{2, 1});
  CHECK(list(ops::lt(repeated, column.to(kFloat)).strides()) == Ints{2, 1});
  CHECK(list(ops::add(repeated.to(kFloat), column).strides()) == Ints{2, 1});
  CHECK(list(ops::where(ops::gt(column, 0), repeated, column).strides()) == Ints{1, 3});
  Tensor row = ops::ones({1, 1}).to(kChar).expand({1, 2});
  CHECK(list(ops::div(row, column).strides()) == Ints{1, 3});
}

TEST_CASE("a power of a number is row-major, and ones where the base is 1", "[cpu][pointwise]") {
  Tensor column = ops::full({2, 3}, 2.0).t();
  CHECK(list(ops::pow(2, column).strides()) == Ints{2, 1});
  CHECK(list(ops::pow(1, column).strides()) == Ints{2, 1});
  CHECK(list(ops::pow(column, 2).strides()) == Ints{1, 3});
  Tensor z = tensor({nan(), 2.0}).to(kComplexDouble);
  CHECK(values(ops::pow(1, z).abs()) == Numbers{1, 1});
  CHECK(values(ops::pow(z, 0).abs()) == Numbers{1, 1});
  CHECK(std::isnan(values(ops::pow(true, z).abs())[0]));
  Tensor truth = tensor({1, 0}).to(kBool);
  CHECK(ops::pow(1, truth).dtype() == kLong);
  CHECK(values(ops::pow(1, truth)) == Numbers{1, 1});
  CHECK(ops::pow(truth, false).dtype() == kBool);
  CHECK(values(ops::pow(truth, false)) == Numbers{1, 1});
  CHECK(ops::pow(truth, 0).dtype() == kLong);
  CHECK(ops::pow(tensor({2, 3}), 0.0).dtype() == kFloat);
  REQUIRE_THROWS_TEXT(ops::pow(true, truth), "\"pow\" not implemented for 'Bool'");
  REQUIRE_THROWS(ops::pow_(truth, 0));
}

// What follows compares with answers of PyTorch 2.15.
TEST_CASE("16-bit quotients are rounded before they are cut, unless one number divides", "[cpu][pointwise]") {
  Tensor a = tensor({-30.5, -32.25}).to(kBFloat16), b = tensor({0.396484375, -0.1162109375}).to(kBFloat16);
  CHECK(values(ops::div(a, b, "rounding_mode"_a = "trunc")) == Numbers{-77, 278});
  CHECK(values(ops::div(a, b, "rounding_mode"_a = "floor")) == Numbers{-77, 278});
  CHECK(values(ops::div(a.narrow(0, 0, 1), b.narrow(0, 0, 1), "rounding_mode"_a = "trunc")) == Numbers{-76});
  CHECK(values(ops::div(a, 0.396484375, "rounding_mode"_a = "trunc"))[0] == -76);
  Tensor wide = tensor({-0.018662252433681272}).to(kDouble).squeeze();
  CHECK(values(ops::div(tensor({-0.83984375}).to(kBFloat16), wide, "rounding_mode"_a = "floor")) == Numbers{45});
  CHECK(values(ops::div(ops::full({40}, -30.5).to(kHalf), ops::full({40}, 0.396484375).to(kHalf),
                        "rounding_mode"_a = "trunc"))[0] == -76);
}

TEST_CASE("sigmoid_backward rounds each step in half", "[cpu][pointwise]") {
  Tensor grad = tensor({-0.378662109375, -1.4580078125}), y = tensor({0.60498046875, 0.172607421875});
  CHECK(values(ops::sigmoid_backward(grad.to(kHalf), y.to(kHalf))) == Numbers{-0.0904541015625, -0.2081298828125});
  CHECK(values(ops::sigmoid_backward(grad.to(kBFloat16), y.to(kBFloat16))) == Numbers{-0.09033203125, -0.208984375});
}

TEST_CASE("powers of half are no roots at -infinity and -0", "[cpu][pointwise]") {
  double inf = std::numeric_limits<double>::infinity();
  Tensor x = tensor({-inf, -0.0});
  CHECK(values(ops::pow(x.to(kHalf), 0.5))[0] == inf);
  CHECK(values(ops::pow(x.to(kHalf), -0.5))[1] == inf);
  CHECK(std::isnan(values(ops::pow(x, 0.5))[0]));
  CHECK(values(ops::pow(x.to(kBFloat16), -0.5))[1] == -inf);
}

TEST_CASE("one element divides 16-bit floats with all its digits", "[cpu][pointwise]") {
  Tensor x = ops::full({3}, 60000.0).to(kHalf), big = tensor({2147483647}).to(kInt);
  CHECK(values(ops::div(x, big))[2] == 2.7954578399658203e-05);
  CHECK(values(ops::div(x, big.expand({3})))[2] == 0);
}

TEST_CASE("a number before a 16-bit tensor is an element, also in place", "[cpu][pointwise]") {
  Tensor x = tensor({1.5, -0.75}).to(kHalf);
  CHECK(values(ops::mul(x, 0.1)) == Numbers{0.1500244140625, -0.07501220703125});
  CHECK(values(ops::mul_(x, 0.1)) == Numbers{0.14990234375, -0.074951171875});
}

TEST_CASE("a power's gradient by its exponent is that of PyTorch at the edges", "[cpu][pointwise]") {
  auto gradient = [](auto power, Tensor exponent) {
    exponent.requires_grad_();
    Tensor y = power(exponent);
    return autograd::grad(TensorList(y), TensorList(exponent), TensorList(ops::ones_like(y)))[0];
  };
  double inf = std::numeric_limits<double>::infinity();
  auto huge = [](const Tensor& e) { return ops::pow(Scalar(std::int64_t{1} << 40), e); };
  CHECK(values(gradient(huge, tensor({-inf, -1.0}).to(kHalf))) == Numbers{0, 0});
  auto zero = [](const Tensor& e) { return ops::pow(0, e); };
  CHECK(values(gradient(zero, tensor({0.0, 1.0, -1.0, 2.0}))) == Numbers{0, 0, -inf, 0});
  // A base of 0 makes the power constant only where the exponent is real and not negative.
  Tensor z = ops::add(tensor({2.0, 1.0}).to(kComplexDouble),
                      ops::mul(tensor({0.0, 10.0}).to(kComplexDouble), Scalar(Complex<double>(0, 1))));
  auto zeros = [](const Tensor& e) { return ops::pow(ops::zeros({2}), e); };
  for (Tensor g : {gradient(zero, z.clone()), gradient(zeros, z.clone())}) {
    CHECK(values(g.abs())[0] == 0);
    CHECK(std::isnan(values(g.abs())[1]));
  }
}

TEST_CASE("the conjugate of a real tensor is the tensor itself", "[cpu][pointwise]") {
  Tensor x = tensor({1.0f, 2.0f}).set_requires_grad(true);
  CHECK(ops::conj_physical(x).is_same(x));
  Tensor z = ops::full({2}, Scalar(Complex<double>(1, 2)), "dtype"_a = kComplexDouble), c = ops::conj_physical(z);
  CHECK_FALSE(c.is_same(z));
  CHECK(c.data_ptr<Complex<double>>()[1] == Complex<double>(1, -2));
  CHECK(ops::conj_physical_(z).data_ptr<Complex<double>>()[0] == Complex<double>(1, -2));
  Tensor real = ops::empty({0});
  ops::_conj_physical_base_out(tensor({1.0f, 2.0f}), real);
  CHECK(values(real) == Numbers{1, 2});
}

TEST_CASE("arithmetic with numbers writes into a given tensor", "[cpu][pointwise]") {
  Tensor a = tensor({5.0, -5.0}), out = ops::empty({0});
  CHECK(values(ops::add(a, 1, "out"_a = out)) == Numbers{6, -4});
  CHECK(values(ops::sub(a, 1, "out"_a = out)) == Numbers{4, -6});
  CHECK(values(ops::mul(a, 2.0, "out"_a = out)) == Numbers{10, -10});
  CHECK(values(ops::div(a, 2, "out"_a = out)) == Numbers{2.5, -2.5});
  CHECK(values(ops::div(a, 2, "rounding_mode"_a = "floor", "out"_a = out)) == Numbers{2, -3});
  CHECK(values(ops::div(a, tensor({2.0, 2.0}), "rounding_mode"_a = "trunc", "out"_a = out)) == Numbers{2, -2});
}

TEST_CASE("an undefined operand is named", "[cpu][pointwise]") {
  Tensor mask = tensor({true}), a = tensor({1.0});
  CHECK_ERROR(ops::where(mask, Tensor(), a), ValueError,
              "where(): operand 2: expected a defined Tensor, got an undefined one");
  CHECK_ERROR(ops::addcmul(a, a, Tensor()), ValueError,
              "addcmul(): operand 3: expected a defined Tensor, got an undefined one");
  CHECK_ERROR(ops::exp(Tensor()), ValueError,
              "aten::exp: argument 1 'self': expected a defined Tensor, got an undefined one; a gradient is defined "
              "once a backward pass has reached its tensor");
  Tensor w = tensor({1.0}).requires_grad_();
  CHECK_ERROR_CONTAINS(0.1 * w.grad(), ValueError, "aten::mul.Scalar: argument 1 'self': expected a defined Tensor");
}

TEST_CASE("views are changed where they are made, and numbers stand on the left of comparisons", "[cpu][pointwise]") {
  Tensor x = ops::zeros({2, 2});
  x.select(0, 0) += 1;
  x.t() *= tensor({2.0, 3.0});
  CHECK(values(x) == Numbers{2, 2, 0, 0});
  CHECK(values(0 < x) == Numbers{1, 1, 0, 0});
  CHECK((values(2 <= x) == Numbers{1, 1, 0, 0} && values(2 < x) == Numbers{0, 0, 0, 0}));
  CHECK((values(0 >= x) == Numbers{0, 0, 1, 1} && values(2 > x) == Numbers{0, 0, 1, 1}));
  CHECK((values(2 == x) == Numbers{1, 1, 0, 0} && values(2 != x) == Numbers{0, 0, 1, 1}));
  CHECK(values(2 == x) == Numbers{1, 1, 0, 0});
  CHECK(values(2 > x) == Numbers{0, 0, 1, 1});
}

TEST_CASE("rows of views give what row-major tensors give, wherever they begin", "[cpu][pointwise]") {
  for (ScalarType dtype : {kFloat, kDouble, kLong, kComplexDouble, kHalf})
    for (std::int64_t n : {15, 16, 20, 62, 64, 255, 256, 301, 510})
      for (std::int64_t at : {0, 1, 3}) {
        Tensor base = ops::arange(3 * 4 * (n + 5)).remainder(97).to(dtype).view({3, 4, n + 5});
        Tensor x = base.narrow(1, 1, 2).narrow(2, at, n), y = ops::flip(base, {2}).narrow(1, 1, 2).narrow(2, 2, n);
        Tensor column = base.narrow(1, 0, 2).narrow(2, 0, 1), dense = x.contiguous();
        INFO(dtype << " " << n << " " << at);
        CHECK(ops::equal(x + y, dense + y.contiguous()));
        CHECK(ops::equal(x * column, dense * column.contiguous()));
        Tensor wanted = base.clone(), before = base.clone();
        wanted.narrow(1, 1, 2).narrow(2, at, n).copy_(dense + y.contiguous());
        x.add_(y);
        CHECK(ops::equal(base, wanted));
        base.copy_(before);
        wanted.copy_(before);
        wanted.narrow(1, 1, 2).narrow(2, at, n).copy_(dense * 3);
        x.mul_(3);
        CHECK(ops::equal(base, wanted));
      }
}
