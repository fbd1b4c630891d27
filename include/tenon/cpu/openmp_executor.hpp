// The threads of OpenMP in the place of the library's own; for programs that name it and are compiled with -fopenmp.
#pragma once

#ifdef _OPENMP
#include <omp.h>

#include <atomic>
#include <exception>

#include <tenon/cpu/detail/carried_state.hpp>
#include <tenon/cpu/parallel.hpp>

namespace tenon {

/// Runs parallel loops in parallel regions of OpenMP: `OpenMPExecutor openmp; set_executor(&openmp);`.
/// A program whose own loops are OpenMP's then has one set of threads. Inside its regions, where OpenMP gives no more
/// threads, loops run on the thread that calls. Results are those of the library's threads.
class OpenMPExecutor : public Executor {
 public:
  /// Of so many threads, the caller included; without a number as many as OpenMP gives a region (OMP_NUM_THREADS).
  explicit OpenMPExecutor(int threads = 0)
      : Executor{&OpenMPExecutor::run_chunks, &OpenMPExecutor::count_threads, this}, threads_(threads) {}
  OpenMPExecutor(const OpenMPExecutor&) = delete;
  OpenMPExecutor& operator=(const OpenMPExecutor&) = delete;

 private:
  static int count_threads(void* self) {
    if (omp_get_active_level() >= omp_get_max_active_levels()) return 1;
    int asked = static_cast<OpenMPExecutor*>(self)->threads_;
    return asked > 0 ? asked : omp_get_max_threads();
  }
  static void run_chunks(void* self, std::int64_t chunks, void (*body)(void*, std::int64_t), void* argument) {
    const detail::CarriedState state;
    std::atomic<bool> failed{false};
    std::exception_ptr error;  // none may leave a region
#pragma omp parallel for schedule(dynamic, 1) num_threads(count_threads(self))
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      if (failed.load(std::memory_order_relaxed)) continue;
      try {
        state.run(body, argument, chunk);
      } catch (...) {
        if (!failed.exchange(true)) error = std::current_exception();
      }
    }
    if (error) std::rethrow_exception(error);
  }

  int threads_;
};

}  // namespace tenon

#endif
