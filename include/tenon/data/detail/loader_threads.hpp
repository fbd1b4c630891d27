// What threads that make batches ahead share: a lock, slots that keep the first error of their batch, a start and an
// end.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tenon::data::detail {

/// Where a batch is put together.
struct BatchSlot {
  std::int64_t failed_unit = -1;  // of `error`
  std::exception_ptr error;
  bool ready = false;
  /// Keeps the first error of a batch by the order of its units, whichever thread met it first.
  void failed(std::int64_t unit, std::exception_ptr what) {
    if (error && failed_unit <= unit) return;
    error = std::move(what);
    failed_unit = unit;
  }
};

/// The threads of a prefetcher and what its lock guards; batch b uses slot b % slots.
template <class Slot>
struct LoaderThreads {
  std::int64_t slot_of(std::int64_t batch) const { return batch % static_cast<std::int64_t>(slots.size()); }
  Slot& at(std::int64_t batch) { return slots[static_cast<std::size_t>(slot_of(batch))]; }
  /// Whether a slot is free for the batch that is being taken up.
  bool has_room() const { return taken < delivered + static_cast<std::int64_t>(slots.size()); }

  template <class Run>
  void start(std::int64_t first, int workers, std::int64_t n_slots, Run run) {
    taken = delivered = first;
    slots.resize(static_cast<std::size_t>(n_slots));
    try {
      for (int i = 0; i < workers; ++i) threads.emplace_back(run);
    } catch (...) {
      // A program out of threads works with those that it got.
      if (threads.empty()) throw;
    }
  }
  /// Waits until each thread has ended the unit that it is at.
  void end_threads() {
    {
      std::lock_guard lock(mutex);
      stop = true;
    }
    work_there.notify_all();
    for (auto& thread : threads) thread.join();
  }
  /// Frees the slot of the batch that was handed out last.
  template <class Clear>
  void release(Clear clear) {
    {
      std::lock_guard lock(mutex);
      clear(at(delivered));
      ++delivered;
    }
    work_there.notify_all();
  }

  std::int64_t taken = 0, delivered = 0;  // the batch that is being taken up; batches whose slots are free again
  bool stop = false;
  std::vector<Slot> slots;
  std::mutex mutex;
  std::condition_variable work_there, batch_there;
  std::vector<std::thread> threads;
};

}  // namespace tenon::data::detail
