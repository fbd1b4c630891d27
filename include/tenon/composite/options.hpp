// What factory operators have in common: their options, and the kernel that finds the back end of a call without
// tensors.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/structured/promotion.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/symbolic.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

/// The options of a factory operator; what is absent is the default's.
struct TensorOptions {
  std::optional<ScalarType> dtype;
  std::optional<Layout> layout;
  std::optional<Device> device;
  std::optional<bool> pin_memory;

  /// What is absent is taken from a tensor.
  TensorOptions or_like(const Tensor& t) const {
    return {dtype.value_or(t.dtype()), layout.value_or(t.layout()), device.value_or(t.device()), pin_memory};
  }
  TensorOptions with(ScalarType type) const { return {type, layout, device, pin_memory}; }
};

inline Tensor empty(SymIntArrayRef size, const TensorOptions& o, std::optional<MemoryFormat> format = std::nullopt) {
  return ops::empty(size, "dtype"_a = o.dtype, "layout"_a = o.layout, "device"_a = o.device,
                    "pin_memory"_a = o.pin_memory, "memory_format"_a = format);
}
inline Tensor empty_strided(SymIntArrayRef size, SymIntArrayRef stride, const TensorOptions& o) {
  return ops::empty_strided(size, stride, "dtype"_a = o.dtype, "layout"_a = o.layout, "device"_a = o.device,
                            "pin_memory"_a = o.pin_memory);
}

/// Unset elements in the order of `self`: its own strides where it is dense, else row-major-like ones of the same
/// order.
inline Tensor empty_preserving(const Tensor& self, const TensorOptions& o) {
  if (self.is_symbolic()) [[unlikely]] {
    // Whether there are gaps is no question that guards should answer: dense strides of the same order serve both.
    if (self.is_contiguous()) return empty(self.sym_sizes(), o);
    return empty_strided(self.sym_sizes(), preserved_strides<SymInt>(self), o);
  }
  if (self.strides() == IntArrayRef(contiguous_strides(self.sizes()))) return empty(self.sizes(), o);
  return empty_strided(self.sizes(), preserved_strides<std::int64_t>(self), o);
}

/// The BackendSelect kernels of factory operators: redispatch to the key of their device and layout arguments.
template <auto... Op>
TENON_COLD void select_back_end(Library& m, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  auto one = [&]<class O>(std::type_identity<O>) {
    m.impl_slot<O, &tenon::detail::backend_select<signature_of_t<O>>::call>(
        DispatchKey::BackendSelect, &tenon::detail::slot_of<O>, Place{file, line});
  };
  (one(std::type_identity<std::remove_const_t<decltype(Op)>>{}), ...);
}

}  // namespace tenon::composite
