// The two 8-bit floating types, stored as bits: they convert to float and from it, and have no arithmetic.
// Source: Micikevicius et al., "FP8 Formats for Deep Learning", 2022; what exceeds them becomes what PyTorch makes of
// it.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>

namespace tenon {

namespace detail {

/// Of a type with `Mantissa` bits behind a sign and an exponent of that bias: rounded to nearest even, NaN as 0x7f with
/// its sign, and `overflow` for what rounds beyond `largest`.
template <int Mantissa, int Bias>
constexpr std::uint8_t float8_bits(float value, std::uint8_t largest, std::uint8_t overflow) {
  constexpr int cut = 23 - Mantissa;
  std::uint32_t f = std::bit_cast<std::uint32_t>(value), sign = f >> 24 & 0x80u, bits;
  f &= 0x7fffffffu;
  if (f > 0x7f800000u) return static_cast<std::uint8_t>(sign | 0x7fu);
  if (f < static_cast<std::uint32_t>(128 - Bias) << 23) {  // subnormal: the sum's lowest bits are the mantissa
    constexpr auto magic = static_cast<std::uint32_t>(128 - Bias + cut) << 23;
    bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(f) + std::bit_cast<float>(magic)) - magic;
  } else {
    f += (1u << (cut - 1)) - 1u + (f >> cut & 1u);
    bits = (f - (static_cast<std::uint32_t>(127 - Bias) << 23)) >> cut;
  }
  return static_cast<std::uint8_t>(sign | (bits > largest ? overflow : bits));
}

/// The value of bits that are neither infinity nor NaN.
template <int Mantissa, int Bias>
constexpr float float8_value(std::uint8_t bits) {
  std::uint32_t rest = bits & 0x7fu, sign = std::uint32_t{bits} << 24 & 0x80000000u;
  float unit = std::bit_cast<float>(static_cast<std::uint32_t>(128 - Bias - Mantissa) << 23), magnitude;
  if (rest >> Mantissa == 0)
    magnitude = static_cast<float>(rest) * unit;
  else
    magnitude = std::bit_cast<float>((rest << (23 - Mantissa)) + (static_cast<std::uint32_t>(127 - Bias) << 23));
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

}  // namespace detail

/// 4 bits of exponent, 3 of mantissa, no infinity: larger numbers become 448; 1 byte.
struct Float8_e4m3fn {
  static constexpr float largest = 448;
  std::uint8_t bits = 0;
  constexpr Float8_e4m3fn() = default;
  template <std::same_as<double> D>
  constexpr Float8_e4m3fn(D value) : Float8_e4m3fn(static_cast<float>(value)) {}
  constexpr Float8_e4m3fn(float value) : bits(detail::float8_bits<3, 7>(value, 0x7e, 0x7e)) {}
  constexpr operator float() const {
    if ((bits & 0x7f) == 0x7f) return std::bit_cast<float>((bits & 0x80u) << 24 | 0x7ff00000u);
    return detail::float8_value<3, 7>(bits);
  }
  static constexpr Float8_e4m3fn from_bits(std::uint8_t bits) {
    Float8_e4m3fn f;
    f.bits = bits;
    return f;
  }
};

/// 5 bits of exponent, 2 of mantissa: the upper byte of an IEEE 754 binary16; 1 byte.
struct Float8_e5m2 {
  static constexpr float largest = 57344;
  std::uint8_t bits = 0;
  constexpr Float8_e5m2() = default;
  template <std::same_as<double> D>
  constexpr Float8_e5m2(D value) : Float8_e5m2(static_cast<float>(value)) {}
  constexpr Float8_e5m2(float value) : bits(detail::float8_bits<2, 15>(value, 0x7b, 0x7c)) {}
  constexpr operator float() const {
    std::uint32_t sign = std::uint32_t{bits} << 24 & 0x80000000u;
    if ((bits & 0x7f) == 0x7c) return std::bit_cast<float>(sign | 0x7f800000u);
    if ((bits & 0x7f) > 0x7c) return std::bit_cast<float>(sign | 0x7fc00000u | (bits & 3u) << 21);
    return detail::float8_value<2, 15>(bits);
  }
  static constexpr Float8_e5m2 from_bits(std::uint8_t bits) {
    Float8_e5m2 f;
    f.bits = bits;
    return f;
  }
};

}  // namespace tenon
