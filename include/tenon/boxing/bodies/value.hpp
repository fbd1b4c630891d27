// Bodies of boxed values, and what holds those that are no word.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/sym_bool.hpp>
#include <tenon/base/sym_float.hpp>
#include <tenon/boxing/capsule.hpp>
#include <tenon/boxing/convert.hpp>
#include <tenon/boxing/enum_member.hpp>
#include <tenon/boxing/quantizer.hpp>
#include <tenon/boxing/rref.hpp>
#include <tenon/boxing/signature.hpp>
#include <tenon/boxing/value_text.hpp>

namespace tenon {

namespace detail {
struct ListObject final : RefCounted {
  explicit ListObject(std::vector<Value> v, ValueKind e = ValueKind::None) : items(std::move(v)), element(e) {}
  std::vector<Value> items;
  ValueKind element;
};
struct DictObject final : RefCounted {
  explicit DictObject(std::vector<std::pair<Value, Value>> v) : items(std::move(v)) {}
  std::vector<std::pair<Value, Value>> items;  // in order of insertion
};
struct StringObject final : RefCounted {
  explicit StringObject(std::string_view t) : text(t) {}
  std::string text;
};
template <class T, ValueKind Kind>
struct HeldObject final : RefCounted {
  static constexpr ValueKind value_kind = Kind;
  explicit HeldObject(T v) : value(std::move(v)) {}
  T value;
};
using ComplexObject = HeldObject<Complex<double>, ValueKind::ComplexDouble>;
using StreamObject = HeldObject<Stream, ValueKind::Stream>;
using SymFloatObject = HeldObject<SymFloat, ValueKind::SymFloat>;
using SymBoolObject = HeldObject<SymBool, ValueKind::SymBool>;

/// What is wrong with a value that a kernel's argument was to be read from. Who knows which argument it is says so in
/// its place.
class UnreadableValue {
 public:
  UnreadableValue(const Value& v, std::string expected, const char* remedy)
      : value_(&v), expected_(std::move(expected)), remedy_(remedy) {}
  /// Whether that value is `v` or lies in it. Compares addresses: the value may be gone.
  bool is_in(const Value& v) const {
    if (&v == value_) return true;
    auto in_any = [&](const std::vector<Value>& items) {
      for (const Value& item : items)
        if (is_in(item)) return true;
      return false;
    };
    if (v.kind() == ValueKind::List) return in_any(v.to_list());
    if (v.kind() == ValueKind::Tuple) return in_any(v.to_tuple());
    if (v.kind() == ValueKind::Dict)
      for (const auto& [key, item] : v.to_dict())
        if (is_in(key) || is_in(item)) return true;
    return false;
  }
  const std::string& expected() const { return expected_; }
  const char* remedy() const { return remedy_; }
  /// Throws an error of the same class.
  [[noreturn]] virtual void raise(std::string message) const = 0;

 protected:
  ~UnreadableValue() = default;

 private:
  const Value* value_;
  std::string expected_;
  const char* remedy_;
};
template <class E>
class UnreadableError final : public E, public UnreadableValue {
 public:
  UnreadableError(std::string message, const Value& v, std::string expected, const char* remedy)
      : E(std::move(message)), UnreadableValue(v, std::move(expected), remedy) {}
  [[noreturn]] void raise(std::string message) const override { throw E(std::move(message)); }
};

TENON_COLD_BODY void wrong_kind(const char* expected, const Value& found) {
  struct Plain {
    ValueKind kind;
    std::string_view name;
    const char *message, *expected, *remedy;
  };
  static constexpr Plain plain[] = {
      {ValueKind::SymInt, "Int", "Value::to_int(): expected a plain int, got the symbolic value ", "plain integers",
       "; register a kernel that takes SymInt, or call guard_int() on the value"},
      {ValueKind::SymFloat, "Double", "Value::to_double(): expected a plain float, got the symbolic value ",
       "plain floats", "; register a kernel that takes SymFloat, or call guard_float() on the value"},
      {ValueKind::SymBool, "Bool", "Value::to_bool(): expected a plain bool, got the symbolic value ", "plain bools",
       "; register a kernel that takes SymBool, or call guard_bool() on the value"},
  };
  for (const Plain& p : plain)
    if (found.kind() == p.kind && expected == p.name)
      throw UnreadableError<TypeError>(concat(p.message, found, p.remedy), found, p.expected, p.remedy);
  throw UnreadableError<TypeError>(concat("Expected ", expected, " but got ", found.kind()), found, expected, "");
}

TENON_BODY std::uint64_t value_key_bits(const Value& v) {
  std::uint64_t bits = 0;
  switch (v.kind()) {
    case ValueKind::Tensor: return v.to_tensor().keys().bits();
    case ValueKind::Generator: return v.to_generator().keys().bits();
    case ValueKind::List:
      for (const Value& item : v.to_list()) bits |= value_key_bits(item);
      return bits;
    case ValueKind::Tuple:
      for (const Value& item : v.to_tuple()) bits |= value_key_bits(item);
      return bits;
    case ValueKind::Dict:
      for (const auto& [key, item] : v.to_dict()) bits |= value_key_bits(key) | value_key_bits(item);
      return bits;
    default: return 0;
  }
}
}  // namespace detail

TENON_BODY Value::Value(tenon::Complex<double> z) : int_(0) {
  hold(make_intrusive<detail::ComplexObject>(z), ValueKind::ComplexDouble);
}
TENON_BODY Value::Value(std::string_view text) : int_(0) {
  hold(make_intrusive<detail::StringObject>(text), ValueKind::String);
}
TENON_BODY Value::Value(const Storage& storage) : int_(0) {
  hold(intrusive_ptr<RefCounted>(storage.impl()), ValueKind::Storage);
}
TENON_BODY Value::Value(Stream stream) : int_(0) {
  hold(make_intrusive<detail::StreamObject>(stream), ValueKind::Stream);
}
TENON_BODY Value::Value(const Scalar& s) : Value() {
  switch (s.kind()) {
    case Scalar::Kind::Bool: *this = Value(s.to<bool>()); break;
    case Scalar::Kind::Int: *this = Value(s.to<std::int64_t>()); break;
    case Scalar::Kind::UInt: *this = Value(s.to<std::uint64_t>()); break;
    case Scalar::Kind::Double: *this = Value(s.to<double>()); break;
    case Scalar::Kind::Complex: *this = Value(s.to<tenon::Complex<double>>()); break;
  }
}
TENON_BODY Value Value::list(std::vector<Value> items, ValueKind element) {
  Value v;
  if (!items.empty()) element = items.front().kind();
  v.hold(make_intrusive<detail::ListObject>(std::move(items), element), ValueKind::List);
  return v;
}
TENON_BODY Value Value::tensor_list(ArrayRef<Tensor> tensors) {
  return list(std::vector<Value>(tensors.begin(), tensors.end()), ValueKind::Tensor);
}
TENON_BODY Value Value::tuple(std::vector<Value> items) {
  Value v;
  v.hold(make_intrusive<detail::ListObject>(std::move(items)), ValueKind::Tuple);
  return v;
}
TENON_BODY Value Value::dict(std::vector<std::pair<Value, Value>> items) {
  Value v;
  v.hold(make_intrusive<detail::DictObject>(std::move(items)), ValueKind::Dict);
  return v;
}
TENON_BODY tenon::Complex<double> Value::to_complex() const {
  expect(ValueKind::ComplexDouble, "ComplexDouble");
  return static_cast<detail::ComplexObject*>(object_)->value;
}
TENON_BODY Scalar Value::to_scalar() const {
  switch (kind_) {
    case ValueKind::Int: return Scalar(int_);
    case ValueKind::UInt: return Scalar(static_cast<std::uint64_t>(int_));
    case ValueKind::Double: return Scalar(double_);
    case ValueKind::Bool: return Scalar(int_ != 0);
    case ValueKind::ComplexDouble: return Scalar(to_complex());
    case ValueKind::SymInt: return Scalar(to_int());
    case ValueKind::SymFloat: return Scalar(to_double());
    case ValueKind::SymBool: return Scalar(to_bool());
    default: detail::wrong_kind("Scalar", *this);
  }
}
namespace detail {
TENON_BODY Value box_symbolic(const SymFloat& x) {
  return x.is_symbolic() ? Value(make_intrusive<SymFloatObject>(x)) : Value(x.as_double_unchecked());
}
TENON_BODY Value box_symbolic(const SymBool& x) {
  return x.is_symbolic() ? Value(make_intrusive<SymBoolObject>(x)) : Value(x.as_bool_unchecked());
}
}  // namespace detail
TENON_BODY SymFloat Value::to_sym_float() const {
  if (kind_ == ValueKind::SymFloat) return static_cast<detail::SymFloatObject*>(object_)->value;
  if (kind_ == ValueKind::SymInt) return SymFloat(to_sym_int());
  expect(ValueKind::Double, "SymFloat");
  return double_;
}
TENON_BODY SymBool Value::to_sym_bool() const {
  if (kind_ == ValueKind::SymBool) return static_cast<detail::SymBoolObject*>(object_)->value;
  expect(ValueKind::Bool, "SymBool");
  return to_bool();
}
namespace detail {
TENON_BODY SymFloat read_symbolic(const Value& v, std::type_identity<SymFloat>) { return v.to_sym_float(); }
TENON_BODY SymBool read_symbolic(const Value& v, std::type_identity<SymBool>) { return v.to_sym_bool(); }
}  // namespace detail
TENON_BODY std::string_view Value::to_string_view() const {
  expect(ValueKind::String, "String");
  return static_cast<detail::StringObject*>(object_)->text;
}
TENON_BODY Stream Value::to_stream() const {
  expect(ValueKind::Stream, "Stream");
  return static_cast<detail::StreamObject*>(object_)->value;
}
TENON_BODY Storage Value::to_storage() const {
  expect(ValueKind::Storage, "Storage");
  return Storage(intrusive_ptr<StorageImpl>::share(static_cast<StorageImpl*>(object_)));
}
TENON_BODY std::vector<Value>& Value::to_list() const {
  expect(ValueKind::List, "List");
  return static_cast<detail::ListObject*>(object_)->items;
}
TENON_BODY bool Value::is_tensor_list() const {
  if (!is_list()) return false;
  for (const Value& item : to_list())
    if (!item.is_tensor()) return false;
  return !to_list().empty() || element_kind() == ValueKind::Tensor;
}
TENON_BODY std::vector<Tensor> Value::to_tensor_list() const {
  std::vector<Tensor> tensors;
  tensors.reserve(to_list().size());
  for (const Value& item : to_list()) tensors.push_back(item.is_none() ? Tensor() : item.to_tensor());
  return tensors;
}
TENON_BODY std::vector<Value>& Value::to_tuple() const {
  expect(ValueKind::Tuple, "Tuple");
  return static_cast<detail::ListObject*>(object_)->items;
}
TENON_BODY std::vector<std::pair<Value, Value>>& Value::to_dict() const {
  expect(ValueKind::Dict, "Dict");
  return static_cast<detail::DictObject*>(object_)->items;
}
TENON_BODY ValueKind Value::element_kind() const {
  (void)to_list();
  return static_cast<detail::ListObject*>(object_)->element;
}

TENON_COLD_BODY std::string Capsule::class_name() const {
  if (!object_) return "nothing";
  const RefCounted& object = *object_;
  return detail::cpp_type_name(typeid(object));
}
TENON_COLD_BODY void Capsule::wrong_class(const std::type_info& asked) const {
  fail<TypeError>("Capsule: expected an object of class ", detail::cpp_type_name(asked), ", got ", class_name());
}
TENON_BODY intrusive_ptr<Capsule> Value::to_capsule() const { return to_object<Capsule>(); }
TENON_BODY intrusive_ptr<EnumMember> Value::to_enum() const { return to_object<EnumMember>(); }
TENON_BODY intrusive_ptr<Quantizer> Value::to_quantizer() const { return to_object<Quantizer>(); }
TENON_BODY RRef<> Value::to_rref() const { return RRef<>::from_value(*this); }

}  // namespace tenon
