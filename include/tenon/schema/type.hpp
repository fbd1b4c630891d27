// The schema as data: small descriptors that refer to the schema's text by offset.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/schema/reason.hpp>

namespace tenon::schema {

/// What a type node stands for. Codes below `Optional` are words; the rest have children or a name.
enum class Kind : std::uint8_t {
  None_ = 0,  ///< also the kind of "no type"
  Tensor,
  Int,
  SymInt,
  Float,
  SymFloat,
  Bool,
  SymBool,
  Complex,
  Scalar,
  Str,
  ScalarType,
  Layout,
  MemoryFormat,
  Device,
  DeviceIndex,
  Generator,
  Storage,
  Stream,
  QScheme,
  Quantizer,
  ConstQuantizerPtr,
  Capsule,
  Any,
  AnyClassType,
  AnyEnumType,
  Optional = 64,
  List,
  Tuple,
  Dict,
  Union,
  Future,
  Await,
  RRef,
  TypeVar,
  Class,
};

namespace detail {
inline constexpr std::string_view kind_words[] = {
    "NoneType",     "Tensor",     "int",    "SymInt",     "float",     "SymFloat",          "bool",    "SymBool",
    "complex",      "Scalar",     "str",    "ScalarType", "Layout",    "MemoryFormat",      "Device",  "DeviceIndex",
    "Generator",    "Storage",    "Stream", "QScheme",    "Quantizer", "ConstQuantizerPtr", "Capsule", "Any",
    "AnyClassType", "AnyEnumType"};
}  // namespace detail

/// The word of a kind as schemas spell it; empty for composite kinds.
constexpr std::string_view kind_word(Kind kind) {
  return kind < Kind::Optional ? detail::kind_words[static_cast<std::size_t>(kind)] : std::string_view();
}

/// The kind that values are matched against: symbolic numbers and enumerations match as plain numbers.
constexpr Kind matching_kind(Kind kind) {
  switch (kind) {
    case Kind::SymInt:
    case Kind::ScalarType:
    case Kind::Layout:
    case Kind::MemoryFormat:
    case Kind::DeviceIndex: return Kind::Int;
    case Kind::SymFloat: return Kind::Float;
    case Kind::SymBool: return Kind::Bool;
    default: return kind;
  }
}

/// A set of alias names as bits: 0..25 are `a`..`z`, up to 62 other names in order of appearance, 63 is `*`.
using AliasSet = std::uint64_t;
inline constexpr AliasSet wildcard_alias = AliasSet{1} << 63;

/// One node of a type. `Tensor(a!)?[2]` is List(size 2) -> Optional -> Tensor with the alias annotation.
struct TypeNode {
  Kind kind = Kind::None_;
  bool has_alias = false;  ///< carries an annotation of its own, `(a! -> b)` or a bare `!`
  bool write = false;      ///< written; a container without an annotation inherits it from its elements
  std::int16_t child = -1;
  std::int16_t next = -1;                            ///< the next child of the same parent
  std::int32_t size = -1;                            ///< N of `T[N]`
  std::uint16_t text_offset = 0, text_length = 0;    ///< the name, of TypeVar and Class
  std::uint16_t alias_offset = 0, alias_length = 0;  ///< between the parentheses; empty for a bare `!`
  AliasSet before = 0, after = 0;
};

/// From this index on a type is a word without annotation or suffix, of the kind that is left. No schema stores a node
/// for it: two types of three are such words.
inline constexpr std::int16_t first_word_node = 0x7f00;
constexpr std::int16_t word_node(Kind kind) {
  return static_cast<std::int16_t>(first_word_node + static_cast<std::int16_t>(kind));
}

namespace detail {
struct WordNodes {
  static constexpr std::size_t n = sizeof(kind_words) / sizeof(*kind_words);
  TypeNode of[n]{};
  constexpr WordNodes() {
    for (std::size_t i = 0; i < n; ++i) of[i].kind = static_cast<Kind>(i);
  }
};
inline constexpr WordNodes word_nodes;
/// Node `index` of a schema whose own nodes are `types`.
constexpr const TypeNode& node_at(const TypeNode* types, int index) {
  return index < first_word_node ? types[index] : word_nodes.of[index - first_word_node];
}
}  // namespace detail

/// How a default value is written.
enum class DefaultKind : std::uint8_t { Required, None_, Boolean, Integer, Float, Imaginary, String, Symbol, List };

/// One argument or one return value.
struct Argument {
  /// 32-bit code of the C++ type: kind (7 bits) | written << 7 | modifiers << 8, 16, 24, applied inside-out:
  /// 1 is `?`, 2 is `[]`, 3 + n is `[n]`. 0 if the type is not a word with at most three modifiers.
  std::uint32_t cpp_code = 0;
  std::int16_t type = -1;  ///< its root: a node of the schema or a word
  std::uint16_t name_offset = 0, name_length = 0;
  std::uint16_t default_offset = 0, default_length = 0;
  DefaultKind default_kind : 6 = DefaultKind::Required;
  bool kwarg_only : 1 = false;
  bool write : 1 = false;
  constexpr bool has_default() const { return default_kind != DefaultKind::Required; }
};

static_assert(sizeof(Argument) == 16, "every operator keeps a few");

inline constexpr std::uint32_t code_written = 0x80, code_optional = 1, code_list = 2, code_sized_list = 3;

/// The code of a C++ type from its kind and modifiers.
constexpr std::uint32_t cpp_code(Kind kind, bool written = false, unsigned first = 0, unsigned second = 0,
                                 unsigned third = 0) {
  return static_cast<std::uint32_t>(kind) | (written ? code_written : 0) | first << 8 | second << 16 | third << 24;
}

/// What belongs to the schema as a whole. Offsets and lengths count characters of the text.
struct Head {
  std::uint16_t name_offset = 0, name_length = 0;  ///< `aten::add`
  std::uint16_t namespace_length = 0;              ///< 4; 0 without a namespace
  std::uint16_t overload_length = 0;               ///< follows the name after a dot
  std::uint16_t n_args = 0, n_returns = 0, n_types = 0;
  std::uint16_t kwarg_start = 0;  ///< index of the first keyword-only argument, `n_args` without one
  bool is_vararg = false, is_varret = false;
  reason why = reason::ok;
  std::uint32_t position = 0, end = 0;  ///< the token that `why` is about
  constexpr bool ok() const { return why == reason::ok; }
};

}  // namespace tenon::schema
