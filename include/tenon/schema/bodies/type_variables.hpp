// Bodies of type variables.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/schema/compatible.hpp>
#include <tenon/schema/print.hpp>
#include <tenon/schema/type_variables.hpp>

namespace tenon::schema {

TENON_COLD_BODY std::string TypeBindings::match(std::size_t i, std::string_view type) {
  types_.push_back(FunctionSchema::parse(concat("f(", type, " x) -> ()")));
  const SchemaView& actual = types_.back();
  return match(detail::root(schema_, schema_.args[i]), detail::root(actual, actual.args[0]));
}

TENON_COLD_BODY std::string TypeBindings::bound(std::string_view variable) const {
  for (const auto& [name, type] : bound_)
    if (name == variable) return text(type);
  return {};
}

TENON_COLD_BODY std::string TypeBindings::text(detail::TypeRef type) {
  std::string out;
  detail::append_type(out, *type.schema, type.index, false);
  return out;
}

TENON_COLD_BODY std::string TypeBindings::match(detail::TypeRef formal, detail::TypeRef actual) {
  Kind kind = formal.node().kind;
  if (kind == Kind::TypeVar) {
    for (const auto& [name, type] : bound_)
      if (name == formal.name())
        return detail::types_equal(type, actual, TypeComparison::Matching)
                   ? std::string()
                   : concat("Type variable '", name, "' previously matched to type ", text(type),
                            " is matched to type ", text(actual));
    bound_.emplace_back(formal.name(), actual);
    return {};
  }
  if (kind == Kind::Optional && actual.node().kind != Kind::Optional)
    return actual.node().kind == Kind::None_ ? std::string() : match(formal.child(), actual);
  if (!formal.child() || matching_kind(kind) != matching_kind(actual.node().kind))
    return detail::is_subtype(actual, formal) ? std::string()
                                              : concat("Cannot match ", text(formal), " to ", text(actual));
  detail::TypeRef x = formal.child(), y = actual.child();
  for (; x && y; x = x.next(), y = y.next())
    if (auto why = match(x, y); !why.empty()) return why;
  return !x && !y ? std::string() : concat("Cannot match ", text(formal), " to ", text(actual));
}

}  // namespace tenon::schema
