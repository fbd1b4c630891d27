// The kinds of values that have classes of their own: made, printed, compared, matched, passed through kernels.
#include <tenon/base/sym_expr.hpp>
#include <tenon/boxing/capsule.hpp>
#include <tenon/boxing/enum_member.hpp>
#include <tenon/boxing/foreign.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/boxing/quantizer.hpp>
#include <tenon/boxing/rref.hpp>

#include "registry_support.hpp"

#include <tenon/base/sym_bool.hpp>
#include <tenon/base/sym_float.hpp>
#include <tenon/boxing/await.hpp>

using namespace support;

TENON_OPERATOR(declared, "_test::declared(Future(int) f, Capsule? c=None) -> Future(int)");

namespace {

struct Thing : RefCounted {
  int number = 7;
};
struct Snake final : PyObjectHolder {
  explicit Snake(int& n) : alive(n) { ++alive; }
  ~Snake() override { --alive; }
  void* get() const override { return &alive; }
  std::string type_name() const override { return "snake"; }
  int& alive;
};
intrusive_ptr<EnumMember> red() { return make_intrusive<EnumMember>("my.Color", "red", Value(1)); }
intrusive_ptr<Quantizer> quantizer(double scale = 0.5) {
  return make_intrusive<PerTensorAffineQuantizer>(scale, 3, ScalarType::QInt8);
}
std::string inferred(const Kernel& k) { return detail::inferred_schema_text(*k.state()->type); }
bool matches(const char* type, const Value& v) { return is_of_type(v, type); }

/// A kernel that returns its argument, called boxed and typed through the dispatcher under its inferred schema.
template <class T>
void check_passes(const T& given, const char* words) {
  CAPTURE(words);
  Library m(Library::Kind::Fragment, "_test");
  m.def("pass", [](T x) { return x; });
  OperatorHandle handle = Registry::get().find("_test::pass")->handle();
  CHECK(schema::to_string(handle.schema()) == concat("_test::pass(", words, " _0) -> ", words));
  Value v(given);
  Stack stack{v};
  handle.call_boxed(stack);
  REQUIRE(stack.size() == 1);
  CHECK(stack[0] == v);
  CHECK(Value(handle.typed<T(T)>().call(given)) == v);
  CHECK(match_arguments(handle.schema(), {v})[0] == v);
  CHECK_THROWS_AS(match_arguments(handle.schema(), {Value("text")}), TypeError);
  stack = {Value("text")};
  CHECK_THROWS_AS(handle.call_boxed(stack), TypeError);
}

}  // namespace

TEST_CASE("every kind passes through a kernel whose schema is inferred", "[boxing][kinds]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8);
  check_passes(Future<std::int64_t>(), "Future(int)");
  check_passes(Future<std::vector<Tensor>>(), "Future(Tensor[])");
  check_passes(Future<Future<Tensor>>(), "Future(Future(Tensor))");
  check_passes(Await<double>([] { return 1.5; }), "Await(float)");
  check_passes(RRef<std::string>::local("text"), "RRef(str)");
  check_passes(make_intrusive<Capsule>(make_intrusive<Thing>()), "Capsule");
  check_passes(red(), "AnyEnumType");
  check_passes(quantizer(), "Quantizer");
  check_passes(SymFloat(n) / 2.0, "SymFloat");
  check_passes(SymFloat(2.5), "SymFloat");
  check_passes(sym_lt(n, 9), "SymBool");
}

TEST_CASE("kinds without a word are taken as Any", "[boxing][kinds]") {
  Kernel k([](intrusive_ptr<Blob> b, intrusive_ptr<PyObjectHolder> p) {
    return std::tuple(std::int64_t{*b->get<int>()}, p->type_name());
  });
  CHECK(inferred(k) == "(Any _0, Any _1) -> (int _0, str _1)");
  CHECK(inferred(Kernel([](std::vector<Future<Tensor>> f, std::optional<intrusive_ptr<Capsule>>) { return f; })) ==
        "(Future(Tensor)[] _0, Capsule? _1) -> Future(Tensor)[]");
}

TEST_CASE("a kernel is held against the schema's own words", "[boxing][kinds]") {
  Library m(Library::Kind::Fragment, "_test");
  m.def("later(Future(int) f) -> Future(Tensor)");
  CHECK_ERROR_CONTAINS(m.impl("later", DispatchKey::CPU, [](const Future<Tensor>& f) { return f; }), RegistrationError,
                       "Type mismatch in argument 1: Future(int) vs Future(Tensor).");
  m.impl("later", DispatchKey::CompositeImplicitAutograd, [](const Future<std::int64_t>& f) {
    return f.then([](const auto& self) { return self.value() > 0 ? cpu() : Tensor(); });
  });
  Future<std::int64_t> f;
  Stack stack{Value(f)};
  Registry::get().find("_test::later")->handle().call_boxed(stack);
  CHECK_FALSE(stack[0].to_future().completed());
  f.mark_completed(1);
  CHECK(Future<Tensor>::from_value(stack[0]).value().defined());
}

TEST_CASE("a declared operator takes and returns them as values", "[boxing][kinds]") {
  Library m(Library::Kind::Fragment, "_test");
  m.def(declared.schema().text);
  m.impl("declared", DispatchKey::CompositeImplicitAutograd,
         [](const Future<std::int64_t>& f, std::optional<intrusive_ptr<Capsule>> c) {
           return f.then([c](const auto& self) { return c ? -self.value() : self.value(); });
         });
  Future<std::int64_t> f;
  auto same = Future<std::int64_t>::from_value(declared(f));
  auto negative =
      Future<std::int64_t>::from_value(declared(f, "c"_a = make_intrusive<Capsule>(make_intrusive<Thing>())));
  f.mark_completed(4);
  CHECK((same.value() == 4 && negative.value() == -4));
  CHECK_ERROR(declared(Value(1)), TypeError, "Expected Future but got Int");
}

TEST_CASE("words without a C++ type of their own are values with all their modifiers", "[boxing][kinds]") {
  Library m(Library::Kind::Fragment, "_test");
  m.def("held(Capsule[] c, Quantizer? q, AnyEnumType e) -> Capsule?");
  m.impl("held", DispatchKey::CompositeImplicitAutograd,
         [](const std::vector<intrusive_ptr<Capsule>>& c, std::optional<intrusive_ptr<Quantizer>> q,
            const intrusive_ptr<EnumMember>&) { return q ? std::optional(c.at(0)) : std::nullopt; });
  Value capsule(make_intrusive<Capsule>(make_intrusive<Thing>()));
  OperatorHandle handle = Registry::get().find("_test::held")->handle();
  Stack stack{Value::list({capsule}), quantizer(), red()};
  handle.call_boxed(stack);
  CHECK(stack == Stack{capsule});
  m.def("number(int x) -> int");
  CHECK_THROWS_AS(m.impl("number", DispatchKey::CPU, [](const Value& x) { return x.to_int(); }), RegistrationError);
}

TEST_CASE("futures, awaits and remote references match by what they will give", "[boxing][kinds][match]") {
  Value f = Future<std::int64_t>(), any = Future<>(), list = Future<std::vector<std::int64_t>>();
  CHECK(matches("Future(int)", f));
  CHECK(matches("Future(int)?", f));
  CHECK(matches("Future(int?)", f));
  CHECK(matches("Future(Any)", f));
  CHECK(matches("Future(Scalar)", f));
  CHECK(matches("Any", f));
  CHECK(matches("Union(int, Future(int))", f));
  CHECK(matches("Future(int)[]", Value::list({f, f})));
  CHECK_FALSE(matches("Future(int)[]", Value::list({f, any})));
  CHECK_FALSE(matches("Future(Tensor)", f));
  CHECK_FALSE(matches("Future(int)", any));
  CHECK_FALSE(matches("Await(int)", f));
  CHECK_FALSE(matches("RRef(int)", f));
  CHECK_FALSE(matches("int", f));
  CHECK(matches("Await(int)", Await<std::int64_t>([] { return 1; })));
  CHECK(matches("RRef(int)", RRef<std::int64_t>::local(1)));
  CHECK_FALSE(matches("RRef(str)", RRef<std::int64_t>::local(1)));
  CHECK_ERROR(
      match_arguments(schema::FunctionSchema::parse("my::f(Future(Tensor) x) -> ()"), {f}), TypeError,
      "my::f() Expected a value of type 'Future(Tensor)' for argument 'x' but instead found type 'Future(int)'.\n"
      "Position: 0\nValue: <Future(int): pending>\nDeclaration: my::f(Future(Tensor) x) -> ()");
  auto same = schema::FunctionSchema::parse("my::g(Future(t[]) x, t y) -> t");
  CHECK(match_arguments(same, {list, Value(1)}).size() == 2);
  CHECK_ERROR_CONTAINS(match_arguments(same, {list, Value("a")}), TypeError,
                       "Type variable 't' previously matched to type int is matched to type str");
}

TEST_CASE("each kind is of its own type and of no other", "[boxing][kinds][match]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8);
  int alive = 0;
  const std::pair<const char*, Value> values[] = {
      {"Future(int)", Future<std::int64_t>()},
      {"Await(int)", Await<std::int64_t>([] { return 1; })},
      {"RRef(int)", RRef<std::int64_t>::local(1)},
      {"Capsule", make_intrusive<Capsule>(make_intrusive<Thing>())},
      {"AnyEnumType", red()},
      {"Quantizer", quantizer()},
      {"float", SymFloat(n)},
      {"bool", sym_lt(n, 9)},
      {"AnyClassType", make_intrusive<Thing>()},
      {nullptr, make_blob(1)},
      {nullptr, intrusive_ptr<PyObjectHolder>(make_intrusive<Snake>(alive))},
      {nullptr, Value::uninitialized()},
  };
  for (const auto& [type, v] : values) {
    CHECK(is_of_type(v, "Any"));
    for (const auto& [other, _] : values)
      if (other) CHECK(is_of_type(v, other) == (type == other));
    CHECK_FALSE(is_of_type(v, "Tensor"));
    CHECK_FALSE(is_of_type(v, "int"));
    CHECK(is_of_type(v, "Scalar") == (v.kind() == ValueKind::SymFloat || v.kind() == ValueKind::SymBool));
    CHECK(v == Value(v));
    CHECK(copy_of(v) == v);
  }
  CHECK(matches("ConstQuantizerPtr", quantizer()));
  CHECK(matches("SymFloat", SymFloat(n)));
  CHECK(matches("SymBool?", sym_lt(n, 9)));
}

TEST_CASE("each kind has a text and the words of its type", "[boxing][kinds]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8);
  int alive = 0;
  auto check = [](const Value& v, const char* text, const char* words) {
    CHECK(to_string(v) == text);
    CHECK(type_words(v) == words);
  };
  check(RRef<std::int64_t>::local(1), "<RRef(int) of worker 'local'>", "RRef(int)");
  check(make_intrusive<Capsule>(make_intrusive<Thing>()), "<Capsule of (anonymous namespace)::Thing>", "Capsule");
  check(red(), "my.Color.red", "my.Color");
  check(quantizer(), "per_tensor_affine(qint8, scale=0.5, zero_point=3)", "Quantizer");
  check(SymFloat(n), "s0", "SymFloat");
  check(sym_lt(n, 9), "(s0 < 9)", "SymBool");
  check(make_blob(1), "<Blob of int>", "Blob");
  check(intrusive_ptr<PyObjectHolder>(make_intrusive<Snake>(alive)), "<snake object>", "PyObject");
  check(Value::uninitialized(), "<Uninitialized>", "Uninitialized");
}

TEST_CASE("members of enumerations and quantizers are equal by content", "[boxing][kinds]") {
  CHECK(Value(red()) == Value(red()));
  CHECK_FALSE(Value(red()) == Value(make_intrusive<EnumMember>("my.Color", "red", Value(2))));
  CHECK_FALSE(Value(red()) == Value(make_intrusive<EnumMember>("my.Color", "blue", Value(1))));
  CHECK_FALSE(Value(red()) == Value(make_intrusive<EnumMember>("my.Fruit", "red", Value(1))));
  CHECK(Value(red()).to_enum()->value() == Value(1));
  CHECK(Value(quantizer()) == Value(quantizer()));
  CHECK_FALSE(Value(quantizer()) == Value(quantizer(0.25)));
  Tensor scales = cpu();
  auto channels = [&](std::int64_t axis) {
    return Value(make_intrusive<PerChannelAffineQuantizer>(scales, scales, axis, ScalarType::QUInt8));
  };
  CHECK(channels(1) == channels(1));
  CHECK_FALSE(channels(1) == channels(0));
  CHECK_FALSE(channels(1) == Value(quantizer()));
  CHECK(channels(1).to_quantizer()->qscheme() == QScheme::PerChannelAffine);
  CHECK(to_string(channels(1)) == "per_channel_affine(quint8, 1 channels, axis=1)");
  CHECK_ERROR_CONTAINS(channels(-1), ValueError, "expected scales and zero points of shape [n] and an axis");
}

TEST_CASE("capsules, blobs and objects are read by their class alone", "[boxing][kinds]") {
  struct Another : RefCounted {};
  auto thing = make_intrusive<Thing>();
  Value capsule(make_intrusive<Capsule>(thing)), blob(make_blob(std::string("x")));
  CHECK(capsule.to_capsule()->get<Thing>() == thing);
  CHECK_ERROR_CONTAINS(capsule.to_capsule()->get<Another>(), TypeError, "Capsule: expected an object of class ");
  CHECK_ERROR(capsule.to_object<Thing>(), TypeError, "Expected Object but got Capsule");
  CHECK_ERROR(Value(thing).to_capsule(), TypeError, "Expected Capsule but got Object");
  CHECK(*blob.to_object<Blob>()->get<std::string>() == "x");
  CHECK(blob.to_object<Blob>()->get<int>() == nullptr);
}

TEST_CASE("a foreign object is held as long as a value is", "[boxing][kinds]") {
  int alive = 0;
  {
    Value v(intrusive_ptr<PyObjectHolder>(make_intrusive<Snake>(alive)));
    Value copy = v;
    v = Value();
    CHECK(alive == 1);
    CHECK(copy.to_object<PyObjectHolder>()->get() == &alive);
  }
  CHECK(alive == 0);
}

TEST_CASE("a remote reference knows its owner and is derived from by other layers", "[boxing][kinds][rref]") {
  struct Remote final : RRefInterface {
    std::int64_t owner() const override { return 4; }
    std::string owner_name() const override { return "far"; }
    bool is_owner() const override { return false; }
    bool confirmed_by_owner() const override { return true; }
    std::string element_type() const override { return "int"; }
    Value to_here() override { return Value(++fetched); }
    int fetched = 0;
  };
  Value v(intrusive_ptr<RRefInterface>(make_intrusive<Remote>()));
  CHECK((v.kind() == ValueKind::RRef && to_string(v) == "<RRef(int) of worker 'far'>"));
  auto r = RRef<std::int64_t>::from_value(v);
  CHECK((r->owner() == 4 && !r->is_owner() && r->confirmed_by_owner()));
  CHECK(r.to_here() == 1);
  CHECK(v.to_rref().to_here() == Value(2));
  CHECK_ERROR(RRef<Tensor>::from_value(v), TypeError, "Expected RRef(Tensor) but got RRef(int)");
  auto local = RRef<std::string>::local("here");
  CHECK((local->is_owner() && local->owner() == 0 && local.to_here() == "here"));
}

TEST_CASE("symbolic floats and bools are boxed as such, plain ones as plain", "[boxing][kinds]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8);
  CHECK(Value(SymFloat(2.5)) == Value(2.5));
  CHECK(Value(sym_lt(1, 2)) == Value(true));
  Value f = SymFloat(n), b = sym_lt(n, 9);
  CHECK((f.kind() == ValueKind::SymFloat && b.kind() == ValueKind::SymBool));
  CHECK(Value(2.5).to_sym_float().expect_double() == 2.5);
  CHECK(Value(n).to_sym_float().is_symbolic());
  CHECK(Value(true).to_sym_bool().expect_bool());
  CHECK(env->guards().empty());
  CHECK_ERROR(f.to_double(), TypeError,
              "Value::to_double(): expected a plain float, got the symbolic value s0; register a kernel that takes "
              "SymFloat, or call guard_float() on the value");
  CHECK_ERROR_CONTAINS(b.to_bool(), TypeError, "Value::to_bool(): expected a plain bool, got the symbolic value");
  CHECK_ERROR_CONTAINS(f.to_scalar(), TypeError, "expected a plain float");
  CHECK_ERROR(f.to_int(), TypeError, "Expected Int but got SymFloat");
  CHECK(Value(SymFloat(n)) == f);
  CHECK_FALSE(Value(SymFloat(n) + 1.0) == f);
  CHECK(env->guards().size() == 1);
}

TEST_CASE("a symbolic float that meets a plain kernel is named with its operator and argument", "[boxing][kinds]") {
  Library m(Library::Kind::Fragment, "_test");
  m.def("plain(SymFloat x, SymBool y) -> float");
  m.impl("plain", DispatchKey::CompositeImplicitAutograd, [](double x, bool y) { return y ? x : -x; });
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(8);
  OperatorHandle handle = Registry::get().find("_test::plain")->handle();
  Stack stack{Value(1.5), Value(false)};
  handle.call_boxed(stack);
  CHECK(stack == Stack{Value(-1.5)});
  stack = {Value(SymFloat(n)), Value(true)};
  CHECK_ERROR(handle.call_boxed(stack), TypeError,
              "_test::plain(SymFloat x, SymBool y) -> float: argument 1 'x': expected plain floats, got s0; register "
              "a kernel that takes SymFloat, or call guard_float() on the value");
  stack = {Value(1.0), Value(sym_lt(n, 9))};
  CHECK_ERROR_CONTAINS(handle.call_boxed(stack), TypeError, "argument 2 'y': expected plain bools, got (s0 < 9)");
}

TEST_CASE("integers that are no value of a small type are refused with their argument", "[boxing][kinds]") {
  Library m(Library::Kind::Fragment, "_test");
  m.def("small(DeviceIndex i, Layout l, MemoryFormat? f, QScheme q, ScalarType[] s) -> int");
  m.impl("small", DispatchKey::CompositeImplicitAutograd,
         [](std::int8_t i, Layout l, std::optional<MemoryFormat> f, QScheme q, ArrayRef<ScalarType> s) {
           return std::int64_t{i} + static_cast<int>(l) + (f ? static_cast<int>(*f) : 0) + static_cast<int>(q) +
                  (s.size() ? static_cast<int>(s[0]) : 0);
         });
  OperatorHandle handle = Registry::get().find("_test::small")->handle();
  auto call = [&](Value i, Value l, Value f, Value q, std::vector<Value> s) {
    Stack stack{std::move(i), std::move(l), std::move(f), std::move(q), Value::list(std::move(s))};
    handle.call_boxed(stack);
    return stack[0].to_int();
  };
  auto message = [&](const char* rest) { return concat(schema::to_string(handle.schema()), ": argument ", rest); };
  CHECK(call(127, 7, 3, 3, {45}) == 127 + 7 + 3 + 3 + 45);
  CHECK(call(-128, 0, Value(), 0, {}) == -128);
  CHECK_ERROR(call(300, 0, 0, 0, {}), ValueError, message("1 'i': expected DeviceIndex, from -128 to 127, got 300"));
  CHECK_ERROR(call(0, 8, 0, 0, {}), ValueError, message("2 'l': expected Layout, from 0 to 7, got 8"));
  CHECK_ERROR(call(0, -1, 0, 0, {}), ValueError, message("2 'l': expected Layout, from 0 to 7, got -1"));
  CHECK_ERROR(call(0, 0, 4, 0, {}), ValueError, message("3 'f': expected MemoryFormat, from 0 to 3, got 4"));
  CHECK_ERROR(call(0, 0, 0, 256, {}), ValueError, message("4 'q': expected QScheme, from 0 to 3, got 256"));
  CHECK_ERROR(call(0, 0, 0, 0, {6, 20}), ValueError, message("5 's': expected the code of a ScalarType, got [6, 20]"));
  CHECK_ERROR(call(0, 0, 0, 0, {262}), ValueError, message("5 's': expected the code of a ScalarType, got [262]"));
}

TEST_CASE("an enumeration of a user's own takes what its integers hold", "[boxing][kinds]") {
  enum class Small : std::uint8_t { A };
  Value good(255), bad(256), negative(-1);
  CHECK(static_cast<int>(detail::unboxer<Small>::hold(good)) == 255);
  CHECK_ERROR(detail::unboxer<Small>::hold(bad), ValueError, "Expected an enumerator, from 0 to 255, but got 256");
  CHECK_THROWS_AS(detail::unboxer<Small>::hold(negative), ValueError);
}
