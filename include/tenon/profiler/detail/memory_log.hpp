// What CPU tensors take and give back while a profile runs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <tenon/profiler/detail/ticks.hpp>
#include <tenon/profiler/profile.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon::profiler::detail {

/// The blocks of a profile. Memory that outlives the profile tells a log that no longer listens. Times are in ticks.
class MemoryLog {
 public:
  std::size_t taken(const Block& block) {
    std::lock_guard lock(mutex_);
    blocks_.push_back(block);
    return blocks_.size() - 1;
  }
  void released(std::size_t block) noexcept {
    std::lock_guard lock(mutex_);
    if (block < blocks_.size()) blocks_[block].released = ticks();
  }
  std::vector<Block> close() {
    std::lock_guard lock(mutex_);
    return std::exchange(blocks_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Block> blocks_;
};

/// Memory of the allocator below, and the place in the log where its end is written.
struct LoggedMemory {
  DataPtr memory;
  std::shared_ptr<MemoryLog> log;
  std::size_t block;
  static DataPtr wrap(DataPtr memory, std::shared_ptr<MemoryLog> log, std::size_t block) {
    void* data = memory.get();
    Device device = memory.device();
    auto* context = new LoggedMemory{std::move(memory), std::move(log), block};
    return {data, context, &end, device};
  }
  static void end(void* context) {
    std::unique_ptr<LoggedMemory> self(static_cast<LoggedMemory*>(context));
    self->log->released(self->block);
  }
};

}  // namespace tenon::profiler::detail
