// Kernels of every form, called boxed and unboxed. Case numbers are those of the dispatcher's test cases.
#include <tenon/boxing/kernel.hpp>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <unordered_map>

#include <tenon/boxing/value_text.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/dispatch/kernel_check.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {

Tensor make_tensor() {
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(4, kCPU), dense_keys(DeviceType::CPU), kFloat, kCPU));
  t.impl().set_contiguous(IntArrayRef{1});
  return t;
}
const OperatorHandle& some_op() {
  static Registration kernel =
      Registry::get().implement("_test::kernel", DispatchKey::CPU, fallthrough(), Place("test"));
  static const OperatorHandle op = Registry::get().find("_test::kernel")->handle();
  return op;
}
/// Calls a kernel boxed.
Stack boxed(const Kernel& k, Stack stack) {
  const auto& r = k.state()->record;
  r.boxed(r.boxed_data, some_op(), KeySet(DispatchKey::CPU), stack);
  return stack;
}
/// Calls a kernel with typed arguments, boxing them if the kernel is boxed.
template <class Sig>
struct unboxed;
template <class R, class... A>
struct unboxed<R(A...)> {
  static R call(const Kernel& k, A... args) {
    const auto& r = k.state()->record;
    if (r.unboxed || r.unboxed_sym)
      return detail::adaptors<R(A...)>::call_record(r, KeySet(DispatchKey::CPU), "_test::kernel",
                                                    static_cast<A>(args)...);
    detail::BoxedTarget target{r.boxed, r.boxed_data, &some_op()};
    return detail::signature_info<R(A...)>::unboxed_from_boxed(&target, KeySet(DispatchKey::CPU),
                                                               static_cast<A>(args)...);
  }
};
std::string inferred(const Kernel& k) { return detail::inferred_schema_text(*k.state()->type); }

std::int64_t difference(const Tensor&, std::int64_t a, std::int64_t b) { return a - b; }
struct Difference {
  std::int64_t offset = 0, scale = 1;
  std::int64_t operator()(const Tensor&, std::int64_t a, std::int64_t b) const { return scale * (a - b) + offset; }
};
int side_effects = 0;

}  // namespace

TEST_CASE("cases 126, 133, 139, 141, 144, 146 and 159 to 164: one function in every form", "[boxing][kernel]") {
  std::int64_t zero = 0;
  const Kernel forms[] = {Kernel(&difference),
                          Kernel(difference),
                          Kernel(function_constant<&difference>{}),
                          Kernel(Difference{0, 1}),
                          Kernel([](const Tensor&, std::int64_t a, std::int64_t b) { return a - b; }),
                          Kernel([zero](const Tensor&, std::int64_t a, std::int64_t b) { return a - b + zero; }),
                          Kernel([](KeySet keys, const Tensor&, std::int64_t a, std::int64_t b) {
                            return keys == KeySet(DispatchKey::CPU) ? a - b : 0;
                          }),
                          Kernel([zero](const Tensor&, std::int64_t a, std::int64_t b) mutable {
                            return zero += a - b, std::exchange(zero, 0);
                          })};
  for (const Kernel& k : forms) {
    CHECK(inferred(k) == "(Tensor _0, int _1, int _2) -> int");
    CHECK(boxed(k, {Value("below"), Value(make_tensor()), Value(7), Value(3)}) == Stack{Value("below"), Value(4)});
    CHECK(unboxed<std::int64_t(const Tensor&, std::int64_t, std::int64_t)>::call(k, make_tensor(), 7, 3) == 4);
  }
  CHECK(unboxed<std::int64_t(const Tensor&, std::int64_t, std::int64_t)>::call(Kernel(Difference{10, 2}), make_tensor(),
                                                                               7, 3) == 18);
}

TEST_CASE("case 145: a kernel's state ends with the kernel", "[boxing][kernel]") {
  auto alive = std::make_shared<int>(1);
  {
    Kernel k([alive](const Tensor&) {});
    CHECK(alive.use_count() == 2);
  }
  CHECK(alive.use_count() == 1);
}

TEST_CASE("a null function is no kernel", "[boxing][kernel]") {
  std::int64_t (*none)(const Tensor&) = nullptr;
  CHECK_ERROR(Kernel(none), ValueError, "Kernel function cannot be nullptr");
}

TEST_CASE("cases 125, 153 and 160: a kernel may have no results", "[boxing][kernel]") {
  side_effects = 0;
  CHECK(boxed(Kernel([](const Tensor&) { ++side_effects; }), {Value(make_tensor())}).empty());
  CHECK(boxed(Kernel([](const Tensor&) { return ++side_effects, std::tuple<>(); }), {Value(make_tensor())}).empty());
  unboxed<void(const Tensor&)>::call(Kernel([](const OperatorHandle&, Stack& s) {
                                       ++side_effects;
                                       s.clear();
                                     }),
                                     make_tensor());
  CHECK(side_effects == 3);
  CHECK(inferred(Kernel([](const Tensor&) { return std::tuple<>(); })) == "(Tensor _0) -> ()");
}

TEST_CASE("cases 127 and 132: tensors arrive and return as the very objects", "[boxing][kernel]") {
  Tensor t = make_tensor();
  static const TensorImpl* seen = nullptr;
  CHECK(boxed(Kernel([](const Tensor& x) { return seen = x.unsafe_impl(), x; }), {Value(t)})[0].to_tensor().is_same(t));
  CHECK(seen == t.unsafe_impl());
  CHECK(boxed(Kernel([](Tensor x) { return x; }), {Value(t)})[0].to_tensor().is_same(t));
}

TEST_CASE("cases 128, 134 and 135: lists are carried", "[boxing][kernel]") {
  CHECK(boxed(Kernel([](IntArrayRef x) { return std::vector<std::int64_t>(x.begin(), x.end()); }),
              {Value::list({Value(2), Value(4)})})[0] == Value::list({Value(2), Value(4)}));
  CHECK(boxed(Kernel([](std::vector<std::int64_t> x) { return static_cast<std::int64_t>(x.size()); }),
              {Value::list({Value(2), Value(4), Value(6)})})[0] == Value(3));
  Tensor a = make_tensor(), b = make_tensor();
  CHECK(
      boxed(Kernel([](TensorList x) { return x[1]; }), {Value::list({Value(a), Value(b)})})[0].to_tensor().is_same(b));
  CHECK(boxed(Kernel([](ArrayRef<bool> x) { return x[0] && !x[1]; }), {Value::list({Value(true), Value(false)})})[0] ==
        Value(true));
}

TEST_CASE("case 195: lists of every kind of number and of tensors arrive, a list returns", "[boxing][kernel]") {
  static std::vector<std::int64_t> ints;
  static std::vector<Complex<double>> complexes;
  static std::vector<Tensor> tensors;
  Kernel k([](IntArrayRef i, ArrayRef<double> f, ArrayRef<Complex<double>> c, TensorList t) {
    ints.assign(i.begin(), i.end());
    complexes.assign(c.begin(), c.end());
    tensors.assign(t.begin(), t.end());
    return std::vector<double>(f.begin(), f.end());
  });
  CHECK(inferred(k) == "(int[] _0, float[] _1, complex[] _2, Tensor[] _3) -> float[]");
  Tensor a = make_tensor(), b = make_tensor();
  Complex<double> z{2.4, -5.5}, w{-1.3, 2.0};
  Stack s = boxed(k, {Value::list({Value(1), Value(2)}), Value::list({Value(1.0), Value(2.5)}),
                      Value::list({Value(z), Value(w)}), Value::list({Value(a), Value(b)})});
  CHECK(s == Stack{Value::list({Value(1.0), Value(2.5)})});
  CHECK(ints == std::vector<std::int64_t>{1, 2});
  REQUIRE((complexes.size() == 2 && tensors.size() == 2));
  CHECK((complexes[0] == z && complexes[1] == w));
  CHECK((tensors[0].is_same(a) && tensors[1].is_same(b)));
  tensors.clear();
}

TEST_CASE("case 196: a list of tensors goes in and comes out", "[boxing][kernel]") {
  Kernel k([](TensorList t) { return std::vector<Tensor>(t.begin(), t.end()); });
  CHECK(inferred(k) == "(Tensor[] _0) -> Tensor[]");
  Tensor a = make_tensor(), b = make_tensor();
  Stack s = boxed(k, {Value::list({Value(a), Value(b)})});
  REQUIRE((s.size() == 1 && s[0].to_list().size() == 2));
  CHECK((s[0].to_list()[0].to_tensor().is_same(a) && s[0].to_list()[1].to_tensor().is_same(b)));
}

TEST_CASE("case 129: several results are pushed in order", "[boxing][kernel]") {
  Kernel k([](const Tensor& x) {
    return std::tuple(x, std::int64_t{5}, std::vector<Tensor>{x, x}, std::optional<std::int64_t>(0),
                      std::map<std::string, Tensor>{{"first", x}});
  });
  CHECK(inferred(k) == "(Tensor _0) -> (Tensor _0, int _1, Tensor[] _2, int? _3, Dict(str, Tensor) _4)");
  Tensor t = make_tensor();
  Stack s = boxed(k, {Value(t)});
  REQUIRE(s.size() == 5);
  CHECK(s[1] == Value(5));
  CHECK(s[2].to_list().size() == 2);
  CHECK(s[3] == Value(0));
  CHECK(s[4] == Value::dict({{Value("first"), Value(t)}}));
}

TEST_CASE("cases 136, 137, 138 and 173: dictionaries and tuples are carried", "[boxing][kernel]") {
  Value d = Value::dict({{Value("a"), Value("x")}, {Value("b"), Value("y")}});
  Kernel look([](std::map<std::string, std::string> m) { return m.at("b"); });
  CHECK(inferred(look) == "(Dict(str, str) _0) -> str");
  CHECK(boxed(look, {d})[0] == Value("y"));
  CHECK(boxed(Kernel([](std::unordered_map<std::string, std::string> m) { return m; }), {d})[0] == d);
  Tensor t = make_tensor();
  CHECK(boxed(Kernel([](const std::map<std::int64_t, Tensor>& m) { return m.at(3); }),
              {Value::dict({{Value(3), Value(t)}})})[0]
            .to_tensor()
            .is_same(t));
  Kernel tuple([](std::tuple<std::string, std::int64_t, double> x) { return std::get<1>(x); });
  CHECK(inferred(tuple) == "((str, int, float) _0) -> int");
  CHECK(boxed(tuple, {Value::tuple({Value("a"), Value(7), Value(0.5)})})[0] == Value(7));
}

TEST_CASE("case 174: a value nested four levels deep survives", "[boxing][kernel]") {
  using Deep = std::optional<std::vector<std::map<std::string, std::vector<std::optional<std::int64_t>>>>>;
  Kernel k([](Deep x) { return std::map<std::string, Deep>{{"it", x}}; });
  CHECK(inferred(k) == "(Dict(str, int?[])[]? _0) -> Dict(str, Dict(str, int?[])[]?)");
  Value deep = Value::list({Value::dict({{Value("k"), Value::list({Value(1), Value(), Value(3)})}})});
  CHECK(boxed(k, {deep})[0].to_dict()[0].second == deep);
  CHECK(boxed(k, {Value()})[0].to_dict()[0].second.is_none());
}

TEST_CASE("case 140: arguments and results may be optional", "[boxing][kernel]") {
  Kernel k([](const std::optional<Tensor>& a, std::optional<std::int64_t> b, std::optional<std::string> c) {
    return std::tuple(a, b, c);
  });
  CHECK(inferred(k) == "(Tensor? _0, int? _1, str? _2) -> (Tensor? _0, int? _1, str? _2)");
  Tensor t = make_tensor();
  CHECK(boxed(k, {Value(t), Value(4), Value("x")}) == Stack{Value(t), Value(4), Value("x")});
  CHECK(boxed(k, {Value(), Value(), Value()}) == Stack(3));
}

TEST_CASE("cases 142 and 143: the schema of many types", "[boxing][kernel]") {
  Kernel k([](const Tensor&, double, std::int64_t, bool, std::string_view, const Scalar&, ScalarType, Device, Layout,
              MemoryFormat, IntArrayRef, TensorList, ArrayRef<std::optional<Tensor>>, std::optional<IntArrayRef>,
              SymInt, SymIntArrayRef, std::array<bool, 2>, const Storage&, Stream, QScheme, std::int8_t,
              Complex<double>) {});
  CHECK(
      inferred(k) ==
      "(Tensor _0, float _1, int _2, bool _3, str _4, Scalar _5, ScalarType _6, Device _7, Layout _8, MemoryFormat _9, int[] _10, Tensor[] _11, Tensor?[] _12, int[]? _13, SymInt _14, SymInt[] _15, "
      "bool[] _16, Storage _17, Stream _18, QScheme _19, DeviceIndex _20, complex _21) -> ()");
}

TEST_CASE("cases 148, 150, 151, 152 and 154: boxed kernels called with typed arguments", "[boxing][kernel]") {
  static Stack seen;
  Kernel one([](const OperatorHandle& op, Stack& s) {
    seen = s;
    s = {Value(std::int64_t(op.name().size()))};
  });
  CHECK(unboxed<std::int64_t(const Tensor&, std::int64_t)>::call(one, make_tensor(), 8) == 13);
  CHECK(seen[1] == Value(8));
  Kernel two([](const OperatorHandle&, KeySet keys, Stack& s) {
    s = {Value(13), Value(keys == KeySet(DispatchKey::CPU))};
  });
  CHECK((unboxed<std::tuple<std::int64_t, bool>(std::int64_t)>::call(two, 1) ==
         std::tuple<std::int64_t, bool>(13, true)));
  CHECK_ERROR((unboxed<std::int64_t(std::int64_t)>::call(two, 1)), InternalError,
              "Boxed kernel was expected to return 1 values on the stack, but instead pushed 2 values.");
}

TEST_CASE("cases 155 to 158: in-place and out operators return the caller's own tensors", "[boxing][kernel]") {
  Kernel in_place([](const OperatorHandle&, Stack& s) { s.erase(s.begin() + 1, s.end()); });
  Kernel out([](const OperatorHandle&, Stack& s) { s.erase(s.begin(), s.end() - 1); });
  Kernel outs([](const OperatorHandle&, Stack& s) { s.erase(s.begin(), s.end() - 2); });
  Tensor a = make_tensor(), b = make_tensor(), c = make_tensor();
  CHECK((&unboxed<Tensor&(Tensor&, const Scalar&)>::call(in_place, a, 2) == &a));
  CHECK((&unboxed<Tensor&(const Tensor&, Tensor&)>::call(out, a, b) == &b));
  auto both =
      unboxed<std::tuple<Tensor&, Tensor&>(const Scalar&, const Tensor&, Tensor&, Tensor&)>::call(outs, 1, a, b, c);
  CHECK((&std::get<0>(both) == &b && &std::get<1>(both) == &c));
  CHECK(boxed(in_place, {Value(a), Value(2)})[0].to_tensor().is_same(a));
  // Typed ones called boxed give the argument too.
  CHECK(
      boxed(Kernel([](Tensor& x, const Scalar&) -> Tensor& { return x; }), {Value(a), Value(2)})[0].to_tensor().is_same(
          a));
  Stack s = boxed(Kernel([](const Tensor&, Tensor& x, Tensor& y) { return std::tuple<Tensor&, Tensor&>(x, y); }),
                  {Value(a), Value(b), Value(c)});
  CHECK((s[0].to_tensor().is_same(b) && s[1].to_tensor().is_same(c)));
}

TEMPLATE_TEST_CASE("cases 165 to 172: every type, optional and in lists, boxed and back", "[boxing][kernel]", double,
                   std::int64_t, bool, std::string) {
  using T = TestType;
  T value = [] {
    if constexpr (std::is_same_v<T, std::string>)
      return T("text");
    else
      return T(1);
  }();
  Value v(value);
  CHECK(boxed(Kernel([](T x) { return x; }), {v})[0] == v);
  CHECK(boxed(Kernel([](std::optional<T> x) { return x; }), {v})[0] == v);
  CHECK(boxed(Kernel([](std::optional<T> x) { return x; }), {Value()})[0].is_none());
  Value list = Value::list({v, v, v}), empty = Value::list({}, v.kind());
  using List = std::conditional_t<std::is_same_v<T, bool>, SmallVector<bool, 8>, std::vector<T>>;
  for (const Value& l : {list, empty}) {
    CHECK(boxed(Kernel([](List x) { return x; }), {l})[0] == l);
    CHECK(boxed(Kernel([](std::optional<List> x) { return x; }), {l})[0] == l);
  }
  CHECK(boxed(Kernel([](std::optional<List> x) { return x; }), {Value()})[0].is_none());
  Value holes = Value::list({v, Value(), v});
  CHECK(boxed(Kernel([](std::vector<std::optional<T>> x) { return x; }), {holes})[0] == holes);
  CHECK(boxed(Kernel([](std::array<T, 3> x) { return x[2]; }), {list})[0] == v);
  CHECK_ERROR_CONTAINS(boxed(Kernel([](std::array<T, 2> x) { return x[1]; }), {list}), ValueError,
                       "expected a list of 2 elements, got 3");
  CHECK(boxed(Kernel([](std::array<T, 0>) {}), {empty}).empty());
  CHECK(boxed(Kernel([](std::array<T, 2> x) { return std::tuple(x[0], x[1]); }), {Value::list({v, v})}) == Stack{v, v});
}

TEST_CASE("tensors, optional and in lists, arrive as the very objects", "[boxing][kernel]") {
  Tensor a = make_tensor(), b = make_tensor();
  auto same = [](const Value& v, const Tensor& t) { return v.to_tensor().is_same(t); };
  Kernel maybe([](const std::optional<Tensor>& x) { return x; });
  CHECK(same(boxed(maybe, {Value(a)})[0], a));
  CHECK(boxed(maybe, {Value()})[0].is_none());
  Kernel holes([](std::vector<std::optional<Tensor>> x) { return x; });
  Value got = boxed(holes, {Value::list({Value(a), Value(), Value(b)})})[0];
  REQUIRE(got.to_list().size() == 3);
  CHECK((same(got.to_list()[0], a) && got.to_list()[1].is_none() && same(got.to_list()[2], b)));
  Kernel pair([](std::array<Tensor, 2> x) { return std::tuple(x[1], x[0]); });
  Stack turned = boxed(pair, {Value::list({Value(a), Value(b)})});
  CHECK((same(turned[0], b) && same(turned[1], a)));
  Kernel list([](std::optional<std::vector<Tensor>> x) { return x; });
  CHECK(boxed(list, {Value()})[0].is_none());
  CHECK(boxed(list, {Value::list({}, ValueKind::Tensor)})[0].to_list().empty());
}

TEST_CASE("tuples and arrays are of the length that the kernel takes", "[boxing][kernel]") {
  Value pair = Value::tuple({Value(7), Value("x")}), three = Value::tuple({Value(7), Value("x"), Value(1)});
  auto second = Kernel([](std::tuple<std::int64_t, std::string> x) { return std::get<1>(x); });
  CHECK(boxed(second, {pair})[0] == Value("x"));
  CHECK_ERROR(boxed(second, {three}), ValueError, "expected a tuple of 2 elements, got 3");
  auto one = Kernel([](std::tuple<double> x) { return std::get<0>(x); });
  CHECK(boxed(one, {Value::tuple({Value(0.5)})}) == Stack{Value(0.5)});
  auto four = Kernel([](std::tuple<std::int64_t, std::string, double, bool> x) {
    return std::map<std::string, std::tuple<std::int64_t, std::string, double, bool>>{{"it", x}};
  });
  Value longest = Value::tuple({Value(7), Value("x"), Value(0.5), Value(true)});
  CHECK(boxed(four, {longest})[0].to_dict()[0].second == longest);
  auto joined = Kernel([](std::array<std::int64_t, 3> x) { return x[0] * 100 + x[1] * 10 + x[2]; });
  CHECK(boxed(joined, {Value::list({Value(1), Value(2), Value(3)})})[0] == Value(123));
  CHECK_ERROR_CONTAINS(boxed(joined, {Value::list({Value(1)})}), ValueError, "expected a list of 3 elements, got 1");
}

TEST_CASE("cases 112 to 115: one description per C++ type", "[boxing][kernel]") {
  struct Functor {
    void operator()(std::int64_t, double) {}
  };
  Kernel f(+[](std::int64_t, double) {}), functor(Functor{}), other([](std::int64_t, std::int64_t) {});
  CHECK(*f.state()->type == *functor.state()->type);
  CHECK_FALSE(*f.state()->type == *other.state()->type);
  CHECK_FALSE(detail::cpp_type_name(*f.state()->type->type).empty());
}

TEST_CASE("case 262: parameter and result types are read off functions", "[boxing][kernel]") {
  STATIC_REQUIRE(std::is_same_v<detail::callable_of<void (*)(int, float&)>::type, void(int, float&)>);
  STATIC_REQUIRE(std::is_same_v<detail::callable_of<double(KeySet, bool)>::type, double(bool)>);
  STATIC_REQUIRE(detail::callable_of<double(KeySet, bool)>::takes_keys);
  STATIC_REQUIRE(std::is_same_v<canonical_t<Tensor(Tensor, std::vector<std::int64_t>, const double&, std::string)>,
                                Tensor(const Tensor&, IntArrayRef, double, std::string_view)>);
}

TEST_CASE("case 120: plain kernels take symbolic arguments that are plain, and refuse others by name",
          "[boxing][kernel]") {
  Kernel plain([](std::int64_t n, IntArrayRef sizes) { return n + static_cast<std::int64_t>(sizes.size()); });
  SymInt sizes[] = {2, 3};
  CHECK(unboxed<std::int64_t(SymInt, SymIntArrayRef)>::call(plain, SymInt(4), sizes) == 6);
  Kernel symbolic([](SymInt n, SymIntArrayRef list) { return n * list[0]; });
  CHECK(symbolic.state()->record.unboxed == nullptr);
  CHECK(boxed(symbolic, {Value(4), Value::list({Value(5)})})[0] == Value(20));
}

TEST_CASE("a written tensor is never None", "[boxing][kernel]") {
  Kernel writes([](Tensor& x) { x = make_tensor(); });
  CHECK_ERROR_CONTAINS(boxed(writes, {Value()}), TypeError, "Expected Tensor but got None");
  CHECK(boxed(Kernel([](const Tensor& x) mutable noexcept { return x.defined(); }), {Value()})[0] == Value(false));
}

TEST_CASE("a call of a boxed kernel returns references to what is written, wherever it stands", "[boxing][kernel]") {
  Tensor x = make_tensor(), y = make_tensor();
  Kernel nothing([](const OperatorHandle&, Stack& stack) { stack.clear(); });
  CHECK(&unboxed<Tensor&(std::int64_t, Tensor&, std::int64_t)>::call(nothing, 1, x, 2) == &x);
  CHECK(&unboxed<Tensor&(const Tensor&, Tensor&)>::call(nothing, x, y) == &y);
  CHECK(&unboxed<Tensor&(Tensor&, const Tensor&)>::call(nothing, x, y) == &x);
  auto [a, b] = unboxed<std::tuple<Tensor&, Tensor&>(Tensor&, Tensor&, std::int64_t)>::call(nothing, x, y, 1);
  CHECK((&a == &x && &b == &y));
  Kernel results([&](const OperatorHandle&, Stack& stack) { stack = {Value(x), Value(7)}; });
  auto [self, n] = unboxed<std::tuple<Tensor&, std::int64_t>(Tensor&)>::call(results, x);
  CHECK((&self == &x && n == 7));
  CHECK_ERROR_CONTAINS((unboxed<std::tuple<Tensor&, std::int64_t>(Tensor&)>::call(nothing, x)), InternalError,
                       "expected to return 2 values on the stack, but instead pushed 0 values");
}

TEST_CASE("a number in a list of strings is refused where the list is read", "[boxing][kernel]") {
  Value list = Value::list({Value("a")}, ValueKind::String);
  list.to_list().push_back(Value(3));
  Kernel count([](std::vector<std::string> words) { return static_cast<std::int64_t>(words.size()); });
  CHECK_ERROR_CONTAINS(boxed(count, {list}), TypeError, "Expected String but got Int");
  CHECK(boxed(count, {Value::list({Value("a"), Value("b")})})[0].to_int() == 2);
}
