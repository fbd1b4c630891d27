// oneTBB in the place of the library's own threads; for programs that name it, where its headers are.
#pragma once

#if __has_include(<oneapi/tbb/task_arena.h>)
#include <thread>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <tenon/cpu/detail/carried_state.hpp>
#include <tenon/cpu/parallel.hpp>

namespace tenon {

/// Runs parallel loops in an arena of oneTBB: `TbbExecutor tbb; set_executor(&tbb);`. Link with -ltbb.
/// A program whose own loops are oneTBB's then has one set of threads. Results are those of the library's threads.
class TbbExecutor : public Executor {
 public:
  /// Of so many threads, the caller included; without a number as many as oneTBB thinks fit.
  explicit TbbExecutor(int threads = tbb::task_arena::automatic)
      : Executor{&TbbExecutor::run_chunks, &TbbExecutor::count_threads, this}, arena_(threads) {}
  TbbExecutor(const TbbExecutor&) = delete;
  TbbExecutor& operator=(const TbbExecutor&) = delete;

 private:
  static int count_threads(void* self) { return static_cast<TbbExecutor*>(self)->arena_.max_concurrency(); }
  static void run_chunks(void* self, std::int64_t chunks, void (*body)(void*, std::int64_t), void* argument) {
    const detail::CarriedState state;
    auto all = [&] {
      tbb::parallel_for(std::int64_t{0}, chunks, [&](std::int64_t chunk) { state.run(body, argument, chunk); });
    };
    // A thread that waits for these chunks takes no task of another loop meanwhile: it would run it with this caller's
    // thread-local words, in the middle of a call.
    static_cast<TbbExecutor*>(self)->arena_.execute([&] { tbb::this_task_arena::isolate(all); });
  }

  tbb::task_arena arena_;
};

}  // namespace tenon

#endif
