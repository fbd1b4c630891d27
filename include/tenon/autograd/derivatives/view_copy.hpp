// Derivatives of the copies of views: the tables of the views themselves.
#pragma once
#include <tenon/autograd/derivatives/view.hpp>
#include <tenon/ops/view_copy.hpp>
#include <tenon/ops/view_more.hpp>

namespace tenon::ops {

TENON_DERIVATIVE(unfold_base, TENON_WRT((self), (grad, self_sizes, dimension, size, step),
                                        unfold_backward(grad, self_sizes, dimension, size, step)));
TENON_DERIVATIVE(unfold_backward_base, TENON_WRT((grad_in), (grad, dim, size, step), unfold(grad, dim, size, step)));
TENON_NOT_DIFFERENTIABLE(view_dtype);
TENON_NOT_DIFFERENTIABLE(view_copy_dtype);
TENON_DERIVATIVE(lift_fresh_copy_base, TENON_WRT((self), (grad), grad));

namespace derivatives {

inline Tensor narrow_gradient(const Tensor& grad, IntArrayRef sizes, std::int64_t dim, std::int64_t start,
                              std::int64_t length) {
  if (start < 0) start += sizes[wrap_dim(dim, static_cast<std::int64_t>(sizes.size()))];
  return slice_backward(grad, sizes, dim, start, start + length, 1);
}

/// A copy has the arguments of its view, and so its formulas. Does nothing where the view is not part of the program.
template <class Op, class View>
TENON_COLD void copy_derivative([[maybe_unused]] Library& m, Op, View, [[maybe_unused]] const Place& place) {
  using namespace autograd;
  if constexpr (tenon::detail::is_operator_selected_v<Op>)
    if (const DerivativeTable* of_view = autograd::detail::kernel_data<View>()->table) {
      static DerivativeTable table = *of_view;
      table.op_name = tenon::detail::view_of<Op>().operator_name();
      register_autograd_kernel<Op>(m, table, place);
    }
  // What writes to a list is counted by the fallback.
  if constexpr (std::is_same_v<typename signature<signature_of_t<Op>>::result, Tensor>)
    register_inplace_or_view<typename Op::out>(m, place);
}

}  // namespace derivatives

TENON_DERIVATIVE(narrow_copy_base, TENON_WRT((self), (grad, self_sizes, dim, start, length),
                                             derivatives::narrow_gradient(grad, self_sizes, dim, start, length)));

TENON_LIBRARY_FRAGMENT(aten, m) {
  auto derive = [&]<class Op, class View>(Op op, View view) {
    derivatives::copy_derivative(m, op, view, {__FILE__, __LINE__});
  };
  derive(view_copy_base, view_base);
  derive(as_strided_copy_base, as_strided_base);
  derive(_reshape_alias_copy_base, _reshape_alias_base);
  derive(alias_copy_base, alias_base);
  derive(diagonal_copy_base, diagonal_base);
  derive(expand_copy_base, expand_base);
  derive(permute_copy_base, permute_base);
  derive(t_copy_base, t_base);
  derive(transpose_copy_int, transpose_int);
  derive(select_copy_int, select_int);
  derive(slice_copy_Tensor, slice_Tensor);
  derive(squeeze_copy_base, squeeze_base);
  derive(squeeze_copy_dim, squeeze_dim);
  derive(squeeze_copy_dims, squeeze_dims);
  derive(unsqueeze_copy_base, unsqueeze_base);
  derive(unfold_copy_base, unfold_base);
  derive(unbind_copy_int, unbind_int);
  derive(split_copy_Tensor, split_Tensor);
  derive(split_with_sizes_copy_base, split_with_sizes_base);
}

}  // namespace tenon::ops
