// Taking up, joining and handing out under one lock; the work itself runs outside of it.
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/data/prefetch.hpp>

namespace tenon::data::detail {

TENON_COLD_BODY void throw_sample_error(const std::exception_ptr& cause, std::int64_t batch, std::int64_t index) {
  std::string what = "an exception of another kind";
  try {
    std::rethrow_exception(cause);
  } catch (const std::exception& e) { what = e.what(); } catch (...) {
  }
  throw SampleError(::tenon::concat("DataLoader: ",
                                    index >= 0 ? ::tenon::concat("sample ", index, " of batch ", batch)
                                               : ::tenon::concat("batch ", batch),
                                    ": ", what),
                    batch, index, cause);
}

struct Prefetcher::State {
  struct Slot {
    std::int64_t left = 0, failed_unit = -1;  // units; failed_unit is meaningful with an error
    std::exception_ptr error;
    bool ready = false;
  };
  /// Keeps the first error of a batch by the order of its units, whichever thread met it first.
  void failed(Slot& slot, std::int64_t unit, std::exception_ptr error) const {
    if (slot.error && slot.failed_unit <= unit) return;
    slot.error = std::move(error);
    slot.failed_unit = unit;
  }
  std::int64_t slot_of(std::int64_t batch) const { return batch % static_cast<std::int64_t>(slots.size()); }

  Work* work = nullptr;
  std::int64_t end = 0, taken = 0, taken_units = 0;  // the batch that is being taken up, and how much of it is
  std::int64_t delivered = 0;                        // batches whose slots are free again
  bool stop = false;
  std::vector<Slot> slots;
  std::mutex mutex;
  std::condition_variable work_there, batch_there;
  std::vector<std::thread> threads;
};

TENON_BODY Prefetcher::Prefetcher(Work& work, std::int64_t first, std::int64_t end, int workers, std::int64_t slots)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.work = &work;
  s.end = end;
  s.taken = s.delivered = first;
  s.slots.resize(static_cast<std::size_t>(slots));
  try {
    for (int i = 0; i < workers; ++i) s.threads.emplace_back([this] { run(); });
  } catch (...) {
    // A program out of threads works with those that it got.
    if (s.threads.empty()) throw;
  }
}
TENON_BODY Prefetcher::~Prefetcher() {
  {
    std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->work_there.notify_all();
  for (auto& thread : state_->threads) thread.join();
}

TENON_BODY void Prefetcher::run() noexcept {
  // The machine's threads are taken: operators inside a worker run on it alone.
  ::tenon::detail::ParallelMark serial;
  NoGradGuard no_grad;
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  for (;;) {
    s.work_there.wait(lock, [&] {
      return s.stop || s.taken == s.end || s.taken < s.delivered + static_cast<std::int64_t>(s.slots.size());
    });
    if (s.stop || s.taken == s.end) return;
    std::int64_t batch = s.taken, unit = s.taken_units++, place = s.slot_of(batch);
    State::Slot& slot = s.slots[static_cast<std::size_t>(place)];
    std::int64_t units = s.work->units(batch);
    if (unit == 0) slot = {units, -1, nullptr, false};
    if (s.taken_units == units) {
      s.taken_units = 0;
      if (++s.taken == s.end) s.work_there.notify_all();
    }
    lock.unlock();
    std::exception_ptr error;
    try {
      s.work->make(place, batch, unit);
    } catch (...) { error = std::current_exception(); }
    lock.lock();
    if (error) s.failed(slot, unit, std::exchange(error, nullptr));
    if (--slot.left > 0 || s.stop) continue;
    if (!slot.error) {
      lock.unlock();
      try {
        s.work->finish(place, batch);
      } catch (...) { error = std::current_exception(); }
      lock.lock();
      if (error) s.failed(slot, units, std::move(error));
    }
    slot.ready = true;
    s.batch_there.notify_one();
  }
}

TENON_BODY std::int64_t Prefetcher::next() {
  State& s = *state_;
  std::int64_t batch = s.delivered, place = s.slot_of(batch);
  if (batch == s.end) return -1;
  State::Slot& slot = s.slots[static_cast<std::size_t>(place)];
  if (s.threads.empty()) {
    NoGradGuard no_grad;
    std::int64_t units = s.work->units(batch), unit = 0;
    try {
      for (; unit < units; ++unit) s.work->make(place, batch, unit);
      s.work->finish(place, batch);
    } catch (...) { s.failed(slot, unit, std::current_exception()); }
  } else {
    std::unique_lock lock(s.mutex);
    s.batch_there.wait(lock, [&] { return slot.ready; });
  }
  if (!slot.error) return place;
  std::exception_ptr error = std::exchange(slot.error, nullptr);
  std::int64_t index = slot.failed_unit < s.work->units(batch) ? s.work->index(batch, slot.failed_unit) : -1;
  slot.failed_unit = -1;
  release();
  throw_sample_error(error, batch, index);
}
TENON_BODY void Prefetcher::release() {
  State& s = *state_;
  {
    std::lock_guard lock(s.mutex);
    s.slots[static_cast<std::size_t>(s.slot_of(s.delivered))].ready = false;
    ++s.delivered;
  }
  s.work_there.notify_all();
}

}  // namespace tenon::data::detail
