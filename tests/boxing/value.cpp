// Boxed values: kinds, ownership, equality, printing.
#include <tenon/boxing/value_text.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {
Tensor make_tensor() {
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(4, kCPU), dense_keys(DeviceType::CPU), kFloat, kCPU));
  t.impl().set_contiguous(IntArrayRef{1});
  return t;
}
struct Thing : RefCounted {
  int number = 7;
};
/// A value of every kind that can be made from C++.
std::vector<Value> every_kind() {
  return {Value(),
          Value(make_tensor()),
          Value(StorageImpl::create(8, kCPU)),
          Value(1.5),
          Value(Complex<double>(2, -3)),
          Value(3),
          Value(~std::uint64_t{0}),
          Value(true),
          Value("text"),
          Value::list({Value(1), Value(2)}),
          Value::tuple({Value(1), Value("a")}),
          Value::dict({{Value("k"), Value(1)}}),
          Value(kCPU),
          Value(Stream{}),
          Value(make_intrusive<Thing>()),
          Value(Generator(make_intrusive<GeneratorImpl>()))};
}
}  // namespace

TEST_CASE("case 247: kinds, extraction and counts", "[boxing][value]") {
  CHECK(Value(3).kind() == ValueKind::Int);
  CHECK(Value(3).to_int() == 3);
  CHECK(Value(1.5).to_double() == 1.5);
  CHECK(Value().is_none());
  Tensor t = make_tensor();
  Value v(t);
  CHECK(t.use_count() == 2);
  Value copy = v;
  CHECK(t.use_count() == 3);
  Tensor moved = std::move(copy.to_tensor());
  CHECK(t.use_count() == 3);
  Value other = std::move(v);
  CHECK(v.is_none());
  CHECK(other.to_tensor().is_same(t));
  CHECK(Value::list({Value(1), Value(2)}).to_list().size() == 2);
}

TEST_CASE("reading as another kind names both", "[boxing][value]") {
  CHECK_ERROR(Value(1).to_tensor(), TypeError, "Expected Tensor but got Int");
  CHECK_ERROR(Value(make_tensor()).to_int(), TypeError, "Expected Int but got Tensor");
  CHECK_ERROR(Value("x").to_list(), TypeError, "Expected List but got String");
  CHECK_ERROR(Value(1).to_double(), TypeError, "Expected Double but got Int");
}

TEST_CASE("integers keep their value; only large unsigned ones are UInt", "[boxing][value]") {
  CHECK(Value(std::uint64_t{5}).kind() == ValueKind::Int);
  CHECK(Value(~std::uint64_t{0}).kind() == ValueKind::UInt);
  CHECK(Value(~std::uint64_t{0}).to_uint() == ~std::uint64_t{0});
  CHECK(Value(kFloat).to_int() == static_cast<std::int64_t>(kFloat));
  CHECK(Value(Scalar(2.5)).kind() == ValueKind::Double);
  CHECK(Value(Scalar(true)).kind() == ValueKind::Bool);
  CHECK(Value(SymInt(4)).kind() == ValueKind::Int);
  CHECK(Value(std::optional<std::int64_t>()).is_none());
}

TEST_CASE("case 248: a storage stays the same object", "[boxing][value]") {
  auto storage = StorageImpl::create(16, kCPU);
  Value v{Storage(storage)};
  CHECK(v.kind() == ValueKind::Storage);
  CHECK(v.to_storage().impl() == storage);
}

TEST_CASE("case 249: a dictionary with complex keys", "[boxing][value]") {
  Value d = Value::dict({{Value(Complex<double>(1, 2)), Value(3)}});
  CHECK(d.to_dict()[0].first.to_complex() == Complex<double>(1, 2));
  CHECK(d.to_dict()[0].second.to_int() == 3);
}

TEST_CASE("case 250: swapping keeps contents and counts", "[boxing][value]") {
  Tensor t = make_tensor();
  Value a(t), b("text");
  std::swap(a, b);
  CHECK(a.to_string_view() == "text");
  CHECK(b.to_tensor().is_same(t));
  CHECK(t.use_count() == 2);
}

TEST_CASE("cases 251 and 252: every kind is copied, moved and assigned to every kind", "[boxing][value]") {
  for (const Value& from : every_kind()) {
    auto count = from.use_count();
    Value copy(from);
    CHECK(copy == from);
    CHECK(copy.is(from));
    CHECK(from.use_count() == (count ? count + 1 : 0));
    Value moved(std::move(copy));
    CHECK(copy.is_none());
    CHECK(moved == from);
    for (Value to : every_kind()) {
      to = from;
      CHECK(to == from);
      Value source = from;
      to = std::move(source);
      CHECK(to == from);
      CHECK(source.is_none());
    }
    moved = Value();
    CHECK(from.use_count() == count);
  }
}

TEST_CASE("cases 253 and 254: tuples keep and print their elements", "[boxing][value]") {
  CHECK(to_string(Value::tuple({Value(3)})) == "(3,)");
  CHECK(to_string(Value::tuple({Value(3), Value(3)})) == "(3, 3)");
  CHECK(Value::tuple({Value(1), Value("a"), Value(2.5), Value(true)}).to_tuple().size() == 4);
}

TEST_CASE("case 255: complex numbers print as in Python's repr of the peer", "[boxing][value]") {
  CHECK(to_string(Value(Complex<double>(2, -3))) == "2.-3.j");
  CHECK(to_string(Value(Complex<double>(2, 0))) == "2.+0.j");
  CHECK(to_string(Value(Complex<double>(0, 3))) == "0.+3.j");
}

TEST_CASE("case 256: equality is by value within a kind", "[boxing][value]") {
  CHECK(Value(1) == Value(1));
  CHECK_FALSE(Value(1) == Value(2));
  CHECK(Value("a") == Value("a"));
  CHECK_FALSE(Value(1) == Value(1.0));
  CHECK_FALSE(Value(1) == Value(true));
  CHECK(Value() == Value());
}

TEST_CASE("cases 257 and 259: lists are equal element by element, in order, at any depth", "[boxing][value]") {
  Value a = Value::list({Value(1), Value(2)}), b = Value::list({Value(1), Value(2)}),
        c = Value::list({Value(2), Value(1)});
  CHECK(a == b);
  CHECK_FALSE(a.is(b));
  CHECK(a.is(Value(a)));
  CHECK_FALSE(a == c);
  CHECK(Value::list({a}) == Value::list({b}));
  CHECK_FALSE(Value::list({a}) == Value::list({c}));
}

TEST_CASE("case 258: the order of a dictionary does not count", "[boxing][value]") {
  Value a = Value::dict({{Value("x"), Value(1)}, {Value("y"), Value(2)}}),
        b = Value::dict({{Value("y"), Value(2)}, {Value("x"), Value(1)}});
  CHECK(a == b);
  CHECK(to_string(a) == "{\"x\": 1, \"y\": 2}");
}

TEST_CASE("case 260: copies of a list share its elements, copy_of does not", "[boxing][value]") {
  Value a = Value::list({Value(1)}), same = a, own = copy_of(a);
  a.to_list().push_back(Value(2));
  CHECK(same.to_list().size() == 2);
  CHECK(own.to_list().size() == 1);
  // A moved-from list of ours is None; the peer's handle still refers to the list.
  Value moved = std::move(same);
  CHECK(same.is_none());
}

TEST_CASE("case 261: elements change places without touching their neighbours", "[boxing][value]") {
  Value v = Value::list({Value("a"), Value("b"), Value("c")});
  auto& items = v.to_list();
  std::swap(items[0], items[2]);
  items[1] = items[0];
  CHECK(to_string(v) == "[\"c\", \"c\", \"a\"]");
}

TEST_CASE("an empty list remembers what it is a list of", "[boxing][value]") {
  CHECK(Value::list({}, ValueKind::Tensor).element_kind() == ValueKind::Tensor);
  CHECK(type_words(Value::list({}, ValueKind::Int)) == "int[]");
  CHECK(type_words(Value::list({Value(1.0)})) == "float[]");
  CHECK(type_words(Value::tuple({Value(1), Value("a")})) == "(int, str)");
}

TEST_CASE("objects of a user's class are held and given back", "[boxing][value]") {
  auto thing = make_intrusive<Thing>();
  Value v(thing);
  CHECK(v.kind() == ValueKind::Object);
  CHECK(v.to_object<Thing>() == thing);
  struct Another : RefCounted {};
  CHECK_THROWS_AS(v.to_object<Another>(), TypeError);
}

TEST_CASE("a boxed value is two words", "[boxing][value]") { STATIC_REQUIRE(sizeof(Value) == 16); }

TEST_CASE("boxed tensors are equal if they are one tensor", "[boxing][value]") {
  Tensor a = make_tensor(), b = make_tensor();
  CHECK(Value(a) == Value(a));
  CHECK_FALSE(Value(a) == Value(b));
  CHECK(Value::list({Value(a)}) == Value::list({Value(a)}));
  CHECK_FALSE(Value::list({Value(a)}) == Value::list({Value(b)}));
}
