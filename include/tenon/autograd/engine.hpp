// Running the graph backwards: nodes in the order of their sequence numbers, on the calling thread.
#pragma once
#include <algorithm>
#include <optional>
#include <unordered_set>

#include <tenon/autograd/view.hpp>

namespace tenon::autograd {

namespace detail {

/// Makes a gradient fit the result it belongs to: real for real, cast, summed where the forward pass broadcast.
/// Throws AutogradError if the shapes have nothing to do with each other.
inline void fit_gradient(Tensor& grad, const ResultInfo& info, const Node& node) {
  if (!grad.defined()) return;
  if (grad.sizes() != IntArrayRef(info.sizes)) {
    std::size_t extra = static_cast<std::size_t>(grad.dim()) - info.sizes.size();
    bool fits = static_cast<std::size_t>(grad.dim()) >= info.sizes.size();
    DimVector dims;
    for (std::size_t d = 0; fits && d < static_cast<std::size_t>(grad.dim()); ++d) {
      if (d < extra)
        dims.push_back(static_cast<std::int64_t>(d));
      else if (info.sizes[d - extra] == 1 && grad.sizes()[d] != 1)
        dims.push_back(static_cast<std::int64_t>(d));
      else
        fits = info.sizes[d - extra] == grad.sizes()[d];
    }
    if (!fits)
      fail<AutogradError>("Function ", node.name(), " returned an invalid gradient: got ", grad.sizes(),
                          " but expected shape compatible with ", IntArrayRef(info.sizes));
    if (!dims.empty()) grad = ops::sum(grad, IntArrayRef(dims), true);
    grad = ops::reshape(grad, IntArrayRef(info.sizes));
  }
  if (grad.dtype() != info.dtype) grad = ops::to(grad, info.dtype);
}

inline void add_into(Tensor& slot, Tensor&& grad) {
  if (!slot.defined()) slot = std::move(grad);
  // Nobody else sees a tensor that this run made and alone holds.
  else if (!is_grad_enabled() && slot.use_count() == 1 && slot.storage().use_count() == 1 &&
           slot.is_non_overlapping_and_dense() && slot.sizes() == grad.sizes() && slot.dtype() == grad.dtype())
    ops::add_(slot, grad);
  else
    slot = ops::add(slot, grad);
}

/// One run: which nodes wait with which gradients.
class Run {
 public:
  bool keep_graph = false;
  /// Gradients asked for by place instead of accumulated: node, result, where to put them.
  struct Capture {
    Node* node;
    std::uint32_t index;
    Tensor* to;
  };
  std::vector<Capture> captures;
  const std::unordered_set<const Node*>* only = nullptr;

  void add(const intrusive_ptr<Node>& node, std::uint32_t index, Tensor grad) {
    if (only && !only->count(node.get())) return;
    std::size_t at = find(node);
    add_into(tasks_[at].grads[index], std::move(grad));
  }

  void execute() {
    Tensor few[8];
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), less{this});
      std::size_t at = heap_.back();
      heap_.pop_back();
      intrusive_ptr<Node> node = std::move(tasks_[at].node);
      std::vector<Tensor> grads = std::move(tasks_[at].grads);
      bool captured = false, any = false;
      for (unsigned i = 0; i < grads.size(); ++i) {
        if (i < node->n_inputs()) fit_gradient(grads[i], node->results()[i], *node);
        any = any || grads[i].defined();
      }
      for (const Capture& c : captures)
        if (c.node == node.get()) {
          *c.to = grads[c.index];
          captured = true;
        }
      // An accumulation that was captured does not also change the leaf.
      if ((captured && node->n_edges() == 0) || !any) continue;
      unsigned n = node->n_edges();
      std::vector<Tensor> many;
      Tensor* out = few;
      if (n > 8) {
        many.resize(n);
        out = many.data();
      }
      node->apply(grads.data(), out);
      if (!keep_graph) node->release_saved();
      for (unsigned i = 0; i < n; ++i) {
        Tensor grad = std::move(out[i]);
        if (grad.defined() && node->edges()[i]) add(node->edges()[i].node, node->edges()[i].index, std::move(grad));
      }
    }
  }

 private:
  struct Task {
    intrusive_ptr<Node> node;
    std::vector<Tensor> grads;
    std::uint64_t sequence;
  };
  struct less {
    Run* run;
    bool operator()(std::size_t a, std::size_t b) const { return run->tasks_[a].sequence < run->tasks_[b].sequence; }
  };
  // Open addressing: graphs are small and a node is looked up once per gradient that reaches it. The cell of a node
  // that has run stays taken: what follows it has smaller numbers, so it is not met again.
  std::size_t find(const intrusive_ptr<Node>& node) {
    if ((waiting_ + 1) * 2 > table_.size()) grow();
    std::size_t mask = table_.size() - 1, i = hash(node.get()) & mask;
    for (; table_[i].node; i = (i + 1) & mask)
      if (table_[i].node == node.get()) return table_[i].task;
    ++waiting_;
    tasks_.push_back({node, std::vector<Tensor>(node->n_inputs()), node->sequence()});
    table_[i] = {node.get(), tasks_.size() - 1};
    heap_.push_back(tasks_.size() - 1);
    std::push_heap(heap_.begin(), heap_.end(), less{this});
    return tasks_.size() - 1;
  }
  void grow() {
    std::vector<Cell> old = std::move(table_);
    table_.assign(old.empty() ? 32 : old.size() * 2, Cell{});
    std::size_t mask = table_.size() - 1;
    for (const Cell& c : old) {
      if (!c.node) continue;
      std::size_t i = hash(c.node) & mask;
      while (table_[i].node) i = (i + 1) & mask;
      table_[i] = c;
    }
  }
  static std::size_t hash(const Node* node) {
    return (reinterpret_cast<std::uintptr_t>(node) >> 6) * 0x9e3779b97f4a7c15u >> 20;
  }
  struct Cell {
    Node* node = nullptr;
    std::size_t task = 0;
  };
  std::vector<Task> tasks_;
  std::vector<std::size_t> heap_;
  std::vector<Cell> table_;
  std::size_t waiting_ = 0;
};

inline Tensor initial_gradient(const Tensor& root, const Tensor& given) {
  if (given.defined()) {
    if (given.sizes() != root.sizes())
      fail<ValueError>("Mismatch in shape: grad_output has a shape of ", given.sizes(), " and output has a shape of ",
                       root.sizes(), ".");
    return given;
  }
  if (root.numel() != 1) fail<ValueError>("grad can be implicitly created only for scalar outputs");
  if (is_complex_type(root.dtype()))
    fail<ValueError>("grad can be implicitly created only for real scalar outputs but got ", root.dtype());
  return ops::ones_like(root);
}

inline void check_root(const Tensor& root, std::size_t i) {
  if (!root.requires_grad())
    fail<AutogradError>("element ", i, " of tensors does not require grad and does not have a grad_fn");
}

/// The nodes from which some of the wanted places can be reached.
inline bool reaches(const Node* start, const std::unordered_set<const Node*>& wanted,
                    std::unordered_set<const Node*>& needed) {
  // Post-order without recursion: graphs are as deep as programs are long.
  std::unordered_set<const Node*> seen;
  std::vector<std::pair<const Node*, unsigned>> path{{start, 0}};
  seen.insert(start);
  if (wanted.count(start)) needed.insert(start);
  while (!path.empty()) {
    const Node* node = path.back().first;
    unsigned next = path.back().second;
    if (next < node->n_edges()) {
      ++path.back().second;
      const Node* child = node->edges()[next].node.get();
      if (!child) continue;
      if (seen.insert(child).second) {
        if (wanted.count(child)) needed.insert(child);
        path.emplace_back(child, 0);
      } else if (needed.count(child)) {
        needed.insert(node);
      }
    } else {
      path.pop_back();
      if (!path.empty() && needed.count(node)) needed.insert(path.back().first);
    }
  }
  return needed.count(start) != 0;
}

}  // namespace detail

/// Adds to every leaf's grad() the gradient of the roots' weighted sum.
/// Shapes: each gradient as its root; an undefined one stands for 1 and needs a root of one element.
/// Errors: AutogradError if a root does not require grad, or the graph was freed by an earlier run.
inline void backward(TensorList roots, TensorList gradients = {}, std::optional<bool> retain_graph = std::nullopt,
                     bool create_graph = false) {
  detail::Run run;
  run.keep_graph = retain_graph.value_or(create_graph);
  AutoGradMode mode(create_graph);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    detail::check_root(roots[i], i);
    Edge edge = gradient_edge(roots[i]);
    run.add(edge.node, edge.index, detail::initial_gradient(roots[i], i < gradients.size() ? gradients[i] : Tensor()));
  }
  run.execute();
}

/// The gradients of the outputs' weighted sum with respect to `inputs`; leaves stay as they are.
/// Errors: AutogradError if an input does not require grad, or (unless `allow_unused`) was not used.
inline std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                                std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                                bool allow_unused = false) {
  detail::Run run;
  run.keep_graph = retain_graph.value_or(create_graph);
  std::vector<Tensor> result(inputs.size());
  std::unordered_set<const Node*> wanted, needed;
  std::vector<Edge> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad()) fail<AutogradError>("One of the differentiated Tensors does not require grad");
    places.push_back(gradient_edge(inputs[i]));
    wanted.insert(places.back().node.get());
    run.captures.push_back({places.back().node.get(), places.back().index, &result[i]});
  }
  AutoGradMode mode(create_graph);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    detail::check_root(outputs[i], i);
    Edge edge = gradient_edge(outputs[i]);
    detail::reaches(edge.node.get(), wanted, needed);
  }
  run.only = &needed;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Edge edge = gradient_edge(outputs[i]);
    run.add(edge.node, edge.index,
            detail::initial_gradient(outputs[i], i < grad_outputs.size() ? grad_outputs[i] : Tensor()));
  }
  run.execute();
  for (const Tensor& g : result)
    if (!g.defined() && !allow_unused)
      fail<AutogradError>(
          "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.");
  return result;
}

}  // namespace tenon::autograd
