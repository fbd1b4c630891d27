// Things of a user's own that a node keeps.
#pragma once
#include <any>
#include <string>
#include <string_view>

#include <tenon/autograd/graph/extras.hpp>

namespace tenon::autograd {

/// Keeps a value with a node under a name.
inline void set_metadata(Node& node, std::string name, std::any value) {
  NodeExtras& extras = node.need_extras();
  std::lock_guard lock(extras.mutex);
  extras.metadata.insert_or_assign(std::move(name), std::move(value));
}
/// What a node keeps under a name; empty if nothing.
inline std::any metadata(const Node& node, std::string_view name) {
  NodeExtras* extras = node.extras();
  if (!extras) return {};
  std::lock_guard lock(extras->mutex);
  auto at = extras->metadata.find(name);
  return at == extras->metadata.end() ? std::any() : at->second;
}

}  // namespace tenon::autograd
