// What every executor must hold: the bits of the library's own threads, loops inside loops, exceptions, callers at
// once.
#pragma once
#include <atomic>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tenon/cpu/parallel.hpp>
#include <tenon/tenon.hpp>

#include <catch.hpp>

namespace test {
using namespace tenon;

/// The library's own threads come back at the end of a scope.
struct ExecutorGuard {
  explicit ExecutorGuard(const Executor& executor) { set_executor(&executor); }
  ExecutorGuard(const ExecutorGuard&) = delete;
  ~ExecutorGuard() { set_executor(nullptr); }
};

inline std::string bytes(const Tensor& t) {
  Tensor c = t.contiguous();
  return {static_cast<const char*>(c.data_ptr()), c.nbytes()};
}
/// Results whose loops are long enough for several threads: elements, sums, scans, products, a backward pass.
inline std::vector<std::string> results() {
  manual_seed(5);
  Tensor x = ops::randn({400, 1000}), w = ops::randn({300, 1000}).requires_grad_();
  Tensor y = ops::linear(x, w), loss = ops::log_softmax(y, 1).pow(2).mean();
  loss.backward();
  std::vector<std::string> out;
  for (const Tensor& t : {x.exp(), x.sum(), x.sum({0}), x.cumsum(1), x.t().contiguous(), y, loss, w.grad(),
                          std::get<0>(x.sort(1)), ops::randn({100000})})
    out.push_back(bytes(t));
  return out;
}

/// Rows that are long enough for several threads each.
inline Tensor counted_rows(std::int64_t n) { return ops::arange(n * 50000, "dtype"_a = kDouble).view({n, 50000}); }

inline void check_executor(const Executor& executor) {
  set_num_threads(3);
  std::vector<std::string> own = results();
  ExecutorGuard guard(executor);
  REQUIRE(get_num_threads() == 3);
  for (int round = 0; round < 3; ++round) CHECK(results() == own);

  // Every index once, on more than one thread.
  std::vector<std::atomic<int>> seen(10000);
  std::atomic<int> elsewhere{0}, unmarked{0}, moved{0};
  const auto caller = std::this_thread::get_id();
  for (int round = 0; round < 200; ++round)
    parallel_for(0, 10000, 10, [&](std::int64_t first, std::int64_t last) {
      if (std::this_thread::get_id() != caller) ++elsewhere;
      for (std::int64_t i = first; i < last; ++i) ++seen[static_cast<std::size_t>(i)];
      if (round == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
  CHECK(elsewhere > 0);
  int wrong = 0;
  for (auto& s : seen) wrong += s != 200;
  CHECK(wrong == 0);

  // Loops inside loops stay on their thread.
  std::atomic<std::int64_t> total{0};
  parallel_for(0, 8, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const auto self = std::this_thread::get_id();
      unmarked += !in_parallel_region();
      parallel_for(0, 1000, 1, [&](std::int64_t a, std::int64_t b) {
        total += b - a;
        moved += std::this_thread::get_id() != self;
      });
    }
  });
  CHECK((total == 8000 && moved == 0 && unmarked == 0 && !in_parallel_region()));

  // An exception of any chunk reaches the caller once all have ended, and the executor stays usable.
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> inside{0};
    CHECK_THROWS_WITH(parallel_for(0, 100, 1,
                                   [&](std::int64_t first, std::int64_t) {
                                     ++inside;
                                     struct Out {
                                       std::atomic<int>& n;
                                       ~Out() { --n; }
                                     } out{inside};
                                     if (first >= round) throw std::runtime_error("stop");
                                   }),
                      "stop");
    CHECK(inside == 0);
    CHECK_FALSE(in_parallel_region());
  }
  CHECK_THROWS_AS(ops::randn({1 << 18}).gather(0, ops::full({1 << 18}, 1 << 18, "dtype"_a = kLong)), IndexError);

  // Calls from several threads at once.
  std::atomic<int> other{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        parallel_for(0, 64, 1, [&](std::int64_t a, std::int64_t b) { other += static_cast<int>(b - a); });
    });
  for (std::thread& t : callers) t.join();
  CHECK(other == 3 * 20 * 64);
}

namespace detail {
inline thread_local int word = 0;
}
/// The caller's thread-local words are in force in each chunk, and the threads' own afterwards.
inline void check_words(const Executor& executor) {
  static const ThreadStateHook hook{[](void* to) { std::memcpy(to, &detail::word, sizeof detail::word); },
                                    [](const void* from) { std::memcpy(&detail::word, from, sizeof detail::word); }};
  set_thread_state_hook(&hook);
  ExecutorGuard guard(executor);
  std::atomic<int> wrong{0};
  for (int round = 1; round < 200; ++round) {
    detail::word = round;
    parallel_for(0, 64, 1, [&](std::int64_t, std::int64_t) { wrong += detail::word != round; });
    CHECK(detail::word == round);
  }
  detail::word = 0;
  set_thread_state_hook(nullptr);
  parallel_for(0, 64, 1, [&](std::int64_t, std::int64_t) { wrong += detail::word != 0; });
  CHECK(wrong == 0);
}

}  // namespace test
