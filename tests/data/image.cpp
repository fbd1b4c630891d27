// Pictures: PPM both ways, PNG written and, where there is libpng, read again.
#include <filesystem>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
Tensor bytes(const TensorData& data) { return ops::_to_copy(tensor(data), "dtype"_a = kByte); }
}  // namespace

TEST_CASE("pictures come back from PPM and PGM", "[data][image]") {
  Tensor grey = bytes({{{0, 100, 255}, {1, 2, 3}}}), colour = ops::cat({grey, grey.flip({2}), grey.flip({1})});
  CHECK(encode_ppm(grey) == "P5\n3 2\n255\n" + std::string("\0\x64\xff\1\2\3", 6));
  CHECK(encode_ppm(colour).substr(0, 14) == "P6\n3 2\n255\n" + std::string("\0\xff\1", 3));
  CHECK(ops::equal(decode_ppm(encode_ppm(grey)), grey));
  CHECK(ops::equal(decode_ppm(encode_ppm(colour)), colour));
  CHECK(ops::equal(decode_ppm(encode_ppm(tensor({{-1.0, 0.5, 2.0}}))), bytes({{{0, 128, 255}}})));
  auto path = (std::filesystem::temp_directory_path() / "tenon_image.ppm").string();
  save_ppm(path, colour);
  CHECK(ops::equal(load_ppm(path), colour));
  std::filesystem::remove(path);
  Tensor wide = decode_ppm("P5 # a comment\n#another\n2 1 1000\n" + std::string("\3\xe8\0\1", 4));
  CHECK(wide.dtype() == kInt);
  CHECK(ops::equal(wide, tensor({{{1000, 1}}})));
}

TEST_CASE("damaged pictures and tensors that are none are refused", "[data][image]") {
  CHECK_ERROR(decode_ppm("P5 2 2 255\nabc", "f"), FileError, "f: expected 4 bytes for shape [1, 2, 2], got at most 3");
  CHECK_ERROR(decode_ppm("P5 2147483647 2147483647 255\n", "f"), FileError,
              "f: expected 4611686014132420609 bytes for shape [1, 2147483647, 2147483647], got at most 0");
  CHECK_ERROR(decode_ppm("P5 99999999999 1 255\n", "f"), FileError,
              "f: expected a width from 1 to 2147483647 at byte 3");
  CHECK_ERROR(decode_ppm("P5 1 1 7\n\x8", "f"), FileError, "f: a pixel of 8 is above the highest value, 7");
  CHECK_ERROR(decode_ppm("P5 1 2# grey\n25\n12", "f"), FileError, "f: expected a blank at byte 6");
  CHECK_THROWS_AS(decode_ppm("P5 1 1"), FileError);
  CHECK_THROWS_AS(decode_ppm("P3 1 1 1 1"), FileError);
  CHECK_THROWS_AS(encode_ppm(ops::zeros({2, 2, 2})), ValueError);
  CHECK_THROWS_AS(encode_ppm(ops::zeros({4, 2, 2})), ValueError);
  CHECK_THROWS_AS(encode_png(ops::zeros({0, 2})), ValueError);
  CHECK_THROWS_AS(encode_png(tensor({{1, 2}})), ValueError);
}

TEST_CASE("PNG is written in chunks with checksums and stored blocks", "[data][image]") {
  std::string png = encode_png(bytes({{7}}));
  CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  CHECK(png.substr(12, 4) == "IHDR");
  // A zlib stream of the row (0, 7): stored, its Adler-32 is 1 + 7 and 1 + 8.
  CHECK(png.find(std::string("IDAT\x78\x01\1\2\0\xfd\xff\0\7\0\x9\0\x8", 17)) != std::string::npos);
  CHECK(png.substr(png.size() - 8) == "IEND\xae\x42\x60\x82");
}

#ifdef TENON_WITH_PNG
TEST_CASE("PNG is read again", "[data][png]") {
  for (std::int64_t channels : {1, 3, 4}) {
    // More than one stored block.
    Tensor x =
        ops::_to_copy(ops::arange(channels * 150 * 200).remainder(251).view({channels, 150, 200}), "dtype"_a = kByte);
    CHECK(ops::equal(decode_png(encode_png(x)), x));
  }
  std::string png = encode_png(bytes({{7, 8}}));
  auto path = (std::filesystem::temp_directory_path() / "tenon_image.png").string();
  save_png(path, bytes({{7, 8}}));
  CHECK(ops::equal(load_png(path), bytes({{{7, 8}}})));
  std::filesystem::remove(path);
  CHECK_THROWS_AS(decode_png(png.substr(0, 50)), FileError);
  CHECK_THROWS_AS(decode_png("nothing"), FileError);
  CHECK_THROWS_AS(load_png(path), FileError);
}
#else
TEST_CASE("without libpng reading PNG says what it needs", "[data][png]") {
  CHECK_ERROR_CONTAINS(decode_png("", "f"), NotImplementedError, "f: reading PNG needs libpng");
}
#endif
