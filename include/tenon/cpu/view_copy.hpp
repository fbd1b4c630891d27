// The copies of views, all by one kernel: the view, then a copy of what it shows.
#pragma once
#include <tenon/cpu/detail/composed.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_copy.hpp>
#include <tenon/ops/view_more.hpp>

namespace tenon::cpu {
namespace detail {

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
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(view);
    AutoDispatchBelowADInplaceOrView guard;
    R out = tenon::detail::call_path<R(const Tensor&, A...)>::call(slot, self, static_cast<A>(args)...);
    if constexpr (std::is_same_v<R, Tensor>)
      return copied(self, std::move(out));
    else {
      for (Tensor& t : out) t = copied(self, std::move(t));
      return out;
    }
  }
};

}  // namespace detail
}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  using namespace tenon::cpu::detail;
  // A copy may have shapes that no view of the memory has.
  define_by_view<view_copy_kernel>(m, ops::view_copy_base, ops::reshape_base);
  define_by_view<view_copy_kernel>(m, ops::view_copy_dtype, ops::view_dtype);
  define_by_view<view_copy_kernel>(m, ops::as_strided_copy_base, ops::as_strided_base);
  define_by_view<view_copy_kernel>(m, ops::_reshape_alias_copy_base, ops::_reshape_alias_base);
  define_by_view<view_copy_kernel>(m, ops::alias_copy_base, ops::alias_base);
  define_by_view<view_copy_kernel>(m, ops::detach_copy_base, ops::detach_base);
  define_by_view<view_copy_kernel>(m, ops::lift_fresh_copy_base, ops::lift_fresh_base);
  define_by_view<view_copy_kernel>(m, ops::diagonal_copy_base, ops::diagonal_base);
  define_by_view<view_copy_kernel>(m, ops::expand_copy_base, ops::expand_base);
  define_by_view<view_copy_kernel>(m, ops::permute_copy_base, ops::permute_base);
  define_by_view<view_copy_kernel>(m, ops::t_copy_base, ops::t_base);
  define_by_view<view_copy_kernel>(m, ops::transpose_copy_int, ops::transpose_int);
  define_by_view<view_copy_kernel>(m, ops::select_copy_int, ops::select_int);
  define_by_view<view_copy_kernel>(m, ops::slice_copy_Tensor, ops::slice_Tensor);
  define_by_view<view_copy_kernel>(m, ops::narrow_copy_base, ops::narrow_base);
  define_by_view<view_copy_kernel>(m, ops::squeeze_copy_base, ops::squeeze_base);
  define_by_view<view_copy_kernel>(m, ops::squeeze_copy_dim, ops::squeeze_dim);
  define_by_view<view_copy_kernel>(m, ops::squeeze_copy_dims, ops::squeeze_dims);
  define_by_view<view_copy_kernel>(m, ops::unsqueeze_copy_base, ops::unsqueeze_base);
  define_by_view<view_copy_kernel>(m, ops::unfold_copy_base, ops::unfold_base);
  define_by_view<view_copy_kernel>(m, ops::unbind_copy_int, ops::unbind_int);
  define_by_view<view_copy_kernel>(m, ops::split_copy_Tensor, ops::split_Tensor);
  define_by_view<view_copy_kernel>(m, ops::split_with_sizes_copy_base, ops::split_with_sizes_base);
}
