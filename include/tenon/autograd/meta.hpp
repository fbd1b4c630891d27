// What autograd keeps with a tensor: its place in the graph, its gradient, and what it is a view of.
#pragma once
#include <string_view>

#include <tenon/autograd/node.hpp>
#include <tenon/base/atomic.hpp>
#include <tenon/base/mutex.hpp>

namespace tenon {

/// How a view came to be; decides whether it may be changed in place while gradients are recorded.
enum class ViewOrigin : std::uint8_t { Plain, NoGrad, OneOfSeveral, NoDerivative, Inference };

struct ViewInfo {
  Tensor base;                       ///< never itself a view
  Atomic<std::uint32_t> version{0};  ///< of the memory when the view's grad_fn was made; stored after that
  ViewOrigin origin = ViewOrigin::Plain;
  std::string_view maker = {};  ///< for NoDerivative: the operator's name, which lives as long as the program
};
/// What a tensor is a view of, if it is one; in place, since making a view is a call that does little else.
class MaybeView {
 public:
  MaybeView() = default;
  MaybeView(const Tensor& base, std::uint32_t version) : info_{base, version} {}
  explicit operator bool() const { return info_.base.defined(); }
  ViewInfo* operator->() { return &info_; }
  const ViewInfo* operator->() const { return &info_; }
  ViewInfo& operator*() { return info_; }

 private:
  ViewInfo info_;
};

class AutogradMeta final : public AutogradMetaBase {
 public:
  TENON_INTERNAL_BLOCK_ALLOCATED
  AutogradMeta() {}  // NOLINT(modernize-use-equals-default): `new AutogradMeta()` would clear all of it first
  /// Of a view of `base`, whose memory has this version.
  [[gnu::always_inline]] AutogradMeta(const Tensor& base, std::uint32_t version) : view(base, version) {}
  AutogradMeta(const AutogradMeta&) = delete;
  AutogradMeta& operator=(const AutogradMeta&) = delete;
  ~AutogradMeta() override {
    if (Node* node = accumulator.load(MemoryOrder::Relaxed)) node->release();
  }
  /// A view asks its base first: its own node may be renewed meanwhile.
  bool requires_grad() const override { return takes_part(); }
  /// The same where the type is known.
  [[gnu::always_inline]] bool takes_part() const {
    return leaf_requires_grad || (view && base_requires_grad()) || grad_fn;
  }

  intrusive_ptr<Node> grad_fn;
  std::uint32_t result_index = 0;
  bool leaf_requires_grad = false, retains_grad = false;
  Atomic<Node*> accumulator{nullptr};  ///< of a leaf; one reference, given up with the tensor
  Tensor grad;
  MaybeView view;
  std::uint64_t retain_id = 0;  ///< of the hook that keeps the gradient, if `retains_grad`
  Mutex mutex;  ///< of `grad`, and for making `accumulator` and a view's new grad_fn: threads may share them

 private:
  [[gnu::noinline]] bool base_requires_grad() const { return view->base.requires_grad(); }
};

namespace autograd {

inline AutogradMeta* meta_of(const Tensor& t) { return static_cast<AutogradMeta*>(t.impl().autograd()); }
inline AutogradMeta& need_meta(const Tensor& t) {
  AutogradMeta* known = meta_of(t);
  return known ? *known : t->make_autograd<AutogradMeta>();
}
inline bool is_view(const Tensor& t) {
  auto* meta = meta_of(t);
  return meta && meta->view;
}

/// The node that gives the tensor's gradient; for a view whose memory was written since, a new one. Null for leaves.
/// Throws AutogradError if a view was changed in a way that cannot be recorded.
intrusive_ptr<Node> grad_fn_of(const Tensor& t);
/// Where gradients of the tensor go: its node, its leaf's accumulation, or nowhere.
Edge gradient_edge(const Tensor& t);
/// The same put into an edge that leads nowhere yet.
void set_empty_edge(Edge& to, const Tensor& t);

namespace detail {
void set_retained_edge(const Tensor& t, AutogradMeta& meta, intrusive_ptr<Node> node, std::uint32_t index);
}
namespace detail {
[[gnu::noinline]] inline void change_gradient_edge(const Tensor& t, intrusive_ptr<Node> node, std::uint32_t index) {
  AutogradMeta& meta = *meta_of(t);
  if (meta.retains_grad) [[unlikely]]
    return set_retained_edge(t, meta, std::move(node), index);
  meta.grad_fn = std::move(node);
  meta.result_index = index;
  if (meta.view) meta.view->version.store(t.version(), MemoryOrder::Release);
}
}  // namespace detail
inline void set_gradient_edge(const Tensor& t, intrusive_ptr<Node> node, std::uint32_t index) {
  if (meta_of(t)) return detail::change_gradient_edge(t, std::move(node), index);
  auto& fresh = t->make_autograd<AutogradMeta>();  // as most results have it
  new (&fresh.grad_fn) intrusive_ptr<Node>(std::move(node));
  fresh.result_index = index;
}
inline bool is_leaf(const Tensor& t) { return !t.requires_grad() || !grad_fn_of(t); }

}  // namespace autograd
}  // namespace tenon
