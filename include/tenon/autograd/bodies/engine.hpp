// Running the graph backwards.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <unordered_set>

#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

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

/// One run: which nodes wait with which gradients. It holds the edges of the roots, and these hold all nodes.
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

  /// A root with its gradient.
  void start(Edge root, Tensor grad) {
    add(root, std::move(grad));
    if (!first_root_)
      first_root_ = std::move(root);
    else
      more_roots_.push_back(std::move(root));
  }

  void execute() {
    constexpr unsigned kFewEdges = 6;
    Tensor few[kFewEdges];
    std::vector<Tensor> many;
    while (alone_.node || !waiting_.empty()) {
      Task task = alone_.node ? std::exchange(alone_, Task{}) : pop();
      Node& node = *task.node;
      Tensor* grads = task.many.empty() ? &task.one : task.many.data();
      bool captured = false, any = false;
      for (unsigned i = 0; i < node.n_inputs(); ++i) {
        fit_gradient(grads[i], node.result(i), node);
        any = any || grads[i].defined();
      }
      for (const Capture& c : captures)
        if (c.node == &node) {
          *c.to = grads[c.index];
          captured = true;
        }
      unsigned n = node.n_edges();
      // An accumulation that was captured does not also change the leaf.
      if ((captured && n == 0) || !any) continue;
      Tensor* out = few;
      if (n > kFewEdges) {
        many.resize(n);
        out = many.data();
      }
      node.apply(grads, out);
      if (!keep_graph) node.release_saved();
      for (unsigned i = 0; i < n; ++i) {
        Tensor grad = std::move(out[i]);
        if (grad.defined() && node.edges()[i]) add(node.edges()[i], std::move(grad));
      }
    }
  }

 private:
  static constexpr std::size_t kFew = 16;
  void add(const Edge& to, Tensor grad) {
    if (only && !only->count(to.node.get())) return;
    Task& task = place_of(to.node.get());
    Tensor& slot = task.many.empty() ? task.one : task.many[to.index];
    // Gradients of a broadcast operand come in the shape of the result: each is summed on its own.
    if (slot.defined() && (slot.sizes() != grad.sizes() || slot.dtype() != grad.dtype())) [[unlikely]] {
      fit_gradient(slot, to.node->result(to.index), *to.node);
      fit_gradient(grad, to.node->result(to.index), *to.node);
    }
    add_into(slot, std::move(grad));
  }

  struct Task {
    Node* node = nullptr;
    Tensor one;
    std::vector<Tensor> many;  // of a node with several results
  };
  struct Waiting {
    std::uint64_t sequence;
    std::uint32_t task;
    friend bool operator<(const Waiting& a, const Waiting& b) { return a.sequence < b.sequence; }
  };
  struct Cell {
    Node* node = nullptr;
    std::uint32_t task = 0;
  };

  Task pop() {
    std::pop_heap(waiting_.begin(), waiting_.end());
    Task task = std::move(tasks_[waiting_.back().task]);
    waiting_.pop_back();
    return task;
  }

  // A chain has one node waiting at a time: it needs no list until a second comes.
  Task& place_of(Node* node) {
    if (alone_.node == node) return alone_;
    if (alone_.node) {
      Task first = std::exchange(alone_, Task{});
      task_of(first.node).one = std::move(first.one);
    } else if (waiting_.empty() && node->n_inputs() == 1) {
      alone_.node = node;
      return alone_;
    }
    return task_of(node);
  }

  // Few tasks are searched, many found by a table with open addressing. The place of a node that has run stays taken:
  // what follows it has smaller numbers, so it is not met again.
  Task& task_of(Node* node) {
    std::size_t at;
    if (tasks_.size() <= kFew) {
      for (at = tasks_.size(); at-- > 0;)
        if (tasks_[at].node == node) return tasks_[at];
      if (tasks_.size() == kFew) grow();
    } else if (const Cell& cell = cell_of(node); cell.node) {
      return tasks_[cell.task];
    }
    at = tasks_.size();
    if (at == 0) {
      tasks_.reserve(kFew);
      waiting_.reserve(kFew);
    }
    if (at >= kFew) {
      if ((at + 1) * 2 > table_.size()) grow();
      cell_of(node) = {node, static_cast<std::uint32_t>(at)};
    }
    Task& task = tasks_.emplace_back(Task{node, {}, {}});
    if (node->n_inputs() > 1) task.many.resize(node->n_inputs());
    waiting_.push_back({node->sequence(), static_cast<std::uint32_t>(at)});
    std::push_heap(waiting_.begin(), waiting_.end());
    return task;
  }
  Cell& cell_of(Node* node) {
    std::size_t mask = table_.size() - 1, i = hash(node) & mask;
    while (table_[i].node && table_[i].node != node) i = (i + 1) & mask;
    return table_[i];
  }
  void grow() {
    table_.assign(std::max(4 * kFew, 2 * table_.size()), Cell{});
    for (std::uint32_t i = 0; i < tasks_.size(); ++i) cell_of(tasks_[i].node) = {tasks_[i].node, i};
  }
  static std::size_t hash(const Node* node) {
    return (reinterpret_cast<std::uintptr_t>(node) >> 6) * 0x9e3779b97f4a7c15u >> 32;
  }

  Task alone_;
  Edge first_root_;
  std::vector<Edge> more_roots_;
  // The lists of a small graph lie in the run itself.
  alignas(std::max_align_t) std::byte memory_[kFew * (sizeof(Task) + sizeof(Waiting)) + 64];
  std::pmr::monotonic_buffer_resource pool_{memory_, sizeof memory_};
  std::pmr::vector<Task> tasks_{&pool_};
  std::pmr::vector<Waiting> waiting_{&pool_};  // a heap
  std::vector<Cell> table_;
};

/// One gradient for each root, or none at all.
inline void check_count(TensorList roots, TensorList gradients) {
  if (!gradients.empty() && gradients.size() != roots.size())
    fail<ValueError>("got ", roots.size(), " tensors and ", gradients.size(), " gradients");
}

inline Tensor initial_gradient(const Tensor& root, const Tensor& given, std::size_t i) {
  if (given.defined()) {
    if (given.sizes() != root.sizes())
      fail<ValueError>("Mismatch in shape: grad_output[", i, "] has a shape of ", given.sizes(), " and output[", i,
                       "] has a shape of ", root.sizes(), ".");
    if (given.is_complex() != root.is_complex())
      fail<TypeError>(
          "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: grad_output[",
          i, "] has a dtype of ", given.dtype(), " and output[", i, "] has a dtype of ", root.dtype(), ".");
    return given;
  }
  if (root.numel() != 1) fail<ValueError>("grad can be implicitly created only for scalar outputs");
  if (is_complex_type(root.dtype()))
    fail<ValueError>("grad can be implicitly created only for real scalar outputs but got ", root.dtype());
  if (root.dim() == 0 && root.device() == kCPU) return scalar_tensor(1, root.dtype());
  return ops::ones_like(root);
}

inline Edge root_edge(const Tensor& root, std::size_t i) {
  Edge edge = gradient_edge(root);
  if (!edge) fail<AutogradError>("element ", i, " of tensors does not require grad and does not have a grad_fn");
  return edge;
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

TENON_BODY void backward(TensorList roots, TensorList gradients, std::optional<bool> retain_graph, bool create_graph) {
  detail::check_count(roots, gradients);
  detail::Run run;
  run.keep_graph = retain_graph.value_or(create_graph);
  AutoGradMode mode(create_graph);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    Edge edge = detail::root_edge(roots[i], i);
    run.start(std::move(edge), detail::initial_gradient(roots[i], i < gradients.size() ? gradients[i] : Tensor(), i));
  }
  run.execute();
}

TENON_BODY std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs,
                                    std::optional<bool> retain_graph, bool create_graph, bool allow_unused) {
  if (inputs.empty()) fail<ValueError>("`inputs` argument to `grad()` cannot be empty.");
  detail::check_count(outputs, grad_outputs);
  detail::Run run;
  run.keep_graph = retain_graph.value_or(create_graph);
  std::vector<Tensor> result(inputs.size());
  std::unordered_set<const Node*> wanted, needed;
  std::vector<Edge> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad())
      fail<AutogradError>("The differentiated Tensor at index ", i, " does not require grad");
    places.push_back(gradient_edge(inputs[i]));
    if (!places.back()) continue;
    wanted.insert(places.back().node.get());
    run.captures.push_back({places.back().node.get(), places.back().index, &result[i]});
  }
  AutoGradMode mode(create_graph);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Edge edge = detail::root_edge(outputs[i], i);
    detail::reaches(edge.node.get(), wanted, needed);
  }
  run.only = &needed;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    run.start(gradient_edge(outputs[i]),
              detail::initial_gradient(outputs[i], i < grad_outputs.size() ? grad_outputs[i] : Tensor(), i));
  }
  run.execute();
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!result[i].defined() && !allow_unused)
      fail<AutogradError>(
          "The differentiated Tensor at index ", i,
          " appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.");
  return result;
}

}  // namespace tenon::autograd
