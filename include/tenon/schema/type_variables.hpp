// Binding the type variables of a schema to the types of values.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <tenon/schema/compatible.hpp>
#include <tenon/schema/function_schema.hpp>

namespace tenon::schema {

/// The type variables of one call: each stands for one type throughout.
class TypeBindings {
 public:
  /// The schema must outlive the bindings.
  explicit TypeBindings(const SchemaView& schema) : schema_(schema) {}

  /// Matches the type of a value, `int[]` for example, with that of parameter `i`. Returns why it does not, or nothing.
  /// Throws SchemaError if the text is no type.
  std::string match(std::size_t i, std::string_view type) {
    types_.push_back(FunctionSchema::parse(concat("f(", type, " x) -> ()")));
    const SchemaView& actual = types_.back();
    return match(detail::root(schema_, schema_.args[i]), detail::root(actual, actual.args[0]));
  }

  /// The type that a variable is bound to, empty if none.
  std::string bound(std::string_view variable) const {
    for (const auto& [name, type] : bound_)
      if (name == variable) return text(type);
    return {};
  }

 private:
  static std::string text(detail::TypeRef type) {
    std::string out;
    detail::append_type(out, *type.schema, type.index, false);
    return out;
  }
  std::string match(detail::TypeRef formal, detail::TypeRef actual) {
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

  SchemaView schema_;
  std::vector<FunctionSchema> types_;  // the owners of what bound_ refers to
  std::vector<std::pair<std::string_view, detail::TypeRef>> bound_;
};

}  // namespace tenon::schema
