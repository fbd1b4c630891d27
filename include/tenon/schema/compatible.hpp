// Whether one version of a schema can stand in for another.
#pragma once
#include <string>

#include <tenon/schema/compare.hpp>

namespace tenon::schema {

/// Yes, or no and why.
struct Compatibility {
  bool compatible = true;
  std::string reason;
  explicit operator bool() const { return compatible; }
};

namespace detail {

/// Whether every value of type `a` is a value of type `b`, by matching types: T of T? and Any, numbers of Scalar.
bool is_subtype(TypeRef a, TypeRef b);

}  // namespace detail

/// Whether callers written for `old` can call `schema`: arguments may be widened and defaulted ones added.
Compatibility backward_compatible(const SchemaView& schema, const SchemaView& old);

/// Whether `old` can run what callers of `schema` wrote, as long as they leave new arguments at their defaults.
Compatibility forward_compatible(const SchemaView& schema, const SchemaView& old);

}  // namespace tenon::schema
