// Reading default values out of the schema's text, at compile time and at run time.
#pragma once
#include <string>

#include <tenon/schema/detail/decimal.hpp>
#include <tenon/schema/symbols.hpp>
#include <tenon/schema/view.hpp>

namespace tenon::schema {

/// Decodes the escapes of a quoted literal into `out` (null: only counts); returns the number of characters.
constexpr std::size_t decode_string(std::string_view literal, char* out) {
  constexpr std::string_view from = "nrtabfv", to = "\n\r\t\a\b\f\v";
  auto hex = [](char c) {
    return detail::is_digit(c)    ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::size_t n = 0;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i, ++n) {
    char c = literal[i];
    if (c == '\\') {
      c = literal[++i];
      int value = 0, digits = 0;
      if (c == 'x') {
        for (; digits < 2 && hex(literal[i + 1]) >= 0; ++digits) value = value * 16 + hex(literal[++i]);
        if (digits != 0) c = static_cast<char>(value);
      } else if (c >= '0' && c <= '7') {
        for (--i; digits < 3 && literal[i + 1] >= '0' && literal[i + 1] <= '7'; ++digits)
          value = value * 8 + (literal[++i] - '0');
        c = static_cast<char>(value);
      } else {
        for (std::size_t k = 0; k < from.size(); ++k)
          if (c == from[k]) {
            c = to[k];
            break;
          }
      }
    }
    if (out != nullptr) out[n] = c;
  }
  return n;
}

/// One constant of a default value: how it is written, its text and the kind of value that it gives.
struct Constant {
  DefaultKind written = DefaultKind::Required;
  Kind kind = Kind::None_;
  std::string_view text;

  constexpr bool is_none() const { return written == DefaultKind::None_; }
  constexpr bool boolean() const { return text.size() == 4; }
  /// Whole numbers, and the words of dtypes, layouts and memory formats by their code.
  constexpr std::int64_t integer() const {
    if (written == DefaultKind::Symbol) return symbol_value(kind, text);
    std::uint64_t value = 0;
    for (char c : text)
      if (c != '-') value = value * 10 + static_cast<std::uint64_t>(c - '0');
    return static_cast<std::int64_t>(text[0] == '-' ? 0 - value : value);
  }
  /// The nearest double; of an imaginary number its imaginary part.
  constexpr double real() const { return detail::read_double(text); }
  std::string string() const;
};

namespace detail {
constexpr const TypeNode& without_optional(const SchemaView& schema, const Argument& a) {
  const TypeNode& node = schema.type(a);
  return node.kind == Kind::Optional ? schema.node(node.child) : node;
}
constexpr DefaultKind written_as(std::string_view text) {
  char c = text[0];
  if (c == '"' || c == '\'') return DefaultKind::String;
  if (is_letter(c))
    return equal(text, "None")                           ? DefaultKind::None_
           : equal(text, "True") || equal(text, "False") ? DefaultKind::Boolean
                                                         : DefaultKind::Symbol;
  if (text.back() == 'j') return DefaultKind::Imaginary;
  for (char d : text)
    if (d == '.' || d == 'e' || d == 'E') return DefaultKind::Float;
  return DefaultKind::Integer;
}
}  // namespace detail

/// Whether the default is a list: written in brackets, or one constant for a list of fixed length.
constexpr bool default_is_list(const SchemaView& schema, const Argument& a) {
  return a.has_default() && a.default_kind != DefaultKind::None_ &&
         detail::without_optional(schema, a).kind == Kind::List;
}

/// The default of an argument that is no list.
constexpr Constant default_constant(const SchemaView& schema, const Argument& a) {
  return {a.default_kind, detail::without_optional(schema, a).kind, schema.default_text(a)};
}

/// The number of elements of a default that is a list; `int[3] x=1` has three.
constexpr std::size_t default_size(const SchemaView& schema, const Argument& a) {
  if (a.default_kind != DefaultKind::List) return static_cast<std::size_t>(detail::without_optional(schema, a).size);
  std::size_t commas = 0;
  bool any = false;
  for (char c : schema.default_text(a)) {
    if (c == ',') ++commas;
    any = any || detail::is_word(c);
  }
  return any ? commas + 1 : 0;
}

/// Element `i` of a default that is a list.
constexpr Constant default_item(const SchemaView& schema, const Argument& a, std::size_t i) {
  const TypeNode& list = detail::without_optional(schema, a);
  Kind kind = schema.node(list.child).kind;
  std::string_view text = schema.default_text(a);
  if (a.default_kind != DefaultKind::List) return {a.default_kind, kind, text};
  std::size_t begin = 1;
  for (; i > 0; ++begin)
    if (text[begin] == ',') --i;
  while (detail::class_of(text[begin]) == detail::blank) ++begin;
  std::size_t end = begin;
  while (text[end] != ',' && text[end] != ']' && detail::class_of(text[end]) != detail::blank) ++end;
  std::string_view item(text.data() + begin, end - begin);
  return {detail::written_as(item), kind, item};
}

}  // namespace tenon::schema
