// Walking a graph, drawing it, weighing it.
#pragma once
#include <any>
#include <unordered_map>
#include <unordered_set>

#include <tenon/autograd/graph/dot.hpp>
#include <tenon/autograd/graph/extras.hpp>
#include <tenon/base/body.hpp>

namespace tenon::autograd {

TENON_COLD_BODY void each_node(TensorList tensors, const std::function<void(Node&)>& visit) {
  std::unordered_set<const Node*> seen;
  std::vector<Node*> list;
  std::vector<Edge> roots;
  auto enter = [&](Node* node) {
    if (node && seen.insert(node).second) list.push_back(node);
  };
  for (const Tensor& t : tensors) {
    roots.push_back(t.defined() ? gradient_edge(t) : Edge());
    enter(roots.back().node.get());
  }
  for (std::size_t at = 0; at < list.size(); ++at) {
    visit(*list[at]);
    for (unsigned i = 0; i < list[at]->n_edges(); ++i) enter(list[at]->edges()[i].node.get());
  }
}

TENON_COLD_BODY std::string to_dot(const Tensor& tensor) {
  std::unordered_map<const Node*, std::size_t> numbers;
  each_node(TensorList(tensor), [&](Node& node) { numbers.emplace(&node, numbers.size()); });
  std::string text = "digraph {\n  node [shape=box];\n";
  each_node(TensorList(tensor), [&](Node& node) {
    std::size_t number = numbers.at(&node);
    std::string name;
    for (char c : node.name()) {
      if (c == '"' || c == '\\') name += '\\';
      name += c;
    }
    text += concat("  n", number, " [label=\"", name);
    for (unsigned i = 0; i < node.n_inputs(); ++i) text += concat("\\n", IntArrayRef(node.result(i).sizes));
    text += "\"];\n";
    for (unsigned i = 0; i < node.n_edges(); ++i)
      if (const Edge& edge = node.edges()[i]) {
        text += concat("  n", number, " -> n", numbers.at(edge.node.get()));
        if (edge.node->n_inputs() > 1) text += concat(" [label=\"", edge.index, "\"]");
        text += ";\n";
      }
  });
  return text + "}\n";
}

TENON_COLD_BODY std::size_t saved_bytes(TensorList tensors, TensorList besides) {
  struct Sum {
    std::unordered_set<const void*> seen;
    std::size_t bytes = 0;
    void add(const Tensor& t) {
      if (t.defined() && t.storage() && seen.insert(t.storage().impl().get()).second) bytes += t.storage().nbytes();
    }
  } sum;
  for (const Tensor& t : besides) sum.add(t);
  sum.bytes = 0;
  each_node(tensors, [&](Node& node) {
    node.each_saved([](void* to, const Tensor& t) { static_cast<Sum*>(to)->add(t); }, &sum);
    if (const NodeExtras* extras = node.extras())
      for (const auto& packed : extras->packed) {
        if (auto* t = std::any_cast<Tensor>(&packed.value)) sum.add(*t);
        if (auto* kept = std::any_cast<std::pair<Device, Tensor>>(&packed.value)) sum.add(kept->second);
      }
  });
  return sum.bytes;
}

}  // namespace tenon::autograd
