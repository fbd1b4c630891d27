// A device guard for a device that may be absent, or is told later.
#pragma once
#include <optional>

#include <tenon/dispatch/device_guard.hpp>

namespace tenon {

class OptionalDeviceGuard {
 public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(std::optional<Device> device) {
    if (device) reset_device(*device);
  }
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;
  /// Makes a device current instead of the one that was set before; the end of the guard, or `reset`, goes back to the
  /// first one.
  void reset_device(Device device) {
    guard_.reset();
    guard_.emplace(device);
    device_ = device;
  }
  void reset() {
    guard_.reset();
    device_.reset();
  }
  /// None where none was set.
  std::optional<Device> current_device() const { return device_; }

 private:
  std::optional<DeviceGuard> guard_;
  std::optional<Device> device_;
};

}  // namespace tenon
