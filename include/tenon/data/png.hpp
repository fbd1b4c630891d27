// PNG files read through libpng, where the program is compiled with TENON_WITH_PNG and linked with it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/base/byte_order.hpp>
#include <tenon/base/error.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/inflate.hpp>
#include <tenon/data/mapped_file.hpp>
#include <tenon/tensor/create.hpp>
#ifdef TENON_WITH_PNG
#include <png.h>
#endif

namespace tenon::data {

namespace detail {
/// libpng reads no further than the last row.
inline void check_png_chunks(std::string_view bytes, const std::string& name) {
  ByteReader at(bytes, name, 8);
  for (std::string_view kind; kind != "IEND";) {
    std::uint64_t size = read_big_endian<4>(at.take(4, "a chunk's size").data());
    std::string_view chunk = at.take(4 + size, "a chunk");
    kind = chunk.substr(0, 4);
    TENON_CHECK(crc32(chunk) == read_big_endian<4>(at.take(4, "a checksum").data()), FileError, name,
                ": the checksum of a chunk does not agree with it");
  }
}
}  // namespace detail

// A program may hold units with libpng and units without it: their functions have names of their own.
#ifdef TENON_WITH_PNG
inline namespace with_png {
/// The picture of a PNG file of any kind: uint8 (channels, height, width) with 1 (grey), 2 (grey, alpha), 3 or 4 (red,
/// green, blue, alpha) channels; 16 bits a channel are made 8, palettes become colours.
/// Errors: FileError for a file that cannot be read, is no PNG or is damaged, and for more pixels than its bytes can
/// hold, which is checked before memory is taken; NotImplementedError in a program without libpng.
inline Tensor decode_png(std::string_view bytes, const std::string& name = "png") {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  struct Free {
    png_image* image;
    ~Free() { ::png_image_free(image); }
  } free{&image};
  TENON_CHECK(::png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0, FileError, name, ": ",
              static_cast<const char*>(image.message));
  detail::check_png_chunks(bytes, name);
  image.format &= static_cast<png_uint_32>(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA);
  std::int64_t channels = PNG_IMAGE_PIXEL_CHANNELS(image.format), height = image.height, width = image.width;
  // As the header says them, behind a signature and the front of the first chunk.
  auto depth = static_cast<std::uint64_t>(bytes[24]), kind = static_cast<std::uint64_t>(bytes[25]);
  std::uint64_t bits = depth * (kind == 2 ? 3 : kind == 4 ? 2 : kind == 6 ? 4 : 1);
  std::uint64_t packed = static_cast<std::uint64_t>(height) * ((static_cast<std::uint64_t>(width) * bits + 7) / 8);
  TENON_CHECK(packed <= bytes.size() * kMostInflation, FileError, name, ": ", bytes.size(), " bytes cannot hold ",
              height, " x ", width, " pixels");
  Tensor rows = make_tensor({height, width, channels}, {}, kByte);
  TENON_CHECK(::png_image_finish_read(&image, nullptr, rows.data_ptr(), 0, nullptr) != 0, FileError, name, ": ",
              static_cast<const char*>(image.message));
  Tensor t = make_tensor({channels, height, width}, {}, kByte);
  const auto* from = rows.data_ptr<std::uint8_t>();
  auto* to = t.data_ptr<std::uint8_t>();
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t i = 0; i < height * width; ++i) *to++ = from[i * channels + c];
  return t;
}
}  // namespace with_png
#else
inline namespace without_png {
inline Tensor decode_png(std::string_view, const std::string& name = "png") {
  fail<NotImplementedError>(name, ": reading PNG needs libpng: compile with -DTENON_WITH_PNG and link with -lpng");
}
}  // namespace without_png
#endif
#ifdef TENON_WITH_PNG
inline namespace with_png {
#else
inline namespace without_png {
#endif
/// As decode_png(), from a file.
inline Tensor load_png(const std::string& path) { return decode_png(MappedFile(path).bytes(), path); }
}

}  // namespace tenon::data
