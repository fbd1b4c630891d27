// Making tensors out of memory of others, of other tensors and of numbers.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

namespace detail {

/// A row-major CPU tensor in one block with its memory, or null where that cannot be: too large, too many dimensions, a
/// negative size, another allocator.
inline TensorImpl* make_small_tensor(IntArrayRef sizes, ScalarType dtype) {
  if (sizes.size() > TensorImpl::kInPlace || !plain_cpu_memory()) return nullptr;
  // Three factors of at most 2^13 do not overflow before the product is seen to be too large.
  constexpr std::uint64_t most = TensorImpl::kLargestShared;
  std::uint64_t bytes = item_size(dtype);
  for (std::int64_t size : sizes) {
    if (static_cast<std::uint64_t>(size) > most || bytes > most) return nullptr;
    bytes *= static_cast<std::uint64_t>(size);
  }
  return make_in_block<take_block_of>(bytes, dtype, [&](TensorImpl& t) { t.set_row_major(sizes); });
}
TENON_BODY Tensor make_any_tensor(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device) {
  bool row_major = strides.empty() || sizes.empty();
  if (row_major && device.is_cpu())
    if (TensorImpl* small = make_small_tensor(sizes, dtype)) return Tensor(intrusive_ptr<TensorImpl>::adopt(small));
  std::int64_t count = 1, bytes;
  bool overflow = false;
  for (auto s : sizes) {
    if (s < 0) fail<ValueError>("Trying to create tensor with negative dimension ", s, ": ", sizes);
    overflow |= __builtin_mul_overflow(count, s, &count);
  }
  std::size_t item = item_size(dtype);
  overflow |= __builtin_mul_overflow(count, static_cast<std::int64_t>(item), &bytes);
  if (overflow) fail<OutOfMemoryError>("Storage size calculation overflowed with sizes=", sizes);
  if (device.is_cpu()) device = kCPU;  // there is one: its number is not kept
  std::size_t needed = row_major ? static_cast<std::size_t>(bytes) : storage_bytes(sizes, strides, item);
  Tensor t(intrusive_ptr<TensorImpl>::adopt(
      new TensorImpl(StorageImpl::create(needed, device), new_tensor_keys(device.type), dtype, device)));
  t->set_geometry(sizes, strides, 0);
  if (is_inference_mode()) t->set_inference(true);
  return t;
}

}  // namespace detail

TENON_BODY Tensor make_alias(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) {
  return detail::make_alias_here(base, sizes, strides, offset);
}

TENON_BODY Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype,
                            DataPtr::Deleter deleter, void* context, Device device) {
  for (std::int64_t s : sizes)
    if (s < 0) fail<ValueError>("from_blob(): Trying to create tensor with negative dimension ", s, ": ", sizes);
  TENON_CHECK(strides.empty() || strides.size() == sizes.size(), ValueError, "from_blob(): dimensionality of sizes (",
              sizes.size(), ") must match dimensionality of strides (", strides.size(), ")");
  for (std::int64_t s : strides)
    if (s < 0) fail<ValueError>("from_blob(): Negative strides are not supported, got strides: ", strides);
  DimVector row_major = contiguous_strides(sizes);
  IntArrayRef used = strides.empty() ? IntArrayRef(row_major) : strides;
  std::size_t bytes = storage_bytes(sizes, used, item_size(dtype));
  TENON_CHECK(data || bytes == 0, ValueError, "from_blob(): expected memory for shape ", sizes, ", got a null pointer");
  auto storage = StorageImpl::adopt(DataPtr(data, device), bytes, nullptr);
  Tensor t(intrusive_ptr<TensorImpl>::adopt(
      new TensorImpl(std::move(storage), new_tensor_keys(device.type), dtype, device)));
  t->set_geometry(sizes, used, 0);
  // The last: what failed until here leaves the memory to its caller.
  t->storage()->give_owner(DataPtr(data, context, deleter, device));
  return t;
}

TENON_BODY Tensor scalar_tensor(const Scalar& value, ScalarType dtype, bool wrapped) {
  Tensor t = make_tensor({}, {}, dtype);
  visit_element_type(dtype, [&]<class T>(type_tag<T>) { *static_cast<T*>(t.data_ptr()) = value.to<T>(); });
  t->set_wrapped_number(wrapped);
  return t;
}

}  // namespace tenon
