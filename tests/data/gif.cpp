// GIF is written; read again here by the format's own rules.
#include <tenon/data/gif.hpp>

#include <tenon/base/byte_order.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {

struct Frame {
  std::uint64_t delay = 0, width = 0, height = 0;
  std::string colours;  // three bytes for each pixel
};

/// The numbers that codes of a growing width stand for.
std::string decoded(const std::string& codes, unsigned depth) {
  const std::uint32_t clear = 1u << depth, end = clear + 1;
  std::vector<std::string> strings;
  auto reset = [&] {
    strings.clear();
    for (std::uint32_t i = 0; i < clear; ++i) strings.emplace_back(1, static_cast<char>(i));
    strings.resize(end + 1);
  };
  reset();
  std::string out, last;
  unsigned width = depth + 1, held = 0;
  std::uint32_t bits = 0;
  std::size_t at = 0;
  while (true) {
    for (; held < width; held += 8)
      bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(codes.at(at++))) << held;
    const std::uint32_t code = bits & ((1u << width) - 1);
    bits >>= width;
    held -= width;
    if (code == end) break;
    if (code == clear) {
      reset();
      width = depth + 1;
      last.clear();
      continue;
    }
    REQUIRE(code <= strings.size());
    std::string now = code < strings.size() ? strings[code] : last + last[0];
    if (!last.empty() && strings.size() < 4096) strings.push_back(last + now[0]);
    if (strings.size() == 1u << width && width < 12) ++width;
    out += now;
    last = now;
  }
  CHECK(at == codes.size());
  return out;
}

std::vector<Frame> frames_of(const std::string& gif) {
  std::vector<Frame> frames;
  std::size_t at = 13;
  auto number = [&] { return read_little_endian<2>(gif.data() + std::exchange(at, at + 2)); };
  auto blocks = [&] {
    std::string data;
    while (auto n = static_cast<unsigned char>(gif.at(at++))) {
      data += gif.substr(at, n);
      at += n;
    }
    return data;
  };
  REQUIRE(gif.substr(0, 6) == "GIF89a");
  std::uint64_t delay = 0;
  for (char kind = gif.at(at++); kind != ';'; kind = gif.at(at++)) {
    if (kind == '!') {
      const bool shows = gif.at(at++) == '\xf9';
      std::string data = blocks();
      if (shows) delay = read_little_endian<2>(data.data() + 1);
      continue;
    }
    REQUIRE(kind == ',');
    at += 4;
    Frame f{delay, number(), number(), {}};
    const std::size_t colours = std::size_t{2} << (gif.at(at++) & 7);
    std::string palette = gif.substr(at, 3 * colours);
    at += 3 * colours;
    const auto depth = static_cast<unsigned>(gif.at(at++));
    for (char i : decoded(blocks(), depth))
      f.colours += palette.substr(std::size_t{3} * static_cast<unsigned char>(i), 3);
    frames.push_back(f);
  }
  CHECK(at == gif.size());
  return frames;
}
/// The three bytes of each pixel of a frame (3, height, width).
std::string colours_of(const Tensor& frame) {
  Tensor last = frame.permute({1, 2, 0}).contiguous();
  return {static_cast<const char*>(last.data_ptr()), static_cast<std::size_t>(last.numel())};
}

}  // namespace

TEST_CASE("frames of few colours come back from GIF as they were", "[data][gif]") {
  manual_seed(2);
  for (std::int64_t colours : {1, 2, 3, 4, 5, 17, 100, 255}) {
    // Enough pixels to fill the table of codes more than once.
    Tensor frames = ops::_to_copy(ops::randint(0, colours, {2, 3, 40, 90}), "dtype"_a = kByte);
    frames.select(1, 1).fill_(7);
    frames.select(1, 2).copy_(frames.select(1, 0));
    auto back = frames_of(encode_gif(frames, {.fps = 8}));
    REQUIRE(back.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(back[i].delay == 13);
      CHECK(back[i].width == 90);
      CHECK(back[i].height == 40);
      CHECK(back[i].colours == colours_of(frames.select(0, static_cast<std::int64_t>(i))));
    }
  }
}

TEST_CASE("every width of codes ends where a reader expects it", "[data][gif]") {
  Tensor row = ops::_to_copy(ops::remainder(ops::arange(6000), 2), "dtype"_a = kByte);
  for (std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 30, 31, 32, 33, 99, 100, 101, 5999, 6000}) {
    Tensor frame = row.narrow(0, 0, n).reshape({1, 1, 1, n});
    CHECK(frames_of(encode_gif(frame)).at(0).colours == colours_of(frame[0].expand({3, 1, n})));
  }
}

TEST_CASE("a frame of many colours is rounded to 252", "[data][gif]") {
  Tensor frame =
      ops::_to_copy(ops::remainder(ops::arange(3 * 20 * 30) * 37, 256), "dtype"_a = kByte).reshape({1, 3, 20, 30});
  auto back = frames_of(encode_gif(frame)).at(0);
  std::string expected = colours_of(frame[0]);
  REQUIRE(back.colours.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double apart = static_cast<unsigned char>(back.colours[i]) - static_cast<unsigned char>(expected[i]);
    CHECK(std::abs(apart) <= (i % 3 == 1 ? 22 : 26));
  }
}

TEST_CASE("GIF has its header, its loop and its end", "[data][gif]") {
  std::string gif = encode_gif(ops::zeros({1, 1, 1, 2}), {.fps = 50, .loop = 3});
  CHECK(gif ==
        std::string(
            "GIF89a\2\0\1\0\x70\0\0!\xff\x0bNETSCAPE2.0\3\1\3\0\0!\xf9\4\0\2\0\0\0,\0\0\0\0\2\0\1\0\x80\0\0\0\0\0\0"
            "\2\2\x04\x0a\0;",
            62));
  CHECK_ERROR(encode_gif(ops::zeros({3, 2, 2})), ValueError,
              "save_gif(): expected frames of shape (T, 1 or 3, H, W) with sides up to 65535, got [3, 2, 2]");
  CHECK_ERROR(encode_gif(ops::zeros({1, 1, 2, 2}), {.fps = 0}), ValueError,
              "save_gif(): expected a positive fps and a loop from 0 to 65535, got 0 and 0");
  CHECK_ERROR(encode_gif(ops::zeros({1, 1, 2, 2}, "dtype"_a = kLong)), ValueError,
              "save_gif(): expected uint8 or floating pixels, got int64");
}
