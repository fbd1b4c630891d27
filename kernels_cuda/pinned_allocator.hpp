// Pinned memory of the host that is kept when tensors end: taking it from the driver waits for the devices.
#pragma once
#include <bit>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/cuda/component.hpp>

#include "captures.hpp"
#include "cudart.hpp"
#include "uses.hpp"

namespace tenon::cuda {

/// Blocks of powers of two. One that copies of streams still read or write waits until they are done, one that graphs
/// read or write until those have ended.
class PinnedAllocator {
 public:
  void* take(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    TENON_CHECK(bytes <= SIZE_MAX / 4, OutOfMemoryError, "pinned memory: cannot allocate ", bytes, " bytes");
    settle();
    std::size_t rounded = std::bit_ceil(bytes < kSmallest ? kSmallest : bytes);
    Block block{nullptr, rounded, {}, {}};
    if (auto& kept = kept_[rounded]; !kept.empty()) {
      block.data = kept.back();
      kept.pop_back();
      stats_.kept -= rounded;
    } else if (int error = take_from_driver(&block.data, rounded)) {
      // Giving back waits for the devices, which no capture allows.
      if (captures_under_way() == 0) release_kept();
      if (error != kCudaOutOfMemory) fail<Error>("pinned memory: CUDA error: ", cudart().error_text(error));
      if (take_from_driver(&block.data, rounded) != 0)
        fail<OutOfMemoryError>("pinned memory: cannot allocate ", bytes, " bytes");
    }
    stats_.in_use += rounded;
    void* data = block.data;
    live_.emplace(static_cast<char*>(data), std::move(block));
    return data;
  }
  void give(void* data) noexcept {
    std::lock_guard lock(mutex_);
    auto found = live_.find(static_cast<char*>(data));
    Block block = std::move(found->second);
    live_.erase(found);
    stats_.in_use -= block.bytes;
    stats_.kept += block.bytes;
    put_back(std::move(block));
  }
  bool holds(const void* data) {
    std::lock_guard lock(mutex_);
    return find(data) != live_.end();
  }
  /// A copy of the stream reads or writes the block.
  void record(const void* data, int device, void* stream) {
    std::lock_guard lock(mutex_);
    auto found = find(data);
    if (found == live_.end()) return;
    Block& block = found->second;
    if (GraphPool graph = captured_pool())
      block.graphs.insert(graph);  // each replay does the copy again
    else
      block.uses.add(device, stream);
  }
  /// The last graph of a pool has ended, and no replay runs any more.
  void end_graphs(GraphPool ended) {
    std::lock_guard lock(mutex_);
    for (auto& [data, block] : live_) block.graphs.erase(ended);
    std::vector<Block> of_graphs = std::move(of_graphs_);
    of_graphs_.clear();
    for (Block& block : of_graphs) {
      block.graphs.erase(ended);
      put_back(std::move(block));
    }
  }
  void empty() {
    std::lock_guard lock(mutex_);
    if (captures_under_way() != 0) return;
    for (Block& block : waiting_) {
      block.uses.mark();
      block.uses.wait();
    }
    settle();
    release_kept();
  }
  PinnedStats stats() {
    std::lock_guard lock(mutex_);
    return stats_;
  }

 private:
  static constexpr std::size_t kSmallest = 512;  // bytes
  struct Block {
    void* data;
    std::size_t bytes;
    Uses uses;
    std::set<GraphPool> graphs;  ///< that read or write it
  };
  using Live = std::map<const char*, Block>;
  Live::iterator find(const void* data) {
    auto* p = static_cast<const char*>(data);
    auto next = live_.upper_bound(p);
    if (next == live_.begin()) return live_.end();
    --next;
    return p < next->first + next->second.bytes ? next : live_.end();
  }
  static int take_from_driver(void** data, std::size_t bytes) {
    MayTakeMemory allowed;
    int error = cudart().host_alloc(data, bytes);
    if (error) cudart().last_error();
    return error;
  }
  void put_back(Block&& block) {
    if (!block.graphs.empty()) {
      of_graphs_.push_back(std::move(block));
    } else if (!block.uses.any()) {
      kept_[block.bytes].push_back(block.data);
    } else {
      if (captures_under_way() == 0) block.uses.mark();
      waiting_.push_back(std::move(block));
    }
  }
  void settle() {
    if (captures_under_way() != 0) return;
    std::size_t left = 0;
    for (Block& block : waiting_) {
      block.uses.mark();
      if (block.uses.over()) {
        kept_[block.bytes].push_back(block.data);
      } else {
        if (&waiting_[left] != &block) waiting_[left] = std::move(block);
        ++left;
      }
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(left), waiting_.end());
  }
  void release_kept() {
    for (auto& [bytes, blocks] : kept_) {
      for (void* data : blocks) cudart().host_free(data);
      stats_.kept -= bytes * blocks.size();
      blocks.clear();
    }
  }

  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> kept_;
  Live live_;
  std::vector<Block> waiting_, of_graphs_;
  PinnedStats stats_;
};

}  // namespace tenon::cuda
