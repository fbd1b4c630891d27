#include <fstream>
#include <sstream>
#include <string>

#include <tenon/base/scalar_type.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {
constexpr ScalarType all_types[] = {
#define X(CPP, NAME, TEXT) ScalarType::NAME,
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
};
}  // namespace

static_assert(static_cast<int>(kFloat) == 6 && static_cast<int>(kBool) == 11 && static_cast<int>(kBFloat16) == 15,
              "the codes of recorded files");
static_assert(scalar_type_v<float> == kFloat && scalar_type_v<std::int64_t> == kLong && scalar_type_v<bool> == kBool,
              "C++ types name dtypes");
static_assert(item_size(kComplexHalf) == 4 && item_size(kBool) == 1 && item_size(ScalarType::Undefined) == 0,
              "sizes in bytes");

TEST_CASE("every dtype is found by its name", "[base][scalar_type]") {
  for (auto type : all_types) CHECK(scalar_type_from_name(to_string(type)) == type);
  CHECK(scalar_type_from_name("float") == kFloat);
  CHECK(scalar_type_from_name("double") == kDouble);
  CHECK(scalar_type_from_name("half") == kHalf);
  CHECK(scalar_type_from_name("long") == kLong);
  CHECK(scalar_type_from_name("cfloat") == kComplexFloat);
  CHECK_FALSE(scalar_type_from_name("float8").has_value());
  CHECK_FALSE(scalar_type_from_name("").has_value());
}

TEST_CASE("a dtype belongs to one category", "[base][scalar_type]") {
  for (auto type : all_types) CHECK(is_floating_type(type) + is_complex_type(type) + is_integral_type(type, true) == 1);
  CHECK(is_integral_type(kBool, true));
  CHECK_FALSE(is_integral_type(kBool, false));
  CHECK(is_differentiable_type(kHalf));
  CHECK(is_differentiable_type(kComplexFloat));
  CHECK_FALSE(is_differentiable_type(kLong));
  CHECK(is_signed_type(kChar));
  CHECK_FALSE(is_signed_type(kByte));
  CHECK_FALSE(is_signed_type(kBool));
}

TEST_CASE("complex types name their real types and back", "[base][scalar_type]") {
  for (auto type : {kComplexHalf, kComplexFloat, kComplexDouble}) CHECK(to_complex_type(to_real_type(type)) == type);
  CHECK(to_real_type(kInt) == kInt);
  CHECK(to_complex_type(kInt) == kComplexFloat);
}

TEST_CASE("a visitor receives the C++ type of a dtype", "[base][scalar_type]") {
  for (auto type : all_types) {
    auto found = visit_scalar_type(type, [](auto tag) { return scalar_type_v<typename decltype(tag)::type>; });
    CHECK(found == type);
    auto size = visit_scalar_type(type, [](auto tag) { return sizeof(typename decltype(tag)::type); });
    CHECK(size == item_size(type));
  }
  CHECK_ERROR(visit_scalar_type(ScalarType::QInt8, [](auto) { return 0; }), TypeError,
              "no C++ element type for dtype qint8");
}

TEST_CASE("a list of dtypes to keep names each of them", "[base][scalar_type]") {
  auto bit = [](ScalarType t) { return std::uint64_t{1} << static_cast<int>(t); };
  CHECK(detail::dtypes_in(nullptr) == ~std::uint64_t{0});
  CHECK(detail::dtypes_in("") == 0);
  CHECK(detail::dtypes_in("float32;int64") == (bit(kFloat) | bit(kLong)));
  CHECK(detail::dtypes_in("bool;") == bit(kBool));
  for (const char* wrong : {";", "float32;;int64", "float32;;"})
    CHECK_THROWS_WITH(detail::dtypes_in(wrong), "TENON_SELECTED_DTYPES: expected names of dtypes, got ''");
  CHECK_THROWS_WITH(detail::dtypes_in("float33"), "TENON_SELECTED_DTYPES: expected names of dtypes, got 'float33'");
}

// The file holds PyTorch 2.15's torch.result_type of every pair of dtypes.
TEST_CASE("two tensors promote as the recorded table says", "[base][scalar_type]") {
  std::ifstream file(TENON_TEST_DATA "/promotion.csv");
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

TEST_CASE("promotion is symmetric and keeps equal types", "[base][scalar_type]") {
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

TEST_CASE("types without a common type are refused by name", "[base][scalar_type]") {
  CHECK_ERROR(promote_types(kUInt16, kInt), TypeError,
              "no promotion is defined for dtypes uint16 and int32; cast one of them first");
}

TEST_CASE("a result may be stored only in a type of its category or a wider one", "[base][scalar_type]") {
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
