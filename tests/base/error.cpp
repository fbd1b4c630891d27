#include <string>
#include <vector>

#include <tenon/base/error.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {
enum class Fruit { Apple };
std::string to_string(Fruit) { return "apple"; }
int evaluations = 0;
int counted() { return ++evaluations; }
}  // namespace

TEST_CASE("concat joins texts, characters and numbers", "[base][error]") {
  CHECK(concat() == "");
  CHECK(concat("a", std::string("b"), std::string_view("c"), 'd') == "abcd");
  CHECK(concat(1, " ", -2, " ", std::int64_t{1} << 40, " ", 7u) == "1 -2 1099511627776 7");
  CHECK(concat(true, " ", false) == "True False");
}

TEST_CASE("concat prints lists in brackets and values by their to_string", "[base][error]") {
  CHECK(concat(std::vector<int>{}) == "[]");
  CHECK(concat(std::vector<int>{2, 3}) == "[2, 3]");
  CHECK(concat(std::vector<std::vector<int>>{{1}, {2, 3}}) == "[[1], [2, 3]]");
  CHECK(concat(Fruit::Apple, ":", std::vector<Fruit>{Fruit::Apple}) == "apple:[apple]");
}

TEST_CASE("fail throws the named type with the whole message", "[base][error]") {
  CHECK_ERROR(fail<ValueError>("op(): argument '", "dim", "': ", 3), ValueError, "op(): argument 'dim': 3");
  CHECK_ERROR(fail("plain"), Error, "plain");
}

TEST_CASE("every error type is an Error and a std::exception", "[base][error]") {
  CHECK_THROWS_AS(fail<IndexError>("x"), Error);
  CHECK_THROWS_AS(fail<TypeError>("x"), Error);
  CHECK_THROWS_AS(fail<NotImplementedError>("x"), Error);
  CHECK_THROWS_AS(fail<SchemaError>("x"), Error);
  CHECK_THROWS_AS(fail<RegistrationError>("x"), Error);
  CHECK_THROWS_AS(fail<AutogradError>("x"), Error);
  CHECK_THROWS_AS(fail<OutOfMemoryError>("x"), Error);
  CHECK_THROWS_AS(fail<FileError>("x"), Error);
  CHECK_THROWS_AS(fail<InternalError>("x"), std::exception);
}

TEST_CASE("a check evaluates its message only when it fails", "[base][error]") {
  evaluations = 0;
  TENON_CHECK(true, ValueError, counted());
  CHECK(evaluations == 0);
  CHECK_THROWS_AS([] { TENON_CHECK(1 > 2, IndexError, "index ", counted()); }(), IndexError);
  CHECK(evaluations == 1);
}

TEST_CASE("a check is one statement", "[base][error]") {
  if (false)
    TENON_CHECK(false, ValueError, "never");
  else
    SUCCEED();
}

TEST_CASE("an invariant that does not hold is the library's own error", "[base][error]") {
  auto message = [](auto&& f) {
    try {
      f();
    } catch (const InternalError& e) { return std::string(e.what()); }
    return std::string();
  };
  int n = 3;
  CHECK(message([&] { TENON_INTERNAL_ASSERT(n == 3); }).empty());
  CHECK(message([&] { TENON_INTERNAL_ASSERT(n < 2); }) == "internal assertion failed: n < 2");
  CHECK(message([&] { TENON_INTERNAL_ASSERT(n < 2, "n is ", n); }) == "internal assertion failed: n < 2: n is 3");
}
