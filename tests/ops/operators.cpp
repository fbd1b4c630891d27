// Tensors under C++'s own signs.
#include "support.hpp"

using namespace test;

TEST_CASE("signs of bits, truth values and remainders are the operators of those names", "[ops][operators]") {
  Tensor a = tensor({12, 10, 7}), b = tensor({10, 6, 2});
  CHECK(values(a & b) == Numbers{8, 2, 2});
  CHECK(values(a | 1) == Numbers{13, 11, 7});
  CHECK(values(1 ^ a) == Numbers{13, 11, 6});
  CHECK(values(~a) == Numbers{-13, -11, -8});
  CHECK(values(a % b) == Numbers{2, 4, 1});
  CHECK(values(a % 4) == Numbers{0, 2, 3});
  CHECK(values(-20 % a) == Numbers{4, 0, 1});
  CHECK(values(!(a > 9)) == Numbers{0, 0, 1});
  CHECK((!(a > 9)).dtype() == kBool);
  CHECK(values((a > 8) & (b < 7)) == Numbers{0, 1, 0});
  CHECK_ERROR(~tensor({1.5}), TypeError, "bitwise_not is only implemented on integer and boolean types, got float32");
}

TEST_CASE("assigning signs write in place, also to what a call returned", "[ops][operators]") {
  Tensor x = tensor({{12, 10}, {7, 5}});
  void* memory = x.data_ptr();
  x &= 14;
  x |= tensor({0, 1});
  x ^= 2;
  CHECK(values(x) == Numbers{14, 9, 4, 7});
  x %= 5;
  CHECK(values(x) == Numbers{4, 4, 4, 2});
  x[0] %= 3;
  x.select(1, 1) |= tensor({8, 16});
  CHECK(values(x) == Numbers{1, 9, 4, 18});
  CHECK(x.data_ptr() == memory);
}

TEST_CASE("operators with a number for an operand are there as PyTorch has them", "[ops][operators]") {
  Tensor x = tensor({7., -7.});
  CHECK(values(ops::floor_divide(x, 2)) == Numbers{3, -4});
  CHECK(ops::floor_divide(tensor({7, -7}), 2).dtype() == kLong);
  CHECK(values(ops::floor_divide(tensor({7, -7}), 2)) == Numbers{3, -4});
  CHECK(values(ops::multiply(x, 2)) == Numbers{14, -14});
  CHECK(values(ops::subtract(x, 1, 3)) == Numbers{4, -10});
  CHECK(values(ops::divide(x, 2, "rounding_mode"_a = "trunc")) == Numbers{3, -3});
  CHECK(values(ops::true_divide(x, 2)) == Numbers{3.5, -3.5});
  CHECK(values(ops::greater(x, 0)) == Numbers{1, 0});
  CHECK(values(ops::less_equal(x, x)) == Numbers{1, 1});
  CHECK(values(ops::bitwise_left_shift(1, tensor({2, 3}))) == Numbers{4, 8});
  Tensor out = ops::empty({2}, kLong);
  ops::bitwise_xor(3, tensor({1, 2}), "out"_a = out);
  CHECK(values(out) == Numbers{2, 1});
  x.requires_grad_();
  ops::remainder(20, x).sum().backward();
  CHECK(values(x.grad()) == Numbers{-2, 3});
}

TEST_CASE("arithmetic takes a number in the place of either tensor", "[ops][operators]") {
  Tensor x = tensor({4, 5}), y = tensor({4., 5.}), out = tensor({0., 0.});
  CHECK(values(ops::add(2, x, "alpha"_a = 3)) == Numbers{14, 17});
  CHECK(values(ops::sub(2, x)) == Numbers{-2, -3});
  CHECK(ops::sub(2, x).dtype() == kLong);
  CHECK(values(ops::subtract(2, x, "alpha"_a = 2)) == Numbers{-6, -8});
  CHECK(values(ops::mul(3, y)) == Numbers{12, 15});
  CHECK(values(ops::div(20, x)) == Numbers{5, 4});
  CHECK(values(ops::div(9, x, "rounding_mode"_a = "floor")) == Numbers{2, 1});
  CHECK(values(ops::floor_divide(9, x)) == Numbers{2, 1});
  CHECK(values(ops::sub(2, 3)) == Numbers{-1});
  // A number is no tensor in type promotion.
  CHECK(ops::sub(2.5, tensor({1.f})).dtype() == kFloat);
  CHECK(ops::multiply(2.5, x).dtype() == kFloat);

  for (const Tensor& r :
       {ops::true_divide(y, 2, "out"_a = out), ops::divide(y, 2, "out"_a = out), ops::multiply(y, 0.5, "out"_a = out)})
    CHECK(r.data_ptr() == out.data_ptr());
  CHECK(values(out) == Numbers{2, 2.5});
  ops::true_divide(y, 2, "out"_a = out);
  CHECK(values(out) == Numbers{2, 2.5});
  ops::divide(20, y, "out"_a = out);
  CHECK(values(out) == Numbers{5, 4});
  ops::divide(y, 2, "rounding_mode"_a = "trunc", "out"_a = out);
  CHECK(values(out) == Numbers{2, 2});
  ops::subtract(y, 1, "out"_a = out);
  CHECK(values(out) == Numbers{3, 4});
  ops::subtract(2, y, "alpha"_a = 3, "out"_a = out);
  CHECK(values(out) == Numbers{-10, -13});
  ops::add(2, y, "out"_a = out);
  CHECK(values(out) == Numbers{6, 7});
}

TEST_CASE("shifts have signs", "[ops][operators]") {
  Tensor x = tensor({1, 6});
  CHECK(values(x << 2) == Numbers{4, 24});
  CHECK(values(1 << x) == Numbers{2, 64});
  CHECK(values(x >> tensor({0, 1})) == Numbers{1, 3});
  CHECK(values(256 >> x) == Numbers{128, 4});
  x <<= 3;
  x >>= tensor({1, 2});
  CHECK(values(x) == Numbers{4, 12});
}
