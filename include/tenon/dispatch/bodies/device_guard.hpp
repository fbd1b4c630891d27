// Bodies of the devices' hooks.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/dispatch/registry.hpp>

namespace tenon {

TENON_COLD_BODY void set_device_hooks(DeviceType type, const DeviceHooks* hooks) {
  Registry::get().set_device_hooks(type, hooks);
}
TENON_COLD_BODY const DeviceHooks* device_hooks(DeviceType type) { return Registry::get().device_hooks(type); }

}  // namespace tenon
