// The one seam through which kernels use threads.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>

#include <tenon/base/shared_object.hpp>

#ifndef TENON_KERNELS_ARCH
#include <tenon/cpu/detail/thread_pool.hpp>
#include <tenon/cpu/threads.hpp>
#endif

namespace tenon {

/// What runs the chunks of a parallel loop; install your own with `set_executor`.
struct Executor {
  /// Calls `body(argument, chunk)` once for each chunk in [0, chunks), from any thread, and returns when all have
  /// returned. An exception of a body is rethrown to the caller of `run`.
  void (*run)(void* self, std::int64_t chunks, void (*body)(void* argument, std::int64_t chunk), void* argument);
  /// How many threads `run` may use at once, at least 1.
  int (*threads)(void* self);
  void* self;
};

namespace detail {
TENON_PROCESS_WORD(std::atomic<const Executor*>, executor_slot, nullptr);
TENON_THREAD_WORD(bool, inside_parallel, false);

struct ParallelMark {
  bool before = inside_parallel;
  ParallelMark() { inside_parallel = true; }
  ~ParallelMark() { inside_parallel = before; }
};

#ifndef TENON_KERNELS_ARCH
inline const Executor* default_executor() {
  static const Executor pool{[](void*, std::int64_t chunks, void (*body)(void*, std::int64_t), void* argument) {
                               thread_pool().run(chunks, body, argument);
                             },
                             [](void*) { return thread_pool().threads(); }, nullptr};
  return &pool;
}
#endif
inline const Executor* executor() {
  const Executor* chosen = executor_slot.load(std::memory_order_acquire);
#ifndef TENON_KERNELS_ARCH
  return chosen ? chosen : default_executor();
#else
  // An object of one instruction set has private copies of all variables and owns no threads; it is given the
  // program's `forwarding_executor` by a call of `set_executor` inside it, and until then runs serially.
  return chosen;
#endif
}
}  // namespace detail

/// Replaces the library's thread pool; nullptr brings it back. The executor must outlive its use. Not while a loop
/// runs.
inline void set_executor(const Executor* executor) { detail::executor_slot.store(executor, std::memory_order_release); }

#ifndef TENON_KERNELS_ARCH
/// Runs on whatever executor the program has at the time of the call: what the objects compiled per instruction set
/// get.
inline const Executor* forwarding_executor() {
  static const Executor forward{[](void*, std::int64_t chunks, void (*body)(void*, std::int64_t), void* argument) {
                                  const Executor* e = detail::executor();
                                  e->run(e->self, chunks, body, argument);
                                },
                                [](void*) {
                                  const Executor* e = detail::executor();
                                  return detail::inside_parallel ? 1 : e->threads(e->self);
                                },
                                nullptr};
  return &forward;
}
#endif

/// Whether the calling thread runs a chunk of a parallel loop; loops started here run serially.
inline bool in_parallel_region() { return detail::inside_parallel; }

#ifdef TENON_KERNELS_ARCH
inline int get_num_threads() {
  const Executor* e = detail::executor();
  return e ? e->threads(e->self) : 1;
}
#endif

/// Calls `f(first, last)` on disjoint ranges that cover [begin, end), each of at least `grain` indices and at a
/// multiple of it from `begin`, on several threads when there are at least two such ranges. Nested calls run serially
/// on their thread. Errors: the first exception of a range is rethrown here, after all ranges have ended. Cost: about 1
/// us to fork and join while the pool is hot; nothing when the range is short.
template <class F>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, F&& f) {
  std::int64_t count = end - begin;
  if (count <= 0) return;
  if (grain < 1) grain = 1;
  const Executor* e;
  int threads;
  if (count < 2 * grain || detail::inside_parallel || !(e = detail::executor()) ||
      (threads = e->threads(e->self)) < 2) {
    f(begin, end);
    return;
  }
  struct Job {
    std::remove_reference_t<F>* f;
    std::int64_t begin, end, grain, grains, chunks;
    std::int64_t bound(std::int64_t chunk) const {
      return chunk == chunks ? end : begin + grains * chunk / chunks * grain;
    }
  };
  Job job{&f, begin, end, grain, count / grain, 0};
  // A few chunks per thread, so that one descheduled thread delays the others little; of one length within a grain.
  job.chunks = job.grains < 4 * std::int64_t{threads} ? job.grains : 4 * std::int64_t{threads};
  e->run(
      e->self, job.chunks,
      [](void* argument, std::int64_t chunk) {
        Job& j = *static_cast<Job*>(argument);
        detail::ParallelMark mark;
        (*j.f)(j.bound(chunk), j.bound(chunk + 1));
      },
      &job);
}

}  // namespace tenon
