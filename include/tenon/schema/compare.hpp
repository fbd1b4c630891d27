// When two types and two schemas are the same.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/schema/view.hpp>

namespace tenon::schema {

/// Exact compares words as written; Matching takes SymInt, ScalarType and the like for the numbers they match as.
enum class TypeComparison : std::uint8_t { Exact, Matching };

namespace detail {

/// One node of one schema's types.
struct TypeRef {
  const SchemaView* schema;
  std::int16_t index;
  constexpr const TypeNode& node() const { return schema->node(index); }
  constexpr TypeRef child() const { return {schema, node().child}; }
  constexpr TypeRef next() const { return {schema, node().next}; }
  constexpr explicit operator bool() const { return index >= 0; }
  constexpr std::string_view name() const { return schema->part(node().text_offset, node().text_length); }
};

constexpr TypeRef root(const SchemaView& schema, const Argument& a) { return {&schema, a.type}; }

constexpr bool types_equal(TypeRef a, TypeRef b, TypeComparison how) {
  Kind ka = a.node().kind, kb = b.node().kind;
  if (how == TypeComparison::Matching) {
    ka = matching_kind(ka);
    kb = matching_kind(kb);
  }
  if (ka != kb) return false;
  if (ka == Kind::TypeVar || ka == Kind::Class) return equal(a.name(), b.name());
  TypeRef x = a.child(), y = b.child();
  for (; x && y; x = x.next(), y = y.next())
    if (!types_equal(x, y, how)) return false;
  return !x && !y;
}

/// The names of one set of an annotation, one per call; after a `*` nothing counts.
struct AliasNames {
  std::string_view annotation;
  std::size_t from = 0;
  constexpr AliasNames(TypeRef type, bool after)
      : annotation(type.schema->part(type.node().alias_offset, type.node().alias_length)) {
    if (!after) return;
    for (auto token = next_alias_token(annotation, from); !token.empty(); token = next_alias_token(annotation, from))
      if (equal(token, "->")) return;
    from = 0;
  }
  constexpr std::string_view next() {
    for (auto token = next_alias_token(annotation, from); !token.empty() && !equal(token, "->");
         token = next_alias_token(annotation, from)) {
      if (equal(token, "*")) from = annotation.size();
      if (!equal(token, "!") && !equal(token, "|")) return token;
    }
    from = annotation.size();
    return {};
  }
};
constexpr bool names_within(TypeRef a, TypeRef b, bool after) {
  AliasNames names(a, after);
  for (auto name = names.next(); !name.empty(); name = names.next()) {
    AliasNames others(b, after);
    bool found = false;
    for (auto other = others.next(); !other.empty() && !found; other = others.next()) found = equal(name, other);
    if (!found) return false;
  }
  return true;
}
// Sets of letters are equal as bits; longer names get their bits in order of appearance and are compared as text.
constexpr bool alias_equal(TypeRef a, TypeRef b) {
  const TypeNode &x = a.node(), &y = b.node();
  if (x.has_alias != y.has_alias || x.write != y.write) return false;
  constexpr AliasSet plain = ((AliasSet{1} << 26) - 1) | wildcard_alias;
  AliasSet all = x.before | x.after | y.before | y.after;
  if (((x.before ^ y.before) & plain) != 0 || ((x.after ^ y.after) & plain) != 0) return false;
  if ((all & ~plain) == 0) return true;
  for (bool after : {false, true})
    if (!names_within(a, b, after) || !names_within(b, a, after)) return false;
  return true;
}
constexpr bool any_alias(TypeRef type) {
  if (type.node().has_alias || type.node().write) return true;
  for (TypeRef x = type.child(); x; x = x.next())
    if (any_alias(x)) return true;
  return false;
}
// Annotations are compared beneath `?`, so that a type may become optional without a change of its annotation.
constexpr bool aliases_equal(TypeRef a, TypeRef b) {
  if (!any_alias(a) && !any_alias(b)) return true;
  if (a.node().kind == Kind::Optional) return aliases_equal(a.child(), b);
  if (b.node().kind == Kind::Optional) return aliases_equal(a, b.child());
  if (!alias_equal(a, b)) return false;
  TypeRef x = a.child(), y = b.child();
  for (; x && y; x = x.next(), y = y.next())
    if (!aliases_equal(x, y)) return false;
  return !x && !y;
}

}  // namespace detail

/// Whether two arguments, possibly of different schemas, have the same type; alias annotations do not count.
constexpr bool same_type(const SchemaView& a, const Argument& x, const SchemaView& b, const Argument& y,
                         TypeComparison how = TypeComparison::Matching) {
  return detail::types_equal(detail::root(a, x), detail::root(b, y), how);
}

/// Whether two arguments have the same default value, however it is written, or both none.
bool same_default(const SchemaView& a, const Argument& x, const SchemaView& b, const Argument& y);

/// Whether two arguments carry the same alias annotations.
constexpr bool same_alias(const SchemaView& a, const Argument& x, const SchemaView& b, const Argument& y) {
  return detail::aliases_equal(detail::root(a, x), detail::root(b, y));
}

/// Name, matching type, fixed size, default, keyword-only and alias annotations.
bool same_argument(const SchemaView& a, const Argument& x, const SchemaView& b, const Argument& y);

/// Schemas are equal when they mean the same, however they are written.
bool operator==(const SchemaView& a, const SchemaView& b);

/// A hash that equal schemas share: names, number of arguments and the shape of every type.
constexpr std::size_t hash(const SchemaView& schema) {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a, 64 bits
  auto byte = [&h](unsigned char c) { h = (h ^ c) * 1099511628211u; };
  auto text = [&byte](std::string_view s) {
    for (std::size_t i = 0; i < s.size(); ++i) byte(static_cast<unsigned char>(s.data()[i]));
    byte(0);
  };
  auto argument = [&](const Argument& a) {
    text(schema.name_of(a));
    byte(static_cast<unsigned char>(a.kwarg_only * 4 + a.write * 2 + a.has_default()));
    for (std::int16_t i = a.type; i >= 0; i = schema.node(i).child)
      byte(static_cast<unsigned char>(matching_kind(schema.node(i).kind)));
  };
  text(schema.operator_name());
  for (unsigned i = 0; i < schema.head->n_args; ++i) argument(schema.args[i]);
  byte(0xff);
  for (unsigned i = 0; i < schema.head->n_returns; ++i) argument(schema.returns[i]);
  return static_cast<std::size_t>(h);
}

}  // namespace tenon::schema
