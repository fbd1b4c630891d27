// The element types of tensors: names, sizes, categories and the mapping to C++ types.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include <tenon/base/complex.hpp>
#include <tenon/base/error.hpp>
#include <tenon/base/float8.hpp>
#include <tenon/base/half.hpp>
#include <tenon/base/selection.hpp>

namespace tenon {

/// What kind of numbers a dtype holds; a mix of two kinds takes the higher one. None: quantised, or no dtype at all.
enum class DtypeCategory : std::uint8_t { Bool, Integer, Floating, Complex, None };

/// X(C++ type, enumerator, code, name, category, rank, real, compute, stored): the dtypes that have elements of a C++
/// type. What else is known of a dtype is derived from its row.
///   code     PyTorch's, so that recorded integers keep their meaning
///   rank     the higher of two promotes within a category; 0: the dtype is stored, converted and compared only
///   real     the dtype of a complex number's parts
///   compute  what arithmetic is done in
///   stored   the name in a safetensors file, "" where the format has none
// clang-format off
#define TENON_FOR_EACH_SCALAR_TYPE(X)                                                                                \
  X(std::uint8_t, Byte, 0, "uint8", Integer, 1, Byte, Byte, "U8")                                                    \
  X(std::int8_t, Char, 1, "int8", Integer, 1, Char, Char, "I8")                                                      \
  X(std::int16_t, Short, 2, "int16", Integer, 2, Short, Short, "I16")                                                \
  X(std::int32_t, Int, 3, "int32", Integer, 3, Int, Int, "I32")                                                      \
  X(std::int64_t, Long, 4, "int64", Integer, 4, Long, Long, "I64")                                                   \
  X(::tenon::Half, Half, 5, "float16", Floating, 1, Half, Float, "F16")                                              \
  X(float, Float, 6, "float32", Floating, 2, Float, Float, "F32")                                                    \
  X(double, Double, 7, "float64", Floating, 3, Double, Double, "F64")                                                \
  X(::tenon::Complex<::tenon::Half>, ComplexHalf, 8, "complex32", Complex, 1, Half, ComplexFloat, "")                \
  X(::tenon::Complex<float>, ComplexFloat, 9, "complex64", Complex, 2, Float, ComplexFloat, "C64")                   \
  X(::tenon::Complex<double>, ComplexDouble, 10, "complex128", Complex, 3, Double, ComplexDouble, "")                \
  X(bool, Bool, 11, "bool", Bool, 1, Bool, Bool, "BOOL")                                                             \
  X(::tenon::BFloat16, BFloat16, 15, "bfloat16", Floating, 1, BFloat16, Float, "BF16")                               \
  X(::tenon::Float8_e5m2, Float8_e5m2, 23, "float8_e5m2", Floating, 0, Float8_e5m2, Float, "F8_E5M2")                \
  X(::tenon::Float8_e4m3fn, Float8_e4m3fn, 24, "float8_e4m3fn", Floating, 0, Float8_e4m3fn, Float, "F8_E4M3")        \
  X(std::uint16_t, UInt16, 27, "uint16", Integer, 2, UInt16, UInt16, "U16")                                          \
  X(std::uint32_t, UInt32, 28, "uint32", Integer, 3, UInt32, UInt32, "U32")                                          \
  X(std::uint64_t, UInt64, 29, "uint64", Integer, 4, UInt64, UInt64, "U64")

/// X(enumerator, code, name, size in bytes): the quantised dtypes, which no C++ type holds.
#define TENON_FOR_EACH_QUANTIZED_TYPE(X) X(QInt8, 12, "qint8", 1) X(QUInt8, 13, "quint8", 1) X(QInt32, 14, "qint32", 4)
// clang-format on

enum class ScalarType : std::int8_t {
#define X(CPP, NAME, CODE, ...) NAME = CODE,
  TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
#define X(NAME, CODE, ...) NAME = CODE,
      TENON_FOR_EACH_QUANTIZED_TYPE(X)
#undef X
          Undefined = 45,
};

/// `kFloat` is short for `ScalarType::Float`, and so on.
#define X(CPP, NAME, ...) inline constexpr ScalarType k##NAME = ScalarType::NAME;
TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
// As PyTorch's C++ calls them too.
inline constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong,
                            kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble;

/// The dtype's name as PyTorch prints it without its prefix: `float32`.
constexpr std::string_view to_string(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, CODE, TEXT, ...) \
  case ScalarType::NAME: return TEXT;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
#define X(NAME, CODE, TEXT, SIZE) \
  case ScalarType::NAME: return TEXT;
    TENON_FOR_EACH_QUANTIZED_TYPE(X)
#undef X
    default: return "undefined";
  }
}
/// The enumerator, which PyTorch's errors name: `Float`.
constexpr std::string_view enumerator_name(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, ...) \
  case ScalarType::NAME: return #NAME;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
#define X(NAME, ...) \
  case ScalarType::NAME: return #NAME;
    TENON_FOR_EACH_QUANTIZED_TYPE(X)
#undef X
    default: return "Undefined";
  }
}

/// The dtype of a name, `float32` or an older one such as `float`, `long`, `half`.
constexpr std::optional<ScalarType> scalar_type_from_name(std::string_view name) {
#define X(CPP, NAME, CODE, TEXT, ...) \
  if (name == TEXT) return ScalarType::NAME;
  TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
#define X(NAME, CODE, TEXT, SIZE) \
  if (name == TEXT) return ScalarType::NAME;
  TENON_FOR_EACH_QUANTIZED_TYPE(X)
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
#define X(CPP, NAME, ...) \
  case ScalarType::NAME: return sizeof(CPP);
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
#define X(NAME, CODE, TEXT, SIZE) \
  case ScalarType::NAME: return SIZE;
    TENON_FOR_EACH_QUANTIZED_TYPE(X)
#undef X
    default: return 0;
  }
}

constexpr DtypeCategory category_of(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, CODE, TEXT, CATEGORY, ...) \
  case ScalarType::NAME: return DtypeCategory::CATEGORY;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: return DtypeCategory::None;
  }
}
/// What arithmetic on elements of the dtype is done in: float32 for float16.
constexpr ScalarType compute_type_of(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, CODE, TEXT, CATEGORY, RANK, REAL, COMPUTE, ...) \
  case ScalarType::NAME: return ScalarType::COMPUTE;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: return type;
  }
}

namespace detail {
constexpr int rank_within(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, CODE, TEXT, CATEGORY, RANK, ...) \
  case ScalarType::NAME: return RANK;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: return 0;
  }
}
}  // namespace detail

constexpr bool is_floating_type(ScalarType t) { return category_of(t) == DtypeCategory::Floating; }
constexpr bool is_complex_type(ScalarType t) { return category_of(t) == DtypeCategory::Complex; }
/// Whether kernels calculate with elements of the dtype; the others they store, convert and compare.
constexpr bool has_arithmetic(ScalarType t) { return detail::rank_within(t) != 0; }
/// The floating types that compute in a wider one: the 16-bit ones.
constexpr bool is_reduced_floating_type(ScalarType t) {
  return is_floating_type(t) && has_arithmetic(t) && compute_type_of(t) != t;
}
constexpr bool is_quantized_type(ScalarType type) {
  switch (type) {
#define X(NAME, ...) case ScalarType::NAME:
    TENON_FOR_EACH_QUANTIZED_TYPE(X)
#undef X
    return true;
    default: return false;
  }
}
/// Integers; bool only if `include_bool`.
constexpr bool is_integral_type(ScalarType t, bool include_bool) {
  return category_of(t) == DtypeCategory::Integer || (include_bool && category_of(t) == DtypeCategory::Bool);
}
constexpr bool is_signed_type(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, ...) \
  case ScalarType::NAME: return !std::is_unsigned_v<CPP>;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: return true;
  }
}
/// Float and complex types can carry gradients.
constexpr bool is_differentiable_type(ScalarType t) { return is_floating_type(t) || is_complex_type(t); }
/// complex64 -> float32, and every other type to itself.
constexpr ScalarType to_real_type(ScalarType type) {
  switch (type) {
#define X(CPP, NAME, CODE, TEXT, CATEGORY, RANK, REAL, ...) \
  case ScalarType::NAME: return ScalarType::REAL;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: return type;
  }
}
/// float32 -> complex64; integers, and bfloat16, to the default complex type. Throws TypeError for a dtype without
/// arithmetic.
constexpr ScalarType to_complex_type(ScalarType t) {
#define X(CPP, NAME, CODE, TEXT, CATEGORY, RANK, REAL, ...)                                                  \
  if (DtypeCategory::CATEGORY == DtypeCategory::Complex && (t == ScalarType::NAME || t == ScalarType::REAL)) \
    return ScalarType::NAME;
  TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
  if (is_floating_type(t) && !has_arithmetic(t)) fail<TypeError>("Unknown Complex ScalarType for ", enumerator_name(t));
  return kComplexFloat;
}

template <class T>
struct scalar_type_of;
template <ScalarType Type>
struct element_type;
#define X(CPP, NAME, ...)                                 \
  template <>                                             \
  struct scalar_type_of<CPP> {                            \
    static constexpr ScalarType value = ScalarType::NAME; \
  };                                                      \
  template <>                                             \
  struct element_type<ScalarType::NAME> {                 \
    using type = CPP;                                     \
  };
TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
/// The dtype of a C++ element type.
template <class T>
inline constexpr ScalarType scalar_type_v = scalar_type_of<T>::value;
/// The C++ element type of a dtype.
template <ScalarType Type>
using element_type_t = typename element_type<Type>::type;

/// The floating element types that are classes: they convert from float and to it.
template <class T>
concept small_float = std::is_class_v<T> && requires {
  scalar_type_of<T>::value;
} && is_floating_type(scalar_type_of<T>::value);

template <class T>
struct type_tag {
  using type = T;
};

/// Throws NotImplementedError in PyTorch's words: `"NAME" not implemented for 'Half'`.
[[noreturn, gnu::cold, gnu::noinline]] inline void not_implemented_for(std::string_view name, ScalarType type) {
  fail<NotImplementedError>("\"", name, "\" not implemented for '", enumerator_name(type), "'");
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

/// Calls `f(type_tag<T>{})` with the C++ type of `type`, for what stores elements and reads them; every arm must return
/// the same type. Throws NotImplementedError for a dtype that TENON_SELECTED_DTYPES leaves out.
template <class F>
decltype(auto) visit_element_type(ScalarType type, F&& f) {
  switch (type) {
#define X(CPP, NAME, ...)                        \
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

/// The same for what calculates, whose name is `name`: throws NotImplementedError for a dtype without arithmetic too.
template <class F>
decltype(auto) visit_scalar_type(ScalarType type, F&& f, std::string_view name = "arithmetic") {
  switch (type) {
#define X(CPP, NAME, ...)                             \
  case ScalarType::NAME:                              \
    if constexpr (!has_arithmetic(ScalarType::NAME))  \
      not_implemented_for(name, type);                \
    else if constexpr (is_selected(ScalarType::NAME)) \
      return f(type_tag<CPP>{});                      \
    else                                              \
      detail::dtype_left_out(type);
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: fail<TypeError>("no C++ element type for dtype ", type);
  }
}

/// Calls `f(type_tag<T>{})` for a dtype of real floating point, under the selection as above; for another, or one
/// without arithmetic, `refuse()`, which throws.
template <class F, class R>
void visit_floating_type(ScalarType type, F&& f, R&& refuse) {
  switch (type) {
#define X(CPP, NAME, ...)                                                                 \
  case ScalarType::NAME:                                                                  \
    if constexpr (is_floating_type(ScalarType::NAME) && has_arithmetic(ScalarType::NAME)) \
      return call_if_selected<CPP>(f);                                                    \
    else                                                                                  \
      break;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: break;
  }
  refuse();
}

}  // namespace tenon
