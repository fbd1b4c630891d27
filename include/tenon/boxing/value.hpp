// A value of any kind that a schema can name, in 16 bytes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // GCC 12 takes an enumerator for one that hides tenon::None
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
#pragma GCC diagnostic pop
constexpr std::string_view to_string(ValueKind kind) {
  constexpr std::string_view names[] = {"None",   "Tensor",    "Storage",     "Double",      "ComplexDouble", "Int",
                                        "UInt",   "SymInt",    "SymFloat",    "SymBool",     "Bool",          "Tuple",
                                        "String", "Blob",      "GenericList", "GenericDict", "Future",        "Await",
                                        "Device", "Stream",    "Object",      "PyObject",    "Uninitialized", "Capsule",
                                        "RRef",   "Quantizer", "Generator",   "Enum"};
  return names[static_cast<int>(kind)];
}

class Value;
class Stack;

// Kinds with a header of their own, of the same name.
template <class T = Value>
class Future;
template <class T = Value>
class Await;
template <class T = Value>
class RRef;
class Capsule;
class EnumMember;
class Quantizer;
class SymBool;
class SymFloat;

namespace detail {
/// Throws TypeError; for a symbolic number where a plain one is expected, one that can be told its argument.
[[noreturn, gnu::cold]] void wrong_kind(const char* expected, const Value& found);
/// A double or a symbolic one, a bool or a symbolic one.
Value box_symbolic(const SymFloat& x);
Value box_symbolic(const SymBool& x);
/// The kind of an object: Object, or what its class states as `value_kind`.
template <class T>
constexpr ValueKind object_kind() {
  if constexpr (requires { T::value_kind; })
    return T::value_kind;
  else
    return ValueKind::Object;
}
}  // namespace detail

/// Copies share heap kinds (lists, strings, dictionaries). Reading as another kind throws TypeError
/// `Expected Tensor but got Int`.
class Value {
 public:
  Value() noexcept : int_(0) {}
  Value(Tensor tensor) noexcept : tensor_(std::move(tensor)), kind_(ValueKind::Tensor) {}
  template <class At>
    requires(std::is_integral_v<At> && !std::is_same_v<At, bool>)
  Value(At value)
  noexcept : int_(static_cast<std::int64_t>(value)), kind_(ValueKind::Int) {
    if constexpr (std::is_unsigned_v<At> && sizeof(At) == 8)
      if (value > static_cast<At>(INT64_MAX)) kind_ = ValueKind::UInt;
  }
  Value(double value) noexcept : double_(value), kind_(ValueKind::Double) {}
  Value(bool value) noexcept : int_(value), kind_(ValueKind::Bool) {}
  template <class E>
    requires std::is_enum_v<E> Value(E value)
  noexcept : int_(static_cast<std::int64_t>(value)), kind_(ValueKind::Int) {}
  Value(Device device) noexcept
      : int_(static_cast<std::int64_t>(device.type) << 8 | static_cast<std::uint8_t>(device.index)),
        kind_(ValueKind::Device) {}
  Value(tenon::Complex<double> z);
  Value(const Scalar& scalar);
  Value(const SymInt& value) : int_(0) {
    if (!value.is_symbolic()) {
      int_ = value.as_int_unchecked();
      kind_ = ValueKind::Int;
    } else
      hold(intrusive_ptr<RefCounted>(intrusive_ptr<SymNode>::share(value.node())), ValueKind::SymInt);
  }
  // Templates, for other numbers must not become these.
  template <class T>
    requires(std::is_same_v<T, SymFloat> || std::is_same_v<T, SymBool>)
  Value(const T& value) : Value(detail::box_symbolic(value)) {}
  Value(std::string_view text);
  Value(const char* text) : Value(std::string_view(text)) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  Value(const Storage& storage);
  Value(Stream stream);
  Value(const Generator& generator) : int_(0) {
    hold(intrusive_ptr<RefCounted>(generator.impl()), ValueKind::Generator);
  }
  /// An object of a user's own class, or of one that states another kind.
  template <class T>
    requires std::is_base_of_v<RefCounted, T> Value(intrusive_ptr<T> object) : int_(0) {
      hold(intrusive_ptr<RefCounted>(std::move(object)), detail::object_kind<T>());
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
    static Value list(std::vector<Value> items, ValueKind element = ValueKind::None);
    template <class T>
    static Value list_of(ArrayRef<T> items) {
      std::vector<Value> values;
      values.reserve(items.size());
      for (const auto& item : items) values.emplace_back(item);
      return list(std::move(values));
    }
    /// A list of tensors. A template, so that braces do not become one.
    template <class T>
      requires std::is_same_v<T, std::vector<Tensor>> Value(const T& tensors) : Value(tensor_list(tensors)) {}
      static Value tuple(std::vector<Value> items);
      static Value dict(std::vector<std::pair<Value, Value>> items);
      /// What stands where a value will be.
      static Value uninitialized() {
        Value v;
        v.kind_ = ValueKind::Uninitialized;
        return v;
      }

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
               kind_ == ValueKind::Bool || kind_ == ValueKind::ComplexDouble || kind_ == ValueKind::SymInt ||
               kind_ == ValueKind::SymFloat || kind_ == ValueKind::SymBool;
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
      SymFloat to_sym_float() const;
      SymBool to_sym_bool() const;
      double to_double() const {
        expect(ValueKind::Double, "Double");
        return double_;
      }
      bool to_bool() const {
        expect(ValueKind::Bool, "Bool");
        return int_ != 0;
      }
      tenon::Complex<double> to_complex() const;
      Scalar to_scalar() const;
      std::string_view to_string_view() const;
      Device to_device() const {
        expect(ValueKind::Device, "Device");
        return {static_cast<DeviceType>(int_ >> 8), static_cast<std::int8_t>(int_ & 0xff)};
      }
      Stream to_stream() const;
      Storage to_storage() const;
      Generator to_generator() const {
        if (kind_ == ValueKind::None) return {};
        expect(ValueKind::Generator, "Generator");
        return Generator(intrusive_ptr<GeneratorImpl>::share(static_cast<GeneratorImpl*>(object_)));
      }
      /// The elements of a list.
      std::vector<Value>& to_list() const;
      /// Whether it is a list, for tensors or of nothing else.
      bool is_tensor_list() const;
      /// The tensors of a list; None among them is an undefined one. Throws TypeError.
      std::vector<Tensor> to_tensor_list() const;
      std::vector<Value>& to_tuple() const;
      std::vector<std::pair<Value, Value>>& to_dict() const;
      ValueKind element_kind() const;
      Future<> to_future() const;
      Await<> to_await() const;
      RRef<> to_rref() const;
      intrusive_ptr<Capsule> to_capsule() const;
      intrusive_ptr<EnumMember> to_enum() const;
      intrusive_ptr<Quantizer> to_quantizer() const;
      /// An object by its class or a base of it.
      template <class T>
      intrusive_ptr<T> to_object() const {
        expect(detail::object_kind<T>(), tenon::to_string(detail::object_kind<T>()).data());
        auto* object = dynamic_cast<T*>(object_);
        TENON_CHECK(object, TypeError, "Expected an object of another class");
        return intrusive_ptr<T>::share(object);
      }

     private:
      static Value tensor_list(ArrayRef<Tensor> tensors);
      void expect(ValueKind kind, const char* name) const {
        if (kind_ != kind) [[unlikely]]
          detail::wrong_kind(name, *this);
      }
      bool is_heap() const {
        switch (kind_) {
          case ValueKind::None:
          case ValueKind::Tensor:
          case ValueKind::Double:
          case ValueKind::Int:
          case ValueKind::UInt:
          case ValueKind::Bool:
          case ValueKind::Device:
          case ValueKind::Uninitialized: return false;
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

}  // namespace tenon
