// A kept pool of threads: hot workers spin for the next job, cold ones sleep.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <tenon/base/shared_object.hpp>
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>

#include <tenon/base/warning.hpp>
#endif

namespace tenon {

/// How a parallel loop carries thread-local state of the caller into its workers: `capture` writes at most 64 bytes,
/// `install` puts them in force on the calling thread.
struct ThreadStateHook {
  void (*capture)(void* state);
  void (*install)(const void* state);
};

namespace detail {

TENON_PROCESS_WORD(std::atomic<const ThreadStateHook*>, thread_state_hook, nullptr);

/// Set while the thread runs a chunk of the pool: jobs started there are run by that thread alone.
TENON_THREAD_WORD(bool, inside_pool, false);

inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Each thread begins with a contiguous range of chunks, the same one in every job of as many, so that it finds in its
/// core's caches what it touched in the job before. Chunks are claimed one by one, and whoever has done its own takes
/// from the others: nobody waits for a worker that has not begun, so a sleeping, descheduled or (after fork) missing
/// worker costs speed and not progress.
class ThreadPool {
 public:
  using Body = void (*)(void*, std::int64_t);
  static constexpr int kMostThreads = 1024;

  ThreadPool() {
    int count = static_cast<int>(std::thread::hardware_concurrency());
    if (const char* text = std::getenv("TENON_NUM_THREADS")) {
      char* end = nullptr;
      long asked = std::strtol(text, &end, 10);
      if (end != text && *end == 0 && asked > 0 && asked <= kMostThreads)
        count = static_cast<int>(asked);
      else
        warn("TENON_NUM_THREADS=", text, " is not a number from 1 to ", kMostThreads, "; ", count, " threads are used");
    }
    target_.store(count < 1 ? 1 : count, std::memory_order_relaxed);
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    stop_.store(true);
    wake();
    if (owner_ == process())
      for (std::thread& worker : workers_) worker.join();
    else {
      // The threads stayed behind in the parent process. A name for them is kept, or leak checkers would complain.
      static const auto* left_behind = new std::vector<std::thread>(std::move(workers_));
      static_cast<void>(left_behind);
    }
  }

  int threads() const { return target_.load(std::memory_order_relaxed); }
  void set_threads(int count) {
    std::lock_guard lock(job_mutex_);
    target_.store(count, std::memory_order_relaxed);
  }

  void run(std::int64_t chunks, Body body, void* argument) {
    std::unique_lock lock(job_mutex_, std::defer_lock);
    if (inside_pool || !lock.try_lock()) {  // nested, or another thread of the program has the workers
      for (std::int64_t i = 0; i < chunks; ++i) body(argument, i);
      return;
    }
    start_workers();
    const ThreadStateHook* hook = thread_state_hook.load(std::memory_order_acquire);
    body_ = body;
    argument_ = argument;
    hook_ = hook;
    error_ = nullptr;
    failed_.store(false, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    if (hook) hook->capture(state_);
    open(chunks);
    wake();
    std::int64_t mine = 0;
    for (std::int64_t chunk; (chunk = claim(0)) >= 0; ++mine) guarded(chunk);
    done_.fetch_add(mine, std::memory_order_acq_rel);
    for (int spins = 0; done_.load(std::memory_order_acquire) != chunks; ++spins) {
      if (spins < 4096)
        spin_pause();
      else
        std::this_thread::yield();
    }
    if (failed_.load(std::memory_order_acquire)) {
      std::exception_ptr error = std::move(error_);
      error_ = nullptr;
      lock.unlock();
      std::rethrow_exception(error);
    }
  }

 private:
  static long process() {
#if defined(__unix__) || defined(__APPLE__)
    return static_cast<long>(::getpid());
#else
    return 0;
#endif
  }

  void start_workers() {
    if (owner_ == 0) owner_ = process();
    while (static_cast<int>(workers_.size()) + 1 < threads()) {
      int index = static_cast<int>(workers_.size()) + 1;
      try {
        workers_.emplace_back([this, index] { work(index); });
      } catch (const std::system_error&) {  // the system gives no more
        target_.store(index, std::memory_order_relaxed);
      }
    }
  }
  void wake() {
    epoch_.fetch_add(1);
    if (sleepers_.load() > 0) epoch_.notify_all();
  }
  /// Shares the chunks out and lets the threads at them.
  void open(std::int64_t chunks) {
    std::int64_t ranges = threads() < kRanges ? threads() : kRanges;
    if (chunks < ranges) ranges = chunks;
    ranges_.store(static_cast<int>(ranges), std::memory_order_relaxed);
    ++generation_;
    for (std::int64_t i = 0, begin = 0; i < ranges; ++i) {
      Range& range = range_[i];
      range.end = chunks * (i + 1) / ranges;
      range.ticket.store(std::uint64_t{generation_} << 32 | static_cast<std::uint32_t>(range.end - begin),
                         std::memory_order_release);
      begin = range.end;
    }
  }
  /// The index of a chunk that is now this thread's to run, its own range's first; or -1.
  std::int64_t claim(int index) {
    int ranges = ranges_.load(std::memory_order_relaxed);
    for (int i = 0; i < ranges; ++i) {
      Range& range = range_[(index + i) % ranges];
      std::uint64_t t = range.ticket.load(std::memory_order_acquire);
      while (static_cast<std::uint32_t>(t) != 0)
        // Success proves that the job is still the ticket's: it cannot end before its claimed chunks have.
        if (range.ticket.compare_exchange_weak(t, t - 1, std::memory_order_acq_rel, std::memory_order_acquire))
          return range.end - static_cast<std::int64_t>(static_cast<std::uint32_t>(t));
    }
    return -1;
  }
  void guarded(std::int64_t chunk) {
    if (failed_.load(std::memory_order_relaxed)) return;
    inside_pool = true;
    try {
      body_(argument_, chunk);
      inside_pool = false;
    } catch (...) {
      inside_pool = false;
      if (!failing_.test_and_set()) {
        if (!failed_.load()) {
          error_ = std::current_exception();
          failed_.store(true, std::memory_order_release);
        }
        failing_.clear();
      }
    }
  }
  void work(int index) {
    for (;;) {
      const std::uint32_t seen = epoch_.load();  // before the look for work: a job opened after it changes the epoch
      if (stop_.load(std::memory_order_relaxed)) return;
      const bool wanted = index < threads();
      if (wanted) help(index);
      int spins = 0;
      while (wanted && spins < 4000 && epoch_.load(std::memory_order_relaxed) == seen) {
        spin_pause();
        ++spins;
      }
      if (wanted && spins < 4000) continue;
      sleepers_.fetch_add(1);
      epoch_.wait(seen);
      sleepers_.fetch_sub(1);
    }
  }
  void help(int index) {
    std::int64_t chunk = claim(index), mine = 0;
    if (chunk < 0) return;
    const ThreadStateHook* hook = hook_;
    alignas(16) unsigned char before[64];
    if (hook) {
      hook->capture(before);
      hook->install(state_);
    }
    do {
      guarded(chunk);
      ++mine;
    } while ((chunk = claim(index)) >= 0);
    if (hook) hook->install(before);
    // The last touch of the job: afterwards the caller may publish the next one.
    done_.fetch_add(mine, std::memory_order_acq_rel);
  }

  struct alignas(64) Range {
    std::atomic<std::uint64_t> ticket{0};  // generation above, chunks left below
    std::int64_t end = 0;
  };
  static constexpr int kRanges = 64;  // further threads share them

  Range range_[kRanges];
  alignas(64) std::atomic<std::int64_t> done_{0};
  alignas(64) std::atomic<std::uint32_t> epoch_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> stop_{false};
  std::atomic<int> target_{1};
  std::atomic<int> ranges_{0};
  std::atomic<bool> failed_{false};
  std::atomic_flag failing_;
  Body body_ = nullptr;
  void* argument_ = nullptr;
  const ThreadStateHook* hook_ = nullptr;
  std::uint32_t generation_ = 0;
  alignas(16) unsigned char state_[64];
  std::exception_ptr error_;
  std::mutex job_mutex_;
  std::vector<std::thread> workers_;
  long owner_ = 0;
};

/// Created at first use. After fork the child runs its loops on the calling thread alone.
TENON_PROCESS_OBJECT(ThreadPool, thread_pool)

}  // namespace detail

/// Installs the hook that parallel loops use from now on; nullptr removes it.
inline void set_thread_state_hook(const ThreadStateHook* hook) {
  detail::thread_state_hook.store(hook, std::memory_order_release);
}

}  // namespace tenon
