// Colours, the codes of their strings, and the blocks of a GIF.
#pragma once
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/base/byte_order.hpp>
#include <tenon/data/bodies/image.hpp>
#include <tenon/data/detail/write_file.hpp>
#include <tenon/data/gif.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/methods.hpp>

namespace tenon::data {

namespace detail {

/// Codes of growing width, the low bit first, in blocks of up to 255 bytes that a block of none ends.
class GifCodes {
 public:
  explicit GifCodes(std::string& out) : out_(out) {}
  void put(std::uint32_t code, unsigned width) {
    bits_ |= code << held_;
    for (held_ += width; held_ >= 8; held_ -= 8, bits_ >>= 8) byte(static_cast<char>(bits_ & 0xff));
  }
  void end() {
    if (held_ > 0) byte(static_cast<char>(bits_ & 0xff));
    if (!block_.empty()) close();
    out_ += '\0';
  }

 private:
  void byte(char b) {
    block_ += b;
    if (block_.size() == 255) close();
  }
  void close() {
    out_ += static_cast<char>(block_.size());
    out_ += block_;
    block_.clear();
  }
  std::string& out_;
  std::string block_;
  std::uint32_t bits_ = 0;
  unsigned held_ = 0;
};

/// Lempel, Ziv and Welch's compression of numbers below 2^depth: each code is a string seen before and one more number.
inline void add_gif_pixels(std::string& out, const std::string& pixels, unsigned depth) {
  constexpr std::uint32_t kMostCodes = 4096;
  const std::uint32_t clear = 1u << depth, end = clear + 1;
  out += static_cast<char>(depth);
  GifCodes codes(out);
  std::unordered_map<std::uint32_t, std::uint32_t> strings;  // a code and the number behind it
  std::uint32_t next = end + 1;
  unsigned width = depth + 1;
  codes.put(clear, width);
  auto string = static_cast<std::uint32_t>(static_cast<unsigned char>(pixels[0]));
  for (std::size_t i = 1; i < pixels.size(); ++i) {
    const auto pixel = static_cast<unsigned char>(pixels[i]);
    const auto [known, added] = strings.try_emplace(string << 8 | pixel, next);
    if (!added) {
      string = known->second;
      continue;
    }
    codes.put(string, width);
    string = pixel;
    if (next == kMostCodes) {
      codes.put(clear, width);
      strings.clear();
      next = end + 1;
      width = depth + 1;
    } else if (next++ == 1u << width) {
      ++width;
    }
  }
  codes.put(string, width);
  // A reader has added a string by then, which may be the first of the next width.
  if (next == 1u << width && width < 12) ++width;
  codes.put(end, width);
  codes.end();
}

/// The colours of a frame, three bytes each, and a number for each pixel.
struct GifFrame {
  std::string palette, pixels;
};
inline GifFrame gif_frame(const Pixels& p) {
  constexpr std::uint32_t kRed = 6, kGreen = 7, kBlue = 6;
  GifFrame frame;
  const std::size_t count = p.height * p.width;
  auto channel = [&](std::size_t i, std::size_t c) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(p.bytes[i * p.channels + (p.channels == 1 ? 0 : c)]));
  };
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  for (std::size_t i = 0; i < count && known.size() <= 256; ++i) {
    const std::uint32_t colour = channel(i, 0) << 16 | channel(i, 1) << 8 | channel(i, 2);
    const auto at = known.try_emplace(colour, static_cast<std::uint32_t>(known.size())).first->second;
    if (frame.palette.size() == std::size_t{at} * 3) append_big_endian<3>(frame.palette, colour);
    frame.pixels += static_cast<char>(at);
  }
  if (known.size() <= 256) return frame;
  frame = {};
  auto level = [](std::uint32_t i, std::uint32_t levels) { return static_cast<char>(i * 255 / (levels - 1)); };
  auto nearest = [](std::uint32_t value, std::uint32_t levels) { return (value * (levels - 1) + 127) / 255; };
  for (std::uint32_t red = 0; red < kRed; ++red)
    for (std::uint32_t green = 0; green < kGreen; ++green)
      for (std::uint32_t blue = 0; blue < kBlue; ++blue)
        frame.palette += {level(red, kRed), level(green, kGreen), level(blue, kBlue)};
  for (std::size_t i = 0; i < count; ++i)
    frame.pixels += static_cast<char>((nearest(channel(i, 0), kRed) * kGreen + nearest(channel(i, 1), kGreen)) * kBlue +
                                      nearest(channel(i, 2), kBlue));
  return frame;
}
inline void add_gif_frame(std::string& out, const Pixels& p, std::uint64_t delay) {
  GifFrame frame = gif_frame(p);
  unsigned depth = 1;
  while (frame.palette.size() > std::size_t{3} << depth) ++depth;
  frame.palette.resize(std::size_t{3} << depth);
  out += std::string("\x21\xf9\x04\0", 4);  // how the frame is shown
  append_little_endian<2>(out, delay);
  out += std::string("\0\0\x2c\0\0\0\0", 7);  // and where: at the left and upper edge
  append_little_endian<2>(out, p.width);
  append_little_endian<2>(out, p.height);
  out += static_cast<char>(0x80 | (depth - 1));
  out += frame.palette;
  add_gif_pixels(out, frame.pixels, std::max(depth, 2u));
}

}  // namespace detail

TENON_COLD_BODY std::string encode_gif(const Tensor& frames, const GifOptions& options) {
  constexpr std::int64_t kMost = 65535;
  TENON_CHECK(frames.defined() && frames.dim() == 4 && (frames.size(1) == 1 || frames.size(1) == 3) &&
                  frames.numel() > 0 && frames.size(2) <= kMost && frames.size(3) <= kMost,
              ValueError, "save_gif(): expected frames of shape (T, 1 or 3, H, W) with sides up to 65535, got ",
              frames.defined() ? frames.sizes() : IntArrayRef());
  TENON_CHECK(options.fps > 0 && options.loop >= 0 && options.loop <= kMost, ValueError,
              "save_gif(): expected a positive fps and a loop from 0 to 65535, got ", options.fps, " and ",
              options.loop);
  const auto delay = static_cast<std::uint64_t>(std::clamp(std::round(100 / options.fps), 0., double{kMost}));
  std::string out = "GIF89a";
  append_little_endian<2>(out, static_cast<std::uint64_t>(frames.size(3)));
  append_little_endian<2>(out, static_cast<std::uint64_t>(frames.size(2)));
  out += std::string("\x70\0\0\x21\xff\x0bNETSCAPE2.0\x03\x01", 19);
  append_little_endian<2>(out, static_cast<std::uint64_t>(options.loop));
  out += '\0';
  for (std::int64_t i = 0; i < frames.size(0); ++i)
    detail::add_gif_frame(out, detail::pixels_of("save_gif()", frames.select(0, i), 3), delay);
  return out + '\x3b';
}
TENON_COLD_BODY void save_gif(const std::string& path, const Tensor& frames, const GifOptions& options) {
  detail::write_file(path, encode_gif(frames, options));
}

}  // namespace tenon::data
