// Conversions on the way to containers and numbers.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/component.hpp>
#include <tenon/keys/local_keys.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/truth.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon {

namespace detail {
TENON_BODY Tensor plain_elements(const Tensor& t, ScalarType dtype) {
  TENON_CHECK(can_cast(t.dtype(), dtype), TypeError, "to_vector(): elements of dtype ", t.dtype(), " do not fit into ",
              dtype, "; use to() first");
  Tensor own = ops::detach(t);
  if (!own.is_cpu()) own = ops::to(own, "device"_a = Device(kCPU));
  if (own.dtype() != dtype) own = ops::to(own, dtype);
  return in_memory(own).contiguous();
}
}  // namespace detail

TENON_BODY Scalar Tensor::item() const {
  TENON_CHECK(numel() == 1, ValueError, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  if (keys().has_any(KeySet{DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchGradWrapper}) ||
      with_local_keys(KeySet()).has(DispatchKey::Tracer))
    return ops::_local_scalar_dense(*this);  // of jvp's the value, vmap's have one each; a trace sees the call
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

TENON_BODY Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& o) {
  TENON_CHECK(o.layout().value_or(kStrided) == kStrided, ValueError, "from_blob(): expected layout strided, got ",
              *o.layout());
  Tensor t = from_blob(data, sizes, strides, o.dtype().value_or(get_default_dtype()), nullptr, nullptr,
                       o.device().value_or(kCPU));
  return o.requires_grad() ? t.requires_grad_() : t;
}

TENON_BODY Tensor RowIterator::operator*() const { return ops::select(of_, 0, at_); }
TENON_BODY RowIterator begin(const Tensor& t) {
  TENON_CHECK(t.dim() > 0, TypeError, "iteration over a 0-d tensor");
  return {t, 0};
}

}  // namespace tenon
