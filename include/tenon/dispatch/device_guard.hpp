// The current device of a thread: what a back end of several devices tells of it, and the guard that changes it.
#pragma once
#include <cstdint>

#include <tenon/base/device.hpp>

namespace tenon {

/// What a back end of several devices offers: makes one the thread's current device and returns the index of the one
/// that was. Lives as long as the process.
struct DeviceHooks {
  std::int8_t (*exchange)(std::int8_t index);
};

/// For the process; null takes them away.
void set_device_hooks(DeviceType type, const DeviceHooks* hooks);
/// Null where a back end has one device, or says nothing of several.
const DeviceHooks* device_hooks(DeviceType type);

/// Makes a device the thread's current one for a scope; does nothing where its back end has no hooks.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device) : hooks_(device_hooks(device.type)) {
    if (hooks_) before_ = hooks_->exchange(device.index < 0 ? std::int8_t{0} : device.index);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() {
    if (hooks_) hooks_->exchange(before_);
  }

 private:
  const DeviceHooks* hooks_;
  std::int8_t before_ = 0;
};

}  // namespace tenon
