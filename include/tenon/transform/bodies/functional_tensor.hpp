// Functional tensors: values, views of them, and writes that reach aliases when these are next used.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include <tenon/autograd/mode.hpp>
#include <tenon/autograd/view.hpp>
#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_scatter.hpp>
#include <tenon/schema/alias.hpp>
#include <tenon/tensor/overlap.hpp>
#include <tenon/transform/detail/below.hpp>
#include <tenon/transform/detail/places.hpp>
#include <tenon/transform/functional_tensor.hpp>

namespace tenon::functionalization {

namespace detail {

/// Every view is a place in the base's memory, so that one inverse serves all.
Tensor as_strided_inverse(const Tensor& base, const Tensor& mutated_view, const Geometry& g);

/// The gradient of the inverse: the base's where the view does not lie, the view's where it does. PyTorch's derivative
/// of as_strided_scatter, which the operator has here too, is another.
class AsStridedInverse final : public tenon::detail::VectorNode {
 public:
  AsStridedInverse(const Tensor& base, const Tensor& view, Geometry g) : base_(geometry_of(base)), view_(std::move(g)) {
    set_edges({autograd::gradient_edge(base), autograd::gradient_edge(view)});
  }
  std::string name() const override { return "AsStridedInverseBackward"; }
  void apply(Tensor* grads, Tensor* out) override {
    if (!grads[0].defined()) return;
    std::int64_t start = std::min(base_.offset, view_.offset);
    autograd::Geometry memory(grads[0]);
    auto end = static_cast<std::int64_t>(std::max(storage_bytes(base_.sizes, base_.strides, 1, base_.offset),
                                                  storage_bytes(view_.sizes, view_.strides, 1, view_.offset)));
    memory.sizes = DimVector{std::max(end - start, std::int64_t{0})};
    memory.strides = DimVector{1};
    memory.offset = 0;
    Tensor grad = autograd::as_strided_backward(grads[0], memory, base_.sizes, base_.strides, base_.offset - start);
    Geometry view{view_.sizes, view_.strides, view_.offset - start};
    if (should_compute(0))
      out[0] = ops::as_strided(as_strided_inverse(grad, ops::new_zeros(grad, IntArrayRef(view.sizes)), view),
                               IntArrayRef(base_.sizes), IntArrayRef(base_.strides), base_.offset - start);
    if (should_compute(1))
      out[1] = ops::as_strided(grad, IntArrayRef(view.sizes), IntArrayRef(view.strides), view.offset);
  }

 private:
  Geometry base_, view_;
};

TENON_COLD_BODY Tensor as_strided_inverse(const Tensor& base, const Tensor& mutated_view, const Geometry& g) {
  BelowFunctionalize guard;
  for (std::size_t d = 0; d < g.sizes.size(); ++d)
    if (g.strides[d] == 0 && g.sizes[d] > 1) {  // what is repeated was written the same, as fill_ does it
      Geometry once = g;
      once.sizes[d] = 1;
      return as_strided_inverse(base, ops::slice(mutated_view, static_cast<std::int64_t>(d), 0, 1), once);
    }
  auto scatter = [&](const Tensor& into) {
    Tensor out = ops::as_strided_scatter(into, mutated_view, IntArrayRef(g.sizes), IntArrayRef(g.strides), g.offset);
    // Strides of dimensions of one element, which mean nothing, may have changed.
    if (out.strides() != into.strides()) out->set_geometry(into.sizes(), into.strides(), out.storage_offset());
    return out;
  };
  if (is_grad_enabled() && (base.requires_grad() || mutated_view.requires_grad())) {
    auto node = make_intrusive<AsStridedInverse>(base, mutated_view, g);
    AutoGradMode off(false);
    Tensor out = as_strided_inverse(base, mutated_view, g);
    autograd::set_gradient_edge(out, node, node->add_result(out));
    return out;
  }
  if (!has_internal_overlap(base)) return scatter(base);
  // Elements that are repeated are written once, in the memory that they share.
  return ops::as_strided(scatter(memory_of(base)), base.sizes(), base.strides(), base.storage_offset());
}
/// Stands for memory that is not there.
inline intrusive_ptr<StorageImpl> no_memory(const Tensor& like) {
  return StorageImpl::adopt(DataPtr(nullptr, like.device()), like->storage()->nbytes(), nullptr);
}
/// The keys of a plain tensor and the one that brings every call here; transforms around this one see the values.
inline KeySet functional_keys(const Tensor& value) {
  KeySet kept = dense_keys(value.device().type) | KeySet{DispatchKey::Conjugate, DispatchKey::Negative};
  return (value.keys() & kept).add(DispatchKey::Functionalize);
}

}  // namespace detail

// --- ViewMeta ---

TENON_COLD_BODY Tensor ViewMeta::forward(const Tensor& base) const {
  detail::BelowFunctionalize guard;
  Stack stack = arguments;
  stack[viewed] = base;
  detail::run_view(op, copies, stack, [&] { op.call_boxed(stack); });
  const Value& found = stack[result];
  return found.is_list() ? found.to_list()[out_index].to_tensor() : found.to_tensor();
}

TENON_COLD_BODY Tensor ViewMeta::reverse(const Tensor& base, const Tensor& mutated_view) const {
  if (conjugates || negates) {
    // The elements as the base holds them; a real view of conjugated elements is one of the base's conjugate.
    detail::BelowFunctionalize guard;
    ViewMeta plain = *this;
    plain.conjugates = plain.negates = false;
    Tensor held = negates ? Tensor(ops::neg(mutated_view)) : mutated_view;
    if (conjugates && held.is_complex()) return plain.reverse(base, ops::conj_physical(held));
    return conjugates ? Tensor(ops::conj_physical(plain.reverse(ops::conj_physical(base), held)))
                      : plain.reverse(base, held);
  }
  if (base.dtype() == mutated_view.dtype()) return detail::as_strided_inverse(base, mutated_view, reference);
  // A view of the same bytes as another dtype counts in its own elements.
  detail::BelowFunctionalize guard;
  Tensor bytes = ops::view_dtype(detail::memory_of(base), mutated_view.dtype());
  bytes = ops::view_dtype(detail::as_strided_inverse(bytes, mutated_view, reference), base.dtype());
  return ops::as_strided(bytes, base.sizes(), base.strides(), base.storage_offset());
}

// --- FunctionalStorage ---

TENON_COLD_BODY FunctionalStorage::FunctionalStorage(Tensor base, Geometry looks)
    : base_(std::move(base)),
      geometry_(std::move(looks)),
      records_(is_grad_enabled()),
      copies_(detail::removing == Remove::MutationsAndViews) {}

TENON_COLD_BODY const Tensor& FunctionalStorage::base() {
  AutoGradMode mode(records_);
  if (!detail::lies_at(base_, geometry_)) {
    detail::BelowFunctionalize guard;
    Tensor memory = ops::empty_strided(IntArrayRef(geometry_.sizes), IntArrayRef(geometry_.strides),
                                       "dtype"_a = base_.dtype(), "device"_a = base_.device());
    base_ = detail::as_strided_inverse(memory, base_, geometry_);
  }
  for (Update& u : pending_) {
    if (u.view)
      base_ = u.view->reverse(base_, u.value);
    else if (detail::is_whole_memory(base_) && detail::lies_at(u.value, geometry_) && detail::is_whole_memory(u.value))
      base_ = std::move(u.value);
    else
      base_ = detail::as_strided_inverse(base_, u.value, geometry_);
  }
  pending_.clear();
  return base_;
}

TENON_COLD_BODY const char* FunctionalStorage::why_not_written(const Tensor& before) const {
  if (frozen_) return frozen_;
  bool required = base_.requires_grad();
  for (const Update& u : pending_) required = required || u.value.requires_grad();
  if (required && (records_ || is_grad_enabled()) && (!is_grad_enabled() || !before.requires_grad()))
    return "a write that is not recorded, through detach() or with gradients off, to a functional tensor that requires grad would cut the gradients recorded so far; write to a clone(), or call the functionalized function with gradients off";
  return nullptr;
}

TENON_COLD_BODY void FunctionalStorage::commit(const std::vector<ViewMeta>& views, Tensor value) {
  records_ = records_ || is_grad_enabled();
  ++generation_;
  for (const ViewMeta& view : views) wrote_by_strides_ = wrote_by_strides_ || detail::takes_strides(view.op.schema());
  const ViewMeta* view = views.empty() ? nullptr : &views.back();
  // The later of two writes to one view is all that is left.
  if (!pending_.empty()) {
    const auto& last = pending_.back().view;
    if (view && last ? detail::same_geometry(last->reference, view->reference) : !view && !last) pending_.pop_back();
  }
  pending_.push_back({view ? std::optional(*view) : std::nullopt, std::move(value)});
}

TENON_COLD_BODY void FunctionalStorage::set_base(const Tensor& same) {
  if (!detail::lies_at(same, geometry_)) return;
  base_ = same;
  pending_.clear();
}

TENON_COLD_BODY void FunctionalStorage::replace(std::string_view op, Tensor base) {
  TENON_CHECK(use_count() == 1, NotImplementedError, op,
              ": a functional tensor cannot be resized while views of it exist; resize a clone() of it");
  base_ = std::move(base);
  geometry_ = detail::geometry_of(base_);
  pending_.clear();
  ++generation_;
}

// --- FunctionalTensorImpl ---

TENON_COLD_BODY FunctionalTensorImpl::FunctionalTensorImpl(Tensor value, Geometry looks)
    : TensorImpl(detail::no_memory(value), detail::functional_keys(value), value.dtype(), value.device()),
      value_(value),
      aliases_(make_intrusive<FunctionalStorage>(value, std::move(looks))) {
  look_like(aliases_->geometry());
  set_layout(value.layout());
  set_inference(value->is_inference());
}

TENON_COLD_BODY FunctionalTensorImpl::FunctionalTensorImpl(const FunctionalTensorImpl& of, std::vector<ViewMeta> views,
                                                           Tensor value)
    : TensorImpl(of.storage(), detail::functional_keys(value), value.dtype(), value.device()),
      value_(std::move(value)),
      aliases_(of.aliases_),
      views_(std::move(views)),
      generation_(of.generation_) {
  look_like(views_.back().reference);
  set_layout(of.layout());
  set_inference(of.is_inference());
}

TENON_COLD_BODY void FunctionalTensorImpl::regenerate() {
  Tensor t = aliases_->base();
  AutoGradMode mode(aliases_->records());
  for (const ViewMeta& view : views_) t = view.forward(t);
  value_ = std::move(t);
  generation_ = aliases_->generation();
}

TENON_COLD_BODY const Tensor& FunctionalTensorImpl::value() {
  if (generation_ != aliases_->generation()) regenerate();
  return value_;
}

TENON_COLD_BODY bool FunctionalTensorImpl::lies_as_stated() const {
  return value_.sizes() == sizes() && value_.strides() == strides() && value_.storage_offset() == storage_offset();
}

TENON_COLD_BODY bool FunctionalTensorImpl::is_ordered_as_stated() const {
  // What operators make of it in the same order is compared, since a tensor without gaps keeps its strides.
  auto kept = [](const TensorImpl& t) {
    return t.is_non_overlapping_and_dense() ? DimVector(t.strides()) : dense_strides_like(t.sizes(), t.strides());
  };
  return value_.strides() == strides() || kept(value_.impl()) == kept(*this);
}

TENON_COLD_BODY const Tensor& FunctionalTensorImpl::ordered_value() {
  value();
  if (!aliases_->copies() && !is_ordered_as_stated()) regenerate();
  return value_;
}

TENON_COLD_BODY const Tensor& FunctionalTensorImpl::laid_out_value() {
  value();
  // What is row-major can be viewed as any shape.
  if (!lies_as_stated() && !(aliases_->copies() && value_.is_contiguous())) regenerate();
  return value_;
}

TENON_COLD_BODY const Tensor& FunctionalTensorImpl::aliased_value() {
  if (aliases_->copies()) return value();
  laid_out_value();
  if (value_->storage() != aliases_->base()->storage()) regenerate();
  return value_;
}

TENON_COLD_BODY void FunctionalTensorImpl::write(Tensor value) {
  aliases_->commit(views_, value);
  value_ = std::move(value);
  generation_ = aliases_->generation();
}

TENON_COLD_BODY void FunctionalTensorImpl::resize(std::string_view op, Tensor value) {
  TENON_CHECK(views_.empty(), NotImplementedError, op,
              ": a functional tensor cannot be resized while it is a view; resize a clone() of it");
  aliases_->replace(op, value);
  look_like(aliases_->geometry());
  value_ = std::move(value);
  generation_ = aliases_->generation();
}

TENON_COLD_BODY void FunctionalTensorImpl::become(const FunctionalTensorImpl& view) {
  // A view that only forgets a history, as detach_ does, is none of memory: what is written later has one again.
  bool same = sizes() == view.sizes() && strides() == view.strides() && storage_offset() == view.storage_offset();
  value_ = view.value_;
  generation_ = view.generation_;
  if (same) {
    if (views_.empty()) aliases_->set_base(value_);
    return;
  }
  views_ = view.views_;
  set_geometry(view.sizes(), view.strides(), view.storage_offset());
}

// --- the functions ---

TENON_COLD_BODY bool is_functional_tensor(const Tensor& t) {
  return t.defined() && t.keys().has(DispatchKey::Functionalize) &&
         dynamic_cast<FunctionalTensorImpl*>(t.unsafe_impl()) != nullptr;
}

TENON_COLD_BODY FunctionalTensorImpl& functional_impl(const Tensor& t) {
  TENON_CHECK(is_functional_tensor(t), TypeError, "expected a functional tensor, got ",
              t.defined() ? "a plain one" : "an undefined one", "; wrap it with to_functional_tensor()");
  return static_cast<FunctionalTensorImpl&>(t.impl());
}

TENON_COLD_BODY Tensor to_functional_tensor(const Tensor& t) {
  if (!t.defined() || is_functional_tensor(t) || t->is_wrapped_number()) return t;
  TENON_CHECK(!t.is_symbolic(), TypeError, "to_functional_tensor(): expected plain sizes, got ", t.sym_sizes(),
              "; functional tensors have no symbolic shapes");
  detail::install_fallback();
  return Tensor(make_intrusive<FunctionalTensorImpl>(t, detail::geometry_of(t)));
}

TENON_COLD_BODY Tensor from_functional_tensor(const Tensor& t) {
  return is_functional_tensor(t) ? functional_impl(t).aliased_value() : t;
}

TENON_COLD_BODY void sync(const Tensor& t) { functional_impl(t).value(); }

}  // namespace tenon::functionalization
