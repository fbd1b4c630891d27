// The inverses of views, all by one kernel: a copy of the tensor, the view of it, a write through the view.
#pragma once
#include <tenon/cpu/detail/composed.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_scatter.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::cpu {
namespace detail {

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
    whole = empty_strided(self.sym_sizes(), self.sym_strides(), TensorOptions{}.or_like(self));
    if (!self.is_symbolic() && self.storage_offset() == 0) return whole;
  } else {
    auto n = static_cast<std::int64_t>(self->storage()->nbytes() / self.element_size());
    if (self.is_contiguous() && self.numel() == n)
      return ops::clone(self, "memory_format"_a = MemoryFormat::Contiguous);
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
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(view);
    AutoDispatchBelowADInplaceOrView guard;
    Tensor out = clone_preserving_layout(self);
    Tensor part = tenon::detail::call_path<Tensor(const Tensor&, A...)>::call(slot, out, static_cast<A>(args)...);
    TENON_CHECK(part.sym_sizes() == src.sym_sizes(), ValueError,
                "expected src to have a size equal to the slice of self. src size = ", src.sym_sizes(),
                ", slice size = ", part.sym_sizes());
    ops::copy_(part, src);
    return out;
  }
};

}  // namespace detail
}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  using namespace tenon::cpu::detail;
  define_by_view<view_scatter_kernel>(m, ops::as_strided_scatter_base, ops::as_strided_base);
  define_by_view<view_scatter_kernel>(m, ops::slice_scatter_base, ops::slice_Tensor);
  define_by_view<view_scatter_kernel>(m, ops::select_scatter_base, ops::select_int);
  define_by_view<view_scatter_kernel>(m, ops::diagonal_scatter_base, ops::diagonal_base);
}
