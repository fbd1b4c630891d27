// The device of factories that name none.
#pragma once
#include <optional>

#include <tenon/base/device.hpp>
#include <tenon/keys/local_keys.hpp>

namespace tenon {

namespace detail {
/// While this key is included, calls pass by a kernel that names the device; nobody else's kernels stand there.
inline constexpr DispatchKey kDefaultDeviceKey = DispatchKey::DeferredInit;
TENON_THREAD_WORD(Device, default_device, kCPU);
/// What set_default_device() set, or nothing.
inline std::optional<Device> device_by_default() {
  if (!is_included(kDefaultDeviceKey)) return std::nullopt;
  return default_device;
}
}  // namespace detail

/// Where this thread's factories make tensors when a call names neither a device nor a tensor: the CPU, unless set.
inline Device get_default_device() { return detail::device_by_default().value_or(kCPU); }

/// Sets it for this thread; `std::nullopt` undoes that. What operators make inside of themselves is not concerned, nor
/// are other threads. While it is set, each operator call passes by a boxed kernel; unset, it costs nothing.
void set_default_device(std::optional<Device> device);

/// Sets it for a scope. Must end on the thread that made it.
class DefaultDeviceGuard {
 public:
  explicit DefaultDeviceGuard(std::optional<Device> device) : before_(detail::device_by_default()) {
    set_default_device(device);
  }
  DefaultDeviceGuard(const DefaultDeviceGuard&) = delete;
  DefaultDeviceGuard& operator=(const DefaultDeviceGuard&) = delete;
  ~DefaultDeviceGuard() {
    detail::default_device = before_.value_or(kCPU);
    set_included(detail::kDefaultDeviceKey, before_.has_value());
  }

 private:
  std::optional<Device> before_;
};

}  // namespace tenon
