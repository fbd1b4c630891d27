// What programs ask of the component's runtime, as a table that a program without the component lacks; they call it
// through streams.hpp, events.hpp, graphs.hpp and memory.hpp.
#pragma once
#include <cstddef>
#include <cstdint>

#include <tenon/base/component.hpp>
#include <tenon/base/device.hpp>

namespace tenon::cuda {

/// Bytes of a device.
struct MemoryStats {
  std::size_t in_use = 0;     ///< by tensors
  std::size_t kept = 0;       ///< given back by tensors, for the next ones
  std::size_t peak = 0;       ///< the most that was in use at one time
  std::size_t waiting = 0;    ///< given back, while other streams may still use it
  std::size_t most_held = 0;  ///< the most that was taken from the driver at one time

  // Calls.
  std::uint64_t allocations = 0;    ///< of tensors
  std::uint64_t from_driver = 0;    ///< those that no kept block served
  std::uint64_t retries = 0;        ///< after everything kept went back to the driver
  std::uint64_t out_of_memory = 0;  ///< that failed

  std::size_t held() const { return in_use + kept + waiting; }
};
/// Bytes of pinned memory of the host.
struct PinnedStats {
  std::size_t in_use = 0, kept = 0;  ///< `kept`: those that devices may still read or write too
};

/// Is told of memory as it comes and goes. Called on any thread, after the fact; must not throw.
class MemoryReporter {
 public:
  virtual ~MemoryReporter() = default;
  /// `bytes` below zero where a tensor gave memory back.
  virtual void moved(Device device, const void* data, std::ptrdiff_t bytes, const MemoryStats& stats) = 0;
  virtual void out_of_memory(Device, std::size_t, const MemoryStats&) {}
};

/// Devices are told by index, -1 is the current one. Handles of events and graphs are the component's.
struct RuntimeCalls {
  tenon::Stream (*stream_from_pool)(std::int8_t device, int priority);
  tenon::Stream (*current_stream)(std::int8_t device);
  tenon::Stream (*exchange_stream)(tenon::Stream stream);  ///< the one that was current on its device
  void* (*stream_handle)(tenon::Stream stream);
  bool (*stream_query)(tenon::Stream stream);
  void (*stream_synchronize)(tenon::Stream stream);
  int (*stream_priority)(tenon::Stream stream);
  void (*synchronize)(std::int8_t device);

  void* (*event_create)(std::int8_t device, bool timed, bool blocks);
  void (*event_destroy)(std::int8_t device, void* event);
  void (*event_record)(void* event, tenon::Stream stream);
  void (*event_wait)(void* event, tenon::Stream stream);
  bool (*event_query)(std::int8_t device, void* event);
  void (*event_synchronize)(std::int8_t device, void* event);
  float (*event_elapsed)(std::int8_t device, void* from, void* to);

  MemoryStats (*memory_stats)(std::int8_t device);
  void (*reset_peak)(std::int8_t device);
  PinnedStats (*pinned_stats)();
  void (*empty_cache)();
  MemoryReporter* (*set_reporter)(MemoryReporter* reporter);  ///< the one before

  void* (*graph_create)();
  void (*graph_destroy)(void* graph);
  void (*graph_begin)(void* graph, std::uint64_t pool);
  void (*graph_end)(void* graph);
  void (*graph_replay)(void* graph);
  std::uint64_t (*graph_pool)(void* graph);
  bool (*is_capturing)();
};

}  // namespace tenon::cuda

/// The component's; without one the symbol has no address.
extern "C" [[gnu::weak]] const tenon::cuda::RuntimeCalls tenon_cuda_runtime;

namespace tenon::cuda::detail {

/// Throws NotImplementedError where the program has no component.
inline const RuntimeCalls& runtime_calls() {
  TENON_CHECK(&tenon_cuda_runtime, NotImplementedError, kNoComponent);
  return tenon_cuda_runtime;
}

}  // namespace tenon::cuda::detail
