// Tensors carried over with another size, dtype or device.
#pragma once
#include <optional>
#include <vector>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/carried.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/matching.hpp>

namespace tenon::composite {

/// Nothing to lift where no transform is at work: the tensor itself.
inline Tensor lift(const Tensor& self) { return self; }
/// Copied at once: memory here is never shared until it is written.
inline Tensor lazy_clone(const Tensor& self) { return ops::clone(self); }
inline Tensor resized(const Tensor& self, SymIntArrayRef size, std::optional<MemoryFormat> format) {
  Tensor copy = ops::clone(self);
  return ops::resize_(copy, size, "memory_format"_a = format);
}
inline Tensor resized_as(const Tensor& self, const Tensor& like, std::optional<MemoryFormat> format) {
  Tensor copy = ops::clone(self);
  return ops::resize_as_(copy, like, "memory_format"_a = format);
}
/// No dtype here is quantised, so elements keep their values.
inline Tensor dequantize(const Tensor& self) { return ops::to(self, kFloat); }
inline std::vector<Tensor> to_cpu(TensorList tensors) {
  std::vector<Tensor> results;
  for (const Tensor& t : tensors) results.push_back(ops::to(t, kCPU));
  return results;
}
inline bool autocast_applies(const Tensor& self, bool cuda_enabled, bool cpu_enabled) {
  return (self.device().type == DeviceType::CUDA && cuda_enabled) ||
         (self.device().type == DeviceType::CPU && cpu_enabled);
}
inline Tensor autocast_to_full_precision(const Tensor& self, bool cuda_enabled, bool cpu_enabled) {
  const bool applies = autocast_applies(self, cuda_enabled, cpu_enabled);
  return applies && is_reduced_floating_type(self.dtype()) ? ops::to(self, kFloat) : self;
}
inline Tensor autocast_to_reduced_precision(const Tensor& self, bool cuda_enabled, bool cpu_enabled,
                                            ScalarType cuda_dtype, ScalarType cpu_dtype) {
  if (self.dtype() != kFloat || !autocast_applies(self, cuda_enabled, cpu_enabled)) return self;
  return ops::to(self, self.device().type == DeviceType::CUDA ? cuda_dtype : cpu_dtype);
}
inline bool is_vulkan_available() { return false; }

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  auto define = [&]<class Op>(Op) {
    define_forms(m, Op{});
    implement_out_by_copy<Op>(m, Place{__FILE__, __LINE__});
  };
  define(ops::lift_base);
  define(ops::resize_base);
  define(ops::resize_as_base);
  define(ops::dequantize_self);
  m.impl<ops::resize_base, &resized>(all).impl<ops::resize_as_base, &resized_as>(all);
  m.impl<ops::dequantize_self, &dequantize>(all);
  // Made of what has gradients.
  m.impl<ops::lift_base, &lift>();
  m.def<ops::_lazy_clone_base>().impl<ops::_lazy_clone_base, &lazy_clone>();
  m.def<ops::_to_cpu_base>().impl<ops::_to_cpu_base, &to_cpu>();
  m.def<ops::_autocast_to_full_precision_base>().def<ops::_autocast_to_reduced_precision_base>();
  m.impl<ops::_autocast_to_full_precision_base, &autocast_to_full_precision>();
  m.impl<ops::_autocast_to_reduced_precision_base, &autocast_to_reduced_precision>();
  m.def<ops::is_vulkan_available_base>().impl<ops::is_vulkan_available_base, &is_vulkan_available>();
}

}  // namespace tenon::composite
