#include <tenon/schema/compare.hpp>

#include <algorithm>
#include <vector>

#include <catch.hpp>

#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;

TEST_CASE("case 176: equal schemas hash equal and variants differ", "[schema][compare]") {
  auto base = FunctionSchema::parse("ns::f.o(Tensor(a!) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(a!) r, int)");
  auto same =
      FunctionSchema::parse("ns::f.o( Tensor(a!) self, int[2] dim=[1, 1], *, str s='x' ) -> (Tensor(a!) r, int)");
  CHECK(base == same);
  CHECK(hash(base) == hash(same));
  for (const char* other : {
           "ns::g.o(Tensor(a!) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(a!) r, int)",
           "ns::f.p(Tensor(a!) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(a!) me, int[2] dim=1, *, str s=\"x\") -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(a!) self, float[2] dim=1, *, str s=\"x\") -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(a!) self, int[3] dim=1, *, str s=\"x\") -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(a!) self, int[2] dim=2, *, str s=\"x\") -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(a!) self, int[2] dim=1, *, str s=\"y\") -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(a!) self, int[2] dim=1, *, str s) -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(a!) self, int[2] dim=1, str s=\"x\") -> (Tensor(a!) r, int)",
           "ns::f.o(Tensor(b!) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(b!) r, int)",
           "ns::f.o(Tensor(a) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(a) r, int)",
           "ns::f.o(Tensor(a!) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(a!) q, int)",
           "ns::f.o(Tensor(a!) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(a!) r, float)",
           "ns::f.o(Tensor(a!) self, int[2] dim=1, *, str s=\"x\") -> Tensor(a!) r",
           "ns::f.o(Tensor(a!) self, int[2] dim=1, *, str s=\"x\") -> (Tensor(a!) r, int, ...)",
       }) {
    CAPTURE(other);
    CHECK_FALSE(base == FunctionSchema::parse(other));
  }
}

TEST_CASE("types that match as the same are equal", "[schema][compare]") {
  auto a = FunctionSchema::parse("f(SymInt[] x, ScalarType? y) -> ()"),
       b = FunctionSchema::parse("f(int[] x, int? y) -> ()");
  CHECK(a == b);
  CHECK(hash(a) == hash(b));
  CHECK_FALSE(same_type(a, a->arg(0), b, b->arg(0), TypeComparison::Exact));
  CHECK(same_type(a, a->arg(0), a, a->arg(0), TypeComparison::Exact));
}

TEST_CASE("schemas that differ in a name, a kind or a number of arguments hash differently", "[schema][compare]") {
  std::vector<std::size_t> hashes;
  for (const char* text :
       {"ns::f(Tensor x, int n=1) -> Tensor", "ns::g(Tensor x, int n=1) -> Tensor",
        "ns::f.o(Tensor x, int n=1) -> Tensor", "f(Tensor x, int n=1) -> Tensor", "ns::f(Tensor y, int n=1) -> Tensor",
        "ns::f(Tensor x, float n=1) -> Tensor", "ns::f(Tensor x, int n) -> Tensor",
        "ns::f(Tensor x, *, int n=1) -> Tensor", "ns::f(Tensor x, int[1] n=1) -> Tensor",
        "ns::f(Tensor(a!) x, int n=1) -> Tensor", "ns::f(Tensor x, int n=1) -> (Tensor, Tensor)",
        "ns::f(Tensor x, int n=1) -> Tensor r", "ns::f(Tensor x) -> (int n, Tensor)", "ns::f(Tensor x) -> ()"}) {
    CAPTURE(text);
    std::size_t h = hash(FunctionSchema::parse(text));
    CHECK(std::find(hashes.begin(), hashes.end(), h) == hashes.end());
    hashes.push_back(h);
  }
}

TEST_CASE("alias sets are unordered and longer names count by name", "[schema][compare]") {
  auto equal = [](const char* a, const char* b) { return FunctionSchema::parse(a) == FunctionSchema::parse(b); };
  CHECK(equal("f(Tensor(a|b) x) -> ()", "f(Tensor(b|a) x) -> ()"));
  CHECK(equal("f(Tensor(one|two -> *) x) -> ()", "f(Tensor(two|one -> *) x) -> ()"));
  CHECK_FALSE(equal("f(Tensor(one) x) -> ()", "f(Tensor(two) x) -> ()"));
  CHECK_FALSE(equal("f(Tensor(one -> two) x) -> ()", "f(Tensor(one -> three) x) -> ()"));
  CHECK(equal("f(Tensor! x) -> ()", "f(Tensor! x) -> ()"));
  CHECK_FALSE(equal("f(Tensor! x) -> ()", "f(Tensor(a!) x) -> ()"));
  CHECK_FALSE(equal("f(Tensor(a)[] x) -> ()", "f(Tensor[](a) x) -> ()"));
}

TEST_CASE("defaults are equal by value", "[schema][compare]") {
  auto equal = [](const char* a, const char* b) {
    return FunctionSchema::parse(concat("f(", a, ") -> ()")) == FunctionSchema::parse(concat("f(", b, ") -> ()"));
  };
  CHECK(equal("float x=1", "float x=1."));
  CHECK(equal("float[] x=[1, 2.]", "float[] x=[1., 2]"));
  CHECK_FALSE(equal("Scalar x=1", "Scalar x=1."));
  CHECK(equal("ScalarType x=long", "ScalarType x=4"));
  CHECK_FALSE(equal("ScalarType? x=long", "ScalarType? x=None"));
  CHECK(equal("str x='\\x41'", "str x=\"A\""));
  CHECK_FALSE(equal("bool x=True", "bool x=False"));
  CHECK_FALSE(equal("int[] x=[1]", "int[] x=[1, 1]"));
  CHECK_FALSE(equal("complex x=1", "complex x=1j"));
}

TEST_CASE("an alias set that holds another is not equal to it", "[schema][compare]") {
  auto equal = [](const char* a, const char* b) { return FunctionSchema::parse(a) == FunctionSchema::parse(b); };
  for (auto [few, many] : {std::pair{"f(Tensor(one) x) -> ()", "f(Tensor(one|two) x) -> ()"},
                           {"f(Tensor(one -> two) x) -> ()", "f(Tensor(one -> two|three) x) -> ()"},
                           {"f(Tensor(a) x) -> ()", "f(Tensor(a|b) x) -> ()"}}) {
    CAPTURE(few);
    CHECK_FALSE(equal(few, many));
    CHECK_FALSE(equal(many, few));
  }
}

TEST_CASE("every kind that is a plain number to callers matches as that number", "[schema][compare]") {
  auto equal = [](const char* a, const char* b) {
    return FunctionSchema::parse(concat("f(", a, " x) -> ()")) == FunctionSchema::parse(concat("f(", b, " x) -> ()"));
  };
  for (const char* kind : {"SymInt", "ScalarType", "Layout", "MemoryFormat", "DeviceIndex"}) {
    CAPTURE(kind);
    CHECK(equal(kind, "int"));
    CHECK(equal(concat(kind, "?").c_str(), "int?"));
    CHECK_FALSE(equal(kind, "float"));
  }
  CHECK(equal("SymFloat", "float"));
  CHECK(equal("SymBool", "bool"));
  for (const char* kind : {"Device", "Scalar", "str", "Generator", "float", "bool"}) {
    CAPTURE(kind);
    CHECK_FALSE(equal(kind, "int"));
  }
}
