// The recorded graph: nodes, the edges between them, and what a node knows of the results it stands for.
#pragma once
#include <string>
#include <vector>

#include <tenon/autograd/mode.hpp>

namespace tenon {

class Node;

namespace detail {
TENON_THREAD_WORD(Node*, dying_nodes, nullptr);
TENON_THREAD_WORD(bool, burying_nodes, false);
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
};

/// One recorded operation. Its inputs are the gradients of the operation's results, its edges lead to where the
/// operation's arguments came from.
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

  Edge* edges() const { return edges_; }
  unsigned n_edges() const { return n_edges_; }
  std::uint32_t n_inputs() const { return n_results_; }
  const ResultInfo& result(unsigned i) const { return i == 0 ? first_result_ : more_results_[i - 1]; }
  /// Larger than that of every node its edges lead to; accumulation into leaves has 0, so that it comes last.
  std::uint64_t sequence() const { return sequence_; }
  /// Whether edge i needs a gradient.
  bool should_compute(unsigned i) const { return i < n_edges_ && static_cast<bool>(edges_[i].node); }

  /// Adds a result; returns its index.
  std::uint32_t add_result(const Tensor& t) {
    ResultInfo& info = n_results_ == 0 ? first_result_ : more_results_.emplace_back();
    info.sizes = t.sizes();
    info.dtype = t.dtype();
    info.device = t.device();
    return n_results_++;
  }
  /// Keeps the place of a result that is not there: gradients are counted as the results are.
  void skip_result() {
    if (n_results_ != 0) more_results_.emplace_back();
    ++n_results_;
  }
  void set_sequence_above_edges() {
    std::uint64_t highest = 0;
    for (unsigned i = 0; i < n_edges_; ++i)
      if (edges_[i].node && edges_[i].node->sequence_ > highest) highest = edges_[i].node->sequence_;
    sequence_ = highest + 1;
  }

 protected:
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
  std::uint64_t sequence_ = 1;

 private:
  // Most operations have one result.
  ResultInfo first_result_;
  std::vector<ResultInfo> more_results_;
  std::uint32_t n_results_ = 0;
  Node* next_dying_ = nullptr;
};

namespace detail {
/// A node with its edges in a vector: for the few kinds that are not made by derivative declarations.
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
}  // namespace detail

}  // namespace tenon
