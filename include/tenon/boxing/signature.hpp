// The correspondence of schema types and C++ types, and what is computed from a C++ function type.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <vector>

#include <tenon/boxing/plain_types.hpp>
#include <tenon/boxing/stack.hpp>
#include <tenon/schema/type.hpp>

namespace tenon {

namespace detail {

/// The name of a C++ type as a compiler prints it.
std::string cpp_type_name(const std::type_info& type);

using schema::Kind;

/// X(kind, value type): the C++ type of each word of the schema language.
// clang-format off
#define TENON_INTERNAL_FOR_EACH_WORD(X)                                                                              \
  X(Tensor, ::tenon::Tensor) X(Int, std::int64_t) X(SymInt, ::tenon::SymInt) X(Float, double) X(Bool, bool)          \
  X(Complex, ::tenon::Complex<double>) X(Scalar, ::tenon::Scalar) X(Str, std::string_view)                           \
  X(ScalarType, ::tenon::ScalarType) X(Layout, ::tenon::Layout) X(MemoryFormat, ::tenon::MemoryFormat)               \
  X(Device, ::tenon::Device) X(DeviceIndex, std::int8_t) X(Generator, ::tenon::Generator)                            \
  X(Storage, ::tenon::Storage) X(Stream, ::tenon::Stream) X(QScheme, ::tenon::QScheme) X(Any, ::tenon::Value)
// clang-format on

template <Kind Key>
struct word_type {
  using type = Value;
};
template <class T>
inline constexpr Kind kind_of_word = Kind::None_;
#define X(KIND, TYPE)            \
  template <>                    \
  struct word_type<Kind::KIND> { \
    using type = TYPE;           \
  };                             \
  template <>                    \
  inline constexpr Kind kind_of_word<TYPE> = Kind::KIND;
TENON_INTERNAL_FOR_EACH_WORD(X)
#undef X
template <>
struct word_type<Kind::SymFloat> {
  using type = double;
};
template <>
struct word_type<Kind::SymBool> {
  using type = bool;
};

template <class T, unsigned Modifiers>
struct modified {
  using inner = std::conditional_t<(Modifiers & 0xff) == schema::code_optional, std::optional<T>, ArrayRef<T>>;
  using type = typename modified<inner, (Modifiers >> 8)>::type;
};
template <class T>
struct modified<T, 0> {
  using type = T;
};

/// Whether a word has a C++ type of its own; others, as `Capsule`, are a Value with all their modifiers.
template <Kind Key>
inline constexpr bool has_own_type_v = Key == Kind::Any || !std::is_same_v<typename word_type<Key>::type, Value>;

/// The value form of a type code: `Tensor?[]` is ArrayRef<optional<Tensor>>.
template <std::uint32_t Code>
struct code_type {
  static constexpr Kind kind = static_cast<Kind>(Code & 0x7f);
  using type = typename modified<typename word_type<kind>::type, has_own_type_v<kind> ? (Code >> 8) : 0>::type;
};
template <>
struct code_type<0> {
  using type = Value;
};

template <class T>
inline constexpr bool passed_by_reference_v = false;
template <>
inline constexpr bool passed_by_reference_v<Tensor> = true;
template <>
inline constexpr bool passed_by_reference_v<Scalar> = true;
template <>
inline constexpr bool passed_by_reference_v<Generator> = true;
template <>
inline constexpr bool passed_by_reference_v<Storage> = true;
template <>
inline constexpr bool passed_by_reference_v<Value> = true;
template <class T>
inline constexpr bool passed_by_reference_v<std::optional<T>> = passed_by_reference_v<T>;

template <class T>
struct owned {
  using type = T;
};
template <class T>
struct owned<ArrayRef<T>> {
  using type = std::vector<typename owned<T>::type>;
};
template <>
struct owned<ArrayRef<bool>> {
  using type = SmallVector<bool, 8>;
};
template <>
struct owned<ArrayRef<std::int64_t>> {
  using type = DimVector;
};
template <>
struct owned<std::string_view> {
  using type = std::string;
};
template <class T>
struct owned<std::optional<T>> {
  using type = std::optional<typename owned<T>::type>;
};

/// The C++ parameter and return types of a schema type.
template <std::uint32_t Code>
struct parameter {
  using value = typename code_type<Code & ~schema::code_written>::type;
  using type = std::conditional_t<(Code & schema::code_written) && std::is_same_v<value, Tensor>, Tensor&,
                                  std::conditional_t<passed_by_reference_v<value>, const value&, value>>;
};
template <std::uint32_t Code>
struct returned {
  using value = typename code_type<Code & ~schema::code_written>::type;
  using type = std::conditional_t<(Code & schema::code_written) && std::is_same_v<value, Tensor>, Tensor&,
                                  typename owned<value>::type>;
};
template <>
struct returned<schema::cpp_code(Kind::Int, false, schema::code_list)> {
  using type = std::vector<std::int64_t>;
};

template <std::uint32_t... Codes>
struct returned_all {
  using type = std::tuple<typename returned<Codes>::type...>;
};
template <std::uint32_t Code>
struct returned_all<Code> {
  using type = typename returned<Code>::type;
};
template <>
struct returned_all<> {
  using type = void;
};

/// The result type of a kernel that returns what a call gave it: the tuple without the names.
template <class R>
struct without_names : std::type_identity<R> {};
template <class R>
  requires requires { typename R::unnamed; }
struct without_names<R> : std::type_identity<typename R::unnamed> {};

/// The type code of a C++ parameter or return type; 0 for one that schemas cannot name word by word.
template <class T>
consteval std::uint32_t code_of() {
  using Bare = std::remove_cvref_t<T>;
  constexpr bool written = std::is_same_v<T, Tensor&>;
  if constexpr (kind_of_word<Bare> != Kind::None_)
    return schema::cpp_code(kind_of_word<Bare>, written);
  else if constexpr (std::is_same_v<Bare, std::string>)
    return schema::cpp_code(Kind::Str);
  else if constexpr (requires { typename Bare::value_type; }) {
    constexpr bool optional = std::is_same_v<Bare, std::optional<typename Bare::value_type>>;
    constexpr std::uint32_t inner = code_of<typename Bare::value_type>();
    if constexpr (inner == 0)
      return 0;
    else {
      std::uint32_t shift = 8;
      while (shift < 32 && (inner >> shift & 0xff)) shift += 8;
      return shift >= 32 ? 0 : inner | (optional ? schema::code_optional : schema::code_list) << shift;
    }
  } else
    return 0;
}

}  // namespace detail

/// A function whose type is known elsewhere.
using AnyFunction = void (*)();

/// What the run time knows of a C++ function type.
struct SignatureInfo {
  const std::type_info* type;
  const std::uint32_t* args;  ///< type codes
  const std::uint32_t* returns;
  std::uint8_t n_args, n_returns;
  bool symbolic;  ///< has a SymInt parameter
  /// Gives the function of type `R(*)(void*, KeySet, A...)` that calls a boxed kernel with typed arguments.
  AnyFunction (*unboxed_from_boxed)();
  /// The same type with plain integers for symbolic ones.
  const std::type_info* plain_type;
  /// The words of argument i, or of return -1 - i, for types that are no word with modifiers; null if there are none.
  std::string (*describe)(int index);
  /// Pushes the boxed argument i that a pointer leads to.
  void (*const* box_into)(Stack& stack, const void* argument);
  /// Whether two descriptions are of one C++ type, also when they come from different shared objects.
  friend bool operator==(const SignatureInfo& a, const SignatureInfo& b) { return &a == &b || *a.type == *b.type; }
};

namespace detail {

template <class T>
inline constexpr bool is_tuple_v = false;
template <class... T>
inline constexpr bool is_tuple_v<std::tuple<T...>> = true;

/// A parameter as the operator's C++ type spells it: `Tensor` and `const Tensor&` are one, `std::vector<int64_t>`
/// is `IntArrayRef`, what schemas cannot name word by word is a Value.
template <class A>
struct canonical_parameter {
  using type = typename parameter<code_of<A>()>::type;
};
template <>
struct canonical_parameter<Tensor&> {
  using type = Tensor&;
};
template <class R>
struct canonical_result {
  using type = typename returned<code_of<R>()>::type;
};
template <>
struct canonical_result<void> {
  using type = void;
};
template <>
struct canonical_result<std::tuple<>> {
  using type = void;
};
template <>
struct canonical_result<Tensor&> {
  using type = Tensor&;
};
template <class... R>
struct canonical_result<std::tuple<R...>> {
  using type = std::tuple<typename canonical_result<R>::type...>;
};

template <class Sig>
struct canonical;
template <class R, class... A>
struct canonical<R(A...)> {
  using type = typename canonical_result<R>::type(typename canonical_parameter<A>::type...);
};

}  // namespace detail

/// The one C++ type of all spellings of a kernel's type; the type that a declaration of the same schema gives.
template <class Sig>
using canonical_t = typename detail::canonical<Sig>::type;

template <class Sig>
struct signature;
template <class R, class... A>
struct signature<R(A...)> {
  using result = R;
  /// What a kernel's slot in a table points to.
  using function = R (*)(void* data, KeySet, A...);
  static constexpr std::size_t arity = sizeof...(A);
  static constexpr bool symbolic = (detail::is_symbolic_type_v<A> || ...);
  using plain = R(detail::plain_t<A>...);
  static constexpr std::uint32_t arg_codes[sizeof...(A) + 1] = {detail::code_of<A>()..., 0};
};

namespace detail {
template <class R>
struct return_codes {
  static constexpr std::uint8_t count = 1;
  static constexpr std::uint32_t codes[] = {code_of<R>()};
};
template <>
struct return_codes<void> {
  static constexpr std::uint8_t count = 0;
  static constexpr std::uint32_t codes[] = {0};
};
template <class... R>
struct return_codes<std::tuple<R...>> {
  static constexpr std::uint8_t count = sizeof...(R);
  static constexpr std::uint32_t codes[] = {code_of<R>()..., 0};
};

template <class T>
inline constexpr bool carries_keys_v = false;
template <>
inline constexpr bool carries_keys_v<Tensor> = true;
template <>
inline constexpr bool carries_keys_v<Generator> = true;
template <>
inline constexpr bool carries_keys_v<Value> = true;
template <class T>
inline constexpr bool carries_keys_v<std::optional<T>> = carries_keys_v<T>;
template <class T>
inline constexpr bool carries_keys_v<ArrayRef<T>> = carries_keys_v<T>;

/// The boxed path sees what the unboxed one sees, in any nesting.
std::uint64_t value_key_bits(const Value& v);

/// The keys that an argument brings into a call.
template <class T>
[[gnu::always_inline]] inline std::uint64_t key_bits([[maybe_unused]] const T& x) {
  if constexpr (!carries_keys_v<T>)
    return 0;
  else if constexpr (std::is_same_v<T, Value>)
    return value_key_bits(x);
  else if constexpr (std::is_same_v<T, Tensor>)
    return x.unsafe_impl() ? x.unsafe_impl()->keys().bits() : 0;
  else if constexpr (std::is_same_v<T, Generator>)
    return x.keys().bits();
  else if constexpr (requires { x.has_value(); })
    return x ? key_bits(*x) : 0;
  else {
    std::uint64_t bits = 0;
    for (const auto& item : x) bits |= key_bits(item);
    return bits;
  }
}
}  // namespace detail

}  // namespace tenon
