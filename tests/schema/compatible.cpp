#include <tenon/schema/compatible.hpp>

#include <catch.hpp>

#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;

namespace {
Compatibility backward(const char* now, const char* old) {
  return backward_compatible(FunctionSchema::parse(now), FunctionSchema::parse(old));
}
Compatibility forward(const char* now, const char* old) {
  return forward_compatible(FunctionSchema::parse(now), FunctionSchema::parse(old));
}
}  // namespace

TEST_CASE("case 187: the frame must stay", "[schema][compatible]") {
  const char* old = "any.over(Tensor self, *, Tensor b) -> Tensor";
  CHECK(backward(old, old));
  CHECK_FALSE(backward("any_.over(Tensor self, *, Tensor b) -> Tensor", old));
  CHECK_FALSE(backward("any.other(Tensor self, *, Tensor b) -> Tensor", old));
  CHECK_FALSE(backward("any.over(Tensor self, *, Tensor b, ...) -> Tensor", old));
  CHECK_FALSE(backward("any.over(Tensor self, *, Tensor b) -> (Tensor, ...)", old));
  CHECK_FALSE(backward("any.over(Tensor self, *, Tensor b) -> (Tensor, Tensor)", old));
}

TEST_CASE("case 188: results may become subtypes only", "[schema][compatible]") {
  CHECK(backward("f(Tensor x) -> Tensor", "f(Tensor x) -> Tensor?"));
  CHECK_FALSE(backward("f(Tensor x) -> Tensor?", "f(Tensor x) -> Tensor"));
  CHECK_FALSE(backward("f(Tensor x) -> int", "f(Tensor x) -> Tensor"));
  CHECK_FALSE(backward("f(Tensor x) -> ()", "f(Tensor x) -> Tensor"));
}

TEST_CASE("case 189: arguments may be widened, defaulted and made positional", "[schema][compatible]") {
  const char* old = "f(Tensor self, *, int b, str c='x') -> ()";
  CHECK(backward("f(Tensor self, *, int b, str c='x', int d=1) -> ()", old));
  CHECK(backward("f(Tensor self, *, int? b, str c='x') -> ()", old));
  CHECK(backward("f(Tensor self, *, Scalar b, str c='x') -> ()", old));
  CHECK(backward("f(Tensor? self, *, int b, str c='x') -> ()", old));
  CHECK(backward("f(Tensor self, int b, *, str c='x') -> ()", old));
  CHECK(backward("f(Tensor self, *, int b=1, str c='x') -> ()", old));
  CHECK_FALSE(backward("f(Tensor me, *, int b, str c='x') -> ()", old));
  CHECK_FALSE(backward("f(Tensor self, *, str c='x', int b) -> ()", old));
  CHECK_FALSE(backward("f(*, Tensor self, int b, str c='x') -> ()", old));
  CHECK_FALSE(backward("f(Tensor self, *, int b, str c='y') -> ()", old));
  CHECK_FALSE(backward("f(Tensor self, *, int b, str c) -> ()", old));
  CHECK_FALSE(backward("f(Tensor self, *, int b) -> ()", old));
  CHECK_FALSE(backward("f(Tensor self, *, int[] b, str c='x') -> ()", old));
  CHECK_FALSE(backward("f(int x) -> ()", "f(int? x) -> ()"));
  CHECK_FALSE(backward("f(int[2] x) -> ()", "f(int[3] x) -> ()"));
  CHECK_FALSE(backward("f(Tensor(a!) x) -> ()", "f(Tensor x) -> ()"));
  CHECK(
      backward("f(Tensor self, *, int b, str c='x', int d) -> ()", old).reason ==
      "Function schema not backward compatible since the new argument 'd' of type int did not provide a default value.");
}

TEST_CASE("case 190: new arguments stand between the old ones and the outs", "[schema][compatible]") {
  const char* old = "f(Tensor self, *, int a, Tensor(b!) out1, Tensor(c!) out2) -> ()";
  CHECK(backward("f(Tensor self, *, int a, int b=1, Tensor(b!) out1, Tensor(c!) out2) -> ()", old));
  CHECK(backward("f(Tensor self, *, int a, int b=1, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> ()", old));
  CHECK_FALSE(backward("f(Tensor self, *, int b=1, int a, Tensor(b!) out1, Tensor(c!) out2) -> ()", old));
  CHECK_FALSE(backward("f(Tensor self, *, int a, Tensor(c!) out2, Tensor(b!) out1) -> ()", old));
}

TEST_CASE("case 191: new arguments need a default that is no container", "[schema][compatible]") {
  const char* old = "any(Tensor self, int a, int b=1) -> Tensor";
  CHECK(forward("any(Tensor self, int a, int b=1, int c=1) -> Tensor", old));
  CHECK(forward("any(Tensor self, int a) -> Tensor", old));
  auto container = forward("any(Tensor self, int a, int b=1, int[2] c=1) -> Tensor", old);
  CHECK_FALSE(container);
  CHECK(
      container.reason ==
      "Function schema is not forward compatible since the new argument 'c' of type int[2] has a container type as its default value.");
  auto without = forward("any(Tensor self, int a, int b=1, *, int c) -> Tensor", old);
  CHECK_FALSE(without);
  CHECK(
      without.reason ==
      "Function schema is not forward compatible since the new argument 'c' of type int did not provide a default value.");
}

TEST_CASE("case 192: bounds that became optional are named", "[schema][compatible]") {
  auto result =
      forward("aten::slice.Tensor(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)",
              "aten::slice.Tensor(Tensor(a) self, int dim=0, int? start=0, int? end=0, int step=1) -> Tensor(a)");
  CHECK_FALSE(result);
  CHECK(result.reason == "'start' is not forward compatible with the older version of the schema");
}

TEST_CASE("case 193: outs keep their order and number", "[schema][compatible]") {
  const char* old = "any(Tensor self, *, int a, int b=1, Tensor(a!) c) -> Tensor";
  CHECK(forward("any(Tensor self, *, int a, int b=1, int d=1, Tensor(a!) c) -> Tensor", old));
  CHECK(forward("any(Tensor self, *, int a, int b=1, int d=1, Tensor(a!) c, Tensor(b!) e) -> Tensor", old).reason ==
        "Function schema should have the same number of out arguments");
  CHECK_FALSE(forward("any(Tensor self, *, int a, int b=1, int d=1, Tensor(a!) e) -> Tensor", old));
}
