// Batches of a stream, made ahead on threads. The same batches come out for any number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/data/data_loader.hpp>
#include <tenon/data/stream.hpp>
#include <tenon/data/stream_prefetch.hpp>

namespace tenon::data {

namespace detail {
/// What loaders of streams of all types share.
class StreamLoaderBase : public LoaderBase {
 public:
  /// What a run needs to go on with the next batch: seed, position and the size of batches.
  nn::NamedTensors state() const;
  /// The next pass hands out what the saved loader would have handed out next, for any number of threads: it reads the
  /// items of the batches before and leaves them. Errors: ValueError for a name that does not fit and for another
  /// batch_size; then nothing changed.
  void load_state(const nn::NamedTensors& state);

 protected:
  explicit StreamLoaderBase(const DataLoaderOptions& options);
};
}  // namespace detail

/// Hands out the batches of a stream, epoch after epoch; how many there are, nobody knows before:
///     for (auto& [words, labels] : loader) ..
/// Each pass begins the stream anew with the loader's seed and the next epoch. One thread at a time reads items, the
/// threads make samples of them side by side (`make()`, map()), and a sample's random numbers depend on (seed, epoch,
/// its place in the stream) alone, so batches do not depend on the number of threads.
/// Samples are made without recording gradients; operators inside a thread run on it alone.
/// Errors: SampleError with the sample's place in the stream from the pass that meets it, in the order of batches. A
/// pass goes on by next() with the batch after one whose sample could not be made; where reading threw, the stream has
/// ended. What begin() throws, the start of a pass throws. ValueError for `shuffle`, which is data::shuffle()'s, a
/// batch_size below 1 and negative numbers of threads.
/// Cost: at most num_workers * prefetch_factor batches wait. Leaving a pass early waits for the item that each thread
/// is at; resuming reads the items of the epoch up to there.
template <iterable_dataset S, class Collate>
class DataLoader<S, Collate> : public detail::StreamLoaderBase {
  using sample = stream_sample_t<S>;

 public:
  using batch_type = std::remove_cvref_t<decltype(std::declval<const Collate&>()(std::declval<std::vector<sample>>()))>;

  explicit DataLoader(S samples, DataLoaderOptions options = {}, Collate collate = {})
      : StreamLoaderBase(options), data_(std::move(samples)), collate_(std::move(collate)) {
    detail::check_batch_size<Collate>(options.batch_size);
  }

 private:
  struct Unit {
    item_t<S> item;
    std::optional<sample> made;
  };
  struct Slot {
    std::deque<Unit> units;  // which stay where they are while more are read
    std::optional<batch_type> batch;
  };
  struct Work final : detail::StreamWork {
    Work(const DataLoader& l, const LoaderPosition& at, std::int64_t n)
        : loader(l),
          seed(l.options_.seed),
          epoch(at.epoch),
          batch_size(l.options_.batch_size),
          reader(l.data_.begin(seed, epoch)),
          slots(static_cast<std::size_t>(n)) {
      for (std::int64_t left = at.batch * batch_size; left > 0 && !ended; --left) try {
          ended = !reader.next();
        } catch (...) { ended = true; }  // where it threw before, it ended
    }
    void* read(std::int64_t at, std::int64_t unit) override {
      auto& units = slots[static_cast<std::size_t>(at)].units;
      if (unit == 0) units.clear();
      if (ended) return nullptr;
      std::optional<item_t<S>> item = reader.next();
      return item ? &units.emplace_back(Unit{*std::move(item), {}}) : nullptr;
    }
    void make(void* item, std::int64_t index) override {
      Unit& unit = *static_cast<Unit*>(item);
      Random random(seed, epoch, index);
      unit.made.emplace(make_sample(loader.data_, std::move(unit.item), random));
    }
    void finish(std::int64_t at) override {
      Slot& slot = slots[static_cast<std::size_t>(at)];
      std::vector<sample> samples;
      samples.reserve(slot.units.size());
      for (Unit& unit : slot.units) samples.push_back(*std::move(unit.made));
      slot.units.clear();
      slot.batch.emplace(loader.collate_(std::move(samples)));
    }
    const DataLoader& loader;
    std::uint64_t seed;  // a copy: load_state() may change the loader's while threads of this pass draw
    std::int64_t epoch, batch_size;
    bool ended = false;
    reader_t<S> reader;
    std::vector<Slot> slots;
  };
  struct State {
    explicit State(DataLoader& l)
        : loader(l),
          at(l.start()),
          work(l, at, l.slots()),
          threads(work, at.batch, l.options_.batch_size, l.options_.drop_last, l.options_.num_workers, l.slots()) {}
    DataLoader& loader;
    LoaderPosition at;
    Work work;
    detail::StreamPrefetcher threads;  // the last: its end ends the threads
  };

 public:
  /// One pass: an epoch, or what is left of it. Ends with the loader; a loader has one pass at a time.
  using Pass = detail::LoaderPass<State, batch_type>;
  Pass pass() { return Pass(*this); }

  using iterator = detail::PassIterator<Pass, batch_type>;
  /// Starts a pass.
  iterator begin() { return iterator(pass()); }
  std::default_sentinel_t end() const { return {}; }

  const S& dataset() const { return data_; }

 private:
  S data_;
  Collate collate_;
};

}  // namespace tenon::data
