// The parallel loop: coverage, nesting, exceptions, thread-local state and foreign executors.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <tenon/cpu/parallel.hpp>

#include "../catch.hpp"

using namespace tenon;

TEST_CASE("every index is visited once for any grain and number of threads", "[cpu][parallel][threads]") {
  for (int threads : {1, 2, 3, 5}) {
    set_num_threads(threads);
    for (std::int64_t n : {0, 1, 7, 100, 1001})
      for (std::int64_t grain : {1, 3, 64, 5000}) {
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
        parallel_for(10, 10 + n, grain, [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t i = first; i < last; ++i) seen[static_cast<std::size_t>(i - 10)]++;
        });
        for (auto& s : seen) REQUIRE(s == 1);
      }
  }
  set_num_threads(2);
}

TEST_CASE("a number of threads is positive", "[cpu][parallel]") {
  int before = get_num_threads();
  CHECK_ERROR(set_num_threads(0), ValueError, "set_num_threads(): expected a positive number of threads, got 0");
  CHECK_ERROR(set_num_threads(-2), ValueError, "set_num_threads(): expected a positive number of threads, got -2");
  CHECK(get_num_threads() == before);
}

TEST_CASE("ranges begin at multiples of the grain and differ by one of it", "[cpu][parallel][threads]") {
  set_num_threads(2);
  for (std::int64_t n : {2, 6, 30, 101, 1001})
    for (std::int64_t grain : {1, 3, 64}) {
      if (n < 2 * grain) continue;
      std::mutex mutex;
      std::int64_t shortest = n, longest = 0, ranges = 0;
      parallel_for(10, 10 + n, grain, [&](std::int64_t first, std::int64_t last) {
        std::lock_guard lock(mutex);
        ++ranges;
        shortest = std::min(shortest, last - first);
        longest = std::max(longest, last - first);
        // Catch's own macros are not for several threads.
        if ((first - 10) % grain || last <= first) longest = n * 2;
      });
      CAPTURE(n, grain);
      REQUIRE(ranges == std::min<std::int64_t>(8, n / grain));
      REQUIRE(shortest >= grain);
      REQUIRE(longest < shortest + 2 * grain);
    }
}

TEST_CASE("nested loops run on their own thread", "[cpu][parallel][threads]") {
  set_num_threads(3);
  std::atomic<int> total{0}, moved{0};
  parallel_for(0, 8, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      auto self = std::this_thread::get_id();
      moved += !in_parallel_region();
      parallel_for(0, 100, 1, [&](std::int64_t a, std::int64_t b) {
        total += static_cast<int>(b - a);
        moved += std::this_thread::get_id() != self;
      });
    }
  });
  REQUIRE(total == 800);
  REQUIRE(moved == 0);
  REQUIRE_FALSE(in_parallel_region());
  set_num_threads(2);
}

TEST_CASE("each thread begins with its own contiguous part of the chunks", "[cpu][parallel][threads]") {
  set_num_threads(3);
  for (int round = 0; round < 20; ++round) {
    constexpr std::int64_t count = 12;
    std::atomic<int> inside{0};
    std::array<std::thread::id, count> runner{};
    const Executor* pool = detail::default_executor();
    auto body = [&](std::int64_t chunk) {
      // Nobody takes a second chunk before everybody has its first.
      if (inside.fetch_add(1) < 3)
        while (inside < 3) std::this_thread::yield();
      runner[static_cast<std::size_t>(chunk)] = std::this_thread::get_id();
    };
    pool->run(
        pool->self, count, [](void* f, std::int64_t chunk) { (*static_cast<decltype(body)*>(f))(chunk); }, &body);
    REQUIRE(runner[0] == std::this_thread::get_id());
    REQUIRE(runner[4] != runner[0]);
    REQUIRE(runner[8] != runner[0]);
    REQUIRE(runner[8] != runner[4]);
  }
  set_num_threads(2);
}

TEST_CASE("an exception of any range reaches the caller and the pool stays usable", "[cpu][parallel][threads]") {
  for (int round = 0; round < 50; ++round) {
    REQUIRE_THROWS_AS(parallel_for(0, 100, 1,
                                   [&](std::int64_t first, std::int64_t) {
                                     if (first >= round) throw std::runtime_error("stop");
                                   }),
                      std::runtime_error);
    std::atomic<int> count{0};
    parallel_for(0, 100, 1, [&](std::int64_t a, std::int64_t b) { count += static_cast<int>(b - a); });
    REQUIRE(count == 100);
  }
}

TEST_CASE("concurrent callers do not disturb each other", "[cpu][parallel][threads]") {
  std::atomic<std::int64_t> total{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 200; ++i) parallel_for(0, 64, 1, [&](std::int64_t a, std::int64_t b) { total += b - a; });
    });
  for (auto& c : callers) c.join();
  REQUIRE(total == 4 * 200 * 64);
}

namespace {
thread_local int state = 0;
std::atomic<int> wrong{0};
}  // namespace

TEST_CASE("the state hook carries the caller's thread-local words to workers and takes them back",
          "[cpu][parallel][threads]") {
  static const ThreadStateHook hook{[](void* to) { *static_cast<int*>(to) = state; },
                                    [](const void* from) { state = *static_cast<const int*>(from); }};
  set_thread_state_hook(&hook);
  set_num_threads(3);
  for (int round = 1; round < 100; ++round) {
    state = round;
    parallel_for(0, 64, 1, [&](std::int64_t, std::int64_t) { wrong += state != round; });
  }
  state = 0;
  set_thread_state_hook(nullptr);
  parallel_for(0, 64, 1, [&](std::int64_t, std::int64_t) { wrong += state != 0; });
  set_num_threads(2);
  REQUIRE(wrong == 0);
}

TEST_CASE("an own executor gets the chunks", "[cpu][parallel][threads]") {
  static std::int64_t ran = 0;
  static const Executor serial{[](void*, std::int64_t chunks, void (*body)(void*, std::int64_t), void* argument) {
                                 for (std::int64_t i = 0; i < chunks; ++i, ++ran) body(argument, i);
                               },
                               [](void*) { return 4; }, nullptr};
  set_executor(&serial);
  REQUIRE(get_num_threads() == 4);
  int sum = 0;
  parallel_for(0, 100, 1, [&](std::int64_t a, std::int64_t b) { sum += static_cast<int>(b - a); });
  set_executor(nullptr);
  REQUIRE(sum == 100);
  REQUIRE(ran == 16);
}

#ifdef __has_feature
#if __has_feature(address_sanitizer)
/// What a child's parent keeps on threads looks lost there.
static bool is_child = false;
extern "C" int __lsan_is_turned_off() { return is_child; }
#define TENON_TEST_IS_CHILD() is_child = true
#endif
#endif
#ifndef TENON_TEST_IS_CHILD
#define TENON_TEST_IS_CHILD() static_cast<void>(0)
#endif

TEST_CASE("a child of a program whose loops ran on threads has loops of its own, and ends", "[cpu][parallel]") {
  auto counted = [] {
    std::atomic<int> seen{0};
    parallel_for(0, 64, 1, [&](std::int64_t first, std::int64_t last) { seen += static_cast<int>(last - first); });
    return seen.load();
  };
  set_num_threads(8);
  CHECK(counted() == 64);
  std::fflush(nullptr);
  pid_t child = ::fork();
  if (child == 0) {
    TENON_TEST_IS_CHILD();
    // What the parent had printed and not flushed is its own.
    if (!std::freopen("/dev/null", "w", stdout)) ::_exit(3);
    std::thread([] {}).join();
    std::exit(counted() == 64 ? 0 : 2);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  set_num_threads(2);
}
