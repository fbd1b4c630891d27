// Weights by the norms of their slices, with these norms, and their gradients.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/sequences.hpp>
#include <tenon/ops/weight_norm.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

/// The weight and the norms; norms of 16-bit weights are float.
inline std::tuple<Tensor, Tensor> weight_and_norms(const Tensor& v, const Tensor& g, std::int64_t dim) {
  const bool wide = is_reduced_floating_type(v.dtype());
  const Tensor x = wide ? ops::to(v, kFloat) : v, y = wide ? ops::to(g, kFloat) : g;
  dim = wrap_dim(dim, v.dim());
  TENON_CHECK(dim == 0 || dim == v.dim() - 1, ValueError, "fused kernels can only be applied for first or last dim");
  Tensor norms = norm_of_slices(x, 2, dim);
  Tensor w = ops::mul(x, ops::div(y, norms));
  return {wide ? Tensor(ops::to(w, v.dtype())) : w, norms};
}
inline std::tuple<Tensor, Tensor> weight_norm_gradients(const Tensor& grad, const Tensor& v, const Tensor& g,
                                                        const Tensor& norms, std::int64_t dim) {
  const ScalarType type = v.dtype(), wide = is_reduced_floating_type(type) ? kFloat : type;
  auto widened = [&](const Tensor& t) { return t.dtype() == wide ? t : Tensor(ops::to(t, wide)); };
  const Tensor x = widened(v), y = widened(g), n = widened(norms), d = widened(grad);
  dim = wrap_dim(dim, v.dim());
  DimVector others;
  for (std::int64_t k = 0; k < v.dim(); ++k)
    if (k != dim) others.push_back(k);
  Tensor along = ops::mul(d, x);
  if (!others.empty()) along = ops::sum(along, IntArrayRef(others), true);
  Tensor grad_v = ops::mul(ops::div(y, n), ops::sub(d, ops::mul(x, ops::div(along, ops::mul(n, n)))));
  return {Tensor(ops::to(grad_v, type)), Tensor(ops::to(ops::div(along, n), g.dtype()))};
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr auto all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::_weight_norm_differentiable_backward_base>();
  define_forms(m, ops::_weight_norm_interface_base);
  define_forms(m, ops::_weight_norm_interface_backward_base);
  m.impl<ops::_weight_norm_interface_base, &weight_and_norms>(all);
  m.impl<ops::_weight_norm_interface_backward_base, &weight_norm_gradients>(all);
  m.impl<ops::_weight_norm_differentiable_backward_base, &weight_norm_gradients>();
  implement_out_by_copy<ops::_weight_norm_interface_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::_weight_norm_interface_backward_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(_weight_norm_interface_base,
                 TENON_WRT((v, g), (grad, v, g, result1, dim),
                           _weight_norm_differentiable_backward(grad, v, g, result1, dim)));

}  // namespace tenon::ops
