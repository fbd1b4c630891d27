// Adding hooks, and what the nodes that have some do.
#pragma once
#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>

#include <tenon/autograd/graph/hooks.hpp>
#include <tenon/base/body.hpp>
#include <tenon/dispatch/registry.hpp>
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

TENON_BODY void HookChanges::append(HookListHead& list, std::unique_ptr<HookEntry> entry) {
  std::lock_guard lock(mutex_);
  Atomic<HookEntry*>* at = &list.first;
  while (HookEntry* there = at->load(MemoryOrder::Relaxed)) at = &there->next;
  // The list's number comes last: who finds the entry before leaves it to later runs.
  std::uint64_t number = list.last_number.load(MemoryOrder::Relaxed) + 1;
  entry->number.store(number, MemoryOrder::Relaxed);
  at->store(entry.release(), MemoryOrder::Release);
  list.last_number.store(number, MemoryOrder::Release);
}
TENON_BODY void HookChanges::remove(HookListHead& list, std::uint64_t id) {
  std::vector<Removed> ended;  // whose functions may do anything: they end without the lock
  std::lock_guard lock(mutex_);
  tenon::detail::Readers& readers = Registry::get().readers();
  Atomic<HookEntry*>* at = &list.first;
  HookEntry* there = at->load(MemoryOrder::Relaxed);
  while (there && there->id != id) {
    at = &there->next;
    there = at->load(MemoryOrder::Relaxed);
  }
  if (!there) return;
  removed_.push_back({0, std::unique_ptr<HookEntry>(there)});
  there->number.store(0, MemoryOrder::Relaxed);
  at->exchange(there->next.load(MemoryOrder::Relaxed));
  removed_.back().epoch = readers.advance();
  auto passed =
      std::partition(removed_.begin(), removed_.end(), [&](const Removed& r) { return !readers.passed(r.epoch); });
  ended.assign(std::make_move_iterator(passed), std::make_move_iterator(removed_.end()));
  removed_.erase(passed, removed_.end());
}
TENON_BODY void HookChanges::clear(HookListHead& list) noexcept {
  for (HookEntry* entry = list.first.exchange(nullptr); entry;)
    delete std::exchange(entry, entry->next.load(MemoryOrder::Relaxed));
}

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
  extras->tensor_hooks.add(extras->changes, id, {edge.index, std::move(hook)});
  return {extras, id};
}
TENON_BODY RemovableHandle add_accumulation_hook(const Tensor& leaf, std::function<void(const Tensor&)> hook) {
  if (!leaf.requires_grad()) fail<AutogradError>("cannot register a hook on a tensor that doesn't require gradient");
  if (!leaf.is_leaf()) fail<AutogradError>("post accumulate grad hooks cannot be registered on non-leaf tensors");
  Edge edge = gradient_edge(leaf);
  if (!edge) return {};
  auto extras = shared_extras(*edge.node);
  std::uint64_t id = next_hook_id();
  extras->after_accumulation.add(extras->changes, id, std::move(hook));
  return {extras, id};
}
TENON_BODY RemovableHandle add_node_hook(Node& node, std::function<std::vector<Tensor>(TensorList)> hook) {
  auto extras = shared_extras(node);
  std::uint64_t id = next_hook_id();
  extras->before.add(extras->changes, id, std::move(hook));
  return {extras, id};
}
TENON_BODY RemovableHandle add_node_hook(Node& node, std::function<std::vector<Tensor>(TensorList, TensorList)> hook) {
  auto extras = shared_extras(node);
  std::uint64_t id = next_hook_id();
  extras->after.add(extras->changes, id, std::move(hook));
  return {extras, id};
}

inline void keep_gradient(const Tensor& t, AutogradMeta& meta, const Edge& edge) {
  meta.retain_id = next_hook_id();
  weak_intrusive_ptr<TensorImpl> weak(t.impl_ptr());
  NodeExtras& extras = edge.node->need_extras();
  extras.retains.add(extras.changes, meta.retain_id,
                     {edge.index, [weak](const Tensor& grad) {
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
  if (NodeExtras* extras = meta.grad_fn ? meta.grad_fn->extras() : nullptr)
    extras->retains.remove(extras->changes, meta.retain_id);
  meta.grad_fn = std::move(node);
  meta.result_index = index;
  if (meta.view) meta.view->version.store(t.version(), MemoryOrder::Release);
  if (meta.grad_fn) keep_gradient(t, meta, {meta.grad_fn, index});
}

}  // namespace autograd::detail

TENON_BODY void Tensor::retain_grad() const {
  if (!requires_grad()) fail<AutogradError>("can't retain_grad on Tensor that has requires_grad=False");
  if (is_leaf()) return;
  AutogradMeta& meta = autograd::need_meta(*this);
  Edge edge = autograd::gradient_edge(*this);
  std::lock_guard lock(meta.mutex);
  if (!std::exchange(meta.retains_grad, true)) autograd::detail::keep_gradient(*this, meta, edge);
}
TENON_BODY bool Tensor::retains_grad() const {
  return impl_ && autograd::meta_of(*this) && autograd::meta_of(*this)->retains_grad;
}

}  // namespace tenon
