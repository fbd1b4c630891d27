// Adding hooks, and what the nodes that have some do.
#pragma once
#include <tenon/autograd/graph/hooks.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon {

TENON_BODY autograd::NodeExtras& Node::need_extras() {
  autograd::NodeExtras* known = extras();
  if (known) return *known;
  auto* made = new autograd::NodeExtras;
  if (extras_.compare_exchange_strong(known, made)) return *made;
  made->release();
  return *known;
}
TENON_BODY void Node::share_extras(const Node& other) {
  if (autograd::NodeExtras* known = other.extras()) {
    known->retain();
    extras_.store(known, MemoryOrder::Release);
  }
}
TENON_BODY void Node::drop_extras() noexcept { extras_.exchange(nullptr)->release(); }

namespace autograd::detail {

inline std::uint64_t next_hook_id() {
  static Atomic<std::uint64_t> last{0};
  return last.fetch_add(1) + 1;
}
inline intrusive_ptr<NodeExtras> shared_extras(Node& node) {
  return intrusive_ptr<NodeExtras>::share(&node.need_extras());
}

TENON_BODY RemovableHandle add_tensor_hook(const Tensor& t, std::function<Tensor(const Tensor&)> hook) {
  if (!t.requires_grad()) fail<AutogradError>("cannot register a hook on a tensor that doesn't require gradient");
  // A view made without recording has a base that requires grad and no place in the graph.
  Edge edge = gradient_edge(t);
  if (!edge) return {};
  auto extras = shared_extras(*edge.node);
  std::uint64_t id = next_hook_id();
  extras->tensor_hooks.add(id, {edge.index, std::move(hook)});
  return {extras, id};
}
TENON_BODY RemovableHandle add_accumulation_hook(const Tensor& leaf, std::function<void(const Tensor&)> hook) {
  if (!leaf.requires_grad()) fail<AutogradError>("cannot register a hook on a tensor that doesn't require gradient");
  if (!leaf.is_leaf()) fail<AutogradError>("post accumulate grad hooks cannot be registered on non-leaf tensors");
  Edge edge = gradient_edge(leaf);
  if (!edge) return {};
  auto extras = shared_extras(*edge.node);
  std::uint64_t id = next_hook_id();
  extras->after_accumulation.add(id, std::move(hook));
  return {extras, id};
}
TENON_BODY RemovableHandle add_node_hook(Node& node, std::function<std::vector<Tensor>(TensorList)> hook) {
  auto extras = shared_extras(node);
  std::uint64_t id = next_hook_id();
  extras->before.add(id, std::move(hook));
  return {extras, id};
}
TENON_BODY RemovableHandle add_node_hook(Node& node, std::function<std::vector<Tensor>(TensorList, TensorList)> hook) {
  auto extras = shared_extras(node);
  std::uint64_t id = next_hook_id();
  extras->after.add(id, std::move(hook));
  return {extras, id};
}

inline void keep_gradient(const Tensor& t, AutogradMeta& meta) {
  Edge edge = gradient_edge(t);
  meta.retain_id = next_hook_id();
  weak_intrusive_ptr<TensorImpl> weak(t.impl_ptr());
  edge.node->need_extras().retains.add(
      meta.retain_id, {edge.index, [weak](const Tensor& grad) {
                         Tensor alive(weak.lock());
                         if (!alive.defined() || !grad.defined()) return Tensor();
                         AutogradMeta& m = need_meta(alive);
                         std::lock_guard lock(m.mutex);
                         m.grad = m.grad.defined() ? ops::add(m.grad, grad)
                                                   : ops::clone(grad, "memory_format"_a = MemoryFormat::Contiguous);
                         return Tensor();
                       }});
}
/// The hook moves with the tensor from node to node.
TENON_BODY void set_retained_edge(const Tensor& t, AutogradMeta& meta, intrusive_ptr<Node> node, std::uint32_t index) {
  if (meta.grad_fn && meta.grad_fn->extras()) meta.grad_fn->extras()->retains.remove(meta.retain_id);
  meta.grad_fn = std::move(node);
  meta.result_index = index;
  if (meta.view) meta.view->version = t.version();
  if (meta.grad_fn) keep_gradient(t, meta);
}

}  // namespace autograd::detail

TENON_BODY void Tensor::retain_grad() const {
  if (!requires_grad()) fail<AutogradError>("can't retain_grad on Tensor that has requires_grad=False");
  if (is_leaf()) return;
  AutogradMeta& meta = autograd::need_meta(*this);
  if (meta.retains_grad) return;
  meta.retains_grad = true;
  autograd::detail::keep_gradient(*this, meta);
}
TENON_BODY bool Tensor::retains_grad() const {
  return impl_ && autograd::meta_of(*this) && autograd::meta_of(*this)->retains_grad;
}

}  // namespace tenon
