#include <tenon/schema/error_text.hpp>

#include <algorithm>
#include <vector>

#include <catch.hpp>

#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;

#define CHECK_REFUSED(TEXT, MESSAGE) CHECK_ERROR(FunctionSchema::parse(TEXT), SchemaError, MESSAGE)

TEST_CASE("a missing token is named beside the one found", "[schema][error_text]") {
  CHECK_REFUSED("foo(Tensor a Tensor b) -> Tensor",
                "expected ) but found 'ident' here:\n"
                "foo(Tensor a Tensor b) -> Tensor\n"
                "             ~~~~~~ <--- HERE");
  CHECK_REFUSED("foo(Tensor) -> Tensor",
                "expected ident but found ')' here:\n"
                "foo(Tensor) -> Tensor\n"
                "          ~ <--- HERE");
  CHECK_REFUSED("foo(Tensor a)",
                "expected -> but found 'eof' here:\n"
                "foo(Tensor a)\n"
                "             ~ <--- HERE");
  CHECK_REFUSED("foo(int[] x=None) -> ()",
                "expected [ but found 'None' here:\n"
                "foo(int[] x=None) -> ()\n"
                "            ~~~~ <--- HERE");
  CHECK_REFUSED("foo(Tensor?(a!) x) -> ()",
                "expected ident but found '(' here:\n"
                "foo(Tensor?(a!) x) -> ()\n"
                "           ~ <--- HERE");
  CHECK_REFUSED("foo(int a=) -> ()",
                "expected number but found ')' here:\n"
                "foo(int a=) -> ()\n"
                "          ~ <--- HERE");
  CHECK_REFUSED("foo(int a) -> () bar",
                "expected eof but found 'ident' here:\n"
                "foo(int a) -> () bar\n"
                "                 ~~~ <--- HERE");
  CHECK_REFUSED("foo(int 1) -> ()",
                "expected ident but found 'number' here:\n"
                "foo(int 1) -> ()\n"
                "        ~ <--- HERE");
  CHECK_REFUSED("foo(int \"a\") -> ()",
                "expected ident but found 'string_literal' here:\n"
                "foo(int \"a\") -> ()\n"
                "        ~ <--- HERE");
  CHECK_REFUSED("foo(int a)\n-> ()",
                "expected -> but found 'newline' here:\n"
                "foo(int a)\n"
                "          ~ <--- HERE");
}

TEST_CASE("a mistake of meaning is told before its picture", "[schema][error_text]") {
  CHECK_REFUSED("foo(Tensr a) -> Tensor",
                "\nunknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar; "
                "for a full list, see tenon/schema/type.hpp:\n"
                "foo(Tensr a) -> Tensor\n"
                "    ~~~~~ <--- HERE");
  CHECK_REFUSED(
      "foo(double a) -> Tensor",
      "\nUse `float` instead of `double` in an operator's schema string. `float` in schema corresponds to the double type in "
      "C++:\n"
      "foo(double a) -> Tensor\n"
      "    ~~~~~~ <--- HERE");
  CHECK_REFUSED(
      "foo(int64_t a) -> Tensor",
      "\nUse `SymInt` or `int` instead of `int64_t` in an operator's schema string. `SymInt` corresponds to tenon::SymInt in "
      "C++ while `int` in schema corresponds to the int64_t type in C++.:\n"
      "foo(int64_t a) -> Tensor\n"
      "    ~~~~~~~ <--- HERE");
  CHECK_REFUSED("foo(int a=1.5) -> ()",
                "\nthe default value does not fit the argument's type:\n"
                "foo(int a=1.5) -> ()\n"
                "          ~~~ <--- HERE");
  CHECK_REFUSED("foo(float a=12ab) -> ()",
                "\ninvalid numeric default value:\n"
                "foo(float a=12ab) -> ()\n"
                "            ~~~~ <--- HERE");
  CHECK_REFUSED("foo(Tensor[] a=[]) -> ()",
                "\nlists are only supported for float, int and complex types:\n"
                "foo(Tensor[] a=[]) -> ()\n"
                "               ~ <--- HERE");
  CHECK_REFUSED("foo(int a, Tensor a) -> ()",
                "\nargument name 'a' is used twice:\n"
                "foo(int a, Tensor a) -> ()\n"
                "                  ~ <--- HERE");
  CHECK_REFUSED("foo(int a=1, Tensor b) -> ()",
                "\nNon-default positional argument follows default argument. Parameter b:\n"
                "foo(int a=1, Tensor b) -> ()\n"
                "                    ~ <--- HERE");
  CHECK_REFUSED("foo.default(int a) -> ()",
                "\ndefault is not a legal overload name for aten operators:\n"
                "foo.default(int a) -> ()\n"
                "    ~~~~~~~ <--- HERE");
  CHECK_REFUSED("foo(__torch__.torch.other.A.B a) -> ()",
                "\nExpected classes namespace but got other:\n"
                "foo(__torch__.torch.other.A.B a) -> ()\n"
                "                    ~~~~~ <--- HERE");
}

TEST_CASE("case 178: variadic mistakes are told in PyTorch's words", "[schema][error_text]") {
  CHECK_REFUSED("any.foo(int arg1, int arg2=0, ...) -> ()",
                "\nschemas with vararg (...) can't have default value args:\n"
                "any.foo(int arg1, int arg2=0, ...) -> ()\n"
                "                           ~ <--- HERE");
  CHECK_REFUSED("any.foo(..., int arg2) -> ()",
                "\n... must be the last element of the argument list:\n"
                "any.foo(..., int arg2) -> ()\n"
                "             ~~~ <--- HERE");
  CHECK_REFUSED("any.foo() -> (..., int)",
                "\n... must be the last element of the return list:\n"
                "any.foo() -> (..., int)\n"
                "                   ~~~ <--- HERE");
}

TEST_CASE("of several lines only the wrong one is shown", "[schema][error_text]") {
  CHECK_REFUSED("foo(\n  int a,\n  Tensr b,\n  int c) -> ()",
                "\nunknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar; "
                "for a full list, see tenon/schema/type.hpp:\n"
                "  Tensr b,\n"
                "  ~~~~~ <--- HERE");
}

TEST_CASE("every reason has words of its own", "[schema][error_text]") {
  CHECK_REFUSED("f(int x=99999999999999999999) -> ()",
                "\nthe number is out of range:\n"
                "f(int x=99999999999999999999) -> ()\n"
                "        ~~~~~~~~~~~~~~~~~~~~ <--- HERE");
  std::vector<std::string> told;
  for (int i = 1; i <= static_cast<int>(reason::text_too_long); ++i) {
    CAPTURE(i);
    Head head{};
    head.why = static_cast<reason>(i);
    head.position = 2;
    head.end = 5;
    std::string text = error_text("f(abc x) -> ()", head), words = text.substr(0, text.find("f(abc"));
    CHECK(words.size() > 12);
    CHECK(words.find("the schema is malformed") == std::string::npos);
    CHECK(text.ends_with("f(abc x) -> ()\n  ~~~ <--- HERE"));
    // Missing tokens of one kind share their words.
    if (words.find("expected ") != 0) {
      CHECK(std::find(told.begin(), told.end(), words) == told.end());
      told.push_back(words);
    }
  }
}
