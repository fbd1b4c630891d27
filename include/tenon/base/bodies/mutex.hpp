// What waits for a lock.
#pragma once
#include <atomic>

#include <tenon/base/body.hpp>
#include <tenon/base/mutex.hpp>

namespace tenon {

TENON_BODY void Mutex::wait_and_lock() {
  // Who waited leaves the mark of others that may: a wake too many costs little, one too few everything.
  while (state_.exchange(kAwaited, MemoryOrder::Acquire) != kFree)
    std::atomic_ref<std::uint32_t>(state_.word()).wait(kAwaited, std::memory_order_relaxed);
}
TENON_BODY void Mutex::wake_one() { std::atomic_ref<std::uint32_t>(state_.word()).notify_one(); }

}  // namespace tenon
