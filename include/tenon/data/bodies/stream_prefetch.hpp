// Reading in order outside of the lock, making beside it, and handing out under it.
#pragma once
#include <mutex>
#include <utility>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/data/detail/loader_threads.hpp>
#include <tenon/data/stream_prefetch.hpp>

namespace tenon::data::detail {

struct StreamSlot : BatchSlot {
  std::int64_t units = 0, in_work = 0;
  bool closed = false;  // has all its units
};
struct StreamPrefetcher::State : LoaderThreads<StreamSlot> {
  /// What is read of the batch is its last, if it counts. What reading threw always does.
  void end_stream(StreamSlot& slot, bool threw) {
    ended = true;
    slot.closed = threw || (slot.units > 0 && !drop_last);
    if (slot.closed) ++taken;
  }

  StreamWork* work = nullptr;
  std::int64_t batch_size = 1;
  bool drop_last = false, reading = false, ended = false;
};

TENON_BODY StreamPrefetcher::StreamPrefetcher(StreamWork& work, std::int64_t first, std::int64_t batch_size,
                                              bool drop_last, int workers, std::int64_t slots)
    : state_(std::make_unique<State>()) {
  state_->work = &work;
  state_->batch_size = batch_size;
  state_->drop_last = drop_last;
  state_->start(first, workers, slots, [this] { run(); });
}
TENON_BODY StreamPrefetcher::~StreamPrefetcher() { state_->end_threads(); }

TENON_BODY void StreamPrefetcher::run() noexcept {
  // The machine's threads are taken: operators inside a worker run on it alone.
  ::tenon::detail::ParallelMark serial;
  NoGradGuard no_grad;
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  // What it throws is the unit's, -1 for joining.
  auto outside = [&](StreamSlot& slot, std::int64_t unit, auto&& f) {
    std::exception_ptr error;
    lock.unlock();
    try {
      f();
    } catch (...) { error = std::current_exception(); }
    lock.lock();
    bool fine = !error;
    if (error) slot.failed(unit, std::move(error));
    return fine;
  };
  for (;;) {
    s.work_there.wait(lock, [&] { return s.stop || s.ended || (!s.reading && s.has_room()); });
    if (s.stop || s.ended) return;
    std::int64_t batch = s.taken, place = s.slot_of(batch);
    StreamSlot& slot = s.at(batch);
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
  StreamSlot& slot = s.at(batch);
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
        slot.failed(unit, std::current_exception());
      }
      if (item && !slot.error) try {
          s.work->make(item, batch * s.batch_size + unit);
        } catch (...) { slot.failed(unit, std::current_exception()); }
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
      } catch (...) { slot.failed(-1, std::current_exception()); }
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
  state_->release([](StreamSlot& slot) { slot = {}; });
}

}  // namespace tenon::data::detail
