// Reading in order outside of the lock, making beside it, and handing out under it.
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/data/stream_prefetch.hpp>

namespace tenon::data::detail {

struct StreamPrefetcher::State {
  struct Slot {
    std::int64_t units = 0, in_work = 0, failed_unit = -1;  // the unit of `error`; -1 for joining
    std::exception_ptr error;
    bool closed = false, ready = false;  // has all its units; is joined
  };
  std::int64_t slot_of(std::int64_t batch) const { return batch % static_cast<std::int64_t>(slots.size()); }
  Slot& at(std::int64_t batch) { return slots[static_cast<std::size_t>(slot_of(batch))]; }
  static void failed(Slot& slot, std::int64_t unit, std::exception_ptr error) {
    if (slot.error && slot.failed_unit <= unit) return;
    slot.error = std::move(error);
    slot.failed_unit = unit;
  }
  /// What is read of the batch is its last, if it counts. What reading threw always does.
  void end_stream(Slot& slot, bool threw) {
    ended = true;
    slot.closed = threw || (slot.units > 0 && !drop_last);
    if (slot.closed) ++taken;
  }

  StreamWork* work = nullptr;
  std::int64_t batch_size = 1;
  bool drop_last = false;
  std::int64_t taken = 0, delivered = 0;  // the batch that is being read; batches whose slots are free again
  bool reading = false, ended = false, stop = false;
  std::vector<Slot> slots;
  std::mutex mutex;
  std::condition_variable work_there, batch_there;
  std::vector<std::thread> threads;
};

TENON_BODY StreamPrefetcher::StreamPrefetcher(StreamWork& work, std::int64_t first, std::int64_t batch_size,
                                              bool drop_last, int workers, std::int64_t slots)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.work = &work;
  s.batch_size = batch_size;
  s.drop_last = drop_last;
  s.taken = s.delivered = first;
  s.slots.resize(static_cast<std::size_t>(slots));
  try {
    for (int i = 0; i < workers; ++i) s.threads.emplace_back([this] { run(); });
  } catch (...) {
    // A program out of threads works with those that it got.
    if (s.threads.empty()) throw;
  }
}
TENON_BODY StreamPrefetcher::~StreamPrefetcher() {
  {
    std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->work_there.notify_all();
  for (auto& thread : state_->threads) thread.join();
}

TENON_BODY void StreamPrefetcher::run() noexcept {
  // The machine's threads are taken: operators inside a worker run on it alone.
  ::tenon::detail::ParallelMark serial;
  NoGradGuard no_grad;
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  // What it throws is the unit's.
  auto outside = [&](State::Slot& slot, std::int64_t unit, auto&& f) {
    std::exception_ptr error;
    lock.unlock();
    try {
      f();
    } catch (...) { error = std::current_exception(); }
    lock.lock();
    bool fine = !error;
    if (error) s.failed(slot, unit, std::move(error));
    return fine;
  };
  for (;;) {
    s.work_there.wait(lock, [&] {
      return s.stop || s.ended || (!s.reading && s.taken < s.delivered + static_cast<std::int64_t>(s.slots.size()));
    });
    if (s.stop || s.ended) return;
    std::int64_t batch = s.taken, place = s.slot_of(batch);
    State::Slot& slot = s.at(batch);
    std::int64_t unit = slot.units;
    void* item = nullptr;
    s.reading = true;
    bool threw = !outside(slot, unit, [&] { item = s.work->read(place, unit); });
    s.reading = false;
    if (item) {
      ++slot.in_work;
      if (++slot.units == s.batch_size) {
        slot.closed = true;
        ++s.taken;
      }
      s.work_there.notify_one();
      outside(slot, unit, [&] { s.work->make(item, batch * s.batch_size + unit); });
      --slot.in_work;
    } else {
      s.end_stream(slot, threw);
      s.work_there.notify_all();
      s.batch_there.notify_one();
    }
    if (!slot.closed || slot.in_work > 0 || s.stop) continue;
    if (!slot.error) outside(slot, -1, [&] { s.work->finish(place); });
    slot.ready = true;
    s.batch_there.notify_one();
  }
}

TENON_BODY std::int64_t StreamPrefetcher::next() {
  State& s = *state_;
  std::int64_t batch = s.delivered, place = s.slot_of(batch);
  State::Slot& slot = s.at(batch);
  if (s.threads.empty()) {
    NoGradGuard no_grad;
    while (!s.ended && slot.units < s.batch_size) {
      std::int64_t unit = slot.units;
      void* item = nullptr;
      bool threw = false;
      try {
        item = s.work->read(place, unit);
      } catch (...) {
        threw = true;
        s.failed(slot, unit, std::current_exception());
      }
      if (item && !slot.error) try {
          s.work->make(item, batch * s.batch_size + unit);
        } catch (...) { s.failed(slot, unit, std::current_exception()); }
      if (item)
        ++slot.units;
      else
        s.end_stream(slot, threw);
    }
    if (slot.units == s.batch_size && !slot.closed) {
      slot.closed = true;
      ++s.taken;
    }
    if (slot.closed && !slot.error) try {
        s.work->finish(place);
      } catch (...) { s.failed(slot, -1, std::current_exception()); }
    if (batch == s.taken) return -1;
  } else {
    std::unique_lock lock(s.mutex);
    s.batch_there.wait(lock, [&] { return slot.ready || (s.ended && batch == s.taken); });
    if (!slot.ready) return -1;
  }
  if (!slot.error) return place;
  std::exception_ptr error = slot.error;
  std::int64_t index = slot.failed_unit < 0 ? -1 : batch * s.batch_size + slot.failed_unit;
  release();
  throw_sample_error(error, batch, index);
}
TENON_BODY void StreamPrefetcher::release() {
  State& s = *state_;
  {
    std::lock_guard lock(s.mutex);
    s.at(s.delivered) = {};
    ++s.delivered;
  }
  s.work_there.notify_all();
}

}  // namespace tenon::data::detail
