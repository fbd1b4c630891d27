#include <tenon/schema/print.hpp>

#include <catch.hpp>

#include <tenon/schema/compare.hpp>
#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;

namespace {
std::string printed(std::string_view text) { return to_string(FunctionSchema::parse(text)); }
std::string argument(std::string_view text) {
  std::string all = printed(concat("f(", text, ") -> ()"));
  return all.substr(2, all.size() - 9);
}
}  // namespace

TEST_CASE("returns are printed bare, in parentheses or as a tuple", "[schema][print]") {
  for (const char* text :
       {"f() -> ()", "f() -> Tensor", "f() -> Tensor x", "f() -> (Tensor a, Tensor b)", "f() -> ((int, Tensor))",
        "f() -> ((str, t)[])", "f() -> ...", "f() -> (int, ...)", "f(...) -> ()", "f(Tensor a, ...) -> ()"})
    CHECK(printed(text) == text);
  CHECK(printed("f() -> (Tensor)") == "f() -> Tensor");
  CHECK(printed("f() -> (...)") == "f() -> ...");
}

TEST_CASE("the star is printed once before the first keyword-only argument", "[schema][print]") {
  CHECK(printed("f(int a, *, int b, *, int c) -> ()") == "f(int a, *, int b, int c) -> ()");
  CHECK(printed("f(int a, *) -> ()") == "f(int a) -> ()");
  CHECK(printed("f(*,int a)->()") == "f(*, int a) -> ()");
}

TEST_CASE("alias annotations are printed where they were", "[schema][print]") {
  for (const char* text : {"Tensor(a!)? x", "Tensor(a)[] x", "Tensor[](a!) x", "Tensor(b)[](a!) x",
                           "Tensor(b -> b|c)[](a!) x", "Tensor(a -> *) x", "Tensor(a! -> b) x", "Tensor(*) x",
                           "Tensor! x", "Tensor![] x", "t(a)? x", "Dict(str, int)(a!) x"})
    CHECK(argument(text) == text);
  CHECK(argument("Tensor( a | b ! ) x") == "Tensor(a|b!) x");
  CHECK(argument("Tensor(a -> a) x") == "Tensor(a) x");
  CHECK(argument("Tensor(a  # -> b, the first\n|b -> \\\n *) x") == "Tensor(a|b -> *) x");
}

TEST_CASE("types are printed as written", "[schema][print]") {
  for (const char* text :
       {"int[][4] x", "int[2]? x", "Tensor?[] x", "Future(int) x", "Await(t) x", "RRef(t) x",
        "Union(int, str, NoneType) x", "(int, (str, float)) x", "() x", "__torch__.torch.classes.a.B[] x", "SymBool x",
        "SymFloat x", "DeviceIndex x", "AnyEnumType x", "Any[] x", "ConstQuantizerPtr x"})
    CHECK(argument(text) == text);
  CHECK(argument("None x") == "NoneType x");
}

TEST_CASE("numbers are printed canonically", "[schema][print]") {
  CHECK(argument("int x=007") == "int x=7");
  CHECK(argument("int x=-9223372036854775808") == "int x=-9223372036854775808");
  CHECK(argument("float x=1") == "float x=1.");
  CHECK(argument("float x=.5") == "float x=0.5");
  CHECK(argument("float x=1e-5") == "float x=1.0000000000000001e-05");
  CHECK(argument("float x=1e-8") == "float x=1e-08");
  CHECK(argument("float x=1e20") == "float x=1e+20");
  CHECK(argument("float? x=0.33333333333333333") == "float? x=0.33333333333333331");
  CHECK(argument("float x=-0.0") == "float x=-0.");
  CHECK(argument("Scalar x=1") == "Scalar x=1");
  CHECK(argument("Scalar x=1.0") == "Scalar x=1.");
  CHECK(argument("Scalar x=True") == "Scalar x=True");
  CHECK(argument("complex x=2") == "complex x=2.");
  CHECK(argument("complex x=2.5j") == "complex x=2.5j");
}

TEST_CASE("lists of equal integers collapse only where they can be read back", "[schema][print]") {
  CHECK(argument("int[2] x=1") == "int[2] x=1");
  CHECK(argument("int[2] x=[1, 1]") == "int[2] x=1");
  CHECK(argument("int[2] x=[1,2]") == "int[2] x=[1, 2]");
  CHECK(argument("int[1] x=1") == "int[1] x=[1]");
  CHECK(argument("int[2] x=[]") == "int[2] x=[]");
  CHECK(argument("SymInt[2] x=1") == "SymInt[2] x=[1, 1]");
  CHECK(argument("int[] x=[1, 1]") == "int[] x=[1, 1]");
  CHECK(argument("int[1] x=[1, 1]") == "int[1] x=[1, 1]");
  CHECK(argument("int[2]? x=3") == "int[2]? x=3");
  CHECK(argument("float[2] x=0.5") == "float[2] x=[0.5, 0.5]");
  CHECK(argument("bool[2] x=True") == "bool[2] x=[True, True]");
  CHECK(argument("float[60000] x=1") == "float[60000] x=1.");
}

TEST_CASE("words are printed as their numbers", "[schema][print]") {
  CHECK(argument("ScalarType x=long") == "ScalarType x=4");
  CHECK(argument("ScalarType? x=bfloat16") == "ScalarType? x=15");
  CHECK(argument("Layout x=strided") == "Layout x=0");
  CHECK(argument("MemoryFormat? x=contiguous_format") == "MemoryFormat? x=0");
  CHECK(argument("MemoryFormat? x=channels_last") == "MemoryFormat? x=2");
  CHECK(argument("int x=Mean") == "int x=1");
}

TEST_CASE("texts are quoted and escaped", "[schema][print]") {
  CHECK(argument(R"(str x='a')") == R"(str x="a")");
  CHECK(argument(R"(str x="\"\'\\")") == R"(str x="\"\'\\")");
  CHECK(argument(R"(str x=" \n\t\f\v")") == R"(str x=" \n\t\f\v")");
  CHECK(argument(R"(str x="\x41\101")") == R"(str x="AA")");
  CHECK(argument("str x=\"\x01\"") == R"(str x="\001")");
  CHECK(argument(R"(Device x="cuda:0")") == R"(Device x="cuda:0")");
}

TEST_CASE("case 177: an optional text keeps its default None", "[schema][print]") {
  CHECK(printed("any(Tensor self, *, str? x=None) -> ()") == "any(Tensor self, *, str? x=None) -> ()");
}

TEST_CASE("one constant of an optional type is printed as it was written", "[schema][print]") {
  for (const char* text : {"f(float? x=1) -> ()", "f(complex? x=-1) -> ()", "f(float[2]? x=1.) -> ()",
                           "f(bool[2]? x=True) -> ()", "f(int[2]? x=1) -> ()", "f(SymInt[2]? x=[1, 1]) -> ()"})
    CHECK(printed(text) == text);
}

TEST_CASE("printing and parsing again gives an equal schema", "[schema][print]") {
  for (
      const char* text :
      {"f(Tensor! x, Device d=\"cuda:0\", complex c=1j, complex e=3) -> Tensor!",
       "f(str s='\\x00\\n', int[3] x=7, SymInt[3] y=7) -> ()",
       "f(Tensor(a -> b|*)?[](c!) x, float[] y=[1e-300, 5e-324, 1.7976931348623157e308]) -> (Tensor(a)[] p, (int, str) q, ...)"}) {
    auto once = FunctionSchema::parse(text);
    auto again = FunctionSchema::parse(to_string(once));
    CHECK(once == again);
    CHECK(to_string(once) == to_string(again));
  }
}

TEST_CASE("the type of an argument can be printed alone", "[schema][print]") {
  auto s = FunctionSchema::parse("f(Tensor(a!)[] x, int dim=-1) -> ()");
  CHECK(type_text(s, s->arg(0)) == "Tensor[]");
  CHECK(to_string(s, s->arg(1)) == "int dim=-1");
}
