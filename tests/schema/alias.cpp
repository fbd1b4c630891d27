#include <tenon/schema/alias.hpp>

#include <catch.hpp>

#include <tenon/schema/function_schema.hpp>
#include <tenon/schema/parse.hpp>

using namespace tenon;
using namespace tenon::schema;

namespace {
constexpr Position input(std::size_t i) { return {Side::Input, i}; }
constexpr Position output(std::size_t i) { return {Side::Output, i}; }
}  // namespace

TEST_CASE("case 175: an argument is an out argument when keyword-only and written", "[schema][alias]") {
  auto one = FunctionSchema::parse("any.out(Tensor self, Tensor b, *, Tensor(a!) out) -> Tensor(a!)");
  CHECK_FALSE(one->is_out(0));
  CHECK(one->is_out(2));
  auto read = FunctionSchema::parse("any.out(Tensor self, Tensor b, *, Tensor out) -> Tensor");
  CHECK_FALSE(read->is_out(2));
  auto positional = FunctionSchema::parse("any.out(Tensor self, Tensor b, Tensor(a!) out) -> Tensor(a!)");
  CHECK_FALSE(positional->is_out(2));
  auto many = FunctionSchema::parse("any.out(Tensor self, *, Tensor(a!) x, Tensor(b!)[] y) -> ()");
  CHECK(many->is_out(1));
  CHECK(many->is_out(2));
}

TEST_CASE("case 198: mutability of the whole, by index and by name", "[schema][alias]") {
  auto s = FunctionSchema::parse("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> (Tensor(a!))");
  CHECK(is_mutable(s));
  CHECK(is_mutable(s, 0));
  CHECK(is_mutable(s, "self"));
  CHECK_FALSE(is_mutable(s, 1));
  CHECK_FALSE(is_mutable(s, "other"));
  CHECK_FALSE(is_mutable(s, 2));
  CHECK_FALSE(is_mutable(s, "alpha"));
  CHECK_ERROR(is_mutable(s, 4), IndexError, "aten::sub_.Tensor(): argument 4 lies outside [0, 3)");
  CHECK_ERROR(is_mutable(s, "named_argument"), ValueError,
              "aten::sub_.Tensor(): no argument is named 'named_argument'");
  CHECK(has_alias_info(s));
  CHECK_FALSE(has_alias_info(FunctionSchema::parse("f(Tensor x) -> Tensor")));
}

TEST_CASE("case 199: another name of a written value is written too", "[schema][alias]") {
  auto s = FunctionSchema::parse("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> (Tensor(a!))");
  CallAliases call(s);
  CHECK(call.is_mutable_value(0));
  CHECK_FALSE(call.is_mutable_value(1));
  call.same_value(0, 1);
  CHECK(call.is_mutable_value(1));
  CHECK_FALSE(call.is_mutable_value(2));
  CHECK_THROWS_AS(call.same_value(0, 9), IndexError);
}

TEST_CASE("case 200: a bad index in an alias query throws", "[schema][alias]") {
  auto s = FunctionSchema::parse("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> (Tensor(a!))");
  CHECK_THROWS_AS(may_alias(s, input(15), output(0)), IndexError);
  CHECK_ERROR(may_alias(s, input(0), output(15)), IndexError, "aten::sub_.Tensor(): return 15 lies outside [0, 1)");
}

TEST_CASE("sets that intersect may alias", "[schema][alias]") {
  auto s = FunctionSchema::parse("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> (Tensor(a!))");
  CHECK(may_alias(s, input(0), output(0)));
  CHECK_FALSE(may_alias(s, input(1), output(0)));
  CHECK_FALSE(may_alias(s, input(0), input(1)));
  auto wild =
      FunctionSchema::parse("aten::test.Tensor(Tensor(*) self, Tensor(a) b, int(*) c) -> (Tensor(a), Tensor(*))");
  CHECK(may_alias(wild, input(0), output(1)));
  CHECK_FALSE(may_alias(wild, input(0), output(0)));
  CHECK_FALSE(may_alias(wild, output(1), input(1)));
  CHECK_FALSE(may_alias(wild, input(2), output(1)));
  auto optional = FunctionSchema::parse("f(Tensor(a)? x) -> Tensor(a)");
  CHECK(may_alias(optional, input(0), output(0)));
}

// The answers are those of PyTorch 2.15's torch._C._SchemaInfo.
TEST_CASE("a wildcard meets wildcards only", "[schema][alias]") {
  auto s = FunctionSchema::parse(
      "aten::t.Tensor(Tensor(*) self, Tensor b, Tensor(a -> *) c, Tensor(b!) d) -> (Tensor, Tensor(a), Tensor(*))");
  CHECK(may_alias(s, input(2), input(0)));
  CHECK(may_alias(s, input(0), output(2)));
  for (Position p : {input(1), input(3), output(0), output(1)}) {
    CHECK_FALSE(may_alias(s, input(0), p));
    CHECK_FALSE(may_alias(s, input(2), p));
    CHECK_FALSE(may_alias(s, p, output(2)));
    CHECK_FALSE(may_contain_alias(s, input(0), p));
  }
  auto list = FunctionSchema::parse(
      "aten::l(Tensor(*) a, Tensor[] b, Tensor(a)[] c, Tensor d, Tensor(*)[] e) -> (Tensor[], Tensor(*)[])");
  for (Position p : {input(1), input(2), input(4), output(0), output(1)}) {
    CHECK_FALSE(may_alias(list, input(0), p));
    CHECK(may_contain_alias(list, input(0), p));
    CHECK_FALSE(may_contain_alias(list, input(3), p));
  }
  CHECK(may_contain_alias(list, input(1), input(2)));
  CHECK(may_contain_alias(list, output(0), output(1)));
}

TEST_CASE("containers may contain what aliases", "[schema][alias]") {
  auto s = FunctionSchema::parse("aten::test.Tensor(Tensor(*) self, Tensor(a!)[] list, int[] n) -> Tensor[]");
  CHECK(may_contain_alias(s, input(0), output(0)));
  CHECK(may_contain_alias(s, output(0), input(0)));
  CHECK(may_contain_alias(s, input(1), output(0)));
  CHECK_FALSE(may_contain_alias(s, input(2), output(0)));
  CHECK(may_contain_alias(s, output(0), input(0), false));
  CHECK_FALSE(may_contain_alias(s, input(0), output(0), false));
}

TEST_CASE("case 201: arguments of one value alias, and so do their outputs", "[schema][alias]") {
  auto s = FunctionSchema::parse(
      "aten::sub.Tensor(Tensor(a) self, Tensor(b) other, *, Scalar alpha=1) -> (Tensor(a), Tensor(b))");
  CallAliases call(s);
  CHECK_FALSE(call.may_alias(input(0), input(1)));
  CHECK_FALSE(call.may_alias(input(0), output(1)));
  call.same_value(0, 1);
  CHECK(call.may_alias(input(0), input(1)));
  CHECK(call.may_alias(input(0), output(1)));
  CHECK(call.may_alias(input(1), output(0)));
  CHECK(call.may_alias(output(0), output(1)));
}

TEST_CASE("case 202: outputs that alias one input alias each other", "[schema][alias]") {
  auto s = FunctionSchema::parse("aten::aliasing(Tensor(a|b) self) -> (Tensor(a), Tensor(b))");
  CallAliases call(s);
  CHECK_FALSE(may_alias(s, output(0), output(1)));
  CHECK(call.may_alias(output(0), output(1)));
}

TEST_CASE("case 203: an input equal to one that aliases the output aliases it", "[schema][alias]") {
  auto s = FunctionSchema::parse("aten::test.Tensor(Tensor(a) self, Tensor other) -> Tensor(a)");
  CallAliases call(s);
  CHECK_FALSE(call.may_alias(input(1), output(0)));
  call.same_value(0, 1);
  CHECK(call.may_alias(input(1), output(0)));
}

namespace {
constexpr std::string_view text = "aten::t_(Tensor(a!) self) -> Tensor(a!)";
constexpr Counts room = count(text);
constexpr auto data = parse<room.args, room.returns, room.types>(text);
static_assert(is_mutable(data.view(text)) && may_alias(data.view(text), input(0), output(0)));
}  // namespace
