// New tensors in the memory of the CPU, unset and counted.
#pragma once
#include <tenon/composite/new_tensor.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::cpu::detail {

/// Has the form of a table slot, so that arguments stay where the caller left them.
inline Tensor empty_cpu(void*, KeySet, IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device, std::optional<bool> pin_memory,
                        std::optional<MemoryFormat> format) {
  if (!layout && !pin_memory && !format) [[likely]]
    if (TensorImpl* kept = tenon::detail::make_kept_tensor(size, dtype ? *dtype : get_default_dtype())) [[likely]]
      return Tensor(intrusive_ptr<TensorImpl>::adopt(kept));
  return composite::empty_on<DeviceType::CPU>(size, dtype, layout, device, pin_memory, format);
}

/// Writes n values to a tensor of n elements.
inline void count_into(const Tensor& out, const Scalar& start, const Scalar& step, std::int64_t n) {
  bool direct = out.is_contiguous();
  Tensor to = direct ? out : make_tensor(out.sizes(), {}, out.dtype());
  visit_scalar_type(to.dtype(), [&]<class T>(type_tag<T>) {
    T* p = static_cast<T*>(to.data_ptr());
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      // Unsigned: the last step may leave the range.
      auto value = static_cast<std::uint64_t>(start.to_int()), by = static_cast<std::uint64_t>(step.to_int());
      for (std::int64_t i = 0; i < n; ++i) p[i] = static_cast<T>(value + by * static_cast<std::uint64_t>(i));
    } else if constexpr (!is_complex_v<T> && !std::is_same_v<T, bool>) {
      double from = start.to_double(), by = step.to_double();
      for (std::int64_t i = 0; i < n; ++i) p[i] = cast_element<T>(from + by * static_cast<double>(i));
    }
  });
  Tensor written = out;
  if (!direct) ops::copy_(written, to);
}
inline Tensor& arange_start_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  std::int64_t n = composite::resize_for_arange(start, end, step, out);
  AutoDispatchBelowADInplaceOrView guard;
  count_into(out, start, step, n);
  return out;
}
inline Tensor& range_step_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  std::int64_t n = composite::resize_for_range(start, end, step, out);
  AutoDispatchBelowADInplaceOrView guard;
  count_into(out, start, step, n);
  return out;
}

}  // namespace tenon::cpu::detail

TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  m.impl_slot<ops::empty_memory_format_op, &cpu::detail::empty_cpu>(DispatchKey::CPU, nullptr, CallSite::now());
  m.impl<ops::empty_strided_base, &composite::empty_strided_on<DeviceType::CPU>>();
  m.impl<ops::arange_start_step_out, &cpu::detail::arange_start_out>();
  m.impl<ops::range_step_out, &cpu::detail::range_step_out>();
}
