// A small part of protobuf's wire format.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <tenon/base/byte_order.hpp>

namespace tenon::training::detail {

/// Fields of a protobuf message, by number. Source: protobuf.dev, "Encoding".
class Message {
 public:
  Message& varint(unsigned field, std::uint64_t value) {
    key(field, 0);
    put(value);
    return *this;
  }
  Message& number(unsigned field, double value) {
    key(field, 1);
    append_little_endian<8>(bytes_, std::bit_cast<std::uint64_t>(value));
    return *this;
  }
  Message& number(unsigned field, float value) {
    key(field, 5);
    append_little_endian<4>(bytes_, std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  Message& text(unsigned field, const std::string& bytes) {
    key(field, 2);
    put(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  Message& numbers(unsigned field, const std::vector<double>& values) {
    std::string packed;
    for (double v : values) append_little_endian<8>(packed, std::bit_cast<std::uint64_t>(v));
    return text(field, packed);
  }
  Message& floats(unsigned field, const std::vector<double>& values) {
    std::string packed;
    for (double v : values) append_little_endian<4>(packed, std::bit_cast<std::uint32_t>(static_cast<float>(v)));
    return text(field, packed);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void key(unsigned field, unsigned wire) { put(field << 3 | wire); }
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

/// What a summary says of the part of TensorBoard that shows it.
inline std::string plugin(const char* name, const std::string& content) {
  Message data;
  data.text(1, name);
  if (!content.empty()) data.text(2, content);
  return Message().text(1, data.bytes()).bytes();
}

}  // namespace tenon::training::detail
