// Rows of views that show all elements in another shape or order.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/view_copy.hpp>
#include <tenon/view/geometries.hpp>
#include <tenon/view/row.hpp>

namespace tenon::ops {

namespace derivatives {
inline Tensor unpermute(const Tensor& grad, IntArrayRef dims) {
  DimVector inverse(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    inverse[wrap_dim(dims[i], static_cast<std::int64_t>(dims.size()))] = static_cast<std::int64_t>(i);
  return permute(grad, IntArrayRef(inverse));
}
/// The gradient itself where nothing was squeezed.
template <class Sizes>
Tensor reshaped(const Tensor& grad, const Sizes& sizes) {
  return static_cast<std::size_t>(grad.dim()) == sizes.size() ? grad : Tensor(reshape(grad, sizes));
}
}  // namespace derivatives

TENON_VIEW_OF(t_base, geometries::t, in_place_as<t_base_>(), copy_as<t_copy_base>(),
              TENON_WRT((self), (grad), t(grad)));
TENON_VIEW_OF(transpose_int, geometries::transpose, in_place_as<transpose_base_>(), copy_as<transpose_copy_int>(),
              TENON_WRT((self), (grad, dim0, dim1), transpose(grad, dim0, dim1)));
TENON_VIEW_OF(permute_base, geometries::permute, copy_as<permute_copy_base>(),
              TENON_WRT((self), (grad, dims), derivatives::unpermute(grad, dims)));
TENON_VIEW_OF(view_base, geometries::view, for_each_back_end(),
              TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_VIEW_OF(_reshape_alias_base, geometries::reshape_alias, for_each_back_end(), copy_as<_reshape_alias_copy_base>(),
              TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_VIEW_OF(expand_base, geometries::expand, copy_as<expand_copy_base>(), TENON_WRT((self), (grad), grad));
TENON_VIEW_OF(unsqueeze_base, geometries::unsqueeze, in_place_as<unsqueeze_base_>(), copy_as<unsqueeze_copy_base>(),
              TENON_WRT((self), (grad, dim), squeeze(grad, dim)));
TENON_VIEW_OF(squeeze_base, geometries::squeeze, in_place_as<squeeze_base_>(), copy_as<squeeze_copy_base>(),
              TENON_WRT((self), (grad, self_sizes), derivatives::reshaped(grad, self_sizes)));
TENON_VIEW_OF(squeeze_dim, geometries::squeeze_dim, in_place_as<squeeze_dim_>(), copy_as<squeeze_copy_dim>(),
              TENON_WRT((self), (grad, self_sizes), derivatives::reshaped(grad, self_sizes)));
TENON_VIEW_OF(squeeze_dims, geometries::squeeze_dims, in_place_as<squeeze_dims_>(), copy_as<squeeze_copy_dims>(),
              TENON_WRT((self), (grad, self_sizes), derivatives::reshaped(grad, self_sizes)));

// A result that a caller uses no more after it was viewed; the schema says nothing of aliases.
TENON_DERIVATIVE(_unsafe_view_base, TENON_WRT((self), (grad, self_sizes), reshape(grad, self_sizes)));
TENON_LIBRARY_FRAGMENT(aten, m) {
  using kernels = tenon::detail::view_kernels<geometries::view, signature_t<_unsafe_view_base>, false>;
  define_forms(m, _unsafe_view_base);
  composite::implement_out_by_copy<_unsafe_view_base_op>(m, CallSite::now());
  m.impl<_unsafe_view_base, &kernels::call>(DispatchKey::CompositeExplicitAutograd);
  m.impl<_unsafe_view_base, &kernels::symbolic>(kSymbolicKey);
  // A copy may have shapes that no view of the memory has.
  tenon::detail::define_by_view<tenon::detail::view_copy_kernel>(m, view_copy_base, reshape_base, CallSite::now());
  tenon::detail::register_copy_derivative<view_copy_base_op, view_base_op>(m, CallSite::now());
}

}  // namespace tenon::ops
