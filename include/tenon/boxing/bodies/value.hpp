// Bodies of boxed values, and what holds those that are no word.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/boxing/signature.hpp>

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
template <class T>
struct HeldObject final : RefCounted {
  explicit HeldObject(T v) : value(std::move(v)) {}
  T value;
};

/// A symbolic value was read as a plain integer. Who knows which argument it is says so in its place.
class SymbolicValueError final : public TypeError {
 public:
  SymbolicValueError(std::string message, const Value& v) : TypeError(std::move(message)), value_(&v) {}
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

 private:
  const Value* value_;
};
TENON_COLD_BODY void symbolic_value(const Value& v) {
  throw SymbolicValueError(concat("Value::to_int(): expected a plain int, got the symbolic value ", v.to_sym_int(),
                                  "; register a SymInt kernel or guard it with guard_int()"),
                           v);
}

TENON_COLD_BODY void wrong_kind(const char* expected, ValueKind found) {
  fail<TypeError>("Expected ", expected, " but got ", found);
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
  hold(make_intrusive<detail::HeldObject<tenon::Complex<double>>>(z), ValueKind::ComplexDouble);
}
TENON_BODY Value::Value(std::string_view text) : int_(0) {
  hold(make_intrusive<detail::StringObject>(text), ValueKind::String);
}
TENON_BODY Value::Value(const Storage& storage) : int_(0) {
  hold(intrusive_ptr<RefCounted>(storage.impl()), ValueKind::Storage);
}
TENON_BODY Value::Value(Stream stream) : int_(0) {
  hold(make_intrusive<detail::HeldObject<Stream>>(stream), ValueKind::Stream);
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
  return static_cast<detail::HeldObject<tenon::Complex<double>>*>(object_)->value;
}
TENON_BODY Scalar Value::to_scalar() const {
  switch (kind_) {
    case ValueKind::Int: return Scalar(int_);
    case ValueKind::UInt: return Scalar(static_cast<std::uint64_t>(int_));
    case ValueKind::Double: return Scalar(double_);
    case ValueKind::Bool: return Scalar(int_ != 0);
    case ValueKind::ComplexDouble: return Scalar(to_complex());
    case ValueKind::SymInt: return Scalar(to_int());
    default: detail::wrong_kind("Scalar", kind_);
  }
}
TENON_BODY std::string_view Value::to_string_view() const {
  expect(ValueKind::String, "String");
  return static_cast<detail::StringObject*>(object_)->text;
}
TENON_BODY Stream Value::to_stream() const {
  expect(ValueKind::Stream, "Stream");
  return static_cast<detail::HeldObject<Stream>*>(object_)->value;
}
TENON_BODY Storage Value::to_storage() const {
  expect(ValueKind::Storage, "Storage");
  return Storage(intrusive_ptr<StorageImpl>::share(static_cast<StorageImpl*>(object_)));
}
TENON_BODY std::vector<Value>& Value::to_list() const {
  expect(ValueKind::List, "List");
  return static_cast<detail::ListObject*>(object_)->items;
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

}  // namespace tenon
