// Numbers as bytes of a file, in an order that does not depend on the machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace tenon {

/// The number that the `Count` bytes from `p` on are, the lowest byte first.
template <std::size_t Count>
constexpr std::uint64_t read_little_endian(const char* p) {
  static_assert(Count <= 8, "tenon: a number of more than 8 bytes does not fit 64 bits");
  std::uint64_t value = 0;
  for (std::size_t i = Count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(p[i]);
  return value;
}
/// The same, the highest byte first.
template <std::size_t Count>
constexpr std::uint64_t read_big_endian(const char* p) {
  static_assert(Count <= 8, "tenon: a number of more than 8 bytes does not fit 64 bits");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < Count; ++i) value = value << 8 | static_cast<unsigned char>(p[i]);
  return value;
}

/// Writes the `Count` low bytes of a number to `to`, the lowest first; higher ones are left out.
template <std::size_t Count>
constexpr void write_little_endian(char* to, std::uint64_t value) {
  static_assert(Count <= 8, "tenon: a number of 64 bits has 8 bytes");
  for (std::size_t i = 0; i < Count; ++i) to[i] = static_cast<char>(value >> (8 * i) & 0xff);
}
/// The same, the highest first.
template <std::size_t Count>
constexpr void write_big_endian(char* to, std::uint64_t value) {
  static_assert(Count <= 8, "tenon: a number of 64 bits has 8 bytes");
  for (std::size_t i = 0; i < Count; ++i) to[Count - 1 - i] = static_cast<char>(value >> (8 * i) & 0xff);
}

/// Appends the `Count` low bytes of a number to `out`, the lowest first.
template <std::size_t Count>
void append_little_endian(std::string& out, std::uint64_t value) {
  char bytes[Count];
  write_little_endian<Count>(bytes, value);
  out.append(bytes, Count);
}
/// The same, the highest first.
template <std::size_t Count>
void append_big_endian(std::string& out, std::uint64_t value) {
  char bytes[Count];
  write_big_endian<Count>(bytes, value);
  out.append(bytes, Count);
}

}  // namespace tenon
