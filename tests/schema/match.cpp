#include <tenon/schema/match.hpp>

#include <catch.hpp>
#include <vector>

#include <tenon/schema/function_schema.hpp>
#include <tenon/schema/parse.hpp>
#include <tenon/schema/print.hpp>

using namespace tenon;
using namespace tenon::schema;

namespace {

constexpr std::string_view text = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
constexpr Counts room = count(text);
constexpr auto data = parse<room.args, room.returns, room.types>(text);
constexpr SchemaView add = data.view(text);

constexpr auto both = schema::bind<3>(add, 2);
static_assert(both.result.ok() && both.source[0] == 0 && both.source[1] == 1 && both.source[2] == from_default);
constexpr auto keywords = schema::bind<3>(add, 1, "alpha", "other");
static_assert(keywords.result.ok() && keywords.source[1] == 2 && keywords.source[2] == 1);
static_assert(schema::bind<3>(add, 3).result.ok());
static_assert(schema::bind<3>(add, 4).result.why == bind_error::too_many_arguments);
static_assert(schema::bind<3>(add, 1).result.why == bind_error::required_argument_missing &&
              schema::bind<3>(add, 1).result.which == 1);
static_assert(schema::bind<3>(add, 1, "othr").result.why == bind_error::unknown_keyword);
static_assert(schema::bind<3>(add, 2, "alpha", "beta").result.why == bind_error::unknown_keyword &&
              schema::bind<3>(add, 2, "alpha", "beta").result.which == 1);
static_assert(schema::bind<3>(add, 2, "other").result.why == bind_error::argument_given_twice);
static_assert(schema::bind<3>(add, 2, "alpha", "alpha").result.why == bind_error::argument_given_twice);

std::string message(std::size_t positional, std::vector<std::string_view> names,
                    KeywordOnly how = KeywordOnly::TakesPosition) {
  std::int16_t source[3];
  auto result = schema::bind(add, positional, names.data(), names.size(), source, how);
  return bind_message(add, result, positional, names.data(), names.size(), to_string(add));
}

}  // namespace

TEST_CASE("a call that does not match says why", "[schema][match]") {
  CHECK(message(2, {}) == "");
  CHECK(message(4, {}) ==
        "Expected at most 3 argument(s) for operator 'aten::add', but received 4 argument(s). Declaration: "
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  CHECK(message(1, {}) ==
        "aten::add() is missing value for argument 'other'. Declaration: "
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  CHECK(message(2, {"beta"}) ==
        "Unknown keyword argument 'beta' for operator 'aten::add'. Schema: "
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  CHECK(message(2, {"other"}) ==
        "Argument 'other' specified both as positional and keyword argument. Schema: "
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
}

TEST_CASE("keyword-only arguments may refuse positions", "[schema][match]") {
  CHECK(message(3, {}) == "");
  CHECK(message(3, {}, KeywordOnly::RefusesPosition) ==
        "aten::add() takes 2 positional argument(s) but 3 were given.  Declaration: "
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
}

TEST_CASE("variadic schemas take more positions", "[schema][match]") {
  auto s = FunctionSchema::parse("f(Tensor a, ...) -> ()");
  std::int16_t source[1];
  CHECK(schema::bind(s, 5, nullptr, 0, source).ok());
  CHECK(source[0] == 0);
}
