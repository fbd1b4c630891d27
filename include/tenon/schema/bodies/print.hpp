// Bodies of printing: schemas, types and default values.
#pragma once
#include <charconv>

#include <tenon/base/body.hpp>
#include <tenon/schema/default_value.hpp>
#include <tenon/schema/print.hpp>

namespace tenon::schema {
namespace detail {

TENON_COLD_BODY void append_double(std::string& out, double value) {
  char buffer[40];
  auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 17);
  std::string_view text(buffer, static_cast<std::size_t>(result.ptr - buffer));
  out += text;
  if (text.find_first_of(".en") == text.npos) out += '.';
}

TENON_COLD_BODY void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view plain = "\n\r\t\a\b\f\v\\'\"", letters = "nrtabfv\\'\"";
  out += '"';
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    if (auto i = plain.find(c); i != plain.npos) {
      out += '\\';
      out += letters[i];
    } else if (code < 32 || code > 126) {
      out += '\\';
      for (int shift = 6; shift >= 0; shift -= 3) out += static_cast<char>('0' + ((code >> shift) & 7));
    } else {
      out += c;
    }
  }
  out += '"';
}

/// `as_written`: whole numbers stay so for a floating type.
inline void append_constant(std::string& out, const Constant& constant, bool as_written = false) {
  Kind kind = matching_kind(constant.kind);
  bool real = !as_written && (kind == Kind::Float || kind == Kind::Complex);
  switch (constant.written) {
    case DefaultKind::None_: out += "None"; break;
    case DefaultKind::Boolean: out += constant.boolean() ? "True" : "False"; break;
    case DefaultKind::String: append_quoted(out, constant.string()); break;
    case DefaultKind::Float: append_double(out, constant.real()); break;
    case DefaultKind::Imaginary:
      append_double(out, constant.real());
      out += 'j';
      break;
    default:
      if (real)
        append_double(out, constant.real());
      else
        out += std::to_string(constant.integer());
  }
}

inline void append_default(std::string& out, const SchemaView& schema, const Argument& a) {
  // PyTorch keeps one constant of an optional type as it is: float? x=1, int[2]? x=1.
  bool optional = schema.type(a).kind == Kind::Optional;
  if (!default_is_list(schema, a)) return append_constant(out, default_constant(schema, a), optional);
  if (optional && a.default_kind != DefaultKind::List) return append_constant(out, default_item(schema, a, 0), true);
  const TypeNode& list = schema.type(a);
  std::size_t n = default_size(schema, a);
  std::string items, first;
  bool same = true;
  for (std::size_t i = 0; i < n; ++i) {
    std::string item;
    append_constant(item, default_item(schema, a, i));
    if (i == 0) first = item;
    same = same && item == first;
    items += i == 0 ? "" : ", ";
    items += item;
  }
  // PyTorch's printer writes int[2] x=1 so, and SymInt[2] x=[1, 1] so; long lists must not outgrow a schema's text.
  bool repeated = same && n > 1 && static_cast<std::size_t>(without_optional(schema, a).size) == n;
  bool one = repeated && (n > 16 || (list.kind == Kind::List && schema.node(list.child).kind == Kind::Int));
  out += one ? first : "[" + items + "]";
}

inline void append_alias(std::string& out, const SchemaView& schema, const TypeNode& node) {
  if (!node.has_alias) return;
  if (node.alias_length == 0) {
    out += '!';
    return;
  }
  std::string_view text = schema.part(node.alias_offset, node.alias_length);
  std::size_t from = 0;
  auto append_set = [&] {
    for (auto token = next_alias_token(text, from); !token.empty() && token != "->";
         token = next_alias_token(text, from))
      if (token != "!") out += token;
  };
  out += '(';
  append_set();
  if (node.write) out += '!';
  if (node.before != node.after) {
    out += " -> ";
    append_set();
  }
  out += ')';
}

TENON_COLD_BODY void append_type(std::string& out, const SchemaView& schema, std::int16_t index, bool with_alias) {
  const TypeNode& node = schema.node(index);
  auto children = [&] {
    out += '(';
    for (std::int16_t child = node.child; child >= 0; child = schema.node(child).next) {
      append_type(out, schema, child, with_alias);
      if (schema.node(child).next >= 0) out += ", ";
    }
    out += ')';
  };
  switch (node.kind) {
    case Kind::Optional:
      append_type(out, schema, node.child, with_alias);
      out += '?';
      return;
    case Kind::List:
      append_type(out, schema, node.child, with_alias);
      out += '[';
      if (node.size >= 0) out += std::to_string(node.size);
      out += ']';
      break;
    case Kind::Tuple: children(); break;
    case Kind::Dict:
      out += "Dict";
      children();
      break;
    case Kind::Union:
      out += "Union";
      children();
      break;
    case Kind::Future:
      out += "Future";
      children();
      break;
    case Kind::Await:
      out += "Await";
      children();
      break;
    case Kind::RRef:
      out += "RRef";
      children();
      break;
    case Kind::TypeVar:
    case Kind::Class: out += schema.part(node.text_offset, node.text_length); break;
    default: out += kind_word(node.kind);
  }
  if (with_alias) append_alias(out, schema, node);
}

inline void append_argument(std::string& out, const SchemaView& schema, const Argument& a) {
  append_type(out, schema, a.type, true);
  if (a.name_length != 0) {
    out += ' ';
    out += schema.name_of(a);
  }
  if (a.has_default()) {
    out += '=';
    append_default(out, schema, a);
  }
}

}  // namespace detail

TENON_COLD_BODY std::string type_text(const SchemaView& schema, const Argument& a) {
  std::string out;
  detail::append_type(out, schema, a.type, false);
  return out;
}

TENON_COLD_BODY std::string to_string(const SchemaView& schema, const Argument& a) {
  std::string out;
  detail::append_argument(out, schema, a);
  return out;
}

TENON_COLD_BODY std::string to_string(const SchemaView& schema) {
  const Head& head = *schema.head;
  std::string out(schema.operator_name());
  auto separate = [&] {
    if (out.back() != '(') out += ", ";
  };
  out += '(';
  for (unsigned i = 0; i < head.n_args; ++i) {
    separate();
    if (i == head.kwarg_start) out += "*, ";
    detail::append_argument(out, schema, schema.args[i]);
  }
  if (head.is_vararg) {
    separate();
    out += "...";
  }
  out += ") -> ";
  if (head.n_returns == 0 && head.is_varret) return out += "...";
  std::string one;
  if (head.n_returns == 1 && !head.is_varret) detail::append_argument(one, schema, schema.returns[0]);
  // A lone tuple needs the second pair, or its parentheses would read as the list of returns.
  if (!one.empty() && one.front() != '(') return out += one;
  out += '(';
  for (unsigned i = 0; i < head.n_returns; ++i) {
    separate();
    detail::append_argument(out, schema, schema.returns[i]);
  }
  if (head.is_varret) {
    separate();
    out += "...";
  }
  return out += ')';
}

}  // namespace tenon::schema
