// Memory of the host that devices read and write by themselves, as the CUDA component hands it out.
#pragma once
#include <tenon/base/component.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon {

struct PinnedMemory {
  /// Where storage of the host takes such memory from. Throws ValueError where there is no device.
  Allocator& (*allocator)();
  /// Whether an address lies in it.
  bool (*holds)(const void* data);
};

}  // namespace tenon

/// The one of the CUDA component; without that the symbol has no address.
extern "C" [[gnu::weak]] const tenon::PinnedMemory tenon_cuda_pinned_memory;

namespace tenon {

/// Throws NotImplementedError where the program has no component.
inline Allocator& pinned_allocator() {
  TENON_CHECK(&tenon_cuda_pinned_memory, NotImplementedError, "pin_memory(): ", cuda::kNoComponent);
  return tenon_cuda_pinned_memory.allocator();
}
inline bool is_pinned_memory(const void* data) {
  return data && &tenon_cuda_pinned_memory && tenon_cuda_pinned_memory.holds(data);
}

}  // namespace tenon
