// A lock without <mutex>, which with <atomic> is a fortieth of what <tenon/tenon.hpp> compiles.
#pragma once
#include <cstdint>

#include <tenon/base/atomic.hpp>

namespace tenon {

/// As std::mutex, in four bytes, for members of what there are many of; std::lock_guard takes it.
class Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() {
    if (!try_lock()) wait_and_lock();
  }
  bool try_lock() {
    std::uint32_t found = kFree;
    return state_.compare_exchange_strong(found, kLocked, MemoryOrder::Acquire);
  }
  void unlock() {
    if (state_.exchange(kFree, MemoryOrder::Release) == kAwaited) wake_one();
  }

 private:
  static constexpr std::uint32_t kFree = 0, kLocked = 1, kAwaited = 2;
  void wait_and_lock();
  void wake_one();
  Atomic<std::uint32_t> state_{kFree};
};

}  // namespace tenon
