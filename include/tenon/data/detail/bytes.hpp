// Numbers in bytes, and checksums of bytes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/base/error.hpp>

namespace tenon::data::detail {

/// Turns the bytes of each item around.
inline void swap_bytes(char* data, std::size_t bytes, std::size_t item) {
  for (std::size_t at = 0; at + item <= bytes; at += item)
    for (std::size_t i = 0; i < item / 2; ++i) {
      char c = data[at + i];
      data[at + i] = data[at + item - 1 - i];
      data[at + item - 1 - i] = c;
    }
}

/// Numbers from the front of bytes, each of which is checked to be there.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view file, std::size_t at = 0) : bytes_(bytes), file_(file), at_(at) {}
  std::string_view take(std::uint64_t n, const char* what) {
    TENON_CHECK(at_ <= bytes_.size() && n <= bytes_.size() - at_, FileError, file_, ": expected ", n, " bytes of ",
                what, " at byte ", at_, ", got ", bytes_.size() - (at_ < bytes_.size() ? at_ : bytes_.size()));
    std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(n));
    at_ += part.size();
    return part;
  }
  std::uint64_t at() const { return at_; }

 private:
  std::string_view bytes_, file_;
  std::size_t at_;
};

/// The table of a cyclic redundancy check with reflected bits.
constexpr std::array<std::uint32_t, 256> crc_table(std::uint32_t polynomial) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? c >> 1 ^ polynomial : c >> 1;
    table[i] = c;
  }
  return table;
}
template <std::uint32_t Polynomial>
std::uint32_t crc(std::string_view bytes) {
  static constexpr auto table = crc_table(Polynomial);
  std::uint32_t c = 0xffffffffu;
  for (char b : bytes) c = table[(c ^ static_cast<unsigned char>(b)) & 0xff] ^ c >> 8;
  return ~c;
}
/// That of zip and PNG (ISO 3309).
inline std::uint32_t crc32(std::string_view bytes) { return crc<0xedb88320u>(bytes); }

/// The bytes that a shape takes, checked against those that may be there. Throws FileError.
template <class Sizes>
std::uint64_t checked_bytes(std::string_view file, const Sizes& sizes, std::uint64_t item, std::uint64_t most) {
  std::uint64_t bytes = item;
  bool empty = false;
  for (auto size : sizes) {
    empty = empty || size == 0;
    bool too_many = size != 0 && __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes);
    TENON_CHECK(!too_many && bytes <= UINT64_MAX / 4, FileError, file, ": a shape of ", sizes,
                " has more bytes than a file can");
  }
  if (empty) return 0;
  TENON_CHECK(bytes <= most, FileError, file, ": expected ", bytes, " bytes for shape ", sizes, ", got at most ", most);
  return bytes;
}

}  // namespace tenon::data::detail
