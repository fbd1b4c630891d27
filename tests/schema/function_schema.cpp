#include <tenon/schema/function_schema.hpp>

#include <catch.hpp>

#include <tenon/schema/compare.hpp>
#include <tenon/schema/print.hpp>

using namespace tenon;
using namespace tenon::schema;

static_assert(sizeof(FunctionSchema) == sizeof(void*), "a handle: containers and registries move it freely");

TEST_CASE("views stay valid while a copy of the schema lives", "[schema][function_schema]") {
  FunctionSchema kept;
  CHECK_FALSE(kept);
  const SchemaView* view = nullptr;
  {
    auto s =
        FunctionSchema::parse(std::string("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"));
    view = &s.view();
    kept = s;
  }
  CHECK(kept);
  CHECK(view == &kept.view());
  CHECK(view->operator_name() == "aten::add.Tensor");
  CHECK(view->default_text(view->arg(2)) == "1");
  FunctionSchema moved = std::move(kept);
  CHECK(view == &moved.view());
}

TEST_CASE("a schema that somebody else owns can be copied", "[schema][function_schema]") {
  auto a = FunctionSchema::parse("f(Tensor(a!)? x, int[2] y=3) -> (Tensor(a!) p, Tensor q)");
  auto b = FunctionSchema::copy(a);
  CHECK(a == b);
  CHECK(b->text.data() != a->text.data());
  CHECK(to_string(b) == to_string(a));
}

TEST_CASE("a namespace is given to names that have none", "[schema][function_schema]") {
  CHECK(to_string(FunctionSchema::parse("f.x(int a) -> ()").with_namespace("my")) == "my::f.x(int a) -> ()");
  CHECK(to_string(FunctionSchema::parse("aten::f(int a) -> ()").with_namespace("my")) == "aten::f(int a) -> ()");
}

TEST_CASE("operator names are parsed alone", "[schema][function_schema]") {
  CHECK(parse_operator_name("aten::add.Tensor") == OperatorName{"aten::add", "Tensor"});
  CHECK(parse_operator_name("add") == OperatorName{"add", ""});
  CHECK(to_string(OperatorName{"aten::add", "Tensor"}) == "aten::add.Tensor");
  CHECK(to_string(OperatorName{"aten::add", ""}) == "aten::add");
  CHECK(FunctionSchema::parse("aten::add.Tensor() -> ()").operator_name() == OperatorName{"aten::add", "Tensor"});
  CHECK_ERROR(parse_operator_name("f() -> ()"), SchemaError,
              "Tried to parse an operator name but function schema was given");
  CHECK_ERROR(parse_operator_name("f g"), SchemaError,
              "expected eof but found 'ident' here:\n"
              "f g\n"
              "  ~ <--- HERE");
  CHECK_ERROR(parse_operator_name(""), SchemaError, "expected ident but found 'eof' here:\n\n~ <--- HERE");
  CHECK_ERROR(parse_operator_name("aten::f.default"), SchemaError,
              "\ndefault is not a legal overload name for aten operators:\n"
              "aten::f.default\n"
              "        ~~~~~~~ <--- HERE");
}

TEST_CASE("a name or a schema is told apart by its argument list", "[schema][function_schema]") {
  auto name = parse_name_or_schema("aten::add.Tensor");
  CHECK_FALSE(name.schema);
  CHECK(name.name == OperatorName{"aten::add", "Tensor"});
  auto whole = parse_name_or_schema("f(t x) -> t");
  REQUIRE(whole.schema);
  CHECK(whole.name == OperatorName{"f", ""});
  CHECK(whole.schema->n_args() == 1);
  CHECK_THROWS_AS(parse_name_or_schema("f(t x) -> t", TypeVariables::Refuse), SchemaError);
  CHECK_THROWS_AS(parse_name_or_schema("f(t x"), SchemaError);
  CHECK_THROWS_AS(parse_name_or_schema("::f"), SchemaError);
  CHECK_ERROR(FunctionSchema::parse("aten::add"), SchemaError,
              "Tried to parse a function schema but only the operator name was given");
}
