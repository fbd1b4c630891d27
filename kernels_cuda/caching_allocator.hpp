// Memory of devices that is kept when tensors end: taking it from the driver waits for the device.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/cuda/component.hpp>

#include "captures.hpp"
#include "cudart.hpp"
#include "uses.hpp"

namespace tenon::cuda {

/// Blocks go back to the stream that they were taken for: a later kernel of the same stream runs behind all that still
/// use them. One that other streams use too waits until they are done. What a thread takes while it captures a graph
/// comes from the graph's own pool, since a replay writes it again.
class CachingAllocator {
 public:
  static constexpr std::size_t kSmall = std::size_t{1} << 20;  // bytes; above, blocks are multiples of kLargeUnit
  static constexpr std::size_t kSmallUnit = 512, kLargeUnit = std::size_t{2} << 20;
  static constexpr std::size_t kDevices = 64;

  void* take(std::size_t bytes, int device, void* stream) {
    Told told(*this);
    std::lock_guard lock(mutex_);
    MemoryStats& stats = stats_[static_cast<std::size_t>(device)];
    if (bytes > SIZE_MAX / 2) out_of_memory(bytes, device, told);
    settle();
    std::size_t unit = bytes <= kSmall ? kSmallUnit : kLargeUnit, rounded = (bytes + unit - 1) / unit * unit;
    Block block{nullptr, rounded, device, stream, captured_pool(), {}};
    auto& kept = kept_[{block.pool, device, stream}];
    // A block that would be more than half unused stays for a larger tensor.
    if (auto found = kept.lower_bound(rounded); found != kept.end() && found->first <= 2 * rounded) {
      block.data = found->second;
      block.bytes = found->first;
      kept.erase(found);
      stats.kept -= block.bytes;
    } else {
      ++stats.from_driver;
      if (!take_from_driver(&block.data, rounded)) {
        ++stats.retries;
        // What is kept may be in use by kernels that still run; freeing waits for them, which no capture allows.
        if (captures_under_way() == 0) {
          settle(true);
          release_kept(device);
        }
        if (!take_from_driver(&block.data, rounded)) out_of_memory(bytes, device, told);
      }
    }
    void* data = block.data;
    std::size_t got = block.bytes;
    live_.emplace(data, std::move(block));
    stats.in_use += got;
    ++stats.allocations;
    stats.peak = std::max(stats.peak, stats.in_use);
    stats.most_held = std::max(stats.most_held, stats.held());
    told.moved(device, data, static_cast<std::ptrdiff_t>(got), stats);
    return data;
  }
  void give(void* data) noexcept {
    Told told(*this);
    std::lock_guard lock(mutex_);
    auto found = live_.find(data);
    Block block = std::move(found->second);
    live_.erase(found);
    MemoryStats& stats = stats_[static_cast<std::size_t>(block.device)];
    stats.in_use -= block.bytes;
    told.moved(block.device, data, -static_cast<std::ptrdiff_t>(block.bytes), stats);
    if (!block.uses.any()) return keep(block);
    stats.waiting += block.bytes;
    // An event would become part of a graph that is captured.
    if (captures_under_way() == 0) block.uses.mark();
    waiting_.push_back(std::move(block));
  }
  /// Another stream uses the block too.
  void record(const void* data, int device, void* stream) {
    std::lock_guard lock(mutex_);
    auto found = live_.find(const_cast<void*>(data));
    if (found != live_.end() && (found->second.stream != stream || found->second.device != device))
      found->second.uses.add(device, stream);
  }
  void empty() {
    std::lock_guard lock(mutex_);
    if (captures_under_way() != 0) return;
    settle(true);
    release_kept(-1);
  }
  MemoryStats stats(int device) {
    std::lock_guard lock(mutex_);
    return stats_[static_cast<std::size_t>(device)];
  }
  void reset_peak(int device) {
    std::lock_guard lock(mutex_);
    MemoryStats& s = stats_[static_cast<std::size_t>(device)];
    s.peak = s.in_use;
    s.most_held = s.held();
  }
  MemoryReporter* set_reporter(MemoryReporter* reporter) { return reporter_.exchange(reporter); }

  /// From here on the thread takes memory from a pool, a new one for 0.
  GraphPool begin_capture(GraphPool shared) {
    std::lock_guard lock(mutex_);
    captured_pool() = shared ? shared : ++last_pool_;
    ++graphs_[captured_pool()];
    ++captures_under_way();
    return captured_pool();
  }
  void end_capture() {
    std::lock_guard lock(mutex_);
    captured_pool() = 0;
    --captures_under_way();
  }
  /// A graph of the pool has ended, whether it was the last one: then the pool's memory is everybody's. No replay runs
  /// any more.
  bool end_graph(GraphPool ended) noexcept {
    std::lock_guard lock(mutex_);
    if (--graphs_[ended] > 0) return false;
    graphs_.erase(ended);
    for (auto& [place, blocks] : kept_)
      if (std::get<0>(place) == ended) {
        kept_[{0, std::get<1>(place), std::get<2>(place)}].insert(blocks.begin(), blocks.end());
        blocks.clear();
      }
    return true;
  }

 private:
  struct Block {
    void* data;
    std::size_t bytes;
    int device;
    void* stream;
    GraphPool pool;
    Uses uses;
  };
  /// What the reporter is told when the lock is free again.
  class Told {
   public:
    explicit Told(CachingAllocator& from) : reporter_(from.reporter_.load()) {}
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;
    ~Told() {
      if (!reporter_ || device_ < 0) return;
      Device device(DeviceType::CUDA, static_cast<std::int8_t>(device_));
      if (failed_)
        reporter_->out_of_memory(device, *failed_, stats_);
      else
        reporter_->moved(device, data_, bytes_, stats_);
    }
    void moved(int device, const void* data, std::ptrdiff_t bytes, const MemoryStats& stats) {
      device_ = device, data_ = data, bytes_ = bytes, stats_ = stats;
    }
    void failed(int device, std::size_t bytes, const MemoryStats& stats) {
      device_ = device, failed_ = bytes, stats_ = stats;
    }

   private:
    MemoryReporter* reporter_;
    int device_ = -1;
    const void* data_ = nullptr;
    std::ptrdiff_t bytes_ = 0;
    std::optional<std::size_t> failed_;
    MemoryStats stats_;
  };

  /// False where there is no memory left; any other refusal, as that of a lost device, is an error of its own.
  static bool take_from_driver(void** data, std::size_t bytes) {
    MayTakeMemory allowed;
    int error = cudart().malloc(data, bytes);
    if (error == 0) return true;
    cudart().last_error();
    if (error != kCudaOutOfMemory) fail<Error>("allocate: CUDA error: ", cudart().error_text(error));
    return false;
  }
  void keep(const Block& block) {
    stats_[static_cast<std::size_t>(block.device)].kept += block.bytes;
    GraphPool to = graphs_.count(block.pool) ? block.pool : 0;
    kept_[{to, block.device, block.stream}].emplace(block.bytes, block.data);
  }
  /// Keeps those blocks that other streams are done with; waits for them all where asked.
  void settle(bool waits = false) {
    if (captures_under_way() != 0) return;
    std::size_t left = 0;
    for (Block& block : waiting_) {
      block.uses.mark();
      if (waits) block.uses.wait();
      if (!block.uses.over()) {
        if (&waiting_[left] != &block) waiting_[left] = std::move(block);
        ++left;
        continue;
      }
      stats_[static_cast<std::size_t>(block.device)].waiting -= block.bytes;
      keep(block);
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(left), waiting_.end());
  }
  /// Of one device, or of all for -1; never that of graphs.
  void release_kept(int device) {
    for (auto& [place, blocks] : kept_) {
      if (std::get<0>(place) != 0 || (device >= 0 && std::get<1>(place) != device)) continue;
      for (auto [bytes, data] : blocks) {
        cudart().free(data);
        stats_[static_cast<std::size_t>(std::get<1>(place))].kept -= bytes;
      }
      blocks.clear();
    }
  }
  [[noreturn]] void out_of_memory(std::size_t bytes, int device, Told& told) {
    MemoryStats& stats = stats_[static_cast<std::size_t>(device)];
    ++stats.out_of_memory;
    told.failed(device, bytes, stats);
    fail<OutOfMemoryError>("CUDA out of memory. Tried to allocate ", bytes, " bytes on device cuda:", device, "; ",
                           stats.in_use, " bytes are in use by tensors of the process");
  }

  std::mutex mutex_;
  std::map<std::tuple<GraphPool, int, void*>, std::multimap<std::size_t, void*>> kept_;
  std::unordered_map<void*, Block> live_;
  std::vector<Block> waiting_;
  std::array<MemoryStats, kDevices> stats_;
  std::map<GraphPool, int> graphs_;
  GraphPool last_pool_ = 0;
  std::atomic<MemoryReporter*> reporter_{nullptr};
};

}  // namespace tenon::cuda
