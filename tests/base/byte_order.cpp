#include <tenon/base/byte_order.hpp>

#include <string>

#include "../catch.hpp"

using namespace tenon;

namespace {
constexpr char kBytes[] = {'\x01', '\x82', '\x03', '\xf4', '\x05', '\x06', '\x07', '\x88'};
static_assert(read_little_endian<1>(kBytes + 1) == 0x82);
static_assert(read_little_endian<4>(kBytes) == 0xf4038201u);
static_assert(read_big_endian<2>(kBytes) == 0x0182u);
static_assert(read_big_endian<8>(kBytes) == 0x018203f405060788u);
}  // namespace

TEST_CASE("numbers are read from bytes in either order", "[base][byte_order]") {
  CHECK(read_little_endian<2>(kBytes) == 0x8201u);
  CHECK(read_little_endian<8>(kBytes) == 0x88070605f4038201u);
  CHECK(read_big_endian<4>(kBytes) == 0x018203f4u);
}

TEST_CASE("numbers are written as bytes in either order", "[base][byte_order]") {
  std::string out = "x";
  append_little_endian<4>(out, 0xf4038201u);
  CHECK(out == std::string("x\x01\x82\x03\xf4", 5));
  append_big_endian<2>(out, 0x1122334455667788u);
  CHECK(out == std::string("x\x01\x82\x03\xf4\x77\x88", 7));
  append_little_endian<2>(out, 0x1122334455667788u);
  CHECK(out.substr(7) == "\x88\x77");
  char to[8];
  write_big_endian<8>(to, 0x018203f405060788u);
  CHECK(std::string(to, 8) == std::string(kBytes, 8));
  write_little_endian<3>(to, 0x030201u);
  CHECK(std::string(to, 4) == std::string("\x01\x02\x03\xf4", 4));
}
