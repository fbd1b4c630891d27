// Pixels in the order of files, and stored blocks.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/base/byte_order.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/detail/write_file.hpp>
#include <tenon/data/image.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/methods.hpp>

namespace tenon::data {

namespace detail {

/// Pixels row by row, the channels of each together.
struct Pixels {
  std::size_t channels = 1, height = 0, width = 0;
  std::string bytes;
};
inline Pixels pixels_of(const char* function, const Tensor& image, std::size_t most_channels) {
  NoGradGuard no_grad;
  TENON_CHECK(image.defined() && (image.dim() == 2 || image.dim() == 3), ValueError, function,
              ": expected a picture (height, width) or (channels, height, width)");
  bool floating = image.is_floating_point();
  TENON_CHECK(floating || image.dtype() == kByte, ValueError, function, ": expected uint8 or floating pixels, got ",
              image.dtype());
  Pixels p;
  auto dims = static_cast<std::size_t>(image.dim());
  p.channels = dims == 3 ? static_cast<std::size_t>(image.size(0)) : 1;
  p.height = static_cast<std::size_t>(image.sizes()[dims - 2]);
  p.width = static_cast<std::size_t>(image.sizes()[dims - 1]);
  TENON_CHECK(p.channels == 1 || (p.channels >= 3 && p.channels <= most_channels), ValueError, function,
              ": expected 1 or ", most_channels == 3 ? "3" : "3 to 4", " channels, got ", p.channels);
  TENON_CHECK(p.height > 0 && p.width > 0 && p.height <= INT32_MAX && p.width <= INT32_MAX, ValueError, function,
              ": expected a picture with pixels, got shape ", image.sizes());
  std::size_t plane = p.height * p.width;
  p.bytes.resize(plane * p.channels);
  // A program without kernels writes what lies there already.
  const ScalarType dtype = floating ? kFloat : kByte;
  Tensor plain = image.is_cpu() && image.dtype() == dtype ? image : image.to(kCPU, dtype);
  plain = ::tenon::detail::in_memory(plain).contiguous();
  const void* from = plain.data_ptr();
  for (std::size_t c = 0; c < p.channels; ++c)
    for (std::size_t i = 0; i < plane; ++i) {
      std::size_t at = c * plane + i;
      unsigned char value;
      if (floating) {
        float x = static_cast<const float*>(from)[at];
        value = static_cast<unsigned char>(x > 0 ? std::min(std::lround(std::min(x, 1.f) * 255), 255L) : 0);  // NaN: 0
      } else {
        value = static_cast<const unsigned char*>(from)[at];
      }
      p.bytes[i * p.channels + c] = static_cast<char>(value);
    }
  return p;
}
inline void add_png_chunk(std::string& out, const char* kind, const std::string& data) {
  append_big_endian<4>(out, data.size());
  std::string checked = kind + data;
  out += checked;
  append_big_endian<4>(out, crc32(checked));
}
/// A zlib stream of stored blocks.
inline std::string stored_stream(std::string_view data) {
  std::string out = "\x78\x01";
  std::uint32_t a = 1, b = 0;
  for (char c : data) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  for (std::size_t at = 0;;) {
    std::size_t n = std::min<std::size_t>(data.size() - at, 65535);
    out += at + n == data.size() ? '\1' : '\0';
    append_little_endian<2>(out, n);
    append_little_endian<2>(out, ~n & 0xffff);
    out += data.substr(at, n);
    at += n;
    if (at == data.size()) break;
  }
  append_big_endian<4>(out, b << 16 | a);
  return out;
}

/// The whole numbers at the start of a PPM, parted by blanks and comments.
class PpmHeader {
 public:
  /// Behind the two letters that say what the file is.
  PpmHeader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) { rest(); }
  std::int64_t number(const char* what, std::int64_t most) {
    while (at_ < bytes_.size() && (is_blank(bytes_[at_]) || bytes_[at_] == '#'))
      if (bytes_[at_++] == '#')
        while (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
    std::int64_t value = 0;
    std::size_t first = at_;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9' && value <= most; ++at_)
      value = value * 10 + (bytes_[at_] - '0');
    TENON_CHECK(at_ > first && value >= 1 && value <= most, FileError, file_, ": expected a ", what, " from 1 to ",
                most, " at byte ", first);
    rest();  // readers differ in what a comment right behind a number means
    return value;
  }
  /// What follows the one blank behind the header.
  std::string_view rest() {
    TENON_CHECK(at_ < bytes_.size() && is_blank(bytes_[at_]), FileError, file_, ": expected a blank at byte ", at_);
    return bytes_.substr(at_ + 1);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  std::string_view bytes_;
  const std::string& file_;
  std::size_t at_ = 2;
};

}  // namespace detail

TENON_COLD_BODY Tensor load_ppm(const std::string& path) {
  return decode_ppm(::tenon::detail::FileBytes::map(path)->view(), path);
}
TENON_COLD_BODY Tensor decode_ppm(std::string_view bytes, const std::string& name) {
  bool grey = bytes.substr(0, 2) == "P5";
  TENON_CHECK(grey || bytes.substr(0, 2) == "P6", FileError, name, ": expected a binary PGM or PPM file, P5 or P6");
  detail::PpmHeader header(bytes, name);
  std::int64_t width = header.number("width", INT32_MAX), height = header.number("height", INT32_MAX);
  std::int64_t highest = header.number("highest value", 65535);
  std::string_view data = header.rest();
  std::int64_t sizes[] = {grey ? 1 : 3, height, width};
  std::size_t item = highest > 255 ? 2 : 1;
  detail::checked_bytes(name, IntArrayRef(sizes), item, data.size());
  Tensor t = make_tensor(sizes, {}, item == 1 ? kByte : kInt);
  std::int64_t channels = sizes[0], plane = height * width;
  for (std::int64_t i = 0; i < plane; ++i)
    for (std::int64_t c = 0; c < channels; ++c) {
      const char* from = data.data() + static_cast<std::size_t>(i * channels + c) * item;
      auto value = static_cast<std::int64_t>(item == 1 ? read_big_endian<1>(from) : read_big_endian<2>(from));
      TENON_CHECK(value <= highest, FileError, name, ": a pixel of ", value, " is above the highest value, ", highest);
      if (item == 1)
        t.data_ptr<std::uint8_t>()[c * plane + i] = static_cast<std::uint8_t>(value);
      else
        t.data_ptr<std::int32_t>()[c * plane + i] = static_cast<std::int32_t>(value);
    }
  return t;
}
TENON_COLD_BODY std::string encode_ppm(const Tensor& image) {
  detail::Pixels p = detail::pixels_of("save_ppm()", image, 3);
  return ::tenon::concat(p.channels == 1 ? "P5\n" : "P6\n", p.width, " ", p.height, "\n255\n") + p.bytes;
}
TENON_COLD_BODY void save_ppm(const std::string& path, const Tensor& image) {
  detail::write_file(path, encode_ppm(image));
}
TENON_COLD_BODY std::string encode_png(const Tensor& image) {
  detail::Pixels p = detail::pixels_of("save_png()", image, 4);
  std::string out("\x89PNG\r\n\x1a\n", 8), header, rows;
  append_big_endian<4>(header, p.width);
  append_big_endian<4>(header, p.height);
  header += '\x08';
  header += p.channels == 1 ? '\0' : p.channels == 3 ? '\2' : '\6';
  header.append(3, '\0');
  detail::add_png_chunk(out, "IHDR", header);
  std::size_t row = p.width * p.channels;
  for (std::size_t y = 0; y < p.height; ++y) {
    rows += '\0';  // no filter
    rows.append(p.bytes, y * row, row);
  }
  detail::add_png_chunk(out, "IDAT", detail::stored_stream(rows));
  detail::add_png_chunk(out, "IEND", "");
  return out;
}
TENON_COLD_BODY void save_png(const std::string& path, const Tensor& image) {
  detail::write_file(path, encode_png(image));
}

}  // namespace tenon::data
