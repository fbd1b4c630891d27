// What the units of the runtime share: errors, devices, streams, and the two allocators.
#pragma once
#include <string_view>

#include <tenon/base/device.hpp>
#include <tenon/base/error.hpp>

#include "caching_allocator.hpp"
#include "cudart.hpp"
#include "pinned_allocator.hpp"

namespace tenon::cuda {

inline constexpr int kMostDevices = 64;

/// Throws the error of a call of the driver, which forgets it.
inline void check(int error, std::string_view what) {
  if (error == 0) return;
  cudart().last_error();
  fail<Error>(what, ": CUDA error: ", cudart().error_text(error));
}
/// -1 is the current device. Throws ValueError for one that is none.
std::int8_t device_index(std::int8_t device);

/// Makes a device current for a scope; a failure to go back is not told.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    check(cudart().get_device(&before_), "current_device");
    if (device != before_) check(cudart().set_device(device), "set_device");
    changed_ = device != before_;
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    if (changed_) cudart().set_device(before_);
  }

 private:
  int before_ = 0;
  bool changed_ = false;
};

/// The handle of a stream; pools make theirs when they are first asked for.
void* handle_of(tenon::Stream stream);

CachingAllocator& device_memory();
PinnedAllocator& pinned_memory();

}  // namespace tenon::cuda
