// From given values to an operator's full arguments.
#include <tenon/boxing/match.hpp>

#include <tenon/base/sym_expr.hpp>
#include <tenon/schema/function_schema.hpp>
#include <tenon/tensor/symbolic.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {
schema::FunctionSchema parse(std::string_view text) { return schema::FunctionSchema::parse(text); }
const schema::FunctionSchema sum = parse("my::sum(Scalar a, int b=2, *, float c=0.5, str? d=None, int[2] e=1) -> int");
}  // namespace

TEST_CASE("positions, names and defaults fill the stack", "[boxing][match]") {
  Stack s = match_arguments(sum, {Value(1)}, {{"c", Value(1.5)}});
  REQUIRE(s.size() == 5);
  CHECK(s[0] == Value(1));
  CHECK(s[1] == Value(2));
  CHECK(s[2] == Value(1.5));
  CHECK(s[3].is_none());
  CHECK(s[4] == Value::list({Value(1), Value(1)}));
  CHECK(match_arguments(sum, {}, {{"b", Value(7)}, {"a", Value(true)}})[1] == Value(7));
}

TEST_CASE("mistakes of binding have the peer's words", "[boxing][match]") {
  CHECK_ERROR(
      match_arguments(sum, {}), ValueError,
      "my::sum() is missing value for argument 'a'. Declaration: my::sum(Scalar a, int b=2, *, float c=0.5, str? d=None, int[2] e=1) -> int");
  CHECK_ERROR_CONTAINS(
      match_arguments(sum, {1, 1, 1, 1, 1, 1}), ValueError,
      "Expected at most 5 argument(s) for operator 'my::sum', but received 6 argument(s). Declaration: my::sum(");
  CHECK_ERROR_CONTAINS(match_arguments(sum, {1}, {{"z", Value(1)}}), ValueError,
                       "Unknown keyword argument 'z' for operator 'my::sum'. Schema: my::sum(");
  CHECK_ERROR_CONTAINS(match_arguments(sum, {1}, {{"a", Value(1)}}), ValueError,
                       "Argument 'a' specified both as positional and keyword argument. Schema: my::sum(");
  CHECK_ERROR_CONTAINS(match_arguments(sum, {1, 2, 0.5}, {}, Conversions::None, schema::KeywordOnly::RefusesPosition),
                       ValueError, "my::sum() takes 2 positional argument(s) but 3 were given.");
}

TEST_CASE("a value of another type is refused with its place", "[boxing][match]") {
  auto f = parse("my::f(int x) -> ()");
  CHECK_ERROR(
      match_arguments(f, {Value("text")}), TypeError,
      "my::f() Expected a value of type 'int' for argument 'x' but instead found type 'str'.\nPosition: 0\nValue: \"text\"\nDeclaration: my::f(int x) -> ()");
  CHECK_THROWS_AS(match_arguments(f, {Value(1.5)}), TypeError);
  CHECK_THROWS_AS(match_arguments(f, {Value(true)}), TypeError);
}

TEST_CASE("an empty dictionary or list is one of any type", "[boxing][match]") {
  CHECK(match_arguments(parse("my::d(Dict(str, Tensor) x) -> ()"), {Value::dict({})}).size() == 1);
  CHECK(match_arguments(parse("my::l(Tensor[] x) -> ()"), {Value::list({})}).size() == 1);
  CHECK_THROWS_AS(match_arguments(parse("my::d(Dict(str, int) x) -> ()"), {Value::dict({{Value("a"), Value("b")}})}),
                  TypeError);
}

TEST_CASE("conversions happen when they are asked for", "[boxing][match]") {
  auto all = parse("my::all(float a, int[2] b, Device c, int[] d, complex e) -> ()");
  std::vector<Value> given{Value(1), Value(3), Value("cpu"), Value::tuple({Value(1), Value(2)}), Value(2.0)};
  CHECK_THROWS_AS(match_arguments(all, given), TypeError);
  Stack s = match_arguments(all, given, {}, Conversions::Implicit);
  CHECK(s[0] == Value(1.0));
  CHECK(s[1] == Value::list({Value(3), Value(3)}));
  CHECK(s[2] == Value(kCPU));
  CHECK(s[3] == Value::list({Value(1), Value(2)}));
  CHECK(s[4] == Value(Complex<double>(2)));
}

TEST_CASE("a tensor of one element becomes a number", "[boxing][match]") {
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(8, kCPU), dense_keys(DeviceType::CPU), kLong, kCPU));
  t.impl().set_contiguous(IntArrayRef{});
  *static_cast<std::int64_t*>(t.impl().data()) = 5;
  CHECK(match_arguments(parse("my::f(int x) -> ()"), {Value(t)}, {}, Conversions::Implicit)[0] == Value(5));
  CHECK(match_arguments(parse("my::f(float x) -> ()"), {Value(t)}, {}, Conversions::Implicit)[0] == Value(5.0));
  CHECK(match_arguments(parse("my::f(Tensor x) -> ()"), {Value(t)}, {}, Conversions::Implicit)[0].is_tensor());
}

namespace {
Tensor scalar_tensor(ScalarType dtype, auto value) {
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(16, kCPU), dense_keys(DeviceType::CPU), dtype, kCPU));
  t.impl().set_contiguous(IntArrayRef{});
  *static_cast<decltype(value)*>(t.impl().data()) = value;
  return t;
}
Value implicit(std::string_view type, const Value& v) {
  return match_arguments(parse(concat("my::f(", type, " x) -> ()")), {v}, {}, Conversions::Implicit)[0];
}
}  // namespace

TEST_CASE("a tensor of any dtype becomes a number", "[boxing][match]") {
  CHECK(implicit("float", scalar_tensor(kHalf, Half(2.5f))) == Value(2.5));
  CHECK(implicit("float", scalar_tensor(kBFloat16, BFloat16(2.5f))) == Value(2.5));
  CHECK(implicit("int", scalar_tensor(kUInt16, std::uint16_t{7})) == Value(7));
  CHECK(implicit("float", scalar_tensor(kUInt64, ~std::uint64_t{0})) == Value(0x1p64));
  CHECK(implicit("complex", scalar_tensor(kComplexFloat, Complex<float>(1, 2))) == Value(Complex<double>(1, 2)));
  CHECK(implicit("Scalar", scalar_tensor(kComplexDouble, Complex<double>(1, 2))) == Value(Complex<double>(1, 2)));
  Tensor conjugate = scalar_tensor(kComplexFloat, Complex<float>(1, 2));
  conjugate.impl().set_keys(conjugate.keys().add(DispatchKey::Conjugate));
  CHECK(implicit("complex", conjugate) == Value(Complex<double>(1, -2)));
  CHECK_ERROR_CONTAINS(implicit("float", scalar_tensor(kComplexFloat, Complex<float>(1, 2))), TypeError,
                       "found type 'Tensor'");
}

TEST_CASE("a symbolic tensor is no number, and the message shows its sizes", "[boxing][match]") {
  auto env = make_intrusive<SymEnv>();
  std::vector<SymInt> sizes{env->symbol(3), 2};
  Value v = make_tensor_symbolic(sizes, {}, kFloat, kMeta);
  CHECK(to_string(v) == "<Tensor of shape [s0, 2]>");
  CHECK_ERROR_CONTAINS(match_arguments(parse("my::f(int x) -> ()"), {v}), TypeError,
                       "found type 'Tensor'.\nPosition: 0\nValue: <Tensor of shape [s0, 2]>");
  CHECK_ERROR_CONTAINS(implicit("int", v), TypeError, "found type 'Tensor'");
}

// The peer never compares a list with the length that the schema states.
TEST_CASE("int[1] takes one number or several", "[boxing][match]") {
  auto f = parse("my::sum(int[1]? dim) -> ()");
  CHECK(match_arguments(f, {Value::list({Value(0), Value(1)})})[0].to_list().size() == 2);
  CHECK(match_arguments(f, {Value::list({Value(0)})})[0].to_list().size() == 1);
}

TEST_CASE("a list of fixed length has that length, or one element for all", "[boxing][match]") {
  auto f = parse("my::f(int[2] x) -> ()");
  CHECK_THROWS_AS(match_arguments(f, {Value::list({Value(1), Value(2), Value(3)})}), TypeError);
  CHECK(match_arguments(f, {Value::list({Value(4)})})[0] == Value::list({Value(4), Value(4)}));
}

TEST_CASE("converting the elements of a list leaves the caller's list alone", "[boxing][match]") {
  Value list = Value::list({Value(1), Value(2)});
  Stack s = match_arguments(parse("my::f(float[] x) -> ()"), {list}, {}, Conversions::Implicit);
  CHECK(s[0] == Value::list({Value(1.0), Value(2.0)}));
  CHECK(list == Value::list({Value(1), Value(2)}));
  CHECK(implicit("float[][]", Value::list({list})) == Value::list({Value::list({Value(1.0), Value(2.0)})}));
}

TEST_CASE("converting the elements of tuples and dictionaries leaves the caller's alone", "[boxing][match]") {
  Value tuple = Value::tuple({Value(1), Value(2)}), dict = Value::dict({{Value("a"), tuple}});
  CHECK(implicit("(float, float)", tuple) == Value::tuple({Value(1.0), Value(2.0)}));
  CHECK(implicit("Dict(str, (float, int))", dict) == Value::dict({{Value("a"), Value::tuple({Value(1.0), Value(2)})}}));
  CHECK_THROWS_AS(implicit("(float, str)", tuple), TypeError);
  CHECK_THROWS_AS(implicit("Dict(str, (float, str))", dict), TypeError);
  CHECK_THROWS_AS(match_overloads({parse("my::f((float, str) x) -> ()")}, {tuple}), TypeError);
  CHECK(tuple == Value::tuple({Value(1), Value(2)}));
  CHECK(dict == Value::dict({{Value("a"), Value::tuple({Value(1), Value(2)})}}));
  CHECK(implicit("(int, int)", tuple).is(tuple));
  CHECK(implicit("Dict(str, (int, int))", dict).is(dict));
}

TEST_CASE("a union takes what is of one of its types as it is, and converts the rest", "[boxing][match]") {
  Value number = scalar_tensor(kFloat, 2.5f), integer = scalar_tensor(kLong, std::int64_t{5});
  CHECK(implicit("Union(int, Tensor)", number).is(number));
  CHECK(implicit("Union(str, Tensor)", number).is(number));
  CHECK(implicit("Union(int, Tensor)", integer).is(integer));
  CHECK(implicit("Union(float, int)", Value(3)) == Value(3));
  CHECK(implicit("Union(str, float)", number) == Value(2.5));
  CHECK(implicit("Union(int, float)", number) == Value(2.5));
  CHECK_ERROR_CONTAINS(implicit("Union(int, str)", number), TypeError, "found type 'Tensor'");
  CHECK_THROWS_AS(match_arguments(parse("my::f(Union(str, float) x) -> ()"), {number}), TypeError);
}

TEST_CASE("case 194: a type variable stands for one type", "[boxing][match]") {
  auto f = parse("aten::f(t[] a, t b) -> t");
  Value ints = Value::list({Value(1)}), floats = Value::list({Value(1.0)});
  CHECK(match_arguments(f, {ints, Value(1)}).size() == 2);
  CHECK(match_arguments(f, {floats, Value(1.0)}).size() == 2);
  CHECK_ERROR_CONTAINS(match_arguments(f, {ints, Value(1.0)}), TypeError,
                       "previously matched to type int is matched to type float");
}

TEST_CASE("overloads are tried without conversions first", "[boxing][match]") {
  auto i = parse("my::f.int(int x) -> ()"), d = parse("my::f.float(float x) -> ()");
  CHECK(match_overloads({d, i}, {Value(1)}).first == 1);
  CHECK(match_overloads({d}, {Value(1)}).first == 0);
  CHECK_ERROR_CONTAINS(match_overloads({d, i}, {Value("x")}), TypeError, "Arguments for call are not valid.");
}

TEST_CASE("extra values of a variadic schema become one tuple", "[boxing][match]") {
  Stack s = match_arguments(parse("my::f(int x, ...) -> ()"), {Value(1), Value(2), Value(3)});
  REQUIRE(s.size() == 2);
  CHECK(s[1] == Value::tuple({Value(2), Value(3)}));
}
