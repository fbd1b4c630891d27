// The thread-local words of who starts a parallel loop, put in force on the threads that run its chunks.
#pragma once
#include <atomic>
#include <thread>

#include <tenon/cpu/detail/thread_pool.hpp>

namespace tenon::detail {

/// For executors whose threads serve others too: each chunk has the caller's words, and what the thread had comes back.
class CarriedState {
 public:
  CarriedState() {
    if (hook_) hook_->capture(state_);
  }
  void run(void (*body)(void*, std::int64_t), void* argument, std::int64_t chunk) const {
    if (!hook_ || std::this_thread::get_id() == caller_) return body(argument, chunk);
    struct Installed {
      const ThreadStateHook& hook;
      alignas(16) unsigned char before[64];
      Installed(const ThreadStateHook& h, const void* state) : hook(h) {
        hook.capture(before);
        hook.install(state);
      }
      Installed(const Installed&) = delete;
      ~Installed() { hook.install(before); }
    } installed(*hook_, state_);
    body(argument, chunk);
  }

 private:
  const ThreadStateHook* hook_ = thread_state_hook.load(std::memory_order_acquire);
  std::thread::id caller_ = std::this_thread::get_id();
  alignas(16) unsigned char state_[64];
};

}  // namespace tenon::detail
