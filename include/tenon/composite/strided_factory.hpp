// New tensors with strides of the caller's.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/strided_factory.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

inline Tensor new_empty_strided(const Tensor& self, SymIntArrayRef size, SymIntArrayRef stride,
                                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                std::optional<Device> device, std::optional<bool> pin_memory) {
  return empty_strided(size, stride, TensorOptions{dtype, layout, device, pin_memory}.or_like(self));
}
inline Tensor empty_permuted(SymIntArrayRef size, IntArrayRef physical_layout, std::optional<ScalarType> dtype,
                             std::optional<Layout> layout, std::optional<Device> device,
                             std::optional<bool> pin_memory) {
  const std::size_t n = size.size();
  TENON_CHECK(physical_layout.size() == n, ValueError,
              "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ", n,
              " is not equal to len(physical_layout) = ", physical_layout.size());
  SymDimVector strides(n, SymInt(0));
  std::vector<bool> seen(n, false);
  SymInt stride = 1;
  for (std::size_t i = n; i-- > 0;) {
    const std::int64_t at = physical_layout[i];
    TENON_CHECK(at >= 0 && at < static_cast<std::int64_t>(n), IndexError,
                "Dimension out of range (expected to be between 0 and ", n - 1, ", but got ", at, " at index ", i,
                ").  NB: negative dims not currently supported; file an issue if you want it.");
    const auto d = static_cast<std::size_t>(at);
    TENON_CHECK(!seen[d], ValueError, "Duplicate dim not allowed");
    seen[d] = true;
    strides[d] = stride;
    if (size[d] != 0) stride = stride * size[d];
  }
  return empty_strided(size, SymIntArrayRef(strides), {dtype, layout, device, pin_memory});
}
inline Tensor& empty_permuted_out(SymIntArrayRef size, IntArrayRef physical_layout, Tensor& out) {
  return copy_to_out(ops::empty_permuted(size, physical_layout, "dtype"_a = out.dtype(), "device"_a = out.device()),
                     out);
}
inline Tensor& new_empty_strided_out(const Tensor& self, SymIntArrayRef size, SymIntArrayRef stride, Tensor& out) {
  return copy_to_out(ops::new_empty_strided(self, size, stride, "dtype"_a = out.dtype(), "device"_a = out.device()),
                     out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr auto all = DispatchKey::CompositeExplicitAutograd;
  define_forms(m, ops::new_empty_strided_base);
  define_forms(m, ops::empty_permuted_base);
  m.impl<ops::new_empty_strided_base, &new_empty_strided>(all).impl<ops::empty_permuted_base, &empty_permuted>(all);
  m.impl<ops::new_empty_strided_base_out, &new_empty_strided_out>(all);
  m.impl<ops::empty_permuted_base_out, &empty_permuted_out>(all);
  // The results need no gradient.
  autograd::register_unrecorded(m, ops::new_empty_strided_base, __FILE__, __LINE__);
  autograd::register_unrecorded_write<decltype(ops::empty_permuted_base)::out>(m, CallSite::now());
}

}  // namespace tenon::composite
