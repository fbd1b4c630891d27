// Memory of devices that is kept when tensors end: taking it from the driver waits for the device.
#pragma once
#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <tenon/base/error.hpp>
#include <tenon/cuda/runtime.hpp>

#include "cudart.hpp"

namespace tenon::cuda {

/// Blocks go back to the stream that they were taken for: a later kernel of the same stream runs behind all that still
/// use them.
class CachingAllocator {
 public:
  static constexpr std::size_t kSmall = std::size_t{1} << 20;  // bytes; above, blocks are multiples of kLargeUnit
  static constexpr std::size_t kSmallUnit = 512, kLargeUnit = std::size_t{2} << 20;

  void* take(std::size_t bytes, int device, void* stream) {
    if (bytes > SIZE_MAX / 2) out_of_memory(bytes, device);
    std::size_t unit = bytes <= kSmall ? kSmallUnit : kLargeUnit, rounded = (bytes + unit - 1) / unit * unit;
    std::lock_guard lock(mutex_);
    Block block{nullptr, rounded, device, stream};
    auto& kept = kept_[{device, stream}];
    // A block that would be more than half unused stays for a larger tensor.
    if (auto found = kept.lower_bound(rounded); found != kept.end() && found->first <= 2 * rounded) {
      block.data = found->second;
      block.bytes = found->first;
      kept.erase(found);
      stats_.kept -= block.bytes;
    } else if (int error = cudart().malloc(&block.data, rounded)) {
      cudart().last_error();
      // What is kept may be in use by kernels that still run; freeing waits for them.
      release_kept(device);
      error = cudart().malloc(&block.data, rounded);
      if (error) {
        cudart().last_error();
        out_of_memory(bytes, device);
      }
    }
    live_.emplace(block.data, block);
    stats_.in_use += block.bytes;
    if (stats_.in_use > stats_.peak) stats_.peak = stats_.in_use;
    return block.data;
  }
  void give(void* data) noexcept {
    std::lock_guard lock(mutex_);
    auto found = live_.find(data);
    Block block = found->second;
    live_.erase(found);
    stats_.in_use -= block.bytes;
    stats_.kept += block.bytes;
    kept_[{block.device, block.stream}].emplace(block.bytes, block.data);
  }
  void empty() {
    std::lock_guard lock(mutex_);
    release_kept(-1);
  }
  MemoryStats stats() {
    std::lock_guard lock(mutex_);
    return stats_;
  }

 private:
  struct Block {
    void* data;
    std::size_t bytes;
    int device;
    void* stream;
  };
  /// Of one device, or of all for -1.
  void release_kept(int device) {
    for (auto& [place, blocks] : kept_) {
      if (device >= 0 && place.first != device) continue;
      for (auto [bytes, data] : blocks) {
        cudart().free(data);
        stats_.kept -= bytes;
      }
      blocks.clear();
    }
  }
  [[noreturn]] void out_of_memory(std::size_t bytes, int device) {
    fail<OutOfMemoryError>("CUDA out of memory. Tried to allocate ", bytes, " bytes on device cuda:", device, "; ",
                           stats_.in_use, " bytes are in use by tensors of the process");
  }

  std::mutex mutex_;
  std::map<std::pair<int, void*>, std::multimap<std::size_t, void*>> kept_;
  std::unordered_map<void*, Block> live_;
  MemoryStats stats_;
};

}  // namespace tenon::cuda
