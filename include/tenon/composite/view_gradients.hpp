// Gradients of views and of what reads places as operators: the gradient at its place in zeros.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/reduce.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline Tensor zeros_for(const Tensor& grad, SymIntArrayRef sizes) {
  return ops::zeros(sizes, "dtype"_a = grad.dtype(), "layout"_a = grad.layout(), "device"_a = grad.device());
}
inline Tensor select_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t dim, SymInt index) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::select(out, dim, index);
  ops::copy_(at, grad);
  return out;
}
inline Tensor slice_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t dim, SymInt start, SymInt end,
                             SymInt step) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::slice(out, dim, std::optional(start), std::optional(end), step);
  ops::copy_(at, grad);
  return out;
}
inline Tensor diagonal_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t offset, std::int64_t dim1,
                                std::int64_t dim2) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::diagonal(out, offset, dim1, dim2);
  ops::copy_(at, grad);
  return out;
}
/// Adds what every place of the windows got: one pass per place, over all windows; the first window's first.
inline Tensor unfold_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t dim, std::int64_t size,
                              std::int64_t step) {
  TENON_CHECK(grad.dim() == static_cast<std::int64_t>(sizes.size()) + 1, ValueError,
              "unfold_backward(): argument 1 'grad_in': expected ", sizes.size() + 1, " dimensions, got shape ",
              grad.sym_sizes());
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes);
  dim = wrap_dim(dim, out.dim());
  for (std::int64_t i = size - 1; i >= 0; --i) {
    Tensor part = ops::select(grad, -1, i), at = out;
    if (out.dim() > 0) at = ops::slice(out, dim, SymInt(i), out.sym_sizes()[dim] - size + i + 1, SymInt(step));
    TENON_CHECK(at.sym_sizes() == part.sym_sizes(), ValueError, "unfold_backward(): argument 1 'grad_in': got shape ",
                grad.sym_sizes(), ", which windows of ", size, " elements do not have");
    ops::add_(at, part);
  }
  return out;
}

inline Tensor trace_backward(const Tensor& grad, SymIntArrayRef sizes) {
  TENON_CHECK(sizes.size() == 2, ValueError, "expected matrix input");
  Tensor unit = ops::new_zeros(grad, sizes), at = ops::diagonal(unit);
  ops::fill_(at, Scalar(1));
  return ops::mul(unit, grad);
}
inline Tensor gather_backward(const Tensor& grad, const Tensor& self, std::int64_t dim, const Tensor& index,
                              bool sparse_grad) {
  TENON_CHECK(!sparse_grad, NotImplementedError,
              "gather_backward: sparse gradients are not supported; pass sparse_grad=False");
  return ops::scatter_add(ops::new_zeros(grad, self.sym_sizes()), dim, index, grad);
}
/// Of factors that are not 0 from the products, else from the factors alone.
inline Tensor cumprod_backward(const Tensor& grad, const Tensor& input, std::int64_t dim, const Tensor& output) {
  namespace d = ops::derivatives;
  if (input.is_meta()) return ops::empty_like(grad);
  if (input.dim() == 0 || input.numel() == 0) return grad;
  Tensor out = ops::any(ops::eq(input, 0)).item<bool>() ? d::cumprod_gradient(grad, input, output, dim)
                                                        : d::cumprod_gradient_by_quotients(grad, input, output, dim);
  return out.dtype() == grad.dtype() ? out : ops::to(out, grad.dtype());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, select_backward_base);
  define_forms(m, slice_backward_base);
  define_forms(m, diagonal_backward_base);
  composite::implement_out_by_copy<select_backward_base_op>(m, CallSite::now());
  composite::implement_out_by_copy<slice_backward_base_op>(m, CallSite::now());
  composite::implement_out_by_copy<diagonal_backward_base_op>(m, CallSite::now());
  m.def<trace_backward_base>().def<gather_backward_base>().def<cumprod_backward_base>();
  m.impl<trace_backward_base, &composite::trace_backward>().impl<gather_backward_base, &composite::gather_backward>();
  m.impl<cumprod_backward_base, &composite::cumprod_backward>();
  define_forms(m, unfold_backward_base);
  composite::implement_out_by_copy<unfold_backward_base_op>(m, CallSite::now());
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl<select_backward_base, &composite::select_backward>().impl<slice_backward_base, &composite::slice_backward>();
  m.impl<diagonal_backward_base, &composite::diagonal_backward>();
  m.impl<unfold_backward_base, &composite::unfold_backward>();
}
TENON_DERIVATIVE(select_backward_base, TENON_WRT((grad_output), (grad, dim, index), select(grad, dim, index)));
TENON_DERIVATIVE(slice_backward_base,
                 TENON_WRT((grad_output), (grad, dim, start, end, step), slice(grad, dim, start, end, step)));
TENON_DERIVATIVE(diagonal_backward_base,
                 TENON_WRT((grad_output), (grad, offset, dim1, dim2), diagonal(grad, offset, dim1, dim2)));
TENON_DERIVATIVE(unfold_backward_base, TENON_WRT((grad_in), (grad, dim, size, step), unfold(grad, dim, size, step)));

}  // namespace tenon::ops
