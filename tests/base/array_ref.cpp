#include <array>
#include <vector>

#include <tenon/base/array_ref.hpp>

#include <catch.hpp>

using namespace tenon;

static_assert(std::is_trivially_copyable_v<IntArrayRef>, "it is passed in registers");
static_assert(sizeof(IntArrayRef) == 2 * sizeof(void*), "a pointer and a length");
static_assert(!std::is_convertible_v<std::vector<int>, IntArrayRef>, "elements are never converted");

namespace {
std::size_t count(IntArrayRef list) { return list.size(); }
}  // namespace

TEST_CASE("an empty list has no elements", "[base][array_ref]") {
  IntArrayRef list;
  CHECK(list.empty());
  CHECK(list.size() == 0);
  CHECK(list.begin() == list.end());
  CHECK(list.vec().empty());
}

TEST_CASE("every contiguous list of the element type converts", "[base][array_ref]") {
  std::vector<std::int64_t> vector{1, 2, 3};
  std::array<std::int64_t, 2> array{4, 5};
  std::int64_t c_array[] = {6, 7, 8, 9}, one = 10;
  CHECK(count(vector) == 3);
  CHECK(count(array) == 2);
  CHECK(count(c_array) == 4);
  CHECK(count(one) == 1);
  CHECK(count({1, 2, 3, 4, 5}) == 5);
  CHECK(IntArrayRef(vector).data() == vector.data());
}

TEST_CASE("elements are reached by index, range and slice", "[base][array_ref]") {
  std::vector<std::int64_t> vector{1, 2, 3, 4};
  IntArrayRef list = vector;
  CHECK(list.front() == 1);
  CHECK(list.back() == 4);
  CHECK(list[2] == 3);
  std::int64_t sum = 0;
  for (auto x : list) sum += x;
  CHECK(sum == 10);
  CHECK(list.slice(1, 2) == IntArrayRef({2, 3}));
  CHECK(list.slice(4, 0).empty());
  CHECK(list.vec() == vector);
}

TEST_CASE("lists are equal when their elements are", "[base][array_ref]") {
  std::vector<std::int64_t> a{1, 2}, b{1, 2}, c{1, 3}, d{1};
  CHECK(IntArrayRef(a) == IntArrayRef(b));
  CHECK_FALSE(IntArrayRef(a) == IntArrayRef(c));
  CHECK_FALSE(IntArrayRef(a) == IntArrayRef(d));
  CHECK(IntArrayRef() == IntArrayRef(std::vector<std::int64_t>{}));
}

TEST_CASE("a list works in constant expressions", "[base][array_ref]") {
  static constexpr std::int64_t numbers[] = {3, 4};
  constexpr IntArrayRef list = numbers;
  STATIC_REQUIRE(list.size() == 2);
  STATIC_REQUIRE(list[1] == 4);
  STATIC_REQUIRE(list == list.slice(0, 2));
}
