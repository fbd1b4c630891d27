// What the tensor handle computes, and its errors.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/symbolic.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

namespace detail {
TENON_BODY void undefined_tensor() { fail<ValueError>("expected a defined Tensor, got an undefined one"); }
TENON_BODY void wrong_dtype(ScalarType expected, ScalarType got) {
  fail<TypeError>("data_ptr(): expected dtype ", expected, ", got ", got, "; use to() first");
}
TENON_BODY void no_version() { fail<AutogradError>("Inference tensors do not track version counter."); }
TENON_COLD_BODY void check_without_data(const TensorImpl& t) {
  if (t.is_symbolic()) symbolic_geometry(t, "data_ptr()", nullptr);
  TENON_CHECK(!t.keys().has(DispatchKey::Functionalize), TypeError,
              "data_ptr(): expected a tensor with memory, got a functional one of shape ", t.sizes(),
              "; read from_functional_tensor() of it");
  TENON_CHECK(
      !t.keys().has_any(KeySet{DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchGradWrapper}), TypeError,
      "data_ptr(): expected a tensor with memory, got one of shape ", t.sizes(),
      " within vmap or jvp, which stands for many; compute with operators, and read what the transform returns");
}
}  // namespace detail

TENON_BODY MemoryFormat Tensor::suggest_memory_format() const {
  const TensorImpl& t = impl();
  if (t.dim() != 4 && t.dim() != 5) return MemoryFormat::Contiguous;
  if (t.is_symbolic()) return detail::sym_suggest_memory_format(*this);
  if (is_channels_last_strides(sizes(), strides(), MemoryFormat::ChannelsLast)) return MemoryFormat::ChannelsLast;
  if (is_channels_last_strides(sizes(), strides(), MemoryFormat::ChannelsLast3d)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

}  // namespace tenon
