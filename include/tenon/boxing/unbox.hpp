// From boxed values to the arguments of typed kernels.
#pragma once
#include <tenon/boxing/signature.hpp>

namespace tenon::detail {

/// Turns a boxed value into an argument of type T. `hold` may own what the argument refers to; `get` gives it.
template <class T>
struct unboxer;

// In place of the inline members of Value, for the adaptors of every signature read their arguments.
Tensor* unbox_tensor(Value& v);          // None is an undefined tensor
Tensor* unbox_written_tensor(Value& v);  // None is refused: the kernel may assign the tensor
std::int64_t unbox_int(const Value& v);
SymInt unbox_sym_int(const Value& v);
double unbox_double(const Value& v);
bool unbox_bool(const Value& v);
Device unbox_device(const Value& v);
Generator unbox_generator(const Value& v);
struct SmallInteger;
/// Throws ValueError for an integer that the type does not hold.
std::int64_t unbox_small(const Value& v, const SmallInteger& type);
ScalarType unbox_scalar_type(const Value& v);

template <class T, auto Read>
struct simple_unboxer {
  static T hold(Value& v) {
    if constexpr (std::is_member_function_pointer_v<decltype(Read)>)
      return (v.*Read)();
    else
      return Read(v);
  }
  static T get(const T& held) { return held; }
};
template <>
struct unboxer<std::int64_t> : simple_unboxer<std::int64_t, &unbox_int> {};
template <>
struct unboxer<SymInt> : simple_unboxer<SymInt, &unbox_sym_int> {};
template <>
struct unboxer<double> : simple_unboxer<double, &unbox_double> {};
template <>
struct unboxer<bool> : simple_unboxer<bool, &unbox_bool> {};
template <>
struct unboxer<Complex<double>> : simple_unboxer<Complex<double>, &Value::to_complex> {};
template <>
struct unboxer<Scalar> : simple_unboxer<Scalar, &Value::to_scalar> {};
template <>
struct unboxer<std::string_view> : simple_unboxer<std::string_view, &Value::to_string_view> {};
template <>
struct unboxer<Device> : simple_unboxer<Device, &unbox_device> {};
template <>
struct unboxer<Stream> : simple_unboxer<Stream, &Value::to_stream> {};
template <>
struct unboxer<Storage> : simple_unboxer<Storage, &Value::to_storage> {};
template <>
struct unboxer<Generator> : simple_unboxer<Generator, &unbox_generator> {};
template <>
struct unboxer<ScalarType> : simple_unboxer<ScalarType, &unbox_scalar_type> {};
/// What errors call a small integer type, and what it holds: of an enumeration of a user's own, all of its integers.
struct SmallInteger {
  const char* name;
  std::int64_t first, last;
};
template <class At>
constexpr SmallInteger small_integer(const char* name) {
  std::int64_t last = sizeof(At) == 8 ? INT64_MAX : (std::int64_t{1} << (8 * sizeof(At) - std::is_signed_v<At>)) - 1;
  return {name, std::is_signed_v<At> ? -last - 1 : 0, last};
}
template <class T>
inline constexpr SmallInteger small_integer_of = small_integer<std::underlying_type_t<T>>("an enumerator");
template <>
inline constexpr SmallInteger small_integer_of<std::int8_t> = small_integer<std::int8_t>("DeviceIndex");
template <>
inline constexpr SmallInteger small_integer_of<Layout>{"Layout", 0, static_cast<int>(Layout::Jagged)};
template <>
inline constexpr SmallInteger small_integer_of<MemoryFormat>{"MemoryFormat", 0,
                                                             static_cast<int>(MemoryFormat::ChannelsLast3d)};
template <>
inline constexpr SmallInteger small_integer_of<QScheme>{"QScheme", 0, static_cast<int>(QScheme::PerChannelSymmetric)};
template <class T>
  requires(std::is_same_v<T, std::int8_t> || std::is_enum_v<T>)
struct unboxer<T> {
  static T hold(Value& v) { return static_cast<T>(unbox_small(v, small_integer_of<T>)); }
  static T get(T held) { return held; }
};
template <>
struct unboxer<Tensor> {
  static Tensor* hold(Value& v) { return unbox_tensor(v); }
  static Tensor& get(Tensor* held) { return *held; }
};
template <>
struct unboxer<Value> {
  static Value* hold(Value& v) { return &v; }
  static Value& get(Value* held) { return *held; }
};
template <class T>
struct unboxer<std::optional<T>> {
  using held_t = decltype(unboxer<T>::hold(std::declval<Value&>()));
  static std::optional<held_t> hold(Value& v) {
    return v.is_none() ? std::nullopt : std::optional<held_t>(unboxer<T>::hold(v));
  }
  static std::optional<T> get(const std::optional<held_t>& held) {
    return held ? std::optional<T>(unboxer<T>::get(*held)) : std::nullopt;
  }
};
template <class T>
  requires std::is_same_v<T, typename owned<T>::type>
struct unboxer<ArrayRef<T>> {
  static typename owned<ArrayRef<T>>::type hold(Value& v) {
    typename owned<ArrayRef<T>>::type list;
    auto& items = v.to_list();
    list.reserve(items.size());
    for (Value& item : items) {
      auto held = unboxer<T>::hold(item);
      list.push_back(T(unboxer<T>::get(held)));
    }
    return list;
  }
  static ArrayRef<T> get(const typename owned<ArrayRef<T>>::type& held) { return held; }
};
/// Elements that refer to memory themselves, as strings and lists do, are held beside the list.
template <class T>
  requires(!std::is_same_v<T, typename owned<T>::type>)
struct unboxer<ArrayRef<T>> {
  struct held_list {
    std::vector<decltype(unboxer<T>::hold(std::declval<Value&>()))> held;
    std::vector<T> items;
  };
  static held_list hold(Value& v) {
    held_list list;
    auto& items = v.to_list();
    list.held.reserve(items.size());
    for (Value& item : items) list.held.push_back(unboxer<T>::hold(item));
    for (auto& h : list.held) list.items.push_back(unboxer<T>::get(h));
    return list;
  }
  static ArrayRef<T> get(const held_list& list) { return list.items; }
};

/// What holds argument A while a kernel runs.
template <class A>
auto hold_argument(Value& v) {
  if constexpr (std::is_same_v<A, Tensor&>)
    return unbox_written_tensor(v);
  else
    return unboxer<std::remove_cvref_t<A>>::hold(v);
}

}  // namespace tenon::detail
