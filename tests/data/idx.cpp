// IDX files, plain and gzipped.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
const std::string kBytes("\0\0\x0b\2\0\0\0\2\0\0\0\3\0\1\0\2\xff\xff\0\4\0\5\1\0", 24);  // int16, 2 x 3
// The same through Python's gzip.compress(.., mtime=0).
const std::string kGzip(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x63\x60\xe0\x66\x62\x60\x60\x00\x61\x66\x06\x46\x06\xa6\xff\xff\x19\x58"
    "\x18\x58\x19\x19\x00\xee\x52\x9d\x1f\x18\x00\x00\x00",
    41);
}  // namespace

TEST_CASE("an IDX file gives a tensor of its shape and dtype", "[data][idx]") {
  Tensor expected = ops::_to_copy(tensor({{1, 2, -1}, {4, 5, 256}}), "dtype"_a = kShort);
  Tensor t = decode_idx(kBytes);
  CHECK(t.dtype() == kShort);
  CHECK(ops::equal(t, expected));
  auto path = std::filesystem::temp_directory_path() / "tenon_idx";
  std::ofstream(path, std::ios::binary) << kBytes;
  CHECK(ops::equal(load_idx(path.string()), expected));
  std::filesystem::remove(path);
  CHECK_THROWS_AS(load_idx(path.string()), FileError);
  CHECK(ops::equal(decode_idx(std::string("\0\0\x0d\1\0\0\0\1\x3f\x80\0\0", 12)), tensor({1.0f})));
  CHECK(decode_idx(std::string("\0\0\x08\2\0\0\0\0\0\0\0\5", 12)).sizes() == IntArrayRef({0, 5}));
}

TEST_CASE("a damaged IDX file is refused before memory is taken", "[data][idx]") {
  CHECK_ERROR(decode_idx(kBytes.substr(0, 23), "f"), FileError,
              "f: expected 12 bytes for shape [2, 3], got at most 11");
  CHECK_ERROR(decode_idx(kBytes + "x", "f"), FileError, "f: expected 12 bytes for shape [2, 3], got 13");
  CHECK_ERROR(decode_idx(kBytes.substr(0, 9), "f"), FileError, "f: expected 4 bytes of sizes at byte 8, got 1");
  CHECK_ERROR(decode_idx(std::string("\0\0\x0a\0", 4), "f"), FileError,
              "f: expected a type of IDX, 8 to 14 but 10, got 10");
  CHECK_ERROR(decode_idx("P5 1", "f"), FileError, "f: expected an IDX file, whose first two bytes are 0");
  std::string huge("\0\0\x0e\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16);
  CHECK_ERROR_CONTAINS(decode_idx(huge, "f"), FileError, "has more bytes than a file can");
  std::string large("\0\0\x0e\2\xff\xff\xff\xff\0\0\0\1", 12);
  CHECK_ERROR_CONTAINS(decode_idx(large, "f"), FileError, "got at most 0");
}

TEST_CASE("a gzipped IDX file is read where there is zlib, and named where there is none", "[data][idx]") {
  CHECK_ERROR_CONTAINS(decode_idx(kGzip, "f", nullptr), NotImplementedError, "f: compressed data needs zlib");
#ifdef TENON_WITH_ZLIB
  CHECK(ops::equal(decode_idx(kGzip), decode_idx(kBytes)));
  CHECK_THROWS_AS(decode_idx(kGzip.substr(0, 30), "f"), FileError);
  std::string damaged = kGzip;
  damaged[20] ^= 1;
  CHECK_THROWS_AS(decode_idx(damaged, "f"), FileError);
#endif
}
