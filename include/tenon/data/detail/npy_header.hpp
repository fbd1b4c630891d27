// The header of an npy file: a dictionary in Python's notation, of which three keys are known.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/base/byte_order.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/data/detail/bytes.hpp>

namespace tenon::data::detail {

struct NpyType {
  const char* name;  // as written, low byte first
  ScalarType dtype;
};
inline constexpr NpyType npy_types[] = {
    {"|b1", kBool},  {"|u1", kByte},   {"|i1", kChar},         {"<i2", kShort},         {"<u2", kUInt16},
    {"<i4", kInt},   {"<u4", kUInt32}, {"<i8", kLong},         {"<u8", kUInt64},        {"<f2", kHalf},
    {"<f4", kFloat}, {"<f8", kDouble}, {"<c8", kComplexFloat}, {"<c16", kComplexDouble}};
inline const char* npy_type(ScalarType dtype) {
  for (const NpyType& t : npy_types)
    if (t.dtype == dtype) return t.name;
  return nullptr;
}

struct NpyHeader {
  ScalarType dtype = ScalarType::Undefined;
  bool big_endian = false, fortran_order = false;
  std::vector<std::int64_t> sizes;
  std::size_t data_offset = 0;  // bytes
};

/// Throws FileError, and NotImplementedError for an element type that is not among those above.
class NpyHeaderReader {
 public:
  NpyHeaderReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  NpyHeader read() {
    ByteReader front(bytes_, file_);
    TENON_CHECK(bytes_.size() >= 6 && front.take(6, "magic number") == "\x93NUMPY", FileError, file_,
                ": expected an npy file");
    std::string_view versions = front.take(2, "version");
    int version = static_cast<unsigned char>(versions[0]), minor = static_cast<unsigned char>(versions[1]);
    TENON_CHECK(version >= 1 && version <= 3 && minor == 0, FileError, file_,
                ": expected version 1.0, 2.0 or 3.0, got ", version, ".", minor);
    std::uint64_t size = version == 1 ? read_little_endian<2>(front.take(2, "header size").data())
                                      : read_little_endian<4>(front.take(4, "header size").data());
    text_ = front.take(size, "header");
    header_.data_offset = static_cast<std::size_t>(front.at());
    dictionary();
    return header_;
  }

 private:
  void dictionary() {
    expect('{');
    unsigned found = 0;
    while (!accept('}')) {
      std::string_view key = string();
      expect(':');
      unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
      if (bit == 0 || (found & bit) != 0) bad("descr, fortran_order and shape, once each");
      found |= bit;
      if (bit == 1) type();
      if (bit == 2) header_.fortran_order = boolean();
      if (bit == 4) shape();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (found != 7) bad("descr, fortran_order and shape");
    skip_blanks();
    if (at_ != text_.size()) bad("nothing after the dictionary");
  }
  void type() {
    skip_blanks();
    TENON_CHECK(at_ >= text_.size() || text_[at_] != '[', NotImplementedError, file_,
                ": arrays of records have no dtype");
    std::string name(string());
    header_.big_endian = !name.empty() && name[0] == '>';
    bool one_byte = name.size() == 3 && name[2] == '1';
    if (!name.empty() && (name[0] == '>' || name[0] == '=' || name[0] == '<' || name[0] == '|'))
      name[0] = one_byte ? '|' : '<';
    for (const NpyType& t : npy_types)
      if (name == t.name) header_.dtype = t.dtype;
    TENON_CHECK(header_.dtype != ScalarType::Undefined, NotImplementedError, file_,
                ": expected numbers, got elements of type '", name, "'");
  }
  bool boolean() {
    skip_blanks();
    for (std::string_view word : {"True", "False"})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    bad("True or False");
  }
  void shape() {
    expect('(');
    while (!accept(')')) {
      header_.sizes.push_back(number());
      TENON_CHECK(header_.sizes.size() <= 64, FileError, file_, ": expected at most 64 dimensions");
      if (!accept(',')) {
        // Without its comma one size is a number in brackets.
        if (header_.sizes.size() == 1) expect(',');
        expect(')');
        break;
      }
    }
  }
  std::int64_t number() {
    skip_blanks();
    std::int64_t value = 0;
    std::size_t first = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value))
        bad("a size below 2^63");
    // Python knows no number such as 03.
    if (at_ == first || (at_ > first + 1 && text_[first] == '0' && value != 0)) bad("a size");
    return value;
  }
  std::string_view string() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) bad("a text in quotes");
    std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) bad("a text that ends");
    std::string_view found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return found;
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) bad(std::string("'") + c + "'");
  }
  [[noreturn, gnu::cold, gnu::noinline]] void bad(std::string_view expected) {
    fail<FileError>(file_, ": header byte ", at_, ": expected ", expected);
  }

  std::string_view bytes_;
  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  NpyHeader header_;
};

}  // namespace tenon::data::detail
