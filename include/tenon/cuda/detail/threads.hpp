// The lanes of a block as threads that meet at barriers and nowhere else: a sanitizer of threads sees a missing barrier
// as a race.
#pragma once
#include <barrier>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <tenon/cuda/detail/block.hpp>

namespace tenon::cuda::detail {

class ThreadBlock final : public Block {
 public:
  ThreadBlock(std::int64_t blocks, unsigned threads, Body body)
      : Block(blocks, threads), body_(body), all_(threads), slots_(threads), shared_(kSharedBytes) {
    for (unsigned w = 0; w < threads; w += kLanes)
      warps_.push_back(std::make_unique<std::barrier<>>(threads - w < kLanes ? threads - w : kLanes));
  }
  std::string run(std::int64_t block) {
    index = block;
    std::memset(shared_.data(), 0xcb, shared_.size());
    std::vector<std::thread> lanes;
    for (unsigned i = 0; i < threads; ++i) lanes.emplace_back([this, i] { live(i); });
    for (std::thread& t : lanes) t.join();
    return defect_;
  }

  void wait(unsigned thread, const Wait& wait) override {
    if (wait.op == Wait::Barrier) return all_.arrive_and_wait();
    unsigned first = thread / kLanes * kLanes, count = threads - first < kLanes ? threads - first : kLanes;
    unsigned whole = count == kLanes ? 0xffffffffu : (1u << count) - 1;
    if (wait.mask != whole) stop(thread, wait.site, "calls %s for a part of its warp", wait.name());
    std::barrier<>& warp = *warps_[thread / kLanes];
    Slot& mine = slots_[thread];
    mine.wait = wait;
    warp.arrive_and_wait();
    if (wait.op == Wait::Xor) {
      unsigned from = (thread - first) ^ wait.argument;
      if (from >= count) stop(thread, wait.site, "reads from a lane that does not exist");
      std::memcpy(mine.result, slots_[first + from].wait.value, Wait::kValue);
    } else if (wait.op == Wait::Ballot) {
      unsigned bits = 0;
      for (unsigned b = 0; b < count; ++b) bits |= (slots_[first + b].wait.argument ? 1u : 0u) << b;
      std::memcpy(mine.result, &bits, sizeof bits);
    }
    warp.arrive_and_wait();
  }
  const void* result(unsigned thread) override { return slots_[thread].result; }
  void* shared(unsigned thread, std::size_t bytes, const void*, Site site) override {
    if (bytes > kSharedBytes) stop(thread, site, "asks for %zu bytes of shared memory", bytes);
    return shared_.data();
  }
  [[noreturn]] void stop(unsigned thread, Site site, const char* format, ...) override {
    std::va_list values;
    va_start(values, format);
    {
      std::lock_guard lock(mutex_);
      defect_ = defect_text(thread, site, format, values);
    }
    va_end(values);
    throw Stopped{};
  }

 private:
  static constexpr unsigned kLanes = 32;
  struct Stopped {};
  struct Slot {
    Wait wait{};
    alignas(16) unsigned char result[Wait::kValue] = {};
  };
  void live(unsigned thread) {
    try {
      body_.call(body_.data, *this, thread);
    } catch (const Stopped&) {}
    // The others go on without it.
    warps_[thread / kLanes]->arrive_and_drop();
    all_.arrive_and_drop();
  }

  Body body_;
  std::barrier<> all_;
  std::vector<std::unique_ptr<std::barrier<>>> warps_;
  std::vector<Slot> slots_;
  std::vector<unsigned char> shared_;
  std::mutex mutex_;
  std::string defect_;
};

inline std::string run_threads(std::int64_t blocks, unsigned threads, Body body) {
  for (std::int64_t i = 0; i < blocks; ++i) {
    // Barriers that a lane has left stay smaller: each block has its own.
    ThreadBlock block(blocks, threads, body);
    if (std::string defect = block.run(i); !defect.empty()) return defect;
  }
  return {};
}

}  // namespace tenon::cuda::detail
