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
  constexpr int size = kWords, shift = kShift;
  // Constant bounds that are multiples of 4 and a mask instead of a choice let compilers take four words at a time.
  auto next = [s = state_](int i, int following, int far) {
    std::uint32_t y = (s[i] & 0x80000000u) | (s[following] & 0x7fffffffu);
    s[i] = s[far] ^ y >> 1 ^ ((0u - (y & 1)) & 0x9908b0dfu);
  };
  constexpr int whole = (size - shift) / 4 * 4;
  for (int i = 0; i < whole; ++i) next(i, i + 1, i + shift);
  for (int i = whole; i < size - shift; ++i) next(i, i + 1, i + shift);
  for (int i = size - shift; i < size - 1; ++i) next(i, i + 1, i + shift - size);
  next(size - 1, 0, shift - 1);
  next_ = 0;
}

TENON_BODY void manual_seed(std::uint64_t seed) {
  auto& g = default_generator();
  std::lock_guard lock(g->mutex);
  g->set_seed(seed);
}

}  // namespace tenon
