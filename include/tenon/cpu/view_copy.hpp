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
  auto define = [&]<class Op, class View>(Op op, View view) {
    cpu::detail::define_by_view<cpu::detail::view_copy_kernel>(m, op, view, __FILE__, __LINE__);
  };
  // A copy may have shapes that no view of the memory has.
  define(ops::view_copy_base, ops::reshape_base);
  define(ops::view_copy_dtype, ops::view_dtype);
  define(ops::as_strided_copy_base, ops::as_strided_base);
  define(ops::_reshape_alias_copy_base, ops::_reshape_alias_base);
  define(ops::alias_copy_base, ops::alias_base);
  define(ops::detach_copy_base, ops::detach_base);
  define(ops::lift_fresh_copy_base, ops::lift_fresh_base);
  define(ops::diagonal_copy_base, ops::diagonal_base);
  define(ops::expand_copy_base, ops::expand_base);
  define(ops::permute_copy_base, ops::permute_base);
  define(ops::t_copy_base, ops::t_base);
  define(ops::transpose_copy_int, ops::transpose_int);
  define(ops::select_copy_int, ops::select_int);
  define(ops::slice_copy_Tensor, ops::slice_Tensor);
  define(ops::narrow_copy_base, ops::narrow_base);
  define(ops::squeeze_copy_base, ops::squeeze_base);
  define(ops::squeeze_copy_dim, ops::squeeze_dim);
  define(ops::squeeze_copy_dims, ops::squeeze_dims);
  define(ops::unsqueeze_copy_base, ops::unsqueeze_base);
  define(ops::unfold_copy_base, ops::unfold_base);
  define(ops::unbind_copy_int, ops::unbind_int);
  define(ops::split_copy_Tensor, ops::split_Tensor);
  define(ops::split_with_sizes_copy_base, ops::split_with_sizes_base);
}
