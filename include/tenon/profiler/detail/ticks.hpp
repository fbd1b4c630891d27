// Time as a profile takes it: by the processor's counter, which costs a third of what the clock does.
#pragma once
#include <chrono>
#include <cmath>
#include <cstdint>

namespace tenon::profiler::detail {

/// Ticks of one speed, the same for all threads: those of the processor where it has such (every x86-64 since 2008),
/// else nanoseconds.
inline std::int64_t ticks() noexcept {
#ifdef __x86_64__
  return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#else
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
#endif
}

/// One moment by both.
struct Moment {
  std::int64_t ticks = 0, ns = 0;
  static Moment now() noexcept {
    Moment best;
    std::int64_t width = INT64_MAX;
    // The thread may be interrupted between the readings: the closest of a few.
    for (int i = 0; i < 5; ++i) {
      std::int64_t before = detail::ticks();
      auto clock = std::chrono::steady_clock::now().time_since_epoch();
      std::int64_t after = detail::ticks();
      if (after - before >= width) continue;
      width = after - before;
      best = {before + width / 2, std::chrono::duration_cast<std::chrono::nanoseconds>(clock).count()};
    }
    return best;
  }
};

/// Ticks between two moments as nanoseconds from the first.
class TickScale {
 public:
  TickScale(Moment start, Moment end)
      : start_(start.ticks),
        rate_(end.ticks > start.ticks
                  ? static_cast<double>(end.ns - start.ns) / static_cast<double>(end.ticks - start.ticks)
                  : 0) {}
  std::int64_t operator()(std::int64_t ticks) const {
    return std::llround(static_cast<double>(ticks - start_) * rate_);
  }

 private:
  std::int64_t start_;
  double rate_;
};

}  // namespace tenon::profiler::detail
