#include <tenon/schema/parse.hpp>

#include <catch.hpp>
#include <string>

#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;

namespace {

FunctionSchema parsed(std::string_view text) { return FunctionSchema::parse(text); }

reason why(std::string_view text, TypeVariables variables = TypeVariables::Allow) {
  Counts room = count(text);
  std::vector<Argument> args(room.args), returns(room.returns);
  std::vector<TypeNode> types(room.types);
  return parse_into(text, {args.data(), returns.data(), types.data(), room}, variables).why;
}

/// The kinds of an argument's type from the outside in.
std::vector<Kind> kinds(const FunctionSchema& s, std::size_t i) {
  std::vector<Kind> out;
  for (std::int16_t n = s->arg(i).type; n >= 0; n = s->node(n).child) out.push_back(s->node(n).kind);
  return out;
}

}  // namespace

TEST_CASE("names are split into namespace, base and overload", "[schema][parse]") {
  auto s = parsed("aten::add.Tensor(Tensor self) -> Tensor");
  CHECK(s->name() == "aten::add");
  CHECK(s->namespace_name() == "aten");
  CHECK(s->base_name() == "add");
  CHECK(s->overload() == "Tensor");
  CHECK(s->operator_name() == "aten::add.Tensor");
  s = parsed("foo() -> ()");
  CHECK(s->name() == "foo");
  CHECK(s->namespace_name() == "");
  CHECK(s->base_name() == "foo");
  CHECK(s->overload() == "");
  CHECK(s->operator_name() == "foo");
}

TEST_CASE("every type word is known", "[schema][parse]") {
  for (int k = 0; k <= static_cast<int>(Kind::AnyEnumType); ++k) {
    Kind kind = static_cast<Kind>(k);
    auto s = parsed(concat("f(", kind_word(kind), " x) -> ()"));
    CAPTURE(kind_word(kind));
    CHECK(s->type(s->arg(0)).kind == kind);
    CHECK(s->arg(0).cpp_code == cpp_code(kind));
  }
  CHECK(kinds(parsed("f(None x) -> ()"), 0) == std::vector{Kind::None_});
}

TEST_CASE("words without annotation take no node of the schema", "[schema][parse]") {
  auto s = parsed("f(Tensor a, int b, Scalar c=1) -> (Tensor, bool d)");
  CHECK(s->head->n_types == 0);
  CHECK(s->arg(0).type == s->ret(0).type);
  CHECK(s->type(s->ret(1)).kind == Kind::Bool);
  s = parsed("f(Tensor(a!) a, Tensor b, Tensor? c, int[] d) -> ()");
  CHECK(s->head->n_types == 3);
  CHECK(s->type(s->arg(0)).write);
  CHECK_FALSE(s->type(s->arg(1)).write);
  CHECK(kinds(s, 2) == std::vector{Kind::Optional, Kind::Tensor});
  CHECK(kinds(s, 3) == std::vector{Kind::List, Kind::Int});
  // The children of one type are linked to each other.
  s = parsed("f((int, int, Tensor) x, int y) -> Dict(int, int)");
  CHECK(s->head->n_types == 7);
  std::int16_t child = s->type(s->arg(0)).child;
  for (Kind kind : {Kind::Int, Kind::Int, Kind::Tensor}) {
    CHECK(s->node(child).kind == kind);
    child = s->node(child).next;
  }
  CHECK(child == -1);
  // Whatever blank follows a word.
  for (std::string_view text : {"f(Tensor a, Scalar  b)->Tensor", "f( Tensor\n a,Scalar#c\n b) ->\tTensor\n"})
    CHECK(parsed(text)->arg(1).cpp_code == cpp_code(Kind::Scalar));
  CHECK(why("f(Tensorx a) -> ()") == reason::unknown_type_name);
  CHECK(why("f(Tensor, int b) -> ()") == reason::argument_name_expected);
}

TEST_CASE("a text with more types than can be numbered is refused", "[schema][parse]") {
  auto nested = [](int n) {
    std::string text = "f(int";
    for (int i = 0; i < n; ++i) text += "[]";
    return text + " x) -> ()";
  };
  CHECK(why(nested(30'000)) == reason::ok);
  CHECK(why(nested(first_word_node)) == reason::ok);
  CHECK(why(nested(first_word_node + 1)) == reason::text_too_long);
}

TEST_CASE("case 179: tensor options are optional and keyword-only as written", "[schema][parse]") {
  auto s = parsed(
      "f(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  CHECK(s->kwarg_start() == 1);
  Kind inner[] = {Kind::ScalarType, Kind::Layout, Kind::Device, Kind::Bool};
  for (std::size_t i = 1; i < 5; ++i) {
    CHECK(kinds(s, i) == std::vector{Kind::Optional, inner[i - 1]});
    CHECK(s->arg(i).kwarg_only);
    CHECK(s->arg(i).default_kind == DefaultKind::None_);
  }
  CHECK_FALSE(s->arg(0).kwarg_only);
}

TEST_CASE("case 180: symbolic integers keep their word and match as integers", "[schema][parse]") {
  auto s = parsed("f(SymInt a, SymInt[] b, SymInt? c, SymBool d, SymFloat e) -> ()");
  CHECK(kinds(s, 0) == std::vector{Kind::SymInt});
  CHECK(kinds(s, 1) == std::vector{Kind::List, Kind::SymInt});
  CHECK(kinds(s, 2) == std::vector{Kind::Optional, Kind::SymInt});
  CHECK(matching_kind(Kind::SymInt) == Kind::Int);
  CHECK(matching_kind(Kind::SymBool) == Kind::Bool);
  CHECK(matching_kind(Kind::SymFloat) == Kind::Float);
  CHECK(matching_kind(Kind::Tensor) == Kind::Tensor);
}

TEST_CASE("case 181: lists nest and the size belongs to the outermost", "[schema][parse]") {
  auto s = parsed("at::what(int[][4] foo) -> ()");
  CHECK(kinds(s, 0) == std::vector{Kind::List, Kind::List, Kind::Int});
  CHECK(s->type(s->arg(0)).size == 4);
  CHECK(s->node(s->type(s->arg(0)).child).size == -1);
  s = parsed("at::what(int[][] foo) -> ()");
  CHECK(kinds(s, 0) == std::vector{Kind::List, Kind::List, Kind::Int});
  CHECK(s->type(s->arg(0)).size == -1);
}

TEST_CASE("case 182: returns keep their names and a bare mark writes", "[schema][parse]") {
  auto s = parsed("at::what(Tensor! i_will_be_written_to) -> (Tensor foo, Tensor bar)");
  CHECK(s->arg(0).write);
  CHECK(s->type(s->arg(0)).has_alias);
  CHECK(s->type(s->arg(0)).before == 0);
  CHECK(s->return_name(0) == "foo");
  CHECK(s->return_name(1) == "bar");
}

TEST_CASE("case 183: a future holds its element's type", "[schema][parse]") {
  CHECK(kinds(parsed("at::what(Future(int) foo) -> ()"), 0) == std::vector{Kind::Future, Kind::Int});
  CHECK(kinds(parsed("at::what(Await(int[]) foo) -> ()"), 0) == std::vector{Kind::Await, Kind::List, Kind::Int});
  CHECK(kinds(parsed("at::what(RRef(t) foo) -> ()"), 0) == std::vector{Kind::RRef, Kind::TypeVar});
}

TEST_CASE("case 184: an alias set is the same on both sides and does not write", "[schema][parse]") {
  auto s = parsed("at::what(Tensor(a) foo) -> (Tensor(a))");
  const TypeNode &in = s->type(s->arg(0)), &out = s->type(s->ret(0));
  CHECK(in.before == 1);
  CHECK(in.after == 1);
  CHECK(out.after == 1);
  CHECK_FALSE(s->arg(0).write);
}

TEST_CASE("case 185: the element's annotation and the list's are kept apart", "[schema][parse]") {
  auto s = parsed("at::what(Tensor(b -> b|c)[](a!) list, Tensor(c) element) -> (Tensor(b|c)[](a!))");
  const TypeNode& list = s->type(s->arg(0));
  const TypeNode& element = s->node(list.child);
  CHECK(list.kind == Kind::List);
  CHECK(list.before == 1);
  CHECK(list.after == 1);
  CHECK(list.write);
  CHECK(element.before == 2);
  CHECK(element.after == 6);
  CHECK_FALSE(element.write);
  CHECK(element.child == -1);
  CHECK(s->arg(0).write);
  CHECK_FALSE(s->arg(1).write);
}

TEST_CASE("a list inherits the mark of its elements, and its own annotation overrides that", "[schema][parse]") {
  auto s = parsed("f(Tensor(a!)[] x, Tensor(a!)[](b) y, Tensor(c!)?[] z) -> ()");
  CHECK(s->arg(0).write);
  CHECK_FALSE(s->type(s->arg(0)).has_alias);
  CHECK_FALSE(s->arg(1).write);
  CHECK(s->arg(2).write);
}

TEST_CASE("alias names may be words, wildcards and many", "[schema][parse]") {
  auto s = parsed("f(Tensor(first!) x, Tensor(second -> *) y, Tensor(a|first) z, Tensor(*|b) w) -> ()");
  CHECK(s->type(s->arg(0)).before == AliasSet{1} << 26);
  CHECK(s->type(s->arg(1)).before == AliasSet{1} << 27);
  CHECK(s->type(s->arg(1)).after == wildcard_alias);
  CHECK(s->type(s->arg(2)).before == (AliasSet{1} << 26 | 1));
  CHECK(s->type(s->arg(3)).before == wildcard_alias);
  std::string many = "f(Tensor(a0";
  for (int i = 1; i < 37; ++i) many += concat("|a", i);
  CHECK(why(many + ") x) -> ()") == reason::ok);
  CHECK(why(many + "|more) x) -> ()") == reason::too_many_alias_names);
}

TEST_CASE("dictionaries, unions, tuples and classes nest", "[schema][parse]") {
  auto s = parsed(
      "f(Dict(str, (int, Tensor?)[]) d, Union(int, str, None) u, __torch__.torch.classes.quantized.Conv2d c, () e) -> ()");
  const TypeNode& dict = s->type(s->arg(0));
  CHECK(dict.kind == Kind::Dict);
  const TypeNode& key = s->node(dict.child);
  CHECK(key.kind == Kind::Str);
  const TypeNode& value = s->node(key.next);
  CHECK(value.kind == Kind::List);
  CHECK(value.next == -1);
  const TypeNode& tuple = s->node(value.child);
  CHECK(tuple.kind == Kind::Tuple);
  CHECK(s->node(tuple.child).kind == Kind::Int);
  CHECK(s->node(s->node(tuple.child).next).kind == Kind::Optional);
  CHECK(s->type(s->arg(1)).kind == Kind::Union);
  const TypeNode& c = s->type(s->arg(2));
  CHECK(c.kind == Kind::Class);
  CHECK(s->part(c.text_offset, c.text_length) == "__torch__.torch.classes.quantized.Conv2d");
  CHECK(s->type(s->arg(3)).child == -1);
  for (std::size_t i = 0; i < 4; ++i) CHECK(s->arg(i).cpp_code == 0);
}

TEST_CASE("codes of C++ types are applied inside-out", "[schema][parse]") {
  auto s = parsed(
      "f(Tensor?[] a, Tensor[]? b, int[2] c, Tensor(a!) d, int[][][] e, int[][][][] f, int[252] g, int[253] h, t i) -> Tensor(a!)[]");
  CHECK(s->arg(0).cpp_code == cpp_code(Kind::Tensor, false, code_optional, code_list));
  CHECK(s->arg(1).cpp_code == cpp_code(Kind::Tensor, false, code_list, code_optional));
  CHECK(s->arg(2).cpp_code == cpp_code(Kind::Int, false, code_sized_list + 2));
  CHECK(s->arg(3).cpp_code == cpp_code(Kind::Tensor, true));
  CHECK(s->arg(4).cpp_code == cpp_code(Kind::Int, false, code_list, code_list, code_list));
  CHECK(s->arg(5).cpp_code == 0);
  CHECK(s->arg(6).cpp_code == cpp_code(Kind::Int, false, 255));
  CHECK(s->arg(7).cpp_code == 0);
  CHECK(s->arg(8).cpp_code == 0);
  CHECK(s->ret(0).cpp_code == cpp_code(Kind::Tensor, true, code_list));
}

TEST_CASE("an optional of an optional is an optional", "[schema][parse]") {
  CHECK(kinds(parsed("f(int?? x) -> ()"), 0) == std::vector{Kind::Optional, Kind::Int});
}

TEST_CASE("type variables depend on the mode and the namespace", "[schema][parse]") {
  CHECK(why("my::f(t x) -> t", TypeVariables::Allow) == reason::ok);
  CHECK(why("my::f(t x) -> t", TypeVariables::Refuse) == reason::unknown_type_name);
  CHECK(why("my::f(t x) -> t", TypeVariables::ByNamespace) == reason::unknown_type_name);
  CHECK(why("aten::f(t x) -> t", TypeVariables::ByNamespace) == reason::ok);
  CHECK(why("prim::f(t x) -> t", TypeVariables::ByNamespace) == reason::ok);
  CHECK(why("f(Type x) -> ()", TypeVariables::Allow) == reason::unknown_type_name);
  CHECK(why("f(Dimname x) -> ()") == reason::unknown_type_name);
}

TEST_CASE("arguments and returns may be variadic", "[schema][parse]") {
  auto s = parsed("f(Tensor a, ...) -> ...");
  CHECK(s->head->is_vararg);
  CHECK(s->head->is_varret);
  CHECK(s->n_args() == 1);
  CHECK(s->n_returns() == 0);
  s = parsed("f(...) -> (int, ...)");
  CHECK(s->head->is_varret);
  CHECK(s->n_returns() == 1);
}

TEST_CASE("the star may be last or repeated", "[schema][parse]") {
  CHECK(parsed("f(int a, *) -> ()")->kwarg_start() == 1);
  CHECK(parsed("f(int a, *, int b, *, int c) -> ()")->kwarg_start() == 1);
  CHECK(parsed("f(*, int a) -> ()")->kwarg_start() == 0);
  CHECK(parsed("f(int a) -> ()")->kwarg_start() == 1);
}

TEST_CASE("blanks, line breaks and comments", "[schema][parse]") {
  auto s = parsed(
      "\n  f(Tensor a,  # the first\n    int [ 2 ] b = [ 1 ,\n 2 ] , *, Tensor ( a ! ) c\n  ) -> Tensor ( a ! )  # done\n\n");
  CHECK(s->n_args() == 3);
  CHECK(s->arg_name(2) == "c");
  CHECK(s->arg(2).write);
  CHECK(s->type(s->arg(1)).size == 2);
  CHECK(why("f(int a) \\\n -> int") == reason::ok);
  CHECK(why("f(int a)\n-> int") == reason::arrow_expected);
  CHECK(why("f(int a) -> int\ng() -> ()") == reason::text_after_schema);
}

TEST_CASE("mistakes of structure have reasons", "[schema][parse]") {
  CHECK(why("") == reason::operator_name_expected);
  CHECK(why("aten::") == reason::operator_name_expected);
  CHECK(why("a::b::c() -> ()") == reason::namespace_has_more_than_one_level);
  CHECK(why("f.() -> ()") == reason::overload_name_expected);
  CHECK(why("f.default() -> ()") == reason::illegal_overload_name);
  CHECK(why("f.__x() -> ()") == reason::illegal_overload_name);
  CHECK(why("f") == reason::argument_list_expected);
  CHECK(why("f[]") == reason::open_parenthesis_expected);
  CHECK(why("f(int a") == reason::close_parenthesis_expected);
  CHECK(why("f(int a int b) -> ()") == reason::close_parenthesis_expected);
  CHECK(why("f(int a,) -> ()") == reason::type_name_expected);
  CHECK(why("f(int a)") == reason::arrow_expected);
  CHECK(why("f(int) -> ()") == reason::argument_name_expected);
  CHECK(why("f() -> int x y") == reason::text_after_schema);
  CHECK(why("f() -> int x=1") == reason::text_after_schema);
  CHECK(why("f(double x) -> ()") == reason::write_float_for_double);
  CHECK(why("f(int64_t x) -> ()") == reason::write_int_for_int64_t);
  CHECK(why("f(Tensor?(a!) x) -> ()") == reason::argument_name_expected);
  CHECK(why("f(Tensor() x) -> ()") == reason::alias_set_expected);
  CHECK(why("f(Tensor(a!b) x) -> ()") == reason::close_parenthesis_expected);
  CHECK(why("f(int[2][] x) -> ()") == reason::argument_name_expected);
  CHECK(why("f(Dict(int, int[2]) x) -> ()") == reason::close_bracket_expected);
  CHECK(why("f(Dict(int) x) -> ()") == reason::comma_expected);
  CHECK(why("f(Dict(int, int, int) x) -> ()") == reason::close_parenthesis_expected);
  CHECK(why("f(Future int x) -> ()") == reason::open_parenthesis_expected);
  CHECK(why("f((int a, int b) x) -> ()") == reason::close_parenthesis_expected);
  CHECK(why("f(__torch__.other.A.B x) -> ()") == reason::classes_namespace_expected);
  CHECK(why("f(__torch__.torch.classes.A x) -> ()") == reason::class_name_expected);
  CHECK(why("f(int a, int a) -> ()") == reason::duplicate_argument_name);
  CHECK(why("f() -> (int a, int a)") == reason::duplicate_return_name);
  CHECK(why("f(..., int a) -> ()") == reason::ellipsis_is_not_last_argument);
  CHECK(why("f() -> (..., int a)") == reason::ellipsis_is_not_last_return);
  CHECK(why("f(int a=1, int b) -> ()") == reason::required_argument_after_default);
  CHECK(why("f(int a=1, int[] b) -> ()") == reason::ok);
  CHECK(why("f(int a=1, *, int b) -> ()") == reason::ok);
  CHECK(why(std::string(70000, 'x')) == reason::text_too_long);
  CHECK(why("f(" + std::string(40, '(') + "int" + std::string(40, ')') + " x) -> ()") == reason::type_nested_too_deep);
  CHECK(why("f(" + std::string(20, '(') + "int" + std::string(20, ')') + " x) -> ()") == reason::ok);
}

TEST_CASE("case 178: variadic arguments are last and have no defaults beside them", "[schema][parse]") {
  CHECK(why("any.foo(int arg1, int arg2=0, ...) -> ()") == reason::ellipsis_with_default_value);
  CHECK(why("any.foo(int arg1, ..., int arg2) -> ()") == reason::ellipsis_is_not_last_argument);
}

TEST_CASE("defaults that fit their type are accepted", "[schema][parse]") {
  for (const char* argument : {"Tensor x=None",
                               "Generator x=None",
                               "int? x=None",
                               "Any? x=None",
                               "Tensor[]? x=None",
                               "str x=\"a\\\"b\"",
                               "str x='a'",
                               "str? x=None",
                               "Scalar x=1",
                               "Scalar x=1.5",
                               "Scalar x=True",
                               "Scalar x=2j",
                               "int x=-3",
                               "bool x=False",
                               "float x=1",
                               "float x=.5",
                               "float x=1e-5",
                               "float? x=2",
                               "complex x=2j",
                               "complex x=2",
                               "Device x=\"cuda:0\"",
                               "Device? x=\"cpu\"",
                               "int[] x=[]",
                               "int[] x=[1, -2]",
                               "int[2] x=1",
                               "int[2] x=[]",
                               "int[2] x=[1, 2]",
                               "int[1] x=[1, 2]",
                               "SymInt[2] x=1",
                               "float[] x=[1, 2.5]",
                               "bool[2] x=True",
                               "bool[] x=[True]",
                               "complex[] x=[1j]",
                               "int[]? x=[1]",
                               "int[2]? x=None",
                               "int[2]? x=1",
                               "ScalarType x=long",
                               "ScalarType? x=float32",
                               "ScalarType x=6",
                               "Layout x=strided",
                               "MemoryFormat? x=channels_last",
                               "MemoryFormat x=contiguous_format",
                               "int x=Mean",
                               "int x=long",
                               "int x=-9223372036854775808",
                               "int x=9223372036854775807",
                               "SymBool x=True",
                               "SymFloat x=1."})
    CHECK(why(concat("f(", argument, ") -> ()")) == reason::ok);
}

TEST_CASE("defaults that do not fit their type are refused", "[schema][parse]") {
  for (const char* argument : {"int x=None",
                               "bool x=1",
                               "int x=1.5",
                               "str x=1",
                               "Tensor x=1",
                               "float x=True",
                               "float x=None",
                               "Device x=\"gpu\"",
                               "Device x=\"cuda:999\"",
                               "Layout x=long",
                               "int x=unknown",
                               "int? x=1.5",
                               "int[] x=[1.5]",
                               "int[] x=[None]",
                               "int[2] x=None",
                               "int[]? x=1",
                               "complex x=True",
                               "Any x=None",
                               "Stream x=None",
                               "float x=inf",
                               "float x=nan",
                               "Dict(int, int) x=1",
                               "MemoryFormat x=strided",
                               "float x=j"})
    CHECK(why(concat("f(", argument, ") -> ()")) == reason::default_does_not_fit_type);
  CHECK(why("f(int[] x=1) -> ()") == reason::open_bracket_expected);
  CHECK(why("f(int[] x=None) -> ()") == reason::open_bracket_expected);
  CHECK(why("f(Tensor[] x=[]) -> ()") == reason::default_list_of_unsupported_type);
  CHECK(why("f(str[] x=[]) -> ()") == reason::default_list_of_unsupported_type);
  CHECK(why("f(int[2] x=[1, 2, 3]) -> ()") == reason::default_list_has_wrong_length);
  CHECK(why("f(int x=9223372036854775808) -> ()") == reason::default_number_out_of_range);
  CHECK(why("f(int x=-9223372036854775809) -> ()") == reason::default_number_out_of_range);
  CHECK(why("f(int x=99999999999999999999999) -> ()") == reason::default_number_out_of_range);
  CHECK(why("f(float x=1e400) -> ()") == reason::default_number_out_of_range);
  CHECK(why("f(int x=) -> ()") == reason::default_value_expected);
  CHECK(why("f(int x=-) -> ()") == reason::default_value_malformed);
  CHECK(why("f(int x=1e) -> ()") == reason::default_value_malformed);
  CHECK(why("f(int x=12ab) -> ()") == reason::default_value_malformed);
  CHECK(why("f(str x=\"a) -> ()") == reason::default_value_malformed);
  CHECK(why("f(int[] x=[1,]) -> ()") == reason::default_value_expected);
  CHECK(why("f(int[] x=[1) -> ()") == reason::close_bracket_expected);
}

TEST_CASE("a text that ends anywhere never reads beyond its end", "[schema][parse]") {
  std::string whole =
      "aten::f.o(Tensor(a! -> b|*)?[](c!) x, __torch__.torch.classes.A.B y=None, *, str s=\"a\\n\", float[2] z=[1.5, -2e3], ...) -> ((int, int)[2] r, ...)";
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::vector<char> exact(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    std::string_view text(exact.data(), n);
    CHECK(why(text) != reason::ok);
  }
}

namespace {
constexpr std::string_view declaration =
    "aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, *, Tensor(a!) out) -> Tensor(a!)";
constexpr Counts room = count(declaration);
constexpr auto data = parse<room.args, room.returns, room.types>(declaration);
constexpr SchemaView view = data.view(declaration);
static_assert(data.head.ok() && view.n_args() == 4 && view.n_returns() == 1 && view.kwarg_start() == 3);
static_assert(view.find_argument("unbiased") == 2 && view.find_argument("biased") == -1);
static_assert(view.arg(1).cpp_code == cpp_code(Kind::Int, false, code_sized_list + 1, code_optional));
static_assert(view.is_out(3) && !view.is_out(0));

constexpr std::string_view wrong = "aten::add.Tensor(Tensor self, Tensr other) -> Tensor";
constexpr Counts wrong_room = count(wrong);
constexpr Head wrong_head = parse<wrong_room.args, wrong_room.returns, wrong_room.types>(wrong).head;
static_assert(wrong_head.why == reason::unknown_type_name && wrong_head.position == 30 && wrong_head.end == 35);
}  // namespace
