#include <cmath>
#include <cstring>
#include <limits>

#include <tenon/base/half.hpp>

#include <catch.hpp>

using namespace tenon;

static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2, "element types of tensors, two bytes in memory");
static_assert(std::is_trivially_copyable_v<Half> && std::is_trivially_copyable_v<BFloat16>, "moved as bytes");
static_assert(Half(1.5f) == 1.5f && BFloat16(-2.0f) == -2.0f, "usable in constant expressions");

namespace {
/// The value of the binary16 with these bits, by the definition of IEEE 754 (3.4): no bit tricks.
double half_by_definition(unsigned bits) {
  double sign = bits & 0x8000 ? -1 : 1;
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return fraction ? std::nan("") : sign * INFINITY;
  return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024 + fraction, exponent - 25);
}
}  // namespace

TEST_CASE("every binary16 has the value of its definition and survives a round trip", "[base][half]") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    float value = Half::from_bits(static_cast<std::uint16_t>(bits));
    double expected = half_by_definition(bits);
    if (std::isnan(expected)) {
      wrong += !std::isnan(value) || !std::isnan(float(Half(value)));
    } else {
      wrong += double(value) != expected || std::signbit(value) != std::signbit(expected) || Half(value).bits != bits;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rounding to binary16 takes the nearest value, ties to even", "[base][half]") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {  // every pair of finite neighbours
    float low = Half::from_bits(static_cast<std::uint16_t>(bits)),
          high = Half::from_bits(static_cast<std::uint16_t>(bits + 1));
    float middle = (low + high) / 2;
    unsigned even = bits & 1 ? bits + 1 : bits;
    wrong += Half(middle).bits != even;
    wrong += Half(std::nextafter(middle, low)).bits != bits;
    wrong += Half(std::nextafter(middle, high)).bits != bits + 1;
    wrong += Half(-middle).bits != (even | 0x8000u);
  }
  CHECK(wrong == 0);
}

TEST_CASE("binary16 overflows to infinity from 65520 on", "[base][half]") {
  CHECK(Half(65504.0f).bits == 0x7bff);
  CHECK(Half(std::nextafter(65520.0f, 0.0f)).bits == 0x7bff);
  CHECK(Half(65520.0f).bits == 0x7c00);
  CHECK(Half(-1e30f).bits == 0xfc00);
  CHECK(Half(INFINITY).bits == 0x7c00);
  CHECK(Half(std::ldexp(1.0f, -25)).bits == 0);
  CHECK(Half(std::nextafter(std::ldexp(1.0f, -25), 1.0f)).bits == 1);
  CHECK(Half(-0.0f).bits == 0x8000);
}

TEST_CASE("every bfloat16 survives a round trip", "[base][half]") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    float value = BFloat16::from_bits(static_cast<std::uint16_t>(bits));
    if (std::isnan(value))
      wrong += !std::isnan(float(BFloat16(value)));
    else
      wrong += BFloat16(value).bits != bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE("rounding to bfloat16 takes the nearest value, ties to even", "[base][half]") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x7f7f; ++bits) {
    std::uint32_t middle = bits << 16 | 0x8000u;
    unsigned even = bits & 1 ? bits + 1 : bits;
    wrong += BFloat16(std::bit_cast<float>(middle)).bits != even;
    wrong += BFloat16(std::bit_cast<float>(middle - 1)).bits != bits;
    wrong += BFloat16(std::bit_cast<float>(middle + 1)).bits != bits + 1;
  }
  CHECK(wrong == 0);
  CHECK(BFloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
}
