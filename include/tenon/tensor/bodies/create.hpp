// Making tensors out of memory of others, of other tensors and of numbers.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

namespace detail {
TENON_BODY void negative_size(std::int64_t size, IntArrayRef sizes) {
  fail<ValueError>("Trying to create tensor with negative dimension ", size, ": ", sizes);
}
TENON_BODY void too_many_elements(IntArrayRef sizes) {
  fail<OutOfMemoryError>("Storage size calculation overflowed with sizes=", sizes);
}
}  // namespace detail

TENON_BODY Tensor make_alias(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) {
  TensorImpl& from = base.impl();
  Tensor t(intrusive_ptr<TensorImpl>::adopt(new TensorImpl(from.storage(), from.keys(), from.dtype(), from.device())));
  t->set_geometry(sizes, strides, offset);
  t->set_layout(from.layout());
  if (from.is_inference()) t->set_inference(true);
  return t;
}

TENON_BODY Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype,
                            DataPtr::Deleter deleter, void* context, Device device) {
  DimVector row_major = contiguous_strides(sizes);
  IntArrayRef used = strides.empty() ? IntArrayRef(row_major) : strides;
  DataPtr owned(data, context, deleter, device);
  auto storage = StorageImpl::adopt(std::move(owned), storage_bytes(sizes, used, item_size(dtype)), nullptr);
  Tensor t(intrusive_ptr<TensorImpl>::adopt(
      new TensorImpl(std::move(storage), new_tensor_keys(device.type), dtype, device)));
  t->set_geometry(sizes, used, 0);
  return t;
}

TENON_BODY Tensor scalar_tensor(const Scalar& value, ScalarType dtype, bool wrapped) {
  Tensor t = make_tensor({}, {}, dtype);
  visit_scalar_type(dtype, [&]<class T>(type_tag<T>) { *static_cast<T*>(t.data_ptr()) = value.to<T>(); });
  t->set_wrapped_number(wrapped);
  return t;
}

}  // namespace tenon
