// Memory of devices as the component keeps it: figures, a reporter, and giving it back.
#pragma once
#include <tenon/cuda/component.hpp>

namespace tenon::cuda {

/// Of a device; -1 is the current one.
inline MemoryStats memory_stats(std::int8_t device = -1) { return detail::runtime_calls().memory_stats(device); }
/// The peaks begin anew at what is in use now.
inline void reset_peak_memory_stats(std::int8_t device = -1) { detail::runtime_calls().reset_peak(device); }
inline PinnedStats pinned_memory_stats() { return detail::runtime_calls().pinned_stats(); }
/// Returns all kept memory to the driver, of devices and of the host.
inline void empty_cache() { detail::runtime_calls().empty_cache(); }
/// Installs a reporter, which must outlive its use, for all devices; null takes it away. Returns the one before.
inline MemoryReporter* set_memory_reporter(MemoryReporter* reporter) {
  return detail::runtime_calls().set_reporter(reporter);
}

}  // namespace tenon::cuda
