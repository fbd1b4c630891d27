#include <tenon/base/scalar_type.hpp>

#include <catch.hpp>

#include "all_types.hpp"

using namespace tenon;
using test::all_types;

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
    auto found = visit_element_type(type, [](auto tag) { return scalar_type_v<typename decltype(tag)::type>; });
    CHECK(found == type);
    auto size = visit_element_type(type, [](auto tag) { return sizeof(typename decltype(tag)::type); });
    CHECK(size == item_size(type));
    auto computed = [&] {
      return visit_scalar_type(
          type, [](auto) { return true; }, "sum_cpu");
    };
    if (has_arithmetic(type))
      CHECK(computed());
    else
      CHECK_ERROR(computed(), NotImplementedError,
                  concat("\"sum_cpu\" not implemented for '", enumerator_name(type), "'"));
    bool floating = true;
    visit_floating_type(
        type, [](auto) {}, [&] { floating = false; });
    CHECK(floating == (is_floating_type(type) && has_arithmetic(type)));
  }
  CHECK_ERROR(visit_element_type(ScalarType::QInt8, [](auto) { return 0; }), TypeError,
              "no C++ element type for dtype qint8");
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

// The lists that the columns of the table took the place of.
TEST_CASE("real, complex and compute types follow from a dtype's row", "[base][scalar_type]") {
  STATIC_REQUIRE(std::is_same_v<element_type_t<compute_type_of(kHalf)>, float>);
  for (auto type : {kHalf, kBFloat16, kFloat}) CHECK(compute_type_of(type) == kFloat);
  for (auto type : {kComplexHalf, kComplexFloat}) CHECK(compute_type_of(type) == kComplexFloat);
  for (auto type : {kDouble, kLong, kBool, kUInt16, ScalarType::QInt8}) CHECK(compute_type_of(type) == type);
  for (auto type : all_types) {
    CHECK(is_reduced_floating_type(type) == (type == kHalf || type == kBFloat16));
    CHECK(is_complex_type(type) == (to_real_type(type) != type));
    CHECK(is_signed_type(type) ==
          (type != kByte && type != kBool && type != kUInt16 && type != kUInt32 && type != kUInt64));
  }
  CHECK(to_complex_type(kBFloat16) == kComplexFloat);
  CHECK(is_quantized_type(ScalarType::QUInt8));
  CHECK_FALSE(is_quantized_type(ScalarType::Undefined));
  CHECK(item_size(ScalarType::QInt32) == 4);
  CHECK(category_of(ScalarType::QInt8) == DtypeCategory::None);
  CHECK(enumerator_name(kBFloat16) == "BFloat16");
  CHECK(to_string(ScalarType::QUInt8) == "quint8");
  CHECK(to_string(ScalarType::Undefined) == "undefined");
}
