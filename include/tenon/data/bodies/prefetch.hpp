// Taking up, joining and handing out under one lock; the work itself runs outside of it.
#pragma once
#include <mutex>
#include <utility>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/data/detail/loader_threads.hpp>
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

struct UnitsSlot : BatchSlot {
  std::int64_t left = 0;  // units
};
struct Prefetcher::State : LoaderThreads<UnitsSlot> {
  Work* work = nullptr;
  std::int64_t end = 0, taken_units = 0;  // how much of the batch that is being taken up is
};

TENON_BODY Prefetcher::Prefetcher(Work& work, std::int64_t first, std::int64_t end, int workers, std::int64_t slots)
    : state_(std::make_unique<State>()) {
  state_->work = &work;
  state_->end = end;
  state_->start(first, workers, slots, [this] { run(); });
}
TENON_BODY Prefetcher::~Prefetcher() { state_->end_threads(); }

TENON_BODY void Prefetcher::run() noexcept {
  // The machine's threads are taken: operators inside a worker run on it alone.
  ::tenon::detail::ParallelMark serial;
  NoGradGuard no_grad;
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  for (;;) {
    s.work_there.wait(lock, [&] { return s.stop || s.taken == s.end || s.has_room(); });
    if (s.stop || s.taken == s.end) return;
    std::int64_t batch = s.taken, unit = s.taken_units++, place = s.slot_of(batch);
    UnitsSlot& slot = s.at(batch);
    std::int64_t units = s.work->units(batch);
    if (unit == 0) slot = {{}, units};
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
    if (error) slot.failed(unit, std::exchange(error, nullptr));
    if (--slot.left > 0 || s.stop) continue;
    if (!slot.error) {
      lock.unlock();
      try {
        s.work->finish(place, batch);
      } catch (...) { error = std::current_exception(); }
      lock.lock();
      if (error) slot.failed(units, std::move(error));
    }
    slot.ready = true;
    s.batch_there.notify_one();
  }
}

TENON_BODY std::int64_t Prefetcher::next() {
  State& s = *state_;
  std::int64_t batch = s.delivered, place = s.slot_of(batch);
  if (batch == s.end) return -1;
  UnitsSlot& slot = s.at(batch);
  if (s.threads.empty()) {
    NoGradGuard no_grad;
    std::int64_t units = s.work->units(batch), unit = 0;
    try {
      for (; unit < units; ++unit) s.work->make(place, batch, unit);
      s.work->finish(place, batch);
    } catch (...) { slot.failed(unit, std::current_exception()); }
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
  state_->release([](UnitsSlot& slot) { slot.ready = false; });
}

}  // namespace tenon::data::detail
