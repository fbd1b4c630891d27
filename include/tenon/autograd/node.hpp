// The recorded graph: nodes, the edges between them, and what a node knows of the results it stands for.
#pragma once
#include <string>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/atomic.hpp>

namespace tenon {

class Node;
namespace autograd {
class NodeExtras;
struct SavedTensor;
}  // namespace autograd

namespace detail {
TENON_THREAD_WORD(Node*, dying_nodes, nullptr);
TENON_THREAD_WORD(bool, burying_nodes, false);
TENON_THREAD_WORD(std::uint64_t, last_sequence, 0);  // of the nodes that this thread made
}  // namespace detail

/// Where a gradient goes: input `index` of a node, or nowhere.
struct Edge {
  intrusive_ptr<Node> node;
  std::uint32_t index = 0;
  explicit operator bool() const { return static_cast<bool>(node); }
};

/// The shape and dtype that a gradient must have, as those of the result it belongs to.
struct ResultInfo {
  DimVector sizes;
  ScalarType dtype = ScalarType::Undefined;
  Device device;
  void set(const Tensor& x) {
    const TensorImpl& t = x.impl();
    dtype = t.dtype();
    device = t.device();
    sizes = x.sizes();
  }
};

/// One recorded operation. Its inputs are the gradients of the operation's results, its edges lead to where the
/// operation's arguments came from. Kinds of one's own derive from VectorNode; autograd/graph/hooks.hpp watches and
/// changes what goes through a node, autograd/graph/metadata.hpp keeps things with it.
class Node : public RefCounted {
 public:
  TENON_INTERNAL_BLOCK_ALLOCATED
  /// `MulBackward0`
  virtual std::string name() const = 0;
  /// From the gradients of all results (undefined ones are zero) the gradient of every edge; `out` has one place per
  /// edge.
  virtual void apply(Tensor* grads, Tensor* out) = 0;
  /// Gives up saved tensors; a second use then throws AutogradError.
  virtual void release_saved() {}
  /// Reads what is saved, as apply() would: for a node that gets no gradient. What was given up or written since
  /// throws.
  virtual void check_saved() {}
  /// Calls `visit(context, tensor)` for every tensor that the node keeps.
  virtual void each_saved(void (*)(void* context, const Tensor&), void*) const {}
  /// What a saved tensor of this node is, and to whom: `argument 'self' of aten::mul.Tensor`.
  virtual std::string place_of(const autograd::SavedTensor&) const { return "a tensor of " + name(); }

  Edge* edges() const { return edges_; }
  unsigned n_edges() const { return n_edges_; }
  std::uint32_t n_inputs() const { return n_results_; }
  const ResultInfo& result(unsigned i) const { return i == 0 ? first_result_ : more_results_[i - 1]; }
  /// Counts the nodes of a thread as they are made, and is larger than that of every node the edges lead to: the engine
  /// runs the largest first. Accumulation into leaves has 0.
  std::uint64_t sequence() const { return sequence_; }
  /// Hooks and metadata; null for most nodes.
  autograd::NodeExtras* extras() const { return extras_.load(MemoryOrder::Acquire); }
  /// The same, made where there are none.
  autograd::NodeExtras& need_extras();
  /// Whether the node gives gradients even if all that it gets are undefined.
  bool runs_without_gradients() const { return runs_without_gradients_; }
  /// Whether edge i needs a gradient.
  bool should_compute(unsigned i) const { return i < n_edges_ && static_cast<bool>(edges_[i].node); }

  /// Adds a result; returns its index.
  std::uint32_t add_result(const Tensor& x) {
    if (n_results_ != 0) [[unlikely]]
      return add_further_result(x);
    first_result_.set(x);
    n_results_ = 1;
    return 0;
  }
  /// Keeps the place of a result that is not there: gradients are counted as the results are.
  void skip_result();
  void set_sequence_above_edges() {
    std::uint64_t highest = detail::last_sequence;
    for (unsigned i = 0; i < n_edges_; ++i)
      if (edges_[i].node && edges_[i].node->sequence_ > highest) highest = edges_[i].node->sequence_;
    detail::last_sequence = sequence_ = highest + 1;
  }

 protected:
  Node() = default;
  ~Node() override {
    if (extras()) [[unlikely]]
      drop_extras();
  }
  /// Who knows the node weakly keeps its memory, not its hooks: these may be what knows it.
  void release_resources() noexcept override {
    if (extras()) [[unlikely]]
      drop_extras();
  }
  /// Takes over the hooks of a node that this one stands for from now on.
  void share_extras(const Node& other);
  /// Ends the node and returns its memory.
  virtual void bury() noexcept { delete this; }
  // A long chain of nodes ends in a loop, not in a recursion as deep as the chain.
  void destroy() noexcept final {
    next_dying_ = std::exchange(detail::dying_nodes, this);
    if (detail::burying_nodes) return;
    detail::burying_nodes = true;
    while (Node* node = detail::dying_nodes) {
      detail::dying_nodes = node->next_dying_;
      node->bury();
    }
    detail::burying_nodes = false;
  }

  Edge* edges_ = nullptr;
  std::uint32_t n_edges_ = 0;
  bool runs_without_gradients_ = false;
  std::uint64_t sequence_ = 1;

 private:
  std::uint32_t add_further_result(const Tensor& x);
  void drop_extras() noexcept;

  // Most operations have one result.
  ResultInfo first_result_;
  std::vector<ResultInfo> more_results_;
  std::uint32_t n_results_ = 0;
  Node* next_dying_ = nullptr;
  Atomic<autograd::NodeExtras*> extras_{nullptr};
};

/// A node with its edges in a vector: for the few kinds that are not made by derivative declarations, and for a user's.
/// Derive, define `name` and `apply`, call `set_edges` with the arguments' `autograd::gradient_edge` and `add_result`
/// for each result, then `autograd::set_gradient_edge(result, node, index)`.
class VectorNode : public Node {
 public:
  void set_edges(std::vector<Edge> edges) {
    list_ = std::move(edges);
    edges_ = list_.data();
    n_edges_ = static_cast<std::uint32_t>(list_.size());
    set_sequence_above_edges();
  }

 private:
  std::vector<Edge> list_;
};
namespace detail {
using tenon::VectorNode;
}

}  // namespace tenon
