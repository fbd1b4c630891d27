// What the kernels' host side asks of a device's runtime; kernels_cuda/runtime.cpp answers by cudart, the simulation by
// the executor's memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tenon::cuda {

/// Bytes of the process on all devices.
struct MemoryStats {
  std::size_t in_use = 0;  ///< by tensors
  std::size_t kept = 0;    ///< given back by tensors, for the next ones
  std::size_t peak = 0;    ///< the most that was in use at one time
};

}  // namespace tenon::cuda

namespace tenon::cuda::runtime {

/// Devices of the process; 0 where there is no driver.
int device_count() noexcept;
/// The current device of the thread.
std::int8_t current_device();
/// The current stream of the thread on its current device, as `launch` takes it.
void* current_stream();
/// Blocks of so many lanes that the current device runs at a time.
std::int64_t resident_blocks(unsigned threads);
/// Memory of the current device, in the order of the current stream. Throws OutOfMemoryError.
void* allocate(std::size_t bytes);
/// Gives memory back in the order of the stream that it was taken for.
void release(void* data) noexcept;
/// Copies in the order of the current stream; come back when the host's memory was read or written.
void copy_to_device(void* to, const void* from, std::size_t bytes);
void copy_to_host(void* to, const void* from, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
/// Throws the error of a kernel's start. `what` names the operator.
void check_launch(std::string_view what);
/// Comes back when the current stream has run all that it was given.
void synchronize();
MemoryStats memory_stats();
/// Returns every kept block to the driver.
void empty_cache();

}  // namespace tenon::cuda::runtime
