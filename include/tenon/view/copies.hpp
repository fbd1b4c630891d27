// What is made of any view: its copy, and its inverse, which replaces in a copy of a tensor what the view shows.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::detail {

/// A row-major copy of a view, unless it has become one already.
inline Tensor copied(const Tensor& self, Tensor view) {
  if (view->storage() != self->storage()) return view;
  return ops::clone(view, "memory_format"_a = MemoryFormat::Contiguous);
}
/// The kernel of the copy of a view of signature `Sig`; its data is the view's slot.
template <class Sig>
struct view_copy_kernel;
template <class R, class... A>
struct view_copy_kernel<R(const Tensor&, A...)> {
  static R call(void* view, KeySet, const Tensor& self, A... args) {
    auto& slot = *static_cast<OperatorSlot*>(view);
    AutoDispatchBelowADInplaceOrView guard;
    R out = call_path<R(const Tensor&, A...)>::call(slot, self, static_cast<A>(args)...);
    if constexpr (std::is_same_v<R, Tensor>)
      return copied(self, std::move(out));
    else {
      for (Tensor& t : out) t = copied(self, std::move(t));
      return out;
    }
  }
};

/// Whether elements certainly share memory; of a symbolic tensor only what needs no guard is asked.
inline bool repeats_elements(const Tensor& t) {
  if (!t.is_symbolic()) return has_internal_overlap(t);
  for (const SymInt& s : t.sym_strides())
    if (!s.is_symbolic() && s == 0) return true;
  return false;
}
/// A copy of the whole storage seen as `self` sees its own, so that views of the copy are what they were of `self`.
/// A tensor that repeats elements is copied alone.
inline Tensor clone_preserving_layout(const Tensor& self) {
  if (repeats_elements(self)) return ops::clone(self);
  Tensor whole;
  if (self.is_meta()) {
    whole = ops::empty_strided(self.sym_sizes(), self.sym_strides(), "dtype"_a = self.dtype(),
                               "layout"_a = self.layout(), "device"_a = self.device());
    if (!self.is_symbolic() && self.storage_offset() == 0) return whole;
  } else {
    auto n = static_cast<std::int64_t>(self->storage()->nbytes() / self.element_size());
    if (self.is_contiguous() && self.numel() == n) {
      Tensor copy = ops::clone(self, "memory_format"_a = MemoryFormat::Contiguous);
      return copy.strides() == self.strides() ? copy : Tensor(ops::as_strided(copy, self.sizes(), self.strides(), 0));
    }
    whole = ops::clone(ops::as_strided(self, n, 1, 0));
  }
  return ops::as_strided(whole, self.sym_sizes(), self.sym_strides(), self.sym_storage_offset());
}

/// The kernel of an operator that writes `src` through a view of signature `Sig`; its data is the view's slot.
template <class Sig>
struct view_scatter_kernel;
template <class... A>
struct view_scatter_kernel<Tensor(const Tensor&, A...)> {
  static Tensor call(void* view, KeySet, const Tensor& self, const Tensor& src, A... args) {
    auto& slot = *static_cast<OperatorSlot*>(view);
    AutoDispatchBelowADInplaceOrView guard;
    Tensor out = clone_preserving_layout(self);
    Tensor part = call_path<Tensor(const Tensor&, A...)>::call(slot, out, static_cast<A>(args)...);
    TENON_CHECK(part.sym_sizes() == src.sym_sizes(), ValueError,
                "expected src to have a size equal to the slice of self. src size = ", src.sym_sizes(),
                ", slice size = ", part.sym_sizes());
    ops::copy_(part, src);
    return out;
  }
};

/// Defines an operator whose kernel is `Kernel` of a view's signature, with that view's slot as data.
template <template <class> class Kernel, class Op, class View>
TENON_COLD void define_by_view([[maybe_unused]] Library& m, [[maybe_unused]] Op op, View,
                               [[maybe_unused]] CallSite here) {
  if constexpr (is_any_form_selected<Op>()) {
    define_forms(m, op, {}, here.file, here.line);
    m.impl_slot<Op, &Kernel<signature_of_t<View>>::call>(DispatchKey::CompositeExplicitAutograd, &slot_of<View>, here);
    composite::implement_out_by_copy<Op>(m, here);
  }
}

}  // namespace tenon::detail
