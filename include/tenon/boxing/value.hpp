// A value of any kind that a schema can name, in 16 bytes, and the stack that boxed calls use.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

enum class ValueKind : std::uint8_t {
  None,
  Tensor,
  Storage,
  Double,
  ComplexDouble,
  Int,
  UInt,
  SymInt,
  SymFloat,
  SymBool,
  Bool,
  Tuple,
  String,
  Blob,
  List,
  Dict,
  Future,
  Await,
  Device,
  Stream,
  Object,
  PyObject,
  Uninitialized,
  Capsule,
  RRef,
  Quantizer,
  Generator,
  Enum,
};
constexpr std::string_view to_string(ValueKind kind) {
  constexpr std::string_view names[] = {"None",   "Tensor",    "Storage",     "Double",      "ComplexDouble", "Int",
                                        "UInt",   "SymInt",    "SymFloat",    "SymBool",     "Bool",          "Tuple",
                                        "String", "Blob",      "GenericList", "GenericDict", "Future",        "Await",
                                        "Device", "Stream",    "Object",      "PyObject",    "Uninitialized", "Capsule",
                                        "RRef",   "Quantizer", "Generator",   "Enum"};
  return names[static_cast<int>(kind)];
}

class Value;
using Stack = std::vector<Value>;

namespace detail {
struct ListObject;
struct DictObject;
struct StringObject;
template <class T>
struct HeldObject;
template <class... K>
[[noreturn, gnu::cold, gnu::noinline]] void wrong_kind(const char* expected, ValueKind found) {
  fail<TypeError>("Expected ", expected, " but got ", found);
}
}  // namespace detail

/// Copies share heap kinds (lists, strings, dictionaries). Reading as another kind throws TypeError
/// `Expected Tensor but got Int`.
class Value {
 public:
  Value() noexcept : int_(0) {}
  Value(Tensor tensor) noexcept : tensor_(std::move(tensor)), kind_(ValueKind::Tensor) {}
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
  Value(I value)
  noexcept : int_(static_cast<std::int64_t>(value)), kind_(ValueKind::Int) {
    if constexpr (std::is_unsigned_v<I> && sizeof(I) == 8)
      if (value > static_cast<I>(INT64_MAX)) kind_ = ValueKind::UInt;
  }
  Value(double value) noexcept : double_(value), kind_(ValueKind::Double) {}
  Value(bool value) noexcept : int_(value), kind_(ValueKind::Bool) {}
  template <class E>
    requires std::is_enum_v<E> Value(E value)
  noexcept : int_(static_cast<std::int64_t>(value)), kind_(ValueKind::Int) {}
  Value(Device device) noexcept
      : int_(static_cast<std::int64_t>(device.type) << 8 | static_cast<std::uint8_t>(device.index)),
        kind_(ValueKind::Device) {}
  inline Value(tenon::Complex<double> z);
  inline Value(const Scalar& scalar);
  Value(const SymInt& value) : int_(0) {
    if (!value.is_symbolic()) {
      int_ = value.as_int_unchecked();
      kind_ = ValueKind::Int;
    } else
      hold(intrusive_ptr<RefCounted>(intrusive_ptr<SymNode>::share(value.node())), ValueKind::SymInt);
  }
  inline Value(std::string_view text);
  Value(const char* text) : Value(std::string_view(text)) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  inline Value(const Storage& storage);
  inline Value(Stream stream);
  Value(const Generator& generator) : int_(0) {
    hold(intrusive_ptr<RefCounted>(generator.impl()), ValueKind::Generator);
  }
  /// An object of a user's own class.
  template <class T>
    requires std::is_base_of_v<RefCounted, T> Value(intrusive_ptr<T> object) : int_(0) {
      hold(intrusive_ptr<RefCounted>(std::move(object)), ValueKind::Object);
    }
    template <class T>
    Value(const std::optional<T>& value) : Value() {
      if (value) *this = Value(*value);
    }

    Value(const Value& other) : int_(0), kind_(other.kind_) {
      if (kind_ == ValueKind::Tensor)
        new (&tensor_) Tensor(other.tensor_);
      else {
        int_ = other.int_;
        if (is_heap() && object_) object_->retain();
      }
    }
    Value(Value&& other) noexcept : int_(0), kind_(other.kind_) { take(other); }
    Value& operator=(Value other) noexcept {
      drop();
      kind_ = other.kind_;
      take(other);
      return *this;
    }
    ~Value() { drop(); }

    /// A list; `element` names what it holds when it is empty.
    static inline Value list(std::vector<Value> items, ValueKind element = ValueKind::None);
    template <class T>
    static Value list_of(ArrayRef<T> items) {
      std::vector<Value> values;
      values.reserve(items.size());
      for (const auto& item : items) values.emplace_back(item);
      return list(std::move(values));
    }
    static inline Value tuple(std::vector<Value> items);
    static inline Value dict(std::vector<std::pair<Value, Value>> items);

    ValueKind kind() const { return kind_; }
    /// Whether both are the same object, or the same plain value.
    bool is(const Value& other) const { return kind_ == other.kind_ && int_ == other.int_; }
    /// How many values share the object; 0 for plain values.
    std::uint32_t use_count() const {
      return kind_ == ValueKind::Tensor ? tensor_.use_count() : is_heap() && object_ ? object_->use_count() : 0;
    }
    bool is_none() const { return kind_ == ValueKind::None; }
    bool is_tensor() const { return kind_ == ValueKind::Tensor; }
    bool is_int() const { return kind_ == ValueKind::Int; }
    bool is_list() const { return kind_ == ValueKind::List; }
    bool is_number() const {
      return kind_ == ValueKind::Int || kind_ == ValueKind::UInt || kind_ == ValueKind::Double ||
             kind_ == ValueKind::Bool || kind_ == ValueKind::ComplexDouble || kind_ == ValueKind::SymInt;
    }

    Tensor& to_tensor() {
      expect(ValueKind::Tensor, "Tensor");
      return tensor_;
    }
    const Tensor& to_tensor() const {
      expect(ValueKind::Tensor, "Tensor");
      return tensor_;
    }
    std::int64_t to_int() const {
      if (kind_ == ValueKind::SymInt) return to_sym_int().expect_int("Value::to_int()");
      expect(ValueKind::Int, "Int");
      return int_;
    }
    SymInt to_sym_int() const {
      if (kind_ == ValueKind::SymInt) return SymInt(intrusive_ptr<SymNode>::share(static_cast<SymNode*>(object_)));
      expect(ValueKind::Int, "SymInt");
      return SymInt(int_);
    }
    std::uint64_t to_uint() const {
      if (kind_ == ValueKind::Int && int_ >= 0) return static_cast<std::uint64_t>(int_);
      expect(ValueKind::UInt, "UInt");
      return static_cast<std::uint64_t>(int_);
    }
    double to_double() const {
      expect(ValueKind::Double, "Double");
      return double_;
    }
    bool to_bool() const {
      expect(ValueKind::Bool, "Bool");
      return int_ != 0;
    }
    inline tenon::Complex<double> to_complex() const;
    inline Scalar to_scalar() const;
    inline std::string_view to_string_view() const;
    Device to_device() const {
      expect(ValueKind::Device, "Device");
      return {static_cast<DeviceType>(int_ >> 8), static_cast<std::int8_t>(int_ & 0xff)};
    }
    inline Stream to_stream() const;
    inline Storage to_storage() const;
    Generator to_generator() const {
      if (kind_ == ValueKind::None) return {};
      expect(ValueKind::Generator, "Generator");
      return Generator(intrusive_ptr<GeneratorImpl>::share(static_cast<GeneratorImpl*>(object_)));
    }
    /// The elements of a list.
    inline std::vector<Value>& to_list() const;
    inline std::vector<Value>& to_tuple() const;
    inline std::vector<std::pair<Value, Value>>& to_dict() const;
    inline ValueKind element_kind() const;
    template <class T>
    intrusive_ptr<T> to_object() const {
      expect(ValueKind::Object, "Object");
      auto* object = dynamic_cast<T*>(object_);
      TENON_CHECK(object, TypeError, "Expected an object of another class");
      return intrusive_ptr<T>::share(object);
    }

   private:
    void expect(ValueKind kind, const char* name) const {
      if (kind_ != kind) [[unlikely]]
        detail::wrong_kind<>(name, kind_);
    }
    bool is_heap() const {
      switch (kind_) {
        case ValueKind::None:
        case ValueKind::Tensor:
        case ValueKind::Double:
        case ValueKind::Int:
        case ValueKind::UInt:
        case ValueKind::Bool:
        case ValueKind::Device: return false;
        default: return true;
      }
    }
    void hold(intrusive_ptr<RefCounted> object, ValueKind kind) {
      object_ = object.release();
      kind_ = kind;
    }
    void drop() noexcept {
      if (kind_ == ValueKind::Tensor)
        tensor_.~Tensor();
      else if (is_heap() && object_)
        object_->release();
      int_ = 0;
    }
    // Every payload is one word, and moving it moves ownership.
    void take(Value& other) noexcept {
      int_ = other.int_;
      other.int_ = 0;
      other.kind_ = ValueKind::None;
    }

    union {
      std::int64_t int_;
      double double_;
      Tensor tensor_;
      RefCounted* object_;
    };
    ValueKind kind_ = ValueKind::None;
};
static_assert(sizeof(Value) == 16, "tenon: a boxed value is a word and a tag");

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
}  // namespace detail

inline Value::Value(tenon::Complex<double> z) : int_(0) {
  hold(make_intrusive<detail::HeldObject<tenon::Complex<double>>>(z), ValueKind::ComplexDouble);
}
inline Value::Value(std::string_view text) : int_(0) {
  hold(make_intrusive<detail::StringObject>(text), ValueKind::String);
}
inline Value::Value(const Storage& storage) : int_(0) {
  hold(intrusive_ptr<RefCounted>(storage.impl()), ValueKind::Storage);
}
inline Value::Value(Stream stream) : int_(0) {
  hold(make_intrusive<detail::HeldObject<Stream>>(stream), ValueKind::Stream);
}
inline Value::Value(const Scalar& s) : Value() {
  switch (s.kind()) {
    case Scalar::Kind::Bool: *this = Value(s.to<bool>()); break;
    case Scalar::Kind::Int: *this = Value(s.to<std::int64_t>()); break;
    case Scalar::Kind::UInt: *this = Value(s.to<std::uint64_t>()); break;
    case Scalar::Kind::Double: *this = Value(s.to<double>()); break;
    case Scalar::Kind::Complex: *this = Value(s.to<tenon::Complex<double>>()); break;
  }
}
inline Value Value::list(std::vector<Value> items, ValueKind element) {
  Value v;
  if (!items.empty()) element = items.front().kind();
  v.hold(make_intrusive<detail::ListObject>(std::move(items), element), ValueKind::List);
  return v;
}
inline Value Value::tuple(std::vector<Value> items) {
  Value v;
  v.hold(make_intrusive<detail::ListObject>(std::move(items)), ValueKind::Tuple);
  return v;
}
inline Value Value::dict(std::vector<std::pair<Value, Value>> items) {
  Value v;
  v.hold(make_intrusive<detail::DictObject>(std::move(items)), ValueKind::Dict);
  return v;
}
inline tenon::Complex<double> Value::to_complex() const {
  expect(ValueKind::ComplexDouble, "ComplexDouble");
  return static_cast<detail::HeldObject<tenon::Complex<double>>*>(object_)->value;
}
inline Scalar Value::to_scalar() const {
  switch (kind_) {
    case ValueKind::Int: return Scalar(int_);
    case ValueKind::UInt: return Scalar(static_cast<std::uint64_t>(int_));
    case ValueKind::Double: return Scalar(double_);
    case ValueKind::Bool: return Scalar(int_ != 0);
    case ValueKind::ComplexDouble: return Scalar(to_complex());
    case ValueKind::SymInt: return Scalar(to_int());
    default: detail::wrong_kind<>("Scalar", kind_);
  }
}
inline std::string_view Value::to_string_view() const {
  expect(ValueKind::String, "String");
  return static_cast<detail::StringObject*>(object_)->text;
}
inline Stream Value::to_stream() const {
  expect(ValueKind::Stream, "Stream");
  return static_cast<detail::HeldObject<Stream>*>(object_)->value;
}
inline Storage Value::to_storage() const {
  expect(ValueKind::Storage, "Storage");
  return Storage(intrusive_ptr<StorageImpl>::share(static_cast<StorageImpl*>(object_)));
}
inline std::vector<Value>& Value::to_list() const {
  expect(ValueKind::List, "List");
  return static_cast<detail::ListObject*>(object_)->items;
}
inline std::vector<Value>& Value::to_tuple() const {
  expect(ValueKind::Tuple, "Tuple");
  return static_cast<detail::ListObject*>(object_)->items;
}
inline std::vector<std::pair<Value, Value>>& Value::to_dict() const {
  expect(ValueKind::Dict, "Dict");
  return static_cast<detail::DictObject*>(object_)->items;
}
inline ValueKind Value::element_kind() const {
  (void)to_list();
  return static_cast<detail::ListObject*>(object_)->element;
}

}  // namespace tenon
