// What a schema says about writing and sharing memory.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/schema/compare.hpp>

namespace tenon::schema {

/// Whether any argument is written.
constexpr bool is_mutable(const SchemaView& schema) {
  for (std::size_t i = 0; i < schema.n_args(); ++i)
    if (schema.args[i].write) return true;
  return false;
}
/// Whether argument `index` is written. Throws IndexError.
constexpr bool is_mutable(const SchemaView& schema, std::size_t index) {
  if (index >= schema.n_args())
    fail<IndexError>(schema.operator_name(), "(): argument ", index, " lies outside [0, ", schema.n_args(), ")");
  return schema.args[index].write;
}
/// Whether the argument of that name is written. Throws ValueError.
constexpr bool is_mutable(const SchemaView& schema, std::string_view name) {
  int index = schema.find_argument(name);
  if (index < 0) fail<ValueError>(schema.operator_name(), "(): no argument is named '", name, "'");
  return schema.args[index].write;
}
/// Whether any argument or return carries an alias annotation.
constexpr bool has_alias_info(const SchemaView& schema) {
  for (unsigned i = 0; i < schema.head->n_types; ++i)
    if (schema.types[i].has_alias) return true;
  return false;
}

enum class Side : std::uint8_t { Input, Output };
/// An argument or a return, by index.
struct Position {
  Side side = Side::Input;
  std::size_t index = 0;
};

namespace detail {

constexpr TypeRef type_at(const SchemaView& schema, Position at) {
  bool input = at.side == Side::Input;
  std::size_t n = input ? schema.n_args() : schema.n_returns();
  if (at.index >= n)
    fail<IndexError>(schema.operator_name(), "(): ", input ? "argument " : "return ", at.index, " lies outside [0, ", n,
                     ")");
  TypeRef type = root(schema, input ? schema.args[at.index] : schema.returns[at.index]);
  return type.node().kind == Kind::Optional ? type.child() : type;
}

/// Values of these types share memory when they alias; numbers and texts are copied.
constexpr bool shares_memory(Kind kind) {
  switch (kind) {
    case Kind::Tensor:
    case Kind::List:
    case Kind::Dict:
    case Kind::Class:
    case Kind::Any:
    case Kind::TypeVar:
    case Kind::Union:
    case Kind::Future:
    case Kind::Await:
    case Kind::RRef:
    case Kind::Tuple:
    case Kind::Capsule:
    case Kind::Generator:
    case Kind::Storage:
    case Kind::AnyClassType: return true;
    default: return false;
  }
}
constexpr bool is_container(Kind kind) {
  return kind == Kind::List || kind == Kind::Dict || kind == Kind::Tuple || kind == Kind::Future ||
         kind == Kind::Await || kind == Kind::RRef;
}

constexpr bool types_can_alias(TypeRef a, TypeRef b) {
  Kind ka = a.node().kind, kb = b.node().kind;
  if (ka == Kind::Optional) return types_can_alias(a.child(), b);
  if (kb == Kind::Optional) return types_can_alias(a, b.child());
  if (!shares_memory(ka) || !shares_memory(kb)) return false;
  auto anything = [](Kind k) { return k == Kind::Any || k == Kind::TypeVar; };
  if (anything(ka) || anything(kb)) return true;
  if (ka == Kind::Union) {
    for (TypeRef x = a.child(); x; x = x.next())
      if (types_can_alias(x, b)) return true;
    return false;
  }
  if (kb == Kind::Union) return types_can_alias(b, a);
  return types_equal(a, b, TypeComparison::Matching);
}

/// Whether something inside `a`, at any depth, can alias `b` itself.
constexpr bool contents_can_alias(TypeRef a, TypeRef b) {
  if (!is_container(a.node().kind) && a.node().kind != Kind::Optional) return false;
  for (TypeRef x = a.child(); x; x = x.next())
    if (types_can_alias(x, b) || contents_can_alias(x, b)) return true;
  return false;
}
constexpr bool contents_can_alias_contents(TypeRef a, TypeRef b) {
  if (!is_container(b.node().kind) && b.node().kind != Kind::Optional) return false;
  for (TypeRef y = b.child(); y; y = y.next())
    if (contents_can_alias(a, y) || contents_can_alias_contents(a, y)) return true;
  return false;
}

}  // namespace detail

/// Whether the two values may be the same memory: their types allow it and their sets after the call intersect. A
/// wildcard is a set like the others: it meets wildcards.
/// Throws IndexError for a position that the schema does not have.
constexpr bool may_alias(const SchemaView& schema, Position a, Position b) {
  detail::TypeRef x = detail::type_at(schema, a), y = detail::type_at(schema, b);
  if (!detail::types_can_alias(x, y)) return false;
  return (x.node().after & y.node().after) != 0;
}

/// Whether the two may alias or hold elements that do. With `both_ways` false, only `a` may contain `b`.
constexpr bool may_contain_alias(const SchemaView& schema, Position a, Position b, bool both_ways = true) {
  if (may_alias(schema, a, b)) return true;
  detail::TypeRef x = detail::type_at(schema, a), y = detail::type_at(schema, b);
  if ((y.node().after & wildcard_alias) != 0 && detail::contents_can_alias(x, y)) return true;
  if (both_ways && (x.node().after & wildcard_alias) != 0 && detail::contents_can_alias(y, x)) return true;
  return detail::contents_can_alias_contents(x, y);
}

/// The same questions for one call, in which some arguments are known to be the same value.
class CallAliases {
 public:
  explicit CallAliases(const SchemaView& schema);
  /// Records that arguments `i` and `j` were given one value. Throws IndexError.
  void same_value(std::size_t i, std::size_t j);
  /// Whether argument `i` is written, under its own name or that of another argument of the same value.
  bool is_mutable_value(std::size_t i) const;
  /// Whether the two may be the same memory, also by way of arguments that are one value or that both alias.
  bool may_alias(Position a, Position b) const;

 private:
  bool reaches(Position at, std::size_t input) const;
  SchemaView schema_;
  std::vector<std::size_t> group_;
};

}  // namespace tenon::schema
