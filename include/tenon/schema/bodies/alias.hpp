// Bodies of what a call aliases.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/schema/alias.hpp>

namespace tenon::schema {

TENON_COLD_BODY CallAliases::CallAliases(const SchemaView& schema) : schema_(schema), group_(schema.n_args()) {
  for (std::size_t i = 0; i < group_.size(); ++i) group_[i] = i;
}

TENON_COLD_BODY void CallAliases::same_value(std::size_t i, std::size_t j) {
  is_mutable(schema_, i), is_mutable(schema_, j);
  std::size_t from = group_[j], to = group_[i];
  for (std::size_t& g : group_)
    if (g == from) g = to;
}

TENON_COLD_BODY bool CallAliases::is_mutable_value(std::size_t i) const {
  if (is_mutable(schema_, i)) return true;
  for (std::size_t j = 0; j < group_.size(); ++j)
    if (group_[j] == group_[i] && schema_.args[j].write) return true;
  return false;
}

TENON_COLD_BODY bool CallAliases::may_alias(Position a, Position b) const {
  if (schema::may_alias(schema_, a, b)) return true;
  for (std::size_t i = 0; i < group_.size(); ++i)
    for (std::size_t j = 0; j < group_.size(); ++j)
      if (group_[i] == group_[j] && reaches(a, i) && reaches(b, j)) return true;
  return false;
}

TENON_COLD_BODY bool CallAliases::reaches(Position at, std::size_t input) const {
  if (at.side == Side::Input) return at.index == input;
  return schema::may_alias(schema_, at, {Side::Input, input});
}

}  // namespace tenon::schema
