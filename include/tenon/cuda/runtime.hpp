// What the kernels' host side asks of a device's runtime; kernels_cuda/runtime.cpp answers by cudart, the simulation by
// the executor's memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/base/device.hpp>

namespace tenon::cuda {

/// Where the lanes of a captured graph find the seed, and what is added to the offsets of its calls.
struct GraphRandom {
  const std::uint64_t* device = nullptr;  ///< the seed and the offset; each replay sets them before it begins
  std::uint64_t drawn = 0;                ///< by the calls of the graph
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
/// The device whose memory an address lies in.
std::int8_t device_of(const void* data);
/// Gives memory back in the order of the stream that it was taken for.
void release(void* data) noexcept;
/// Copies in the order of the current stream; come back when the host's memory was read or written.
void copy_to_device(void* to, const void* from, std::size_t bytes);
void copy_to_host(void* to, const void* from, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
/// Memory of the host that devices read and write by themselves. Throws OutOfMemoryError.
void* allocate_pinned(std::size_t bytes);
void release_pinned(void* data) noexcept;
/// A copy like those without a wait, for memory of the host that is pinned; it stays until the copy is done.
void copy_pinned(void* to, const void* from, std::size_t bytes, const void* pinned);
bool is_pinned(const void* data);
/// From one device to another: behind what the current streams of both were given, and before what they are given
/// next.
void copy_across(void* to, std::int8_t to_device, const void* from, std::int8_t from_device, std::size_t bytes);
/// Memory that another stream uses too goes to nobody else before that has done what it was given until the release.
void record_stream(const void* data, tenon::Stream stream);
/// Whether the thread captures a graph, in which nothing can wait for the device.
bool is_capturing();
/// Of the graph that the thread captures, or null.
GraphRandom* graph_random();
/// Who gives replays their random numbers: writes the seed and the offset of the current device, and takes `drawn`
/// numbers.
void set_random_source(void (*source)(std::uint64_t drawn, std::uint64_t (&state)[2]));
/// Throws the error of a kernel's start. `what` names the operator.
void check_launch(std::string_view what);
/// Comes back when the current stream has run all that it was given.
void synchronize();

}  // namespace tenon::cuda::runtime
