// Making tensors out of memory: what needs no operator.
#pragma once
#include <tenon/tensor/tensor.hpp>

namespace tenon {

namespace detail {
TENON_THREAD_WORD(bool, inference_mode, false);
[[noreturn, gnu::cold]] void negative_size(std::int64_t size, IntArrayRef sizes);
[[noreturn, gnu::cold]] void too_many_elements(IntArrayRef sizes);
}  // namespace detail

/// Whether tensors made now on this thread are inference tensors, which record nothing and count no versions.
inline bool is_inference_mode() { return detail::inference_mode; }

/// The keys of a tensor made now on a device.
inline KeySet new_tensor_keys(DeviceType device) {
  constexpr KeySet cpu = dense_keys(DeviceType::CPU);
  KeySet keys = device == DeviceType::CPU ? cpu : dense_keys(device);
  return is_inference_mode() ? keys.without_functionalities(key_sets::autograd_and_inplace_or_view) : keys;
}

/// A tensor of unset elements. Strides may be empty for row-major ones. Throws ValueError for negative sizes and
/// OutOfMemoryError.
inline Tensor make_tensor(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device = kCPU) {
  std::int64_t count = 1, bytes;
  bool overflow = false;
  for (auto s : sizes) {
    if (s < 0) [[unlikely]]
      detail::negative_size(s, sizes);
    overflow |= __builtin_mul_overflow(count, s, &count);
  }
  std::size_t item = item_size(dtype);
  overflow |= __builtin_mul_overflow(count, static_cast<std::int64_t>(item), &bytes);
  if (overflow) [[unlikely]]
    detail::too_many_elements(sizes);
  bool row_major = strides.empty() || sizes.empty();
  std::size_t needed = row_major ? static_cast<std::size_t>(bytes) : storage_bytes(sizes, strides, item);
  Tensor t(intrusive_ptr<TensorImpl>::adopt(
      new TensorImpl(StorageImpl::create(needed, device), new_tensor_keys(device.type), dtype, device)));
  if (row_major && sizes.size() <= TensorImpl::kInPlace) [[likely]]
    t->set_row_major(sizes, count);
  else
    t->set_geometry(sizes, strides, 0);
  if (is_inference_mode()) [[unlikely]]
    t->set_inference(true);
  return t;
}

/// A tensor over the same memory with another geometry; no autograd, no operator call.
Tensor make_alias(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, std::int64_t offset);
inline Tensor make_alias(const Tensor& base) {
  return make_alias(base, base.sizes(), base.strides(), base.storage_offset());
}

/// A tensor over memory that somebody else made; `deleter(context)` runs when the last view ends. No copy.
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype,
                 DataPtr::Deleter deleter = nullptr, void* context = nullptr, Device device = kCPU);
inline Tensor from_blob(void* data, IntArrayRef sizes, ScalarType dtype, DataPtr::Deleter deleter = nullptr,
                        void* context = nullptr) {
  return from_blob(data, sizes, {}, dtype, deleter, context);
}

/// A zero-dim tensor of one number. With `wrapped` it takes part in promotion as a number.
Tensor scalar_tensor(const Scalar& value, ScalarType dtype, bool wrapped = false);
/// A number as PyTorch makes it an operand: int64, float64, complex128 or bool, promoted as a number.
inline Tensor wrapped_scalar_tensor(const Scalar& value) { return scalar_tensor(value, value.type(), true); }

}  // namespace tenon
