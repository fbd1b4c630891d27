// Bodies of the comparison of versions.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/schema/bodies/compare.hpp>
#include <tenon/schema/compatible.hpp>
#include <tenon/schema/print.hpp>

namespace tenon::schema {
namespace detail {

TENON_COLD_BODY bool is_subtype(TypeRef a, TypeRef b) {
  if (types_equal(a, b, TypeComparison::Matching)) return true;
  Kind ka = matching_kind(a.node().kind), kb = matching_kind(b.node().kind);
  if (kb == Kind::Any) return true;
  if (ka == Kind::Union) {
    for (TypeRef x = a.child(); x; x = x.next())
      if (!is_subtype(x, b)) return false;
    return true;
  }
  if (kb == Kind::Optional) return ka == Kind::None_ || is_subtype(ka == Kind::Optional ? a.child() : a, b.child());
  if (kb == Kind::Union) {
    for (TypeRef y = b.child(); y; y = y.next())
      if (is_subtype(a, y)) return true;
    return false;
  }
  if (kb == Kind::Scalar) return ka == Kind::Int || ka == Kind::Float || ka == Kind::Complex;
  if (ka == Kind::Tuple && kb == Kind::Tuple) {
    TypeRef x = a.child(), y = b.child();
    for (; x && y; x = x.next(), y = y.next())
      if (!is_subtype(x, y)) return false;
    return !x && !y;
  }
  return false;
}

inline std::size_t first_out(const SchemaView& schema) {
  std::size_t i = 0;
  while (i < schema.n_args() && !schema.is_out(i)) ++i;
  return i;
}

/// What both directions ask of an argument at the same place, apart from the direction of its type.
inline bool frame_compatible(const SchemaView& schema, const Argument& a, const SchemaView& old, const Argument& b) {
  return equal(schema.name_of(a), old.name_of(b)) && fixed_size(schema, a) == fixed_size(old, b) &&
         same_alias(schema, a, old, b) && !(a.kwarg_only && !b.kwarg_only) &&
         (!b.has_default() || same_default(schema, a, old, b));
}

inline bool backward_compatible(const SchemaView& schema, const Argument& a, const SchemaView& old, const Argument& b) {
  return frame_compatible(schema, a, old, b) && is_subtype(root(old, b), root(schema, a));
}

inline bool forward_compatible(const SchemaView& schema, const Argument& a, const SchemaView& old, const Argument& b) {
  return frame_compatible(schema, a, old, b) && is_subtype(root(schema, a), root(old, b)) &&
         !(a.has_default() && !b.has_default());
}

inline std::string frame_difference(const SchemaView& schema, const SchemaView& old) {
  const Head &a = *schema.head, &b = *old.head;
  if (!equal(schema.name(), old.name())) return "the names of the operators are different";
  if (!equal(schema.overload(), old.overload())) return "the overload names are different";
  if (a.is_vararg != b.is_vararg || a.is_varret != b.is_varret) return "only one of the schemas is variadic";
  if (a.n_returns != b.n_returns) return "the numbers of returns are different";
  return {};
}

inline std::string new_argument(const SchemaView& schema, const Argument& a) {
  return concat("the new argument '", schema.name_of(a), "' of type ", type_text(schema, a));
}

}  // namespace detail

TENON_COLD_BODY Compatibility backward_compatible(const SchemaView& schema, const SchemaView& old) {
  if (auto why = detail::frame_difference(schema, old); !why.empty()) return {false, why};
  if (schema.n_args() < old.n_args()) return {false, "an argument was removed"};
  for (std::size_t i = 0; i < schema.n_returns(); ++i)
    if (!detail::backward_compatible(old, old.returns[i], schema, schema.returns[i]))
      return {false, concat("return ", i, " is not of the old type or a subtype of it")};
  std::size_t old_outs = detail::first_out(old), outs = detail::first_out(schema);
  auto argument = [&](std::size_t i, std::size_t old_i) -> Compatibility {
    if (detail::backward_compatible(schema, schema.args[i], old, old.args[old_i])) return {};
    return {false,
            concat("'", old.arg_name(old_i), "' is not backward compatible with the older version of the schema")};
  };
  for (std::size_t i = 0; i < old_outs; ++i)
    if (auto result = argument(i, i); !result) return result;
  for (std::size_t i = old_outs; i < outs; ++i)
    if (!schema.args[i].has_default())
      return {false, concat("Function schema not backward compatible since ",
                            detail::new_argument(schema, schema.args[i]), " did not provide a default value.")};
  for (std::size_t i = old_outs; i < old.n_args(); ++i)
    if (auto result = argument(i - old_outs + outs, i); !result) return result;
  return {};
}

TENON_COLD_BODY Compatibility forward_compatible(const SchemaView& schema, const SchemaView& old) {
  if (auto why = detail::frame_difference(schema, old); !why.empty()) return {false, why};
  std::size_t old_outs = detail::first_out(old), outs = detail::first_out(schema);
  if (old.n_args() - old_outs != schema.n_args() - outs)
    return {false, "Function schema should have the same number of out arguments"};
  for (std::size_t i = 0; i < std::min(old_outs, outs); ++i)
    if (!detail::forward_compatible(schema, schema.args[i], old, old.args[i]))
      return {false,
              concat("'", schema.arg_name(i), "' is not forward compatible with the older version of the schema")};
  for (std::size_t i = old_outs; i < outs; ++i) {
    const Argument& a = schema.args[i];
    std::string start = "Function schema is not forward compatible since " + detail::new_argument(schema, a);
    if (!a.has_default()) return {false, start + " did not provide a default value."};
    if (default_is_list(schema, a)) return {false, start + " has a container type as its default value."};
  }
  for (std::size_t i = old_outs; i < old.n_args(); ++i)
    if (!detail::forward_compatible(schema, schema.args[i - old_outs + outs], old, old.args[i]))
      return {false, concat("Out argument '", old.arg_name(i),
                            "' is not forward compatible with the older version of the schema")};
  return {};
}

}  // namespace tenon::schema
