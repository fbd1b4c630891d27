// What a tensor is to autograd: the end of the graph, where gradients of leaves are added up, and the members of
// Tensor.
#pragma once
#include <mutex>

#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/graph/detail/run_hooks.hpp>
#include <tenon/autograd/meta.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::autograd {

/// Adds what arrives to a leaf's gradient. The leaf holds it; it knows the leaf as long as that lives.
class AccumulateGrad final : public Node {
 public:
  /// `before`: the node that did so until now; its hooks stay.
  AccumulateGrad(const Tensor& leaf, AccumulateGrad* before) : leaf_(leaf.impl_ptr()) {
    sequence_ = 0;
    runs_without_gradients_ = true;  // for the hooks
    add_result(leaf);
    if (!before) return;
    share_extras(*before);
    // Another thread may be about to take the old one. The one before that nobody has read since the leaf was changed.
    before->before_ = nullptr;
    before_ = intrusive_ptr<Node>::adopt(before);
  }
  std::string name() const override { return "AccumulateGrad"; }
  void apply(Tensor* grads, Tensor*) override {
    Tensor leaf(leaf_.lock());
    Tensor& fresh = grads[0];
    if (!leaf.defined()) return;
    if (fresh.defined() && leaf.requires_grad()) accumulate(leaf, fresh);
    // Those of a leaf that nothing flowed back to run as well, as hooks on its gradient do.
    if (NodeExtras* hooks = extras(); hooks && !hooks->after_accumulation.empty()) [[unlikely]]
      hooks->after_accumulation.each(detail::HookSection(), [&](const auto& hook) { hook(leaf); });
  }

 private:
  static void accumulate(const Tensor& leaf, Tensor& fresh) {
    AutogradMeta& meta = need_meta(leaf);
    if (meta.grad_fn) [[unlikely]]
      fail<AutogradError>(
          "leaf variable has been moved into the graph interior: it was detached and written in place since it was used; clone() it before the write");
    std::lock_guard lock(meta.mutex);
    if (!meta.grad.defined()) {
      bool alone = fresh.use_count() == 1 && fresh.storage().use_count() == 1;
      if (alone && laid_out_as(fresh, leaf))
        meta.grad = std::move(fresh);
      else
        meta.grad = copy_laid_out_as(fresh, leaf);
    } else if (is_grad_enabled()) {
      meta.grad = ops::add(meta.grad, fresh);
    } else {
      AutoDispatchBelowAutograd guard;
      ops::add_(meta.grad, fresh);
    }
  }

  // A gradient has the strides of its leaf, or the usual ones if the leaf has gaps.
  static bool laid_out_as(const Tensor& grad, const Tensor& leaf) {
    return leaf.is_non_overlapping_and_dense() ? grad.strides() == leaf.strides() : grad.is_contiguous();
  }
  static Tensor copy_laid_out_as(const Tensor& grad, const Tensor& leaf) {
    if (laid_out_as(grad, leaf)) return ops::clone(grad);
    if (leaf.is_contiguous() || !leaf.is_non_overlapping_and_dense())
      return ops::clone(grad, "memory_format"_a = MemoryFormat::Contiguous);
    Tensor copy =
        ops::empty_strided(leaf.sizes(), leaf.strides(), "dtype"_a = grad.dtype(), "device"_a = grad.device());
    ops::copy_(copy, grad);
    return copy;
  }

  weak_intrusive_ptr<TensorImpl> leaf_;
  intrusive_ptr<Node> before_;
};

namespace detail {
/// Of a view or a leaf.
[[gnu::noinline]] inline Edge edge_of_view_or_leaf(const Tensor& t, AutogradMeta& meta) {
  if (meta.view) {
    if (!t.requires_grad()) return {};
    if (auto fn = grad_fn_of(t)) return {std::move(fn), meta_of(t)->result_index};
  }
  // A view made where no gradients are recorded leads nowhere, whatever its base requires.
  if (!meta.leaf_requires_grad) return {};
  // A leaf may get another shape where no gradients are recorded; a graph that holds the old place keeps it.
  auto fits = [&](Node* node) {
    return node && node->result(0).dtype == t.dtype() &&
           (IntArrayRef(node->result(0).sizes) == t.sizes() || node->use_count() > 1);
  };
  Node* node = meta.accumulator.load(MemoryOrder::Acquire);
  if (!fits(node)) {
    std::lock_guard lock(meta.mutex);
    node = meta.accumulator.load(MemoryOrder::Relaxed);
    if (!fits(node)) {
      node = new AccumulateGrad(t, static_cast<AccumulateGrad*>(node));
      meta.accumulator.store(node, MemoryOrder::Release);
    }
  }
  return {intrusive_ptr<Node>::share(node), 0};
}
}  // namespace detail

TENON_BODY void set_empty_edge(Edge& to, const Tensor& t) {
  AutogradMeta* known = t.defined() ? meta_of(t) : nullptr;
  if (!known) return;
  if (!known->view && known->grad_fn) {
    new (&to) Edge{known->grad_fn, known->result_index};
    return;
  }
  to = detail::edge_of_view_or_leaf(t, *known);
}
TENON_BODY Edge gradient_edge(const Tensor& t) {
  Edge edge;
  set_empty_edge(edge, t);
  return edge;
}

}  // namespace tenon::autograd

namespace tenon {

TENON_BODY const Tensor& Tensor::set_requires_grad(bool on) const {
  if (on && !is_differentiable_type(dtype()))
    fail<AutogradError>("only Tensors of floating point and complex dtype can require gradients");
  if (on && impl().is_inference() && !is_inference_mode())
    fail<AutogradError>("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (!on && !impl().autograd()) return *this;
  if (!is_leaf()) {
    if (on) return *this;
    fail<AutogradError>(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  }
  autograd::need_meta(*this).leaf_requires_grad = on;
  return *this;
}
TENON_BODY const Tensor& Tensor::requires_grad_(bool on) const { return set_requires_grad(on); }
TENON_BODY Tensor& Tensor::grad() const { return autograd::need_meta(*this).grad; }
TENON_BODY intrusive_ptr<Node> Tensor::grad_fn() const { return autograd::grad_fn_of(*this); }
TENON_BODY bool Tensor::is_leaf() const { return autograd::is_leaf(*this); }
TENON_BODY bool Tensor::is_view() const { return autograd::is_view(*this); }
TENON_BODY void Tensor::backward(const Tensor& gradient, bool retain_graph, bool create_graph,
                                 TensorList inputs) const {
  autograd::backward(TensorList(*this), TensorList(gradient), retain_graph || create_graph, create_graph, inputs);
}

}  // namespace tenon
