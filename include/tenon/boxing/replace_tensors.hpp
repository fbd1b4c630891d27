// Other tensors in the place of those of a value, whose lists stay as their owner has them.
#pragma once
#include <utility>
#include <vector>

#include <tenon/boxing/value.hpp>

namespace tenon::detail {

/// Calls `f` with every defined tensor of a value, in lists, tuples and dictionaries at any depth; `f` may replace it,
/// which the caller's own list does not see.
template <class F>
void replace_tensors(Value& v, F&& f) {
  auto holds = [](const Value& item) {
    return item.is_tensor() || item.is_list() || item.kind() == ValueKind::Tuple || item.kind() == ValueKind::Dict;
  };
  auto replaced = [&](std::vector<Value> items) {
    for (Value& item : items) replace_tensors(item, f);
    return items;
  };
  auto any = [&](const std::vector<Value>& items) {
    for (const Value& item : items)
      if (holds(item)) return true;
    return false;
  };
  if (v.is_tensor()) {
    if (v.to_tensor().defined()) f(v.to_tensor());
  } else if (v.is_list()) {
    if (any(v.to_list())) v = Value::list(replaced(v.to_list()), v.element_kind());
  } else if (v.kind() == ValueKind::Tuple) {
    if (any(v.to_tuple())) v = Value::tuple(replaced(v.to_tuple()));
  } else if (v.kind() == ValueKind::Dict) {
    auto items = v.to_dict();
    for (auto& [key, item] : items) replace_tensors(item, f);
    v = Value::dict(std::move(items));
  }
}

}  // namespace tenon::detail
