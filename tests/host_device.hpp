// A device of the tests, whose memory is the host's.
#pragma once
#include <tenon/tensor/create.hpp>

constexpr tenon::Device kDevice(tenon::DeviceType::PrivateUse1, 0);

/// The same memory as a tensor of another device.
inline tenon::Tensor on(const tenon::Tensor& t, tenon::Device device) {
  using namespace tenon;
  return from_blob(
      t.data_ptr(), t.sizes(), t.strides(), t.dtype(),
      [](void* impl) { Tensor(intrusive_ptr<TensorImpl>::adopt(static_cast<TensorImpl*>(impl))); },
      intrusive_ptr<TensorImpl>(t.impl_ptr()).release(), device);
}
