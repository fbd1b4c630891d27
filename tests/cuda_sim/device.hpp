// What tests ask of the simulated device.
#pragma once

namespace tenon::cuda::simulated {

/// Whether an address lies in the device's memory, which the host cannot touch.
bool is_device_memory(const void* p);

}  // namespace tenon::cuda::simulated
