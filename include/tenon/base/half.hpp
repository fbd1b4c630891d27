// The two 16-bit floating types: IEEE 754 binary16 and bfloat16, stored as bits and computed as float.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace tenon {

namespace detail {

/// Round to nearest even; values above 65504 become infinity, NaN stays NaN.
constexpr std::uint16_t half_bits(float value) {
  std::uint32_t f = std::bit_cast<std::uint32_t>(value);
  std::uint32_t sign = f >> 16 & 0x8000u;
  f &= 0x7fffffffu;
  if (f >= 0x7f800000u) return static_cast<std::uint16_t>(sign | (f > 0x7f800000u ? 0x7e00u : 0x7c00u));
  if (f >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (f < 0x38800000u) {  // subnormal in binary16: add 0.5 so that the mantissa lands in the low bits
    float shifted = std::bit_cast<float>(f) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  f += 0xc8000fffu + (f >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | f >> 13);
}

constexpr float half_value(std::uint16_t bits) {
  std::uint32_t sign = std::uint32_t{bits} << 16 & 0x80000000u, rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  if (rest >= 0x400u) return std::bit_cast<float>(sign | ((rest << 13) + 0x38000000u));
  float magnitude = static_cast<float>(rest) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

/// Round to nearest even; NaN stays NaN.
constexpr std::uint16_t bfloat16_bits(float value) {
  std::uint32_t f = std::bit_cast<std::uint32_t>(value);
  if ((f & 0x7fffffffu) > 0x7f800000u) return 0x7fc0u;
  return static_cast<std::uint16_t>((f + 0x7fffu + (f >> 16 & 1u)) >> 16);
}

}  // namespace detail

/// IEEE 754 binary16; 2 bytes.
struct Half {
  static constexpr float largest = 65504;
  std::uint16_t bits = 0;
  constexpr Half() = default;
  template <std::same_as<double> D>
  constexpr Half(D value) : Half(static_cast<float>(value)) {}
  constexpr Half(float value) : bits(detail::half_bits(value)) {}
  constexpr operator float() const { return detail::half_value(bits); }
  static constexpr Half from_bits(std::uint16_t bits) {
    Half h;
    h.bits = bits;
    return h;
  }
};

/// The upper half of an IEEE 754 binary32; 2 bytes.
struct BFloat16 {
  static constexpr float largest = 0x1.fep127f;
  std::uint16_t bits = 0;
  constexpr BFloat16() = default;
  template <std::same_as<double> D>
  constexpr BFloat16(D value) : BFloat16(static_cast<float>(value)) {}
  constexpr BFloat16(float value) : bits(detail::bfloat16_bits(value)) {}
  constexpr operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  static constexpr BFloat16 from_bits(std::uint16_t bits) {
    BFloat16 h;
    h.bits = bits;
    return h;
  }
};

}  // namespace tenon
