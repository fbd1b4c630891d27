// The nodes that edges lead to.
#pragma once
#include <unordered_set>
#include <vector>

#include <tenon/autograd/node.hpp>

namespace tenon::autograd::detail {

[[gnu::cold]] inline std::unordered_set<const Node*> reached_from(const Edge& first, const std::vector<Edge>& more) {
  std::unordered_set<const Node*> reached;
  std::vector<const Node*> path;
  auto enter = [&](const Edge& edge) {
    const Node* node = edge.node.get();
    if (node && reached.insert(node).second) path.push_back(node);
  };
  enter(first);
  for (const Edge& root : more) enter(root);
  while (!path.empty()) {
    const Node* node = path.back();
    path.pop_back();
    for (unsigned i = 0; i < node->n_edges(); ++i) enter(node->edges()[i]);
  }
  return reached;
}

}  // namespace tenon::autograd::detail
