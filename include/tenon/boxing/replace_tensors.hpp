// Other tensors in the place of those of a value, whose lists stay as their owner has them.
#pragma once
#include <utility>
#include <vector>

#include <tenon/boxing/value.hpp>

namespace tenon::detail {

/// Calls `f` with every defined tensor of a value; `f` may replace it, which the caller's own list does not see.
template <class F>
void replace_tensors(Value& v, F&& f) {
  if (v.is_tensor()) {
    if (v.to_tensor().defined()) f(v.to_tensor());
  } else if (v.is_list()) {
    bool any = false;
    for (const Value& item : v.to_list()) any = any || item.is_tensor() || item.is_list();
    if (!any) return;
    std::vector<Value> items = v.to_list();
    for (Value& item : items) replace_tensors(item, f);
    v = Value::list(std::move(items), v.element_kind());
  }
}

}  // namespace tenon::detail
