#include <tenon/schema/annotation.hpp>

#include <catch.hpp>

#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;

TEST_CASE("a result is the written argument of its annotation, or a view of another", "[schema][annotation]") {
  auto add = FunctionSchema::parse("my::add_(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  CHECK((written_argument(add, 0) == 0 && viewed_argument(add) == -1));
  auto out = FunctionSchema::parse(
      "my::max(Tensor self, *, Tensor(a!) max, Tensor(b!) indices) -> (Tensor(a!) max, Tensor(b!) indices, Tensor)");
  CHECK((written_argument(out, 0) == 1 && written_argument(out, 1) == 2 && written_argument(out, 2) == -1));
  auto view = FunctionSchema::parse("my::split(int n, Tensor(a -> *) self) -> Tensor(a)[]");
  CHECK((written_argument(view, 0) == -1 && viewed_argument(view) == 1));
  auto list = FunctionSchema::parse("my::fill(Tensor(a!)[] self) -> Tensor(a!)[]");
  CHECK((annotation(list, SchemaView(list).arg(0)).write && written_argument(list, 0) == 0));
}
