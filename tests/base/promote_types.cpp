#include <fstream>
#include <sstream>
#include <string>

#include <tenon/base/promote_types.hpp>

#include <catch.hpp>

#include "../test_data.hpp"
#include "all_types.hpp"

using namespace tenon;
using test::all_types;

// The file holds PyTorch 2.15's torch.result_type of every pair of dtypes.
TEST_CASE("two tensors promote as the recorded table says", "[base][promote_types]") {
  std::ifstream file(test_data("promotion.csv"));
  REQUIRE(file);
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string kind, a, b, result;
    std::getline(fields, kind, ',');
    std::getline(fields, a, ',');
    std::getline(fields, b, ',');
    std::getline(fields, result, ',');
    auto first = scalar_type_from_name(a), second = scalar_type_from_name(b);
    if (kind != "tensor-tensor" || !first || !second) continue;
    INFO(line);
    ++compared;
    if (auto expected = scalar_type_from_name(result))
      CHECK(promote_types(*first, *second) == *expected);
    else
      CHECK_THROWS_AS(promote_types(*first, *second), TypeError);
  }
  CHECK(compared > 140);
}

TEST_CASE("promotion is symmetric and keeps equal types", "[base][promote_types]") {
  for (auto a : all_types) {
    CHECK(promote_types(a, a) == a);
    for (auto b : all_types) {
      bool refused = false;
      ScalarType result{};
      try {
        result = promote_types(a, b);
      } catch (const TypeError&) { refused = true; }
      if (refused)
        CHECK_THROWS_AS(promote_types(b, a), TypeError);
      else
        CHECK(promote_types(b, a) == result);
    }
  }
}

TEST_CASE("types without a common type are refused by name", "[base][promote_types]") {
  CHECK_ERROR(promote_types(kUInt16, kInt), TypeError,
              "no promotion is defined for dtypes uint16 and int32; cast one of them first");
}

TEST_CASE("a result may be stored only in a type of its category or a wider one", "[base][promote_types]") {
  CHECK(can_cast(kFloat, kHalf));
  CHECK(can_cast(kLong, kFloat));
  CHECK(can_cast(kLong, kByte));
  CHECK(can_cast(kBool, kBool));
  CHECK(can_cast(kBool, kLong));
  CHECK(can_cast(kFloat, kComplexFloat));
  CHECK_FALSE(can_cast(kComplexFloat, kFloat));
  CHECK_FALSE(can_cast(kFloat, kLong));
  CHECK_FALSE(can_cast(kLong, kBool));
}

TEST_CASE("quantised dtypes promote with none but themselves", "[base][promote_types]") {
  CHECK(promote_types(ScalarType::QInt8, ScalarType::QInt8) == ScalarType::QInt8);
  CHECK_ERROR(promote_types(ScalarType::QInt8, kFloat), TypeError,
              "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, "
              "offending types: QInt8 Float");
  CHECK(promote_types(ScalarType::Undefined, kFloat) == ScalarType::Undefined);
}
