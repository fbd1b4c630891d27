// Binding the type variables of a schema to the types of values.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <tenon/schema/compare.hpp>
#include <tenon/schema/function_schema.hpp>

namespace tenon::schema {

/// The type variables of one call: each stands for one type throughout.
class TypeBindings {
 public:
  /// The schema must outlive the bindings.
  explicit TypeBindings(const SchemaView& schema) : schema_(schema) {}

  /// Matches the type of a value, `int[]` for example, with that of parameter `i`. Returns why it does not, or nothing.
  /// Throws SchemaError if the text is no type.
  std::string match(std::size_t i, std::string_view type);

  /// The type that a variable is bound to, empty if none.
  std::string bound(std::string_view variable) const;

 private:
  static std::string text(detail::TypeRef type);
  std::string match(detail::TypeRef formal, detail::TypeRef actual);

  SchemaView schema_;
  std::vector<FunctionSchema> types_;  // the owners of what bound_ refers to
  std::vector<std::pair<std::string_view, detail::TypeRef>> bound_;
};

}  // namespace tenon::schema
