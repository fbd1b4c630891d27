// The end of the graph: gradients of leaves are added up in the leaf.
#pragma once
#include <tenon/autograd/meta.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/pointwise.hpp>

namespace tenon::autograd {

/// Adds what arrives to a leaf's gradient. Holds the leaf; the leaf holds it weakly.
class AccumulateGrad final : public Node {
 public:
  explicit AccumulateGrad(Tensor leaf) : leaf_(std::move(leaf)) {
    sequence_ = 0;
    add_result(leaf_);
  }
  std::string name() const override { return "AccumulateGrad"; }
  const Tensor& leaf() const { return leaf_; }
  void apply(Tensor* grads, Tensor*) override {
    Tensor& fresh = grads[0];
    if (!fresh.defined() || !leaf_.requires_grad()) return;
    AutogradMeta& meta = need_meta(leaf_);
    std::lock_guard lock(meta.mutex);
    if (!meta.grad.defined()) {
      bool keep = is_grad_enabled() ||
                  (fresh.use_count() == 1 && fresh.is_non_overlapping_and_dense() && fresh.storage().use_count() == 1);
      if (keep)
        meta.grad = std::move(fresh);
      else
        meta.grad = ops::clone(fresh);
    } else if (is_grad_enabled()) {
      meta.grad = ops::add(meta.grad, fresh);
    } else {
      ops::add_(meta.grad, fresh);
    }
  }

 private:
  Tensor leaf_;
};

inline Edge gradient_edge(const Tensor& t) {
  if (!t.requires_grad()) return {};
  if (auto fn = grad_fn_of(t)) return {std::move(fn), meta_of(t)->result_index};
  AutogradMeta& meta = need_meta(t);
  std::lock_guard lock(meta.mutex);
  auto node = meta.accumulator.lock();
  if (!node) {
    node = make_intrusive<AccumulateGrad>(t);
    meta.accumulator = weak_intrusive_ptr<Node>(node);
  }
  return {std::move(node), 0};
}

}  // namespace tenon::autograd
