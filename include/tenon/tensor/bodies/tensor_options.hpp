// Options of tensors from a back end's key.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/tensor/tensor_options.hpp>

namespace tenon {

TENON_BODY TensorOptions options_of(DispatchKey key) {
  BackendComponent backend = backend_of(key);
  for (int d = 0; d <= static_cast<int>(DeviceType::PrivateUse1); ++d) {
    Device device(static_cast<DeviceType>(d));
    TensorOptions on_device(device);
    if (key == DispatchKey::MkldnnCPU && device.is_cpu()) return on_device.layout(Layout::Mkldnn);
    if (backend == BackendComponent::Invalid) {
      // Back ends that are functionalities of their own.
      bool own =
          device.type == DeviceType::Vulkan || device.type == DeviceType::Metal || device.type == DeviceType::FPGA;
      if (own && dispatch_key_of(device.type) == key) return on_device.layout(Layout::Strided);
    } else if (backend_of(device.type) == backend) {
      switch (functionality_of(key)) {
        case DispatchKey::Dense:
        case DispatchKey::Quantized: return on_device.layout(Layout::Strided);
        case DispatchKey::Sparse: return on_device.layout(Layout::Sparse);
        case DispatchKey::NestedTensor: return on_device.layout(Layout::Jagged);
        case DispatchKey::SparseCsr: fail<ValueError>("Cannot map ", key, " to a unique layout.");
        default: break;
      }
    }
  }
  fail<ValueError>("options_of(): expected the key of a back end's tensors, such as CPU or SparseCUDA, got ", key);
}

}  // namespace tenon
