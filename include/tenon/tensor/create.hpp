// Making tensors out of memory: what needs no operator.
#pragma once
#include <tenon/tensor/tensor.hpp>

namespace tenon {

namespace detail {
TENON_THREAD_WORD(bool, inference_mode, false);
}  // namespace detail

/// Whether tensors made now on this thread are inference tensors, which record nothing and count no versions.
inline bool is_inference_mode() { return detail::inference_mode; }

/// The keys of a tensor made now on a device.
inline KeySet new_tensor_keys(DeviceType device) {
  constexpr KeySet cpu = dense_keys(DeviceType::CPU);
  KeySet keys = device == DeviceType::CPU ? cpu : dense_keys(device);
  return is_inference_mode() ? keys.without_functionalities(key_sets::autograd_and_inplace_or_view) : keys;
}

namespace detail {
/// A CPU tensor in one block with its memory, from `Take`, or null if that is too large; `set_geometry` gives it its
/// shape.
template <void* (*Take)(unsigned cls), class SetGeometry>
[[gnu::always_inline]] inline TensorImpl* make_in_block(std::uint64_t bytes, ScalarType dtype,
                                                        SetGeometry set_geometry) {
  if (bytes > TensorImpl::kLargestShared) [[unlikely]]
    return nullptr;
  TensorImpl* impl = TensorImpl::make_in_block<Take>(bytes, dense_keys(DeviceType::CPU), dtype);
  if (!impl) [[unlikely]]
    return nullptr;
  set_geometry(*impl);
  if (is_inference_mode()) [[unlikely]] {
    impl->set_keys(new_tensor_keys(DeviceType::CPU));
    impl->set_inference(true);
  }
  return impl;
}
/// A row-major CPU tensor of the commonest ranks in one block that the thread has kept, or null where there is none:
/// neither a loop nor a call.
[[gnu::always_inline]] inline TensorImpl* make_kept_tensor(IntArrayRef sizes, ScalarType dtype) {
  if (!plain_cpu_memory()) [[unlikely]]
    return nullptr;
  // Factors of at most 2^13 do not overflow.
  auto fits = [](std::int64_t size) { return static_cast<std::uint64_t>(size) <= TensorImpl::kLargestShared; };
  std::size_t dim = sizes.size();
  std::int64_t rows = 1, columns = 1;
  if (dim == 2) {
    rows = sizes[0];
    columns = sizes[1];
  } else if (dim == 1) {
    columns = sizes[0];
  } else if (dim != 0) {
    return nullptr;
  }
  if (!fits(rows) || !fits(columns)) [[unlikely]]
    return nullptr;
  return make_in_block<take_kept_block>(item_size(dtype) * static_cast<std::uint64_t>(rows * columns), dtype,
                                        [&](TensorImpl& t) {
                                          if (dim == 2)
                                            t.set_row_major(rows, columns);
                                          else if (dim == 1)
                                            t.set_row_major(columns);
                                          else
                                            t.set_row_major(IntArrayRef());
                                        });
}
Tensor make_any_tensor(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device);
}  // namespace detail

/// A tensor of unset elements. Strides may be empty for row-major ones. Throws ValueError for negative sizes and
/// OutOfMemoryError.
inline Tensor make_tensor(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device = kCPU) {
  if (strides.empty() && device.is_cpu()) [[likely]]
    if (TensorImpl* kept = detail::make_kept_tensor(sizes, dtype)) [[likely]]
      return Tensor(intrusive_ptr<TensorImpl>::adopt(kept));
  return detail::make_any_tensor(sizes, strides, dtype, device);
}

namespace detail {
/// make_alias without a call, for the kernels of views.
[[gnu::always_inline]] inline Tensor make_alias_here(const Tensor& base, IntArrayRef sizes, IntArrayRef strides,
                                                     std::int64_t offset) {
  Tensor t(intrusive_ptr<TensorImpl>::adopt(TensorImpl::make_alias_of(base.impl())));
  if (sizes.size() <= TensorImpl::kInPlace && sizes.size() == strides.size()) [[likely]]
    t->set_strided(sizes, strides, offset);
  else
    t->set_geometry(sizes, strides, offset);
  return t;
}
}  // namespace detail
/// A tensor over the same memory with another geometry; no autograd, no operator call.
Tensor make_alias(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, std::int64_t offset);
inline Tensor make_alias(const Tensor& base) {
  return make_alias(base, base.sizes(), base.strides(), base.storage_offset());
}

/// A tensor over memory that somebody else made; `deleter(context)` runs when the last view ends. No copy.
/// Throws ValueError for sizes or strides below zero, for strides of another length than sizes and for a null pointer
/// unless the tensor is empty; the memory then stays the caller's.
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
