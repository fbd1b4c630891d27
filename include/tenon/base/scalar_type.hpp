// The element types of tensors: names, sizes, categories, the mapping to C++ types and type promotion.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/base/complex.hpp>
#include <tenon/base/error.hpp>
#include <tenon/base/half.hpp>
#include <tenon/base/selection.hpp>

namespace tenon {

/// PyTorch's codes, so that recorded integers keep their meaning.
enum class ScalarType : std::int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  ComplexHalf = 8,
  ComplexFloat = 9,
  ComplexDouble = 10,
  Bool = 11,
  QInt8 = 12,
  QUInt8 = 13,
  QInt32 = 14,
  BFloat16 = 15,
  UInt16 = 27,
  UInt32 = 28,
  UInt64 = 29,
  Undefined = 45,
};

inline constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short,
                            kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half,
                            kFloat = ScalarType::Float, kDouble = ScalarType::Double,
                            kComplexHalf = ScalarType::ComplexHalf, kComplexFloat = ScalarType::ComplexFloat,
                            kComplexDouble = ScalarType::ComplexDouble, kBool = ScalarType::Bool,
                            kBFloat16 = ScalarType::BFloat16, kUInt16 = ScalarType::UInt16,
                            kUInt32 = ScalarType::UInt32, kUInt64 = ScalarType::UInt64;

/// X(C++ type, enumerator, name): every type that the CPU computes with.
// clang-format off
#define TENON_FOR_EACH_SCALAR_TYPE(X)                                                                     \
  X(std::uint8_t, Byte, "uint8") X(std::int8_t, Char, "int8") X(std::int16_t, Short, "int16")             \
  X(std::int32_t, Int, "int32") X(std::int64_t, Long, "int64") X(::tenon::Half, Half, "float16")          \
  X(float, Float, "float32") X(double, Double, "float64") X(::tenon::Complex<::tenon::Half>, ComplexHalf, "complex32") \
  X(::tenon::Complex<float>, ComplexFloat, "complex64") X(::tenon::Complex<double>, ComplexDouble, "complex128") \
  X(bool, Bool, "bool") X(::tenon::BFloat16, BFloat16, "bfloat16") X(std::uint16_t, UInt16, "uint16")     \
  X(std::uint32_t, UInt32, "uint32") X(std::uint64_t, UInt64, "uint64")
// clang-format on

/// The dtype's name as PyTorch prints it without its prefix: `float32`.
constexpr std::string_view to_string(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, TEXT) \
  case ScalarType::NAME: return TEXT;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    case ScalarType::QInt8: return "qint8";
    case ScalarType::QUInt8: return "quint8";
    case ScalarType::QInt32: return "qint32";
    default: return "undefined";
  }
}

/// The dtype of a name, `float32` or an older one such as `float`, `long`, `half`.
constexpr std::optional<ScalarType> scalar_type_from_name(std::string_view name) {
#define X(CPP, NAME, TEXT) \
  if (name == TEXT) return ScalarType::NAME;
  TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
  if (name == "float") return kFloat;
  if (name == "double") return kDouble;
  if (name == "half") return kHalf;
  if (name == "int") return kInt;
  if (name == "long") return kLong;
  if (name == "short") return kShort;
  if (name == "chalf") return kComplexHalf;
  if (name == "cfloat" || name == "complex") return kComplexFloat;
  if (name == "cdouble") return kComplexDouble;
  return std::nullopt;
}

/// The dtypes that the program's loops and conversions are compiled for, as a text, "float32;int64;bool"; the same in
/// all units of a program. Not set: all.
#ifndef TENON_SELECTED_DTYPES
#define TENON_SELECTED_DTYPES nullptr
#endif

namespace detail {

/// Bit t: the list keeps the dtype with code t. Null keeps all.
constexpr std::uint64_t dtypes_in(const char* text) {
  if (!text) return ~std::uint64_t{0};
  std::uint64_t kept = 0;
  std::string_view list = text;
  if (list.empty()) return kept;
  if (list.back() == ';') list.remove_suffix(1);
  any_entry(list, [&kept](std::string_view name) {
    std::optional<ScalarType> type = scalar_type_from_name(name);
    if (!type) fail<ValueError>("TENON_SELECTED_DTYPES: expected names of dtypes, got '", name, "'");
    kept |= std::uint64_t{1} << static_cast<int>(*type);
    return false;
  });
  return kept;
}
inline constexpr std::uint64_t selected_dtypes = dtypes_in(TENON_SELECTED_DTYPES);

[[noreturn, gnu::cold, gnu::noinline]] inline void dtype_left_out(ScalarType type) {
  fail<NotImplementedError>("this program is compiled without dtype ", type, "; add \"", type,
                            "\" to its TENON_SELECTED_DTYPES");
}

}  // namespace detail

/// Whether the program's selection keeps a dtype.
constexpr bool is_selected(ScalarType type) { return detail::selected_dtypes >> static_cast<int>(type) & 1; }

/// Size of one element in bytes.
constexpr std::size_t item_size(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, TEXT) \
  case ScalarType::NAME: return sizeof(CPP);
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    case ScalarType::QInt8:
    case ScalarType::QUInt8: return 1;
    case ScalarType::QInt32: return 4;
    default: return 0;
  }
}

/// The 16-bit floating types, which compute as float.
constexpr bool is_reduced_floating_type(ScalarType t) { return t == kHalf || t == kBFloat16; }
constexpr bool is_floating_type(ScalarType t) { return t == kFloat || t == kDouble || is_reduced_floating_type(t); }
constexpr bool is_complex_type(ScalarType t) { return t == kComplexHalf || t == kComplexFloat || t == kComplexDouble; }
/// Integers; bool only if `include_bool`.
constexpr bool is_integral_type(ScalarType t, bool include_bool) {
  switch (t) {
    case kByte:
    case kChar:
    case kShort:
    case kInt:
    case kLong:
    case kUInt16:
    case kUInt32:
    case kUInt64: return true;
    case kBool: return include_bool;
    default: return false;
  }
}
constexpr bool is_signed_type(ScalarType t) {
  return !(t == kByte || t == kUInt16 || t == kUInt32 || t == kUInt64 || t == kBool);
}
/// Float and complex types can carry gradients.
constexpr bool is_differentiable_type(ScalarType t) { return is_floating_type(t) || is_complex_type(t); }
/// complex64 -> float32, and every other type to itself.
constexpr ScalarType to_real_type(ScalarType t) {
  switch (t) {
    case kComplexHalf: return kHalf;
    case kComplexFloat: return kFloat;
    case kComplexDouble: return kDouble;
    default: return t;
  }
}
/// float32 -> complex64; integers to the default complex type.
constexpr ScalarType to_complex_type(ScalarType t) {
  switch (t) {
    case kHalf:
    case kComplexHalf: return kComplexHalf;
    case kDouble:
    case kComplexDouble: return kComplexDouble;
    default: return kComplexFloat;
  }
}

template <class T>
struct scalar_type_of;
#define X(CPP, NAME, TEXT)                                \
  template <>                                             \
  struct scalar_type_of<CPP> {                            \
    static constexpr ScalarType value = ScalarType::NAME; \
  };
TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
/// The dtype of a C++ element type.
template <class T>
inline constexpr ScalarType scalar_type_v = scalar_type_of<T>::value;

template <class T>
struct type_tag {
  using type = T;
};

/// Calls `f(type_tag<T>{})` with the C++ type of `type`; every arm must return the same type. Throws
/// NotImplementedError for a dtype that TENON_SELECTED_DTYPES leaves out.
template <class F>
decltype(auto) visit_scalar_type(ScalarType type, F&& f) {
  switch (type) {
#define X(CPP, NAME, TEXT)                       \
  case ScalarType::NAME:                         \
    if constexpr (is_selected(ScalarType::NAME)) \
      return f(type_tag<CPP>{});                 \
    else                                         \
      detail::dtype_left_out(type);
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: fail<TypeError>("no C++ element type for dtype ", type);
  }
}

/// Calls `f(type_tag<T>{})`, of which nothing is compiled for a dtype that TENON_SELECTED_DTYPES leaves out: then
/// throws NotImplementedError.
template <class T, class F>
decltype(auto) call_if_selected(F&& f) {
  if constexpr (is_selected(scalar_type_v<T>))
    return f(type_tag<T>{});
  else
    detail::dtype_left_out(scalar_type_v<T>);
}

/// Calls `f(type_tag<T>{})` for a dtype of real floating point, under the selection as above; for another `refuse()`,
/// which throws.
template <class F, class R>
void visit_floating_type(ScalarType type, F&& f, R&& refuse) {
  switch (type) {
    case kFloat: return call_if_selected<float>(f);
    case kDouble: return call_if_selected<double>(f);
    case kHalf: return call_if_selected<Half>(f);
    case kBFloat16: return call_if_selected<BFloat16>(f);
    default: refuse();
  }
}

namespace detail {
/// 0 bool, 1 integer, 2 floating, 3 complex.
constexpr int category(ScalarType t) { return t == kBool ? 0 : is_complex_type(t) ? 3 : is_floating_type(t) ? 2 : 1; }
constexpr int rank_within(ScalarType t) {
  switch (t) {
    case kByte:
    case kChar:
    case kHalf:
    case kBFloat16:
    case kComplexHalf: return 1;
    case kShort:
    case kUInt16:
    case kFloat:
    case kComplexFloat: return 2;
    case kInt:
    case kUInt32:
    case kDouble:
    case kComplexDouble: return 3;
    case kLong:
    case kUInt64: return 4;
    default: return 0;
  }
}
}  // namespace detail

/// The result dtype of two tensors with dimensions. Throws TypeError for mixes of unsigned types that no type holds.
constexpr ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
  int ca = detail::category(a), cb = detail::category(b);
  if (ca < cb) return promote_types(b, a);
  if (ca == 3) {
    ScalarType real = to_real_type(a);
    ScalarType other = cb == 3 ? to_real_type(b) : cb == 2 ? b : real;
    ScalarType joined = promote_types(real, other);
    return to_complex_type(joined == kBFloat16 ? kFloat : joined);
  }
  if (ca > cb) return a;
  int ra = detail::rank_within(a), rb = detail::rank_within(b);
  if (ca == 2) {
    if (ra == rb) return kFloat;  // float16 and bfloat16: neither holds the other
    return ra > rb ? a : b;
  }
  bool sa = is_signed_type(a), sb = is_signed_type(b);
  if (sa == sb) return ra > rb ? a : b;
  ScalarType with_sign = sa ? a : b, without = sa ? b : a;
  if (without != kByte) {
    // PyTorch defines no promotion between the wider unsigned types and signed integers.
    fail<TypeError>("no promotion is defined for dtypes ", to_string(a), " and ", to_string(b),
                    "; cast one of them first");
  }
  return with_sign == kChar ? kShort : with_sign;
}

/// Whether a computation in `from` may be stored in `to`: never complex to real, floating to integral, or
/// anything but bool to bool.
constexpr bool can_cast(ScalarType from, ScalarType to) {
  int f = detail::category(from), t = detail::category(to);
  if (f == 3 && t != 3) return false;
  if (f == 2 && t < 2) return false;
  return !(f != 0 && t == 0);
}

}  // namespace tenon
