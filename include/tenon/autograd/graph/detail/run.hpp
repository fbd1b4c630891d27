// One run of the engine: which nodes wait with which gradients.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/autograd/graph/detail/block_allocator.hpp>
#include <tenon/autograd/graph/detail/fit_gradient.hpp>
#include <tenon/autograd/graph/detail/node_error.hpp>
#include <tenon/autograd/graph/detail/reached.hpp>
#include <tenon/autograd/graph/detail/run_hooks.hpp>
#include <tenon/autograd/graph/detail/run_state.hpp>

namespace tenon::autograd::detail {

/// The nodes that a run with wanted places enters, and whether it runs them or only reads what they get.
using Wanted = std::unordered_map<const Node*, bool>;

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
  const Wanted* only = nullptr;

  Run() : outer_(std::exchange(current_run, &state_)) { state_.run = this; }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { current_run = outer_; }

  /// Whether what a node gets is asked for, or leads there.
  bool enters(const Node* node) const { return !only || only->count(node); }
  /// A root with its gradient.
  void start(Edge&& root, Tensor&& grad, bool alone) {
    // As in PyTorch, one root has its hooks called though nothing wanted lies behind it.
    if (alone && only && !only->count(root.node.get()))
      unwanted_root(root, std::move(grad));
    else
      add(root, std::move(grad), nullptr);
    if (!first_root_)
      first_root_ = std::move(root);
    else
      more_roots_.push_back(std::move(root));
  }

  void execute() {
    try {
      started_ = true;
      if (has_hooked_leaf()) [[unlikely]]
        count_leaf_edges();
      for (;;) {
        if (Node* node = alone_) {
          alone_ = nullptr;
          Tensor grad = std::move(alone_gradient_);
          run(*node, &grad);
        } else if (!waiting_.empty()) {
          run(pop());
        } else {
          break;
        }
      }
      for (Task& task : tasks_)
        if (task.waits) run(task);
    } catch (...) {
      after_error();
      rethrow_from(state_.running);
    }
    for (std::size_t i = 0; i < state_.callbacks.size(); ++i) std::exchange(state_.callbacks[i], nullptr)();
  }

  /// Whether gradients come to a node, or would if nodes gave any.
  bool comes_by(const Node* node) {
    if (only) return only->count(node) != 0;
    if (!reached_) reached_ = reached_from(first_root_, more_roots_);
    return reached_->count(node) != 0;
  }

 private:
  static constexpr std::size_t kFew = 16;
  static constexpr unsigned kFewEdges = 6;
  struct Task {
    Node* node = nullptr;
    Tensor one;
    std::vector<Tensor> many;  // of a node with several results
    bool waits = true;
  };
  struct Waiting {
    std::uint64_t sequence;
    std::uint32_t task;
    friend bool operator<(const Waiting& a, const Waiting& b) { return a.sequence < b.sequence; }
  };
  static bool is_leaf_node(const Node* node) { return node->sequence() == 0; }

  /// What the task waits with leaves the list first: what runs may make that longer.
  void run(Task& task) {
    task.waits = false;
    Node& node = *task.node;
    if (task.many.empty()) {
      Tensor grad = std::move(task.one);
      run(node, &grad);
    } else {
      std::vector<Tensor> grads = std::move(task.many);
      run(node, grads.data());
    }
  }
  void run(Node& node, Tensor* grads) {
    state_.running = &node;
    edge_ = 0;
    NodeExtras* extras = node.extras();
    if (!captures.empty() && !capture(node, extras, grads)) return;
    unsigned n = node.n_edges();
    Tensor* out = few_;
    if (n > kFewEdges) {
      if (many_.size() < n) many_.resize(n);
      out = many_.data();
    }
    if (extras) [[unlikely]]
      apply_with_hooks(node, *extras, grads, out);
    else
      apply(node, grads, out);
    for (unsigned i = 0; i < n; ++i) {
      const Edge& edge = node.edges()[i];
      // Also an undefined gradient arrives: hooks are given it, and some nodes make zeros of it.
      if (edge) {
        edge_ = i;
        if (goes_on(edge, out[i])) [[likely]] {
          alone_ = edge.node.get();
          alone_gradient_ = std::move(out[i]);
          continue;
        }
        add(edge, std::move(out[i]), &node);
      }
      if (out[i].defined()) out[i].reset();
    }
    edge_ = n;
  }
  void apply(Node& node, Tensor* grads, Tensor* out) {
    bool any = grads[0].defined();
    for (unsigned i = 1; i < node.n_inputs(); ++i) any = any || grads[i].defined();
    if (any || node.runs_without_gradients()) [[likely]]
      node.apply(grads, out);
    else
      node.check_saved();
    if (anomaly != 0) [[unlikely]]
      check_numbers(node, out);
    if (!keep_graph) node.release_saved();
  }
  [[gnu::noinline]] void apply_with_hooks(Node& node, NodeExtras& extras, Tensor* grads, Tensor* out) {
    std::vector<Tensor> given = hooks_before(node, extras, grads);
    apply(node, grads, out);
    hooks_after(node, extras, out, given);
  }

  [[gnu::cold]] void unwanted_root(const Edge& root, Tensor grad) {
    if (NodeExtras* extras = root.node->extras()) {
      std::vector<Tensor> grads(root.node->n_inputs());
      grads[root.index] = std::move(grad);
      tensor_hooks(HookSection(), *root.node, *extras, grads.data());
    }
  }

  /// Takes what is asked for of a node's gradients; whether the node is to run.
  bool capture(Node& node, NodeExtras* extras, Tensor* grads) {
    auto at = only->find(&node);
    bool runs = at != only->end() && at->second;
    if (!runs && extras) tensor_hooks(HookSection(), node, *extras, grads);
    for (const Capture& c : captures)
      if (c.node == &node) *c.to = grads[c.index];
    return runs;
  }

  /// Whether all that add() would do is to let the node behind the edge wait alone: each step of a chain.
  bool goes_on(const Edge& to, const Tensor& grad) const {
    const Node* node = to.node.get();
    if (alone_ || only || counting_ || !waiting_.empty() || is_leaf_node(node) || node->n_inputs() != 1) return false;
    const TensorImpl* t = grad.unsafe_impl();
    const ResultInfo& info = node->result(0);
    return t && !t->is_symbolic() && same_here(t->sizes(), IntArrayRef(info.sizes)) && t->dtype() == info.dtype;
  }
  void add(const Edge& to, Tensor&& grad, const Node* from) {
    Node* node = to.node.get();
    if (only && !only->count(node)) return;
    bool leaf = is_leaf_node(node);
    if (leaf && !counting_ && started_ && node->extras()) [[unlikely]]
      count_leaf_edges();
    if (grad.defined()) {
      const ResultInfo& info = node->result(to.index);
      if (grad.sizes() != IntArrayRef(info.sizes) || grad.dtype() != info.dtype) [[unlikely]]
        fit_gradient(grad, info, from);
    }
    Tensor& slot = place_of(node, to.index);
    if (!slot.defined())
      slot = std::move(grad);
    else if (grad.defined())
      add_into(slot, std::move(grad));
    if (counting_ && leaf) [[unlikely]]
      arrived(node);
  }

  // ---- leaves with hooks: from the first one on, a leaf runs when its last gradient is there, as in PyTorch

  bool has_hooked_leaf() const {
    auto is = [](const Node* node) { return node && is_leaf_node(node) && node->extras(); };
    return is(alone_) || std::any_of(tasks_.begin(), tasks_.end(), [&](const Task& t) { return is(t.node); });
  }
  bool runs(const Node* node) const {
    if (!only) return true;
    auto at = only->find(node);
    return at != only->end() && at->second;
  }
  /// Counts the edges that gradients have not come along yet.
  void count_missing() {
    std::unordered_set<const Node*> seen;
    std::vector<const Node*> path;
    if (!missing_) missing_.emplace();
    auto enter = [&](const Node* from, unsigned first) {
      if (!runs(from)) return;
      for (unsigned i = first; i < from->n_edges(); ++i) {
        const Node* to = from->edges()[i].node.get();
        if (!to || !enters(to)) continue;
        if (is_leaf_node(to))
          ++(*missing_)[to];
        else if (seen.insert(to).second)
          path.push_back(to);
      }
    };
    for (const Waiting& w : waiting_)
      if (const Node* node = tasks_[w.task].node; !is_leaf_node(node) && seen.insert(node).second) path.push_back(node);
    if (state_.running) enter(state_.running, edge_);
    while (!path.empty()) {
      const Node* node = path.back();
      path.pop_back();
      enter(node, 0);
    }
  }
  void leave_alone() {
    if (Node* first = std::exchange(alone_, nullptr)) task_of(first).one = std::move(alone_gradient_);
  }
  [[gnu::cold]] void count_leaf_edges() {
    leave_alone();
    count_missing();
    std::erase_if(waiting_, [&](const Waiting& w) { return is_leaf_node(tasks_[w.task].node); });
    std::make_heap(waiting_.begin(), waiting_.end());
    counting_ = true;
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (tasks_[i].waits && is_leaf_node(tasks_[i].node) && !missing_->count(tasks_[i].node)) push_first(i);
  }
  void push_first(std::size_t task) {
    waiting_.push_back({UINT64_MAX, static_cast<std::uint32_t>(task)});
    std::push_heap(waiting_.begin(), waiting_.end());
  }
  void arrived(Node* leaf) {
    auto at = missing_->find(leaf);
    if (at != missing_->end() && --at->second == 0)
      push_first(static_cast<std::size_t>(&task_of(leaf) - tasks_.data()));
  }
  /// Leaves whose gradient is complete get it though the run ends here.
  [[gnu::cold]] void after_error() {
    if (!captures.empty() || counting_) return;
    Node* failed = state_.running;
    try {
      leave_alone();
      count_missing();
      for (Task& task : tasks_)
        if (task.waits && is_leaf_node(task.node) && !missing_->count(task.node)) run(task);
    } catch (...) {}
    state_.running = failed;
  }

  struct Cell {
    Node* node = nullptr;
    std::uint32_t task = 0;
  };

  Task& pop() {
    std::pop_heap(waiting_.begin(), waiting_.end());
    Task& task = tasks_[waiting_.back().task];
    waiting_.pop_back();
    return task;
  }

  // A chain has one node waiting at a time: it needs no list until a second comes.
  Tensor& place_of(Node* node, std::uint32_t index) {
    if (alone_ == node) return alone_gradient_;
    if (alone_) {
      leave_alone();
    } else if (waiting_.empty() && node->n_inputs() == 1 && !counting_) {
      alone_ = node;
      return alone_gradient_;
    }
    Task& task = task_of(node);
    return task.many.empty() ? task.one : task.many[index];
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
    if (counting_ && is_leaf_node(node)) return task;
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

  RunState state_;
  RunState* outer_;
  unsigned edge_ = 0;  // of the node that runs: the first along which nothing has gone yet
  bool started_ = false, counting_ = false;
  std::optional<std::unordered_map<const Node*, std::uint32_t>> missing_;  // edges into leaves
  Tensor few_[kFewEdges];
  std::vector<Tensor> many_;
  Node* alone_ = nullptr;  // the one that waits, with
  Tensor alone_gradient_;
  Edge first_root_;
  std::vector<Edge> more_roots_;
  std::optional<std::unordered_set<const Node*>> reached_;  // from the roots; where asked for
  std::vector<Task, BlockAllocator<Task>> tasks_;
  std::vector<Waiting, BlockAllocator<Waiting>> waiting_;  // a heap
  std::vector<Cell> table_;
};

}  // namespace tenon::autograd::detail
