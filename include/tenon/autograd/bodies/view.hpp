// Views and in-place changes in the graph: the nodes, and what refuses changes that cannot be followed.
#pragma once
#include <algorithm>
#include <mutex>

#include <tenon/autograd/detail/freed_graph.hpp>
#include <tenon/autograd/detail/written.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/autograd/view.hpp>
#include <tenon/base/body.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/strided_factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::autograd {

TENON_COLD_BODY Tensor as_strided_backward(Tensor grad, const Geometry& base, IntArrayRef view_sizes,
                                           IntArrayRef view_strides, std::int64_t offset) {
  DimVector sizes(view_sizes), strides(view_strides);
  DimVector repeated;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (strides[d] == 0 && sizes[d] > 1) {
      repeated.push_back(static_cast<std::int64_t>(d));
      sizes[d] = 1;
    }
  if (!repeated.empty()) grad = ops::sum(grad, IntArrayRef(repeated), true);
  std::int64_t start = std::min(base.offset, offset);
  std::int64_t end = static_cast<std::int64_t>(
      std::max(storage_bytes(base.sizes, base.strides, 1, base.offset), storage_bytes(sizes, strides, 1, offset)));
  std::int64_t extent = std::max(end - start, std::int64_t{0});  // an empty tensor may lie behind its end
  Tensor buffer = is_transformed(grad)
                      ? ops::new_zeros(grad, IntArrayRef(extent), base.dtype)
                      : ops::zeros(IntArrayRef(extent), "dtype"_a = base.dtype, "device"_a = base.device);
  if (grad.numel() != 0) {
    if (may_overlap(sizes, strides)) {
      Tensor places = ops::as_strided(ops::arange(extent, "dtype"_a = kLong, "device"_a = base.device),
                                      IntArrayRef(sizes), IntArrayRef(strides), offset - start);
      buffer = ops::index_add(buffer, 0, ops::reshape(places, -1), ops::reshape(grad, -1));
    } else {
      Tensor place = ops::as_strided(buffer, IntArrayRef(sizes), IntArrayRef(strides), offset - start);
      ops::copy_(place, grad);
    }
  }
  // Elements of the base that share memory share its gradient.
  if (may_overlap(base.sizes, base.strides) && count_elements(base.sizes) != 0) {
    Tensor places = ops::as_strided(ops::arange(extent, "dtype"_a = kLong, "device"_a = base.device),
                                    IntArrayRef(base.sizes), IntArrayRef(base.strides), base.offset - start);
    Tensor flat = ops::reshape(places, -1), none = ops::zeros_like(buffer);
    Tensor ones = ops::ones(IntArrayRef(flat.numel()), "dtype"_a = base.dtype, "device"_a = base.device);
    buffer = ops::div(buffer, ops::index_add(none, 0, flat, ones));
  }
  return ops::as_strided(buffer, IntArrayRef(base.sizes), IntArrayRef(base.strides), base.offset - start);
}

/// A place in memory, and how it shows the elements there.
struct Place : Geometry {
  bool conjugates = false, negates = false;
  explicit Place(const Tensor& t) : Geometry(t), conjugates(t.is_conj()), negates(t.is_neg()) {}
};
/// Elements of that place's memory as it shows them, or the way back.
inline Tensor shown(Tensor t, const Place& at) {
  if (at.conjugates) t = ops::_conj(t);
  return at.negates ? Tensor(ops::_neg_view(t)) : t;
}

/// A place in memory counted in real elements: parts of complex ones are a last dimension.
inline Geometry in_real_elements(Geometry g) {
  if (!is_complex_type(g.dtype)) return g;
  for (std::int64_t& stride : g.strides) stride *= 2;
  g.sizes.push_back(2);
  g.strides.push_back(1);
  g.offset *= 2;
  g.dtype = to_real_type(g.dtype);
  return g;
}
/// The part of `whole`, memory laid out as `base`, that `view` shows: one of them may hold the parts of the other's
/// elements.
inline Tensor part_as_view(const Tensor& whole, const Place& base, const Place& view) {
  if (base.dtype == view.dtype)
    return shown(ops::as_strided(whole, IntArrayRef(view.sizes), IntArrayRef(view.strides), view.offset - base.offset),
                 view);
  Geometry from = in_real_elements(base), to = in_real_elements(view);
  Tensor part = ops::as_strided(is_complex_type(base.dtype) ? ops::view_as_real(whole) : whole, IntArrayRef(to.sizes),
                                IntArrayRef(to.strides), to.offset - from.offset);
  return shown(is_complex_type(view.dtype) ? ops::view_as_complex(part) : part, view);
}
/// The gradient of the base from that of a view of it.
inline Tensor gradient_of_base(const Tensor& shown_grad, const Place& base, const Place& view) {
  Tensor grad = shown(shown_grad, view);
  if (base.dtype == view.dtype)
    return shown(as_strided_backward(grad, base, view.sizes, view.strides, view.offset), base);
  Geometry from = in_real_elements(base), to = in_real_elements(view);
  if (is_complex_type(view.dtype)) grad = ops::view_as_real(ops::resolve_conj(ops::contiguous(grad)));
  Tensor whole = as_strided_backward(grad, from, to.sizes, to.strides, to.offset);
  return shown(is_complex_type(base.dtype) ? ops::view_as_complex(ops::contiguous(whole)) : whole, base);
}

/// Stands for the read of a view from its base after the memory was written.
class AsStridedNode final : public tenon::detail::VectorNode {
 public:
  AsStridedNode(const Tensor& view, const Tensor& base) : view_(view), base_(base) {
    set_edges({gradient_edge(base)});
    add_result(view);
  }
  std::string name() const override { return "AsStridedBackward0"; }
  void apply(Tensor* grads, Tensor* out) override {
    if (grads[0].defined()) out[0] = gradient_of_base(grads[0], base_, view_);
  }

 private:
  Place view_, base_;
};

/// Memory laid out as a base for its gradient, of which a batch of examples has one each.
inline Tensor new_memory(const Tensor& grad, const Geometry& base) {
  if (is_transformed(grad))
    return ops::new_empty_strided(grad, IntArrayRef(base.sizes), IntArrayRef(base.strides), base.dtype);
  return ops::empty_strided(IntArrayRef(base.sizes), IntArrayRef(base.strides), "dtype"_a = base.dtype,
                            "device"_a = base.device);
}

/// Stands for an in-place operation on a view as an operation on its base: the part of the gradient that the view
/// covers goes through the operation's node, the rest passes.
class CopySlices final : public tenon::detail::VectorNode {
 public:
  CopySlices(const Tensor& base, const Tensor& view, intrusive_ptr<Node> fn)
      : base_(base), view_(view), fn_(std::move(fn)) {
    std::vector<Edge> edges{gradient_edge(base)};
    for (unsigned i = 1; i < fn_->n_edges(); ++i) edges.push_back(fn_->edges()[i]);
    set_edges(std::move(edges));
    add_result(base);
  }
  std::string name() const override { return "CopySlices"; }
  void release_saved() override {
    if (fn_) fn_->release_saved();
    fn_ = nullptr;
  }
  void each_saved(void (*visit)(void*, const Tensor&), void* context) const override {
    if (fn_) fn_->each_saved(visit, context);
  }
  void apply(Tensor* grads, Tensor* out) override {
    if (!grads[0].defined()) return;
    if (!fn_) detail::report_freed_graph();
    Tensor memory = new_memory(grads[0], base_);
    Tensor result = shown(memory, base_);
    ops::copy_(result, grads[0]);
    Tensor slice = part_as_view(memory, base_, view_);
    Tensor input = ops::clone(slice);
    std::vector<Tensor> inner(fn_->n_edges() ? fn_->n_edges() : 1);
    fn_->apply(&input, inner.data());
    if (inner[0].defined())
      ops::copy_(slice, inner[0]);
    else
      ops::zero_(slice);
    for (unsigned i = 1; i < n_edges_; ++i)
      if (should_compute(i)) out[i] = std::move(inner[i]);
    if (n_edges_ > 0 && should_compute(0)) out[0] = std::move(result);
  }

 private:
  Place base_, view_;
  intrusive_ptr<Node> fn_;
};

/// Refuses an in-place change of a view whose origin cannot be followed. `op`: who changes it; empty where its base was
/// changed instead.
inline void check_view_origin(const Tensor& t, std::string_view op) {
  AutogradMeta* meta = meta_of(t);
  if (!meta || !meta->view || meta->view->origin == ViewOrigin::Plain) return;
  const bool indirect = op.empty();
  std::string who, remedy = indirect ? " Make the view after the write." : " Write to a clone().";
  if (!indirect)
    who = detail::written_argument(op);
  else if (std::string_view writer = detail::last_writer(t); !writer.empty())
    who = concat(" It was last written by ", writer, ".");
  if (meta->view->origin == ViewOrigin::NoDerivative)
    fail<AutogradError>(
        "A view made by ", meta->view->maker, ", which does not have a derivative implemented, cannot be followed: ",
        indirect ? "its base or another view of its base has been modified inplace." : "it is being modified inplace.",
        who, remedy);
  std::string message;
  if (meta->grad_fn)
    message = concat(
        "Output ", meta->result_index, " of ", meta->grad_fn->name(), " is a view and ",
        indirect ? "its base or another view of its base has been modified inplace." : "is being modified inplace.");
  else if (meta->view->origin == ViewOrigin::Inference)
    message = concat("A view was created in inference mode and ",
                     indirect ? "its base or another view of its base has been modified inplace in normal mode."
                              : "is being modified inplace in normal mode.");
  else
    message = concat("A view was created in no_grad mode and ",
                     indirect ? "its base or another view of its base has been modified inplace with grad mode enabled."
                              : "is being modified inplace with grad mode enabled.");
  switch (meta->view->origin) {
    case ViewOrigin::OneOfSeveral:
      message +=
          " This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.";
      break;
    case ViewOrigin::NoGrad:
      message +=
          " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).";
      break;
    default: message += " Given that this use case is ambiguous and error-prone, it is forbidden."; break;
  }
  // The two texts that end before say what to do themselves.
  fail<AutogradError>(message, who, meta->view->origin == ViewOrigin::Inference ? remedy : "");
}

/// Which argument of the operator that is, and what to do instead.
inline std::string written_by(std::string_view op) {
  return detail::written_argument(op) + " Write where a NoGradGuard stands, or write to a clone().";
}

TENON_BODY void check_inplace(const Tensor& t, std::string_view op) {
  check_view_origin(t, op);
  if (!t.requires_grad()) return;
  // The base may have been detached, or have come to require gradients, since: the histories as they stand count.
  AutogradMeta* meta = meta_of(t);
  if (meta->view)
    if (AutogradMeta* base = meta_of(meta->view->base); !base || !base->grad_fn)
      fail<AutogradError>("a view of a leaf Variable that requires grad is being used in an in-place operation.",
                          written_by(op));
  // A view of a tensor that had no history when the view was made has its base's now.
  if (!grad_fn_of(t))
    fail<AutogradError>("a leaf Variable that requires grad is being used in an in-place operation.", written_by(op));
}

/// Gives a view whose memory was written since a node of its own. Threads that read the view do so at once: one of them
/// wins.
inline void renew_view(const Tensor& t, AutogradMeta& meta) {
  check_view_origin(t, {});
  intrusive_ptr<Node> node = make_intrusive<AsStridedNode>(t, meta.view->base);
  std::unique_lock lock(meta.mutex);
  if (t.version() == meta.view->version.load(MemoryOrder::Acquire)) return lock.unlock();
  if (meta.retains_grad) return detail::set_retained_edge(t, meta, std::move(node), 0);
  std::swap(meta.grad_fn, node);
  meta.result_index = 0;
  meta.view->version.store(t.version(), MemoryOrder::Release);
  lock.unlock();  // before the old node goes
}

TENON_BODY intrusive_ptr<Node> grad_fn_of(const Tensor& t) {
  AutogradMeta* meta = meta_of(t);
  if (!meta) return nullptr;
  if (meta->view && t.version() != meta->view->version.load(MemoryOrder::Acquire) &&
      (meta->view->base.requires_grad() || meta->grad_fn))
    renew_view(t, *meta);
  return meta->grad_fn;
}

TENON_BODY void rebase_history(const Tensor& t, intrusive_ptr<Node> node) {
  AutogradMeta& meta = need_meta(t);
  if (meta.view) {
    Tensor base = meta.view->base;
    set_gradient_edge(base, make_intrusive<CopySlices>(base, t, std::move(node)), 0);
    // Whoever asked for the view's node since the write, as a function of one's own does, got one of the base before.
    meta.view->version.store(t.version() - 1, MemoryOrder::Release);
    (void)grad_fn_of(t);
    return;
  }
  set_gradient_edge(t, std::move(node), 0);
}

TENON_BODY void make_any_view(const Tensor& base, const Tensor& view, bool one_of_several, std::string_view maker) {
  if (view->is_inference()) return;
  ViewOrigin origin = is_inference_mode()  ? ViewOrigin::Inference
                      : !is_grad_enabled() ? ViewOrigin::NoGrad
                      : one_of_several     ? ViewOrigin::OneOfSeveral
                      : !maker.empty()     ? ViewOrigin::NoDerivative
                                           : ViewOrigin::Plain;
  const AutogradMeta* from = meta_of(base);
  const Tensor* root = &base;
  if (from && from->view) {
    root = &from->view->base;
    if (origin == ViewOrigin::Plain || from->view->origin == ViewOrigin::Inference) {
      origin = from->view->origin;
      maker = from->view->maker;
    }
  }
  ViewInfo& info = *need_meta(view).view;
  info.base = *root;
  info.version.store(view->storage()->version(), MemoryOrder::Relaxed);
  info.origin = origin;
  info.maker = maker;
}

TENON_COLD_BODY void report_undefined_write(std::string_view op) {
  fail<ValueError>(op, "(): expected a defined tensor to write to, got an undefined one; make it by empty({0}), say");
}
TENON_BODY void report_inference_write() {
  fail<AutogradError>(
      "Inplace update to inference tensor outside InferenceMode is not allowed. Make a clone() to get a normal tensor before the inplace update.");
}

}  // namespace tenon::autograd
