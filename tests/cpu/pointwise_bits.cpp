// Bits, truth and tests of numbers: values that decide between plausible definitions.
#include <cmath>
#include <limits>
#include <utility>

#include "../ops/support.hpp"

using namespace test;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
Tensor doubles(TensorData data) { return tensor(data).to(kDouble); }
}  // namespace

TEST_CASE("tests of numbers give bools for every dtype", "[cpu][pointwise_bits]") {
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

TEST_CASE("bits are combined and shifted, and anything that is not 0 is true", "[cpu][pointwise_bits]") {
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

TEST_CASE("a bool has no sign", "[cpu][pointwise_bits]") {
  REQUIRE(values(ops::signbit(tensor({true, false}))) == Numbers{0, 0});
  REQUIRE(values(ops::signbit(doubles({-1.0, 2.0}))) == Numbers{1, 0});
}
