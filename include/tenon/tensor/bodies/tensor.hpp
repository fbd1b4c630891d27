// What the tensor handle computes, and its errors.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/component.hpp>
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
  if (is_symbolic()) return detail::sym_suggest_memory_format(*this);
  if (is_channels_last_strides(sizes(), strides(), MemoryFormat::ChannelsLast)) return MemoryFormat::ChannelsLast;
  if (is_channels_last_strides(sizes(), strides(), MemoryFormat::ChannelsLast3d)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

TENON_BODY Scalar Tensor::item() const {
  TENON_CHECK(numel() == 1, ValueError, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  const bool zero = _is_zerotensor();
  TENON_CHECK(zero || data_ptr() != nullptr, NotImplementedError,
              "item(): expected a tensor with data, got one on device ", device());
  return visit_element_type(dtype(), [&]<class T>(type_tag<T>) -> Scalar {
    T value;
    if (zero)
      value = T();
    else if (device().type == DeviceType::CUDA && cuda::is_built())
      cuda::component()->read(&value, data_ptr(), sizeof value);
    else
      value = *static_cast<const T*>(data_ptr());
    if constexpr (is_complex_v<T>) {
      Complex<double> z{static_cast<double>(value.re), static_cast<double>(value.im)};
      if (is_conj()) z.im = -z.im;
      return is_neg() ? Complex<double>{-z.re, -z.im} : z;
    } else if (is_neg()) {
      if constexpr (std::is_unsigned_v<T>)
        return Scalar(static_cast<T>(-value));  // wraps, as in memory
      else
        return -Scalar(value);
    } else
      return Scalar(value);
  });
}

}  // namespace tenon
