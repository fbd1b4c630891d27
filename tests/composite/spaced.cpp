// Evenly spaced numbers and powers.
#include "../ops/support.hpp"

using namespace test;

TEST_CASE("numbers are spaced from both ends", "[composite][spaced]") {
  CHECK(values(ops::linspace(0, 1, 5)) == Numbers{0, 0.25, 0.5, 0.75, 1});
  CHECK(values(ops::linspace(3, -3, 3)) == Numbers{3, 0, -3});
  CHECK(values(ops::linspace(2, 9, 1)) == Numbers{2});
  CHECK(ops::linspace(0, 1, 0).numel() == 0);
  // Integers are cut, from their own ends.
  CHECK(values(ops::linspace(0, 10, 5, "dtype"_a = kLong)) == Numbers{0, 2, 5, 7, 10});
  CHECK(values(ops::linspace(2.7, 5.3, 3, "dtype"_a = kInt)) == Numbers{2, 3, 5});
  Tensor ends = tensor({0.0, 4.0});
  CHECK(values(ops::linspace(ends[0], ends[1], 3)) == Numbers{0, 2, 4});
  CHECK(values(ops::linspace(ends[0], 1, 2)) == Numbers{0, 1});
  Tensor out = ops::empty({2, 2}, "dtype"_a = kDouble).t();
  ops::linspace(0, 3, 4, "out"_a = out);
  CHECK(values(out) == Numbers{0, 1, 2, 3});
  CHECK(ops::linspace(0, Scalar(Complex<double>(0, 1)), 3).dtype() == kComplexFloat);
  CHECK_ERROR(ops::linspace(0, 1, -1), ValueError, "number of steps must be non-negative");
  CHECK_ERROR(ops::linspace(0, 300, 3, "dtype"_a = kByte), ValueError,
              "value cannot be converted to type uint8 without overflow");
  CHECK_ERROR_CONTAINS(ops::linspace(ends, 1, 3), ValueError,
                       "linspace only supports 0-dimensional start and end tensors, but got start with 1 dimension(s)");
  CHECK_ERROR_CONTAINS(ops::linspace(0, 1, 2, "dtype"_a = kBool), NotImplementedError, "Bool");
  CHECK(values(ops::linspace(0, 1, 1, "dtype"_a = kBool)) == Numbers{0});
  CHECK(values(ops::linspace(2, 1, 1, "dtype"_a = kBool)) == Numbers{1});
  Tensor truth = ops::empty({0}, kBool);
  CHECK(ops::linspace(0, 1, 0, "out"_a = truth).numel() == 0);
  CHECK(values(ops::logspace(0, 1, 1, "out"_a = truth)) == Numbers{1});
  CHECK_ERROR_CONTAINS(ops::logspace(0, 1, 2, "dtype"_a = kBool), NotImplementedError, "Bool");
}

TEST_CASE("powers are spaced by their exponents", "[composite][spaced]") {
  CHECK(values(ops::logspace(0, 3, 4)) == Numbers{1, 10, 100, 1000});
  CHECK(values(ops::logspace(0, 3, 4, 2.0, "dtype"_a = kDouble)) == Numbers{1, 2, 4, 8});
  CHECK(values(ops::logspace(0, 3, 4, -2.0)) == Numbers{1, -2, 4, -8});
  CHECK(values(ops::logspace(2.7, 5.3, 3, "dtype"_a = kInt)) == Numbers{100, 3162, 100000});
  CHECK(values(ops::logspace(3, 9, 1, 2.0)) == Numbers{8});
  CHECK(values(ops::logspace(0, 20, 4, "dtype"_a = kByte)) == Numbers{1, 52, 0, 0});
}
