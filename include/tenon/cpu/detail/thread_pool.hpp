// A kept pool of threads: hot workers spin for the next job, cold ones sleep.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace tenon {

/// How a parallel loop carries thread-local state of the caller into its workers: `capture` writes at most 64 bytes,
/// `install` puts them in force on the calling thread.
struct ThreadStateHook {
  void (*capture)(void* state);
  void (*install)(const void* state);
};

namespace detail {

inline constinit std::atomic<const ThreadStateHook*> thread_state_hook{nullptr};

/// Set while the thread runs a chunk of the pool: jobs started there are run by that thread alone.
inline constinit thread_local bool inside_pool = false;

inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Chunks are claimed one by one, also by the caller: it never waits for a worker that has not begun, so a sleeping,
/// descheduled or (after fork) missing worker costs speed and not progress.
class ThreadPool {
 public:
  using Body = void (*)(void*, std::int64_t);

  ThreadPool() {
    int count = static_cast<int>(std::thread::hardware_concurrency());
    if (const char* text = std::getenv("TENON_NUM_THREADS")) count = std::atoi(text);
    target_.store(count < 1 ? 1 : count, std::memory_order_relaxed);
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    stop_.store(true);
    wake();
    for (std::thread& worker : workers_) {
      if (owner_ == process())
        worker.join();
      else
        worker.detach();  // the threads stayed behind in the parent process
    }
  }

  int threads() const { return target_.load(std::memory_order_relaxed); }
  void set_threads(int count) {
    std::lock_guard lock(job_mutex_);
    target_.store(count < 1 ? 1 : count, std::memory_order_relaxed);
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
    chunks_ = chunks;
    error_ = nullptr;
    failed_.store(false, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    if (hook) hook->capture(state_);
    ++generation_;
    ticket_.store(std::uint64_t{generation_} << 32 | static_cast<std::uint32_t>(chunks), std::memory_order_release);
    wake();
    std::int64_t mine = 0;
    for (std::int64_t chunk; (chunk = claim()) >= 0;) {
      guarded(chunk);
      ++mine;
    }
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
      workers_.emplace_back([this, index] { work(index); });
    }
  }
  void wake() {
    epoch_.fetch_add(1);
    if (sleepers_.load() > 0) epoch_.notify_all();
  }
  /// The index of a chunk that is now this thread's to run, or -1.
  std::int64_t claim() {
    std::uint64_t t = ticket_.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(t) != 0)
      // Success proves that the job is still this one: it cannot end before its claimed chunks have.
      if (ticket_.compare_exchange_weak(t, t - 1, std::memory_order_acq_rel, std::memory_order_acquire))
        return chunks_ - static_cast<std::int64_t>(static_cast<std::uint32_t>(t));
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
      std::uint32_t seen = epoch_.load();
      int spins = 0;
      while (static_cast<std::uint32_t>(ticket_.load(std::memory_order_relaxed)) == 0 || index >= threads()) {
        if (stop_.load(std::memory_order_relaxed)) return;
        if (++spins < 4000 && index < threads()) {
          spin_pause();
          continue;
        }
        sleepers_.fetch_add(1);
        epoch_.wait(seen);
        sleepers_.fetch_sub(1);
        seen = epoch_.load();
        spins = 0;
      }
      std::int64_t chunk = claim();
      if (chunk < 0) continue;
      const ThreadStateHook* hook = hook_;
      alignas(16) unsigned char before[64];
      if (hook) {
        hook->capture(before);
        hook->install(state_);
      }
      std::int64_t mine = 0;
      do {
        guarded(chunk);
        ++mine;
      } while ((chunk = claim()) >= 0);
      // The last touch of the job: afterwards the caller may publish the next one.
      if (hook) hook->install(before);
      done_.fetch_add(mine, std::memory_order_acq_rel);
    }
  }

  alignas(64) std::atomic<std::uint64_t> ticket_{0};  // generation above, chunks left below
  alignas(64) std::atomic<std::int64_t> done_{0};
  alignas(64) std::atomic<std::uint32_t> epoch_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> stop_{false};
  std::atomic<int> target_{1};
  std::atomic<bool> failed_{false};
  std::atomic_flag failing_;
  Body body_ = nullptr;
  void* argument_ = nullptr;
  const ThreadStateHook* hook_ = nullptr;
  std::int64_t chunks_ = 0;
  std::uint32_t generation_ = 0;
  alignas(16) unsigned char state_[64];
  std::exception_ptr error_;
  std::mutex job_mutex_;
  std::vector<std::thread> workers_;
  long owner_ = 0;
};

/// Created at first use. After fork the child runs its loops on the calling thread alone.
inline ThreadPool& thread_pool() {
  static ThreadPool pool;
  return pool;
}

}  // namespace detail

/// Installs the hook that parallel loops use from now on; nullptr removes it.
inline void set_thread_state_hook(const ThreadStateHook* hook) {
  detail::thread_state_hook.store(hook, std::memory_order_release);
}

}  // namespace tenon
