#include <cmath>
#include <limits>
#include <type_traits>

#include <tenon/base/promote_types.hpp>
#include <tenon/base/scalar.hpp>

#include <catch.hpp>

using namespace tenon;

static_assert(sizeof(Float8_e4m3fn) == 1 && sizeof(Float8_e5m2) == 1, "element types of tensors, a byte in memory");
static_assert(std::is_trivially_copyable_v<Float8_e4m3fn> && std::is_trivially_copyable_v<Float8_e5m2>,
              "moved as bytes");
static_assert(Float8_e4m3fn(1.5f) == 1.5f && Float8_e5m2(-2.0f) == -2.0f, "usable in constant expressions");
static_assert(scalar_type_v<Float8_e4m3fn> == kFloat8_e4m3fn && static_cast<int>(kFloat8_e4m3fn) == 24 &&
                  static_cast<int>(kFloat8_e5m2) == 23,
              "PyTorch's codes");

namespace {
/// The value of the bits by the definition of the formats (Micikevicius et al., table 1): no bit tricks.
template <class T>
double by_definition(unsigned bits) {
  constexpr bool e4m3 = std::is_same_v<T, Float8_e4m3fn>;
  constexpr int mantissa = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, one = 1 << mantissa;
  double sign = bits & 0x80 ? -1 : 1;
  int exponent = static_cast<int>(bits >> mantissa & (e4m3 ? 15 : 31)), fraction = static_cast<int>(bits) & (one - 1);
  if (e4m3 && (bits & 0x7f) == 0x7f) return std::nan("");
  if (!e4m3 && exponent == 31) return fraction ? std::nan("") : sign * INFINITY;
  return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias - mantissa)
                       : sign * std::ldexp(one + fraction, exponent - bias - mantissa);
}
template <class T>
T from_bits(unsigned bits) {
  return T::from_bits(static_cast<std::uint8_t>(bits));
}
}  // namespace

TEMPLATE_TEST_CASE("every 8-bit float has the value of its definition and survives a round trip", "[base][float8]",
                   Float8_e4m3fn, Float8_e5m2) {
  int wrong = 0;
  for (unsigned bits = 0; bits < 256; ++bits) {
    float value = from_bits<TestType>(bits);
    double expected = by_definition<TestType>(bits);
    if (std::isnan(expected))
      wrong += !std::isnan(value) || std::signbit(value) != (bits >= 0x80) || !std::isnan(float(TestType(value)));
    else
      wrong +=
          double(value) != expected || std::signbit(value) != std::signbit(expected) || TestType(value).bits != bits;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("rounding to an 8-bit float takes the nearest value, ties to even", "[base][float8]", Float8_e4m3fn,
                   Float8_e5m2) {
  int wrong = 0;
  const unsigned largest = TestType(TestType::largest).bits;
  CHECK(from_bits<TestType>(largest) == TestType::largest);
  for (unsigned bits = 0; bits < largest; ++bits) {  // every pair of finite neighbours
    float low = from_bits<TestType>(bits), high = from_bits<TestType>(bits + 1), middle = (low + high) / 2;
    unsigned even = bits & 1 ? bits + 1 : bits;
    wrong += TestType(middle).bits != even;
    wrong += TestType(std::nextafter(middle, low)).bits != bits;
    wrong += TestType(std::nextafter(middle, high)).bits != bits + 1;
    wrong += TestType(-middle).bits != (even | 0x80u);
  }
  CHECK(wrong == 0);
  CHECK(TestType(-0.0f).bits == 0x80);
  CHECK(TestType(std::numeric_limits<float>::denorm_min()).bits == 0);
  CHECK(TestType(-std::numeric_limits<float>::min()).bits == 0x80);
}

// As PyTorch 2.15 converts; compared with it once over every 61st of all floats and the neighbours of every tie.
TEST_CASE("what exceeds an 8-bit float becomes its largest number or an infinity", "[base][float8]") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (float x : {448.0f, 464.0f, 465.0f, 480.0f, 500.0f, 1e30f, inf}) {
    CHECK(Float8_e4m3fn(x).bits == 0x7e);
    CHECK(Float8_e4m3fn(-x).bits == 0xfe);
  }
  for (float x : {57344.0f, 61439.0f}) CHECK(Float8_e5m2(x).bits == 0x7b);
  for (float x : {61440.0f, 65504.0f, 1e30f, inf}) {
    CHECK(Float8_e5m2(x).bits == 0x7c);
    CHECK(Float8_e5m2(-x).bits == 0xfc);
  }
  CHECK(Float8_e4m3fn(nan).bits == 0x7f);
  CHECK(Float8_e4m3fn(std::copysign(nan, -1.0f)).bits == 0xff);
  CHECK(Float8_e5m2(nan).bits == 0x7f);
}

TEST_CASE("numbers become 8-bit floats and back", "[base][float8]") {
  CHECK(Scalar(300).to<Float8_e4m3fn>() == 288.0f);
  CHECK(Scalar(300).to<Float8_e5m2>() == 320.0f);
  CHECK(Scalar(1e6).to<Float8_e4m3fn>() == 448.0f);
  CHECK(Scalar(Float8_e4m3fn(-1.75f)).to_double() == -1.75);
}

TEST_CASE("8-bit floats are floating dtypes that do not promote", "[base][float8]") {
  for (auto type : {kFloat8_e4m3fn, kFloat8_e5m2}) {
    CHECK(is_floating_type(type));
    CHECK(is_differentiable_type(type));
    CHECK(is_signed_type(type));
    CHECK_FALSE(has_arithmetic(type));
    CHECK_FALSE(is_reduced_floating_type(type));
    CHECK(promote_types(type, type) == type);
    for (auto other : {kBool, kInt, kHalf, kFloat, kComplexFloat}) {
      CHECK_ERROR(promote_types(type, other), TypeError,
                  concat("Promotion for Float8 Types is not supported, attempted to promote ", enumerator_name(type),
                         " and ", enumerator_name(other)));
      CHECK_ERROR(promote_types(other, type), TypeError,
                  concat("Promotion for Float8 Types is not supported, attempted to promote ", enumerator_name(other),
                         " and ", enumerator_name(type)));
    }
    CHECK_ERROR(to_complex_type(type), TypeError, concat("Unknown Complex ScalarType for ", enumerator_name(type)));
    CHECK(can_cast(kFloat, type));
    CHECK_FALSE(can_cast(kComplexFloat, type));
    CHECK_FALSE(can_cast(type, kInt));
  }
  CHECK_THROWS_AS(promote_types(kFloat8_e4m3fn, kFloat8_e5m2), TypeError);
  CHECK(scalar_type_from_name("float8_e4m3fn") == kFloat8_e4m3fn);
}
