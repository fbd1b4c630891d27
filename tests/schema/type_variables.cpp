#include <tenon/schema/type_variables.hpp>

#include <catch.hpp>

using namespace tenon;
using namespace tenon::schema;

TEST_CASE("case 194: a type variable stands for one type throughout", "[schema][type_variables]") {
  auto s = FunctionSchema::parse("aten::test_vartype(t[] a, t b) -> t");
  TypeBindings ints(s);
  CHECK(ints.match(0, "int[]") == "");
  CHECK(ints.match(1, "int") == "");
  CHECK(ints.bound("t") == "int");
  CHECK(ints.bound("u") == "");
  TypeBindings floats(s);
  CHECK(floats.match(0, "float[]") == "");
  CHECK(floats.match(1, "float") == "");
  TypeBindings mixed(s);
  CHECK(mixed.match(0, "float[]") == "");
  CHECK(mixed.match(1, "int") == "Type variable 't' previously matched to type float is matched to type int");
}

TEST_CASE("variables are found inside dictionaries, tuples and optionals", "[schema][type_variables]") {
  auto s = FunctionSchema::parse("f(Dict(k, v) d, (k, v)? pair, Tensor? x, Any y) -> ()");
  TypeBindings b(s);
  CHECK(b.match(0, "Dict(str, Tensor)") == "");
  CHECK(b.match(1, "(str, Tensor)") == "");
  CHECK(b.match(1, "None") == "");
  CHECK(b.match(1, "(str, int)") == "Type variable 'v' previously matched to type Tensor is matched to type int");
  CHECK(b.match(2, "Tensor") == "");
  CHECK(b.match(2, "int") == "Cannot match Tensor to int");
  CHECK(b.match(3, "int[]") == "");
  CHECK(b.match(0, "int") == "Cannot match Dict(k, v) to int");
  CHECK_THROWS_AS(b.match(0, "int["), SchemaError);
}
