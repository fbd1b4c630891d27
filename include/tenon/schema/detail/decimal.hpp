// The double nearest to a decimal number, at compile time and at run time alike.
#pragma once
#include <bit>
#include <cstdint>
#include <string_view>

#include <tenon/schema/detail/text.hpp>

namespace tenon::schema::detail {

constexpr bool is_finite(double x) { return x - x == 0; }

/// A natural number of at most 128 words of 32 bits, least significant first.
struct BigNatural {
  std::uint32_t words[128]{};
  int used = 0;
  constexpr void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (int i = 0; i < used; ++i) {
      carry += std::uint64_t{words[i]} * factor;
      words[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words[used++] = static_cast<std::uint32_t>(carry);
  }
  constexpr void shift_left(int bits) {
    int whole = bits / 32, part = bits % 32;
    if (used == 0) return;
    for (int i = used + whole; i >= 0; --i) {
      std::uint64_t high = i - whole >= 0 && i - whole < used ? words[i - whole] : 0;
      std::uint64_t low = i - whole - 1 >= 0 && i - whole - 1 < used ? words[i - whole - 1] : 0;
      words[i] = static_cast<std::uint32_t>((high << 32 | low) << part >> 32);
    }
    used += whole + 1;
    while (used > 0 && words[used - 1] == 0) --used;
  }
  constexpr int bits() const { return used == 0 ? 0 : 32 * used - std::countl_zero(words[used - 1]); }
  constexpr int compare(const BigNatural& other) const {
    if (used != other.used) return used < other.used ? -1 : 1;
    for (int i = used - 1; i >= 0; --i)
      if (words[i] != other.words[i]) return words[i] < other.words[i] ? -1 : 1;
    return 0;
  }
  constexpr void subtract(const BigNatural& other) {
    std::int64_t borrow = 0;
    for (int i = 0; i < used; ++i) {
      std::int64_t d = std::int64_t{words[i]} - (i < other.used ? other.words[i] : 0) + borrow;
      words[i] = static_cast<std::uint32_t>(d);
      borrow = d < 0 ? -1 : 0;
    }
    while (used > 0 && words[used - 1] == 0) --used;
  }
};

/// numerator / denominator rounded to nearest, ties to even; both positive. Long division, bit by bit.
constexpr double divide(BigNatural numerator, BigNatural denominator) {
  int exponent = numerator.bits() - denominator.bits();  // the quotient lies in (2^(exponent-1), 2^(exponent+1))
  if (exponent > 0)
    denominator.shift_left(exponent);
  else
    numerator.shift_left(-exponent);
  if (numerator.compare(denominator) < 0) {
    --exponent;
    numerator.shift_left(1);
  }
  if (exponent > 1023) return std::bit_cast<double>(std::uint64_t{0x7ff} << 52);
  int digits = exponent >= -1022 ? 53 : 53 + exponent + 1022;  // subnormal results keep fewer bits
  if (digits < 0) return 0;
  std::uint64_t q = 0;
  for (int i = 0; i < digits; ++i) {
    q <<= 1;
    if (numerator.compare(denominator) >= 0) {
      numerator.subtract(denominator);
      q |= 1;
    }
    numerator.shift_left(1);
  }
  int rest = numerator.compare(denominator);
  if (rest > 0 || (rest == 0 && (q & 1) != 0)) ++q;
  // A carry out of the mantissa lands in the exponent field, which is where it belongs.
  std::uint64_t field = exponent >= -1022 ? static_cast<std::uint64_t>(exponent + 1022) << 52 : 0;
  return std::bit_cast<double>(field + q);
}

/// Reads `[-]digits[.digits][e[+-]digits]`, rounded to nearest; infinity when it is too large.
constexpr double read_double(std::string_view text) {
  constexpr int max_digits = 800;  // no tie between two doubles needs more than 767 (Clinger 1990)
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  std::size_t i = 0;
  bool negative = i < text.size() && text[i] == '-';
  if (negative) ++i;
  std::size_t first = i, last = i;
  std::uint64_t low = 0;
  int digits = 0, scale = 0;
  bool after_point = false, dropped = false;
  for (; i < text.size() && (is_digit(text[i]) || text[i] == '.'); ++i) {
    if (text[i] == '.') {
      after_point = true;
      continue;
    }
    if (digits < 19) low = low * 10 + static_cast<std::uint64_t>(text[i] - '0');
    if (digits > 0 || text[i] != '0') ++digits;
    if (digits <= max_digits)
      last = i + 1;
    else
      dropped = dropped || text[i] != '0';
    if (after_point != (digits > max_digits)) scale += after_point ? -1 : 1;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    bool minus = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    int exponent = 0;
    for (; i < text.size() && is_digit(text[i]); ++i)
      if (exponent < 100000) exponent = exponent * 10 + (text[i] - '0');
    scale += minus ? -exponent : exponent;
  }
  double value = 0;
  if (digits == 0) {
    value = 0;
  } else if (digits <= 15 && scale >= -22 && scale <= 22) {
    value = static_cast<double>(low);  // both factors are exact, so one rounding remains (Clinger 1990)
    value = scale < 0 ? value / powers[-scale] : value * powers[scale];
  } else if (digits + scale > 310) {
    value = std::bit_cast<double>(std::uint64_t{0x7ff} << 52);
  } else if (digits + scale >= -330) {
    BigNatural numerator, denominator;
    for (std::size_t k = first; k < last; ++k)
      if (text[k] != '.') numerator.multiply_add(10, static_cast<std::uint32_t>(text[k] - '0'));
    if (dropped) {
      numerator.multiply_add(10, 1);
      --scale;
    }
    denominator.multiply_add(1, 1);
    for (int k = 0; k < scale; ++k) numerator.multiply_add(10, 0);
    for (int k = 0; k > scale; --k) denominator.multiply_add(10, 0);
    value = divide(numerator, denominator);
  }
  return negative ? -value : value;
}

}  // namespace tenon::schema::detail
