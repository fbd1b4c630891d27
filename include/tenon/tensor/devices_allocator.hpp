// The allocator of a back end that may have several devices.
#pragma once
#include <tenon/tensor/allocator.hpp>

namespace tenon {

/// Gives memory of the device that a tensor is to be on, whichever is the thread's current one: results are allocated
/// before a kernel makes its device current.
class DevicesAllocator : public Allocator {
 public:
  virtual DataPtr allocate_on(std::size_t bytes, Device device) = 0;
};

}  // namespace tenon
