// Sources of random numbers: seeding and refilling.
#pragma once
#include <atomic>
#include <mutex>

#include <tenon/base/body.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon {

TENON_BODY void GeneratorMutex::lock() {
  std::atomic_ref locked(locked_);
  while (locked.exchange(true, std::memory_order_acquire)) locked.wait(true, std::memory_order_relaxed);
}
TENON_BODY void GeneratorMutex::unlock() {
  std::atomic_ref locked(locked_);
  locked.store(false, std::memory_order_release);
  locked.notify_one();
}

TENON_BODY void GeneratorImpl::set_seed(std::uint64_t seed) {
  seed_ = seed;
  state_[0] = static_cast<std::uint32_t>(seed);
  for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  next_ = kWords;
  has_normal_ = false;
}

TENON_BODY void GeneratorImpl::refill() {
  auto mix = [](std::uint32_t a, std::uint32_t b) {
    std::uint32_t y = (a & 0x80000000u) | (b & 0x7fffffffu);
    return y >> 1 ^ ((y & 1) ? 0x9908b0dfu : 0u);
  };
  for (std::uint32_t i = 0; i < kWords; ++i)
    state_[i] = state_[(i + kShift) % kWords] ^ mix(state_[i], state_[(i + 1) % kWords]);
  next_ = 0;
}

TENON_BODY void manual_seed(std::uint64_t seed) {
  auto& g = default_generator();
  std::lock_guard lock(g->mutex);
  g->set_seed(seed);
}

}  // namespace tenon
