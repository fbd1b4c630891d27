// Forms of operators that recorded graphs name, beside those that programs write.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/named_forms.hpp>
#include <tenon/ops/pooling.hpp>

namespace tenon::composite {

inline Tensor& copy_into(const Tensor& self, const Tensor& src, bool non_blocking, Tensor& out) {
  return copy_to_out(ops::clone(self).copy_(src, non_blocking), out);
}
/// Only the shape is taken, as in PyTorch: what has another is laid out in row-major order.
inline Tensor& empty_strided_into(SymIntArrayRef size, SymIntArrayRef stride, Tensor& out) {
  TENON_CHECK(size.size() == stride.size(), ValueError, "empty_strided(): expected as many strides as sizes, got ",
              stride.size(), " for ", size.size());
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, size);
  return out;
}
inline Tensor& conj_physical_into(const Tensor& self, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  return copy_to_out(ops::_conj_physical(self), out);
}
inline Tensor& adaptive_avg_pool3d_backward_into(const Tensor& grad, const Tensor& self, Tensor& out) {
  return ops::_adaptive_avg_pool3d_backward_base_out(grad, self, out);
}
/// 0 where no two elements share a place, 1 where some do, 2 where this shape of strides does not say.
inline std::int64_t debug_has_internal_overlap(const Tensor& self) {
  if (self.is_symbolic() ? self.is_contiguous() : self.is_non_overlapping_and_dense()) return 0;
  const auto at = [](std::int64_t d) { return static_cast<std::size_t>(d); };
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (self.sym_strides()[at(d)] == SymInt(0) && self.sym_sizes()[at(d)] > SymInt(1)) return 1;
  return 2;
}
inline bool has_compatible_shallow_copy_type(const Tensor& self, const Tensor& from) {
  return self.device().type == from.device().type && self.layout() == from.layout();
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::copy_into_out>().def<ops::empty_strided_into_out>().def<ops::_conj_physical_into_out>();
  m.def<ops::adaptive_avg_pool3d_backward_into_grad_input>();
  m.impl<ops::copy_into_out, &copy_into>(all)
      .impl<ops::empty_strided_into_out, &empty_strided_into>(all)
      .impl<ops::_conj_physical_into_out, &conj_physical_into>(all)
      .impl<ops::adaptive_avg_pool3d_backward_into_grad_input, &adaptive_avg_pool3d_backward_into>(all);
  m.def<ops::_debug_has_internal_overlap_base>().def<ops::_has_compatible_shallow_copy_type_base>();
  m.impl<ops::_debug_has_internal_overlap_base, &debug_has_internal_overlap>();
  m.impl<ops::_has_compatible_shallow_copy_type_base, &has_compatible_shallow_copy_type>();
}

}  // namespace tenon::composite
