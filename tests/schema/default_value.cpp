#include <tenon/schema/default_value.hpp>

#include <catch.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include <tenon/schema/detail/decimal.hpp>
#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;
using tenon::schema::detail::read_double;

namespace {
Constant constant(const FunctionSchema& s, std::size_t i = 0) { return default_constant(s, s->arg(i)); }
}  // namespace

TEST_CASE("constants are read by what they are", "[schema][default_value]") {
  auto s = FunctionSchema::parse(
      "f(int a=-5, float b=1e-5, bool c=True, bool d=False, str e=\"x\\ty\\x41\\101\\\\\", ScalarType f=float64, Layout g=strided, "
      "MemoryFormat? h=preserve_format, int i=-9223372036854775808, int? j=None, Device k='cuda:1', complex l=2.5j) -> ()");
  CHECK(constant(s, 0).integer() == -5);
  CHECK(constant(s, 1).real() == 1e-5);
  CHECK(constant(s, 2).boolean());
  CHECK_FALSE(constant(s, 3).boolean());
  CHECK(constant(s, 4).string() == "x\tyAA\\");
  CHECK(constant(s, 5).integer() == static_cast<int>(tenon::ScalarType::Double));
  CHECK(constant(s, 6).integer() == 0);
  CHECK(constant(s, 7).integer() == 1);
  CHECK(constant(s, 8).integer() == std::numeric_limits<std::int64_t>::min());
  CHECK(constant(s, 9).is_none());
  CHECK(constant(s, 10).string() == "cuda:1");
  CHECK(constant(s, 11).written == DefaultKind::Imaginary);
  CHECK(constant(s, 11).real() == 2.5);
}

TEST_CASE("lists are read by element", "[schema][default_value]") {
  auto s = FunctionSchema::parse(
      "f(int[] a=[ 1, -2 ,3 ], int[3] b=7, float[] c=[], bool[2] d=[True, False], int[]? e=None, float[2] f=[1, .5], int g=1) -> ()");
  CHECK(default_is_list(s, s->arg(0)));
  CHECK(default_size(s, s->arg(0)) == 3);
  CHECK(default_item(s, s->arg(0), 0).integer() == 1);
  CHECK(default_item(s, s->arg(0), 1).integer() == -2);
  CHECK(default_item(s, s->arg(0), 2).integer() == 3);
  CHECK(default_size(s, s->arg(1)) == 3);
  CHECK(default_item(s, s->arg(1), 2).integer() == 7);
  CHECK(default_size(s, s->arg(2)) == 0);
  CHECK(default_item(s, s->arg(3), 0).boolean());
  CHECK_FALSE(default_item(s, s->arg(3), 1).boolean());
  CHECK_FALSE(default_is_list(s, s->arg(4)));
  CHECK(default_item(s, s->arg(5), 0).real() == 1);
  CHECK(default_item(s, s->arg(5), 1).real() == 0.5);
  CHECK_FALSE(default_is_list(s, s->arg(6)));
}

TEST_CASE("decimal numbers are read to the nearest double", "[schema][default_value]") {
  // The C library's strtod is the oracle: glibc's rounds correctly.
  for (const char* text : {"0",
                           "-0",
                           "0.1",
                           "1e22",
                           "1e23",
                           "123456789012345678",
                           "9007199254740993",
                           "9007199254740992.9999999999",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "4.9406564584124654e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-400",
                           "0e999",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e309",
                           "179769313486231580793728971405301e276",
                           "0.500000000000000166533453693773481063544750213623046875",
                           "3.518437208883201171875e13",
                           "62.5364939768271845828",
                           "8.10109172351e-10",
                           "1.50000000000000011102230246251565",
                           "7.2057594037927933e16",
                           "5e-324",
                           "1e0000000000000000000005",
                           "0.000000000000000000000000000001e30",
                           "100000000000000000000000000000000e-32"}) {
    CAPTURE(text);
    double expected = std::strtod(text, nullptr), got = read_double(text);
    CHECK(got == expected);
    CHECK(std::signbit(got) == std::signbit(expected));
  }
  // Half-way between two doubles, and a bit above it after a thousand digits.
  std::string tie = "9007199254740993." + std::string(1000, '0');
  CHECK(read_double(tie) == 9007199254740992.0);
  CHECK(read_double(tie + "1") == 9007199254740994.0);
  std::uint64_t state = 88172645463325252u;  // xorshift64, Marsaglia 2003
  for (int i = 0; i < 2000; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    double value = std::bit_cast<double>(state);
    if (!std::isfinite(value)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    CAPTURE(text);
    CHECK(read_double(text) == value);
  }
}

TEST_CASE("a device text has a known type and an index below 128, a symbol the number of its kind",
          "[schema][default_value]") {
  CHECK(is_device_text("cpu"));
  CHECK(is_device_text("cuda:127"));
  for (const char* text : {"", "cuda:", "cuda:128", "cuda:1x", "gpu", "cuda:0000"}) CHECK_FALSE(is_device_text(text));
  CHECK(symbol_value(Kind::ScalarType, "half") == 5);
  CHECK(symbol_value(Kind::ScalarType, "strided") == -1);
  CHECK(symbol_value(Kind::Int, "Mean") == 1);
  CHECK(symbol_value(Kind::Float, "Mean") == -1);
}

static_assert(read_double("0.1") == 0.1 && read_double("1e-5") == 1e-5 &&
              read_double("6.02214076e23") == 6.02214076e23);
static_assert(Constant{DefaultKind::Integer, Kind::Int, "-42"}.integer() == -42);
static_assert(decode_string("\"a\\n\"", nullptr) == 2);
