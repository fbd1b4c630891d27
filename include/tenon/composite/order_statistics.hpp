// The gradient of what was chosen along a dimension, and sorting along the first.
#pragma once
#include <tenon/composite/order_shapes.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline Tensor value_selecting_reduction_backward(const Tensor& grad, std::int64_t dim, const Tensor& indices,
                                                 SymIntArrayRef sizes, bool keepdim) {
  Tensor none = ops::new_zeros(grad, sizes);
  if (keepdim || sizes.empty()) return ops::scatter(none, dim, indices, grad);
  return ops::scatter(none, dim, ops::unsqueeze(indices, dim), ops::unsqueeze(grad, dim));
}
inline Tensor msort(const Tensor& self) { return std::get<0>(ops::sort(self, 0)); }
inline Tensor& msort_out(const Tensor& self, Tensor& out) {
  Tensor places = ops::empty({0}, "dtype"_a = kLong, "device"_a = self.device());
  ops::sort(self, 0, false, "values"_a = out, "indices"_a = places);
  return out;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::value_selecting_reduction_backward_base>();
  define_forms(m, ops::msort_base);
  m.impl<ops::value_selecting_reduction_backward_base, &value_selecting_reduction_backward>();
  m.impl<ops::msort_base, &msort>().impl<ops::msort_base_out, &msort_out>();
}

}  // namespace tenon::composite
