// Where tensors are, for a device guard: `OptionalDeviceGuard guard(device_of(self));`.
#pragma once
#include <optional>

#include <tenon/base/array_ref.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// The device of a tensor; none for an undefined one.
inline std::optional<Device> device_of(const Tensor& t) {
  return t.defined() ? std::optional<Device>(t.device()) : std::nullopt;
}
inline std::optional<Device> device_of(const std::optional<Tensor>& t) {
  return t ? device_of(*t) : std::optional<Device>();
}
/// That of the first tensor, as a kernel with a list runs where its first tensor is.
inline std::optional<Device> device_of(ArrayRef<Tensor> tensors) {
  return tensors.empty() ? std::optional<Device>() : device_of(tensors.front());
}

}  // namespace tenon
