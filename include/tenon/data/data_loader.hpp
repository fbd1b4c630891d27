// Batches of a data set, made ahead on threads. The same batches come out for any number of threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/data/collate.hpp>
#include <tenon/data/dataset.hpp>
#include <tenon/data/prefetch.hpp>
#include <tenon/data/sampler.hpp>
#include <tenon/nn/module.hpp>

namespace tenon::data {

/// The options of a loader. Those that PyTorch's has, have its names.
struct DataLoaderOptions {
  std::int64_t batch_size = 1;       ///< not for a batch sampler, which has its own
  bool shuffle = false;              ///< without a sampler: a new random order each epoch
  bool drop_last = false;            ///< leave out a last batch that is not full, or else keep it
  int num_workers = 0;               ///< threads; 0: samples are made when a batch is asked for
  std::int64_t prefetch_factor = 2;  ///< batches per thread that are made ahead
  std::uint64_t seed = 0;            ///< of order and augmentation
};

/// Where a loader is: `batch` batches of `epoch` are handed out.
struct LoaderPosition {
  std::int64_t epoch = 0, batch = 0;
  friend bool operator==(const LoaderPosition&, const LoaderPosition&) = default;
};

namespace detail {
/// What loaders of data sets and of streams share.
class LoaderBase {
 public:
  LoaderBase(const LoaderBase&) = delete;
  LoaderBase& operator=(const LoaderBase&) = delete;

  const LoaderPosition& position() const { return position_; }
  /// The next pass is this epoch's, from its start. Errors: ValueError for a negative one.
  void set_epoch(std::int64_t epoch);

 protected:
  template <class State, class Batch>
  friend class LoaderPass;
  /// A number of a state, by its name; `to` is where it goes.
  using Number = std::pair<const char*, std::int64_t*>;
  explicit LoaderBase(const DataLoaderOptions& options);
  /// Seed and position, and what more there is.
  nn::NamedTensors state_with(std::initializer_list<std::pair<const char*, std::int64_t>> more) const;
  /// Takes those numbers out of a state. Errors: ValueError for one that is missing.
  static void take_numbers(const nn::NamedTensors& state, std::initializer_list<Number> wanted);
  /// The next pass goes on from there.
  void resume(std::uint64_t seed, const LoaderPosition& position);
  /// Where a pass that starts now starts.
  LoaderPosition start();
  /// Batches that may be in work or wait at once.
  std::int64_t slots() const;

  DataLoaderOptions options_;
  LoaderPosition position_;
  bool resumes_ = false;
};
/// What loaders of data sets of all types share.
class SizedLoaderBase : public LoaderBase {
 public:
  /// Batches of an epoch.
  std::int64_t size() const { return batching_->batches(); }
  /// What a run needs to go on with the next batch: seed, position and the sizes that must still be the same.
  nn::NamedTensors state() const;
  /// The next pass hands out what the saved loader would have handed out next, for any number of threads.
  /// Errors: ValueError for a name that does not fit and for other numbers of samples or batches; then nothing changed.
  void load_state(const nn::NamedTensors& state);

 protected:
  SizedLoaderBase(std::int64_t samples, const DataLoaderOptions& options, std::unique_ptr<Batching> batching);
  static std::unique_ptr<Batching> default_batching(std::int64_t samples, const DataLoaderOptions& options);

  std::int64_t samples_;
  std::unique_ptr<Batching> batching_;
};

/// A pass of a loader: `next()` gives a batch, or nothing at the end. The state has the loader, its place `at`, the
/// work with its slots, and the threads.
template <class State, class Batch>
class LoaderPass {
 public:
  template <class Loader>
  explicit LoaderPass(Loader& loader) : state_(std::make_unique<State>(loader)) {}
  std::optional<Batch> next() {
    if (!state_) return std::nullopt;
    State& s = *state_;
    // A batch that fails counts as handed out.
    auto count = [&](LoaderPosition at) { static_cast<LoaderBase&>(s.loader).position_ = at; };
    std::int64_t slot;
    try {
      slot = s.threads.next();
    } catch (...) {
      count({s.at.epoch, ++s.at.batch});
      throw;
    }
    if (slot < 0) {
      count({s.at.epoch + 1, 0});
      state_.reset();
      return std::nullopt;
    }
    std::optional<Batch> batch = std::exchange(s.work.slots[static_cast<std::size_t>(slot)].batch, std::nullopt);
    s.threads.release();
    count({s.at.epoch, ++s.at.batch});
    return batch;
  }

 private:
  std::unique_ptr<State> state_;
};
/// Goes over what `pass.next()` gives.
template <class Pass, class Batch>
class PassIterator {
 public:
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;
  explicit PassIterator(Pass pass) : pass_(std::move(pass)) { ++*this; }
  Batch& operator*() { return *batch_; }
  Batch* operator->() { return &*batch_; }
  PassIterator& operator++() {
    batch_.reset();
    batch_ = pass_.next();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const PassIterator& i, std::default_sentinel_t) { return !i.batch_.has_value(); }

 private:
  Pass pass_;
  std::optional<Batch> batch_;
};

template <class D>
concept makes_batches = requires(const D& d, IntArrayRef indices) {
  d.get_batch(indices);
};
}  // namespace detail

/// A loader of a data set, or of a stream (data/stream_loader.hpp).
template <class D, class Collate = DefaultCollate>
class DataLoader {
  static_assert(
      dataset<D>,
      "tenon: a DataLoader takes a data set with size() and get(i), or, with data/stream_loader.hpp included, "
      "a stream with begin(seed, epoch)");
};

/// Hands out the batches of a data set, epoch after epoch:
///     for (auto& [images, classes] : loader) ..
/// Order and random numbers depend on (seed, epoch, index) alone, so batches do not depend on the number of threads.
/// A pass over the loader is one epoch; the next pass is the next epoch, also when one was left early. After
/// load_state() the next pass is the rest of the epoch that was saved.
/// Samples are made without recording gradients; operators inside a thread run on it alone.
/// Errors: SampleError with the sample's index from the pass that meets it, in the order of batches; a pass that goes
/// on by next() goes on with the batch after it. ValueError for a batch_size below 1 and negative numbers of threads.
/// Cost: the order of an epoch takes 8 bytes a sample; at most num_workers * prefetch_factor batches wait. Leaving a
/// pass early waits for the sample that each thread is at.
template <dataset D, class Collate>
class DataLoader<D, Collate> : public detail::SizedLoaderBase {
  static constexpr bool whole_batches = detail::makes_batches<D> && std::is_same_v<Collate, DefaultCollate>;
  using sample = sample_t<D>;

 public:
  using batch_type = std::remove_cvref_t<decltype(std::declval<const Collate&>()(std::declval<std::vector<sample>>()))>;

  explicit DataLoader(D samples, DataLoaderOptions options = {}, Collate collate = {})
      : SizedLoaderBase(samples.size(), options, default_batching(samples.size(), options)),
        data_(std::move(samples)),
        collate_(std::move(collate)) {
    detail::check_batch_size<Collate>(options.batch_size);
  }
  template <sampler S>
  DataLoader(D samples, S order, DataLoaderOptions options = {}, Collate collate = {})
      : SizedLoaderBase(
            samples.size(), options,
            std::make_unique<detail::CutBatching<S>>(std::move(order), options.batch_size, options.drop_last)),
        data_(std::move(samples)),
        collate_(std::move(collate)) {
    detail::check_batch_size<Collate>(options.batch_size);
    TENON_CHECK(!options.shuffle, ValueError, "DataLoader: sampler option is mutually exclusive with shuffle");
  }
  template <batch_sampler S>
  DataLoader(D samples, S batches, DataLoaderOptions options = {}, Collate collate = {})
      : SizedLoaderBase(samples.size(), options, std::make_unique<detail::GivenBatching<S>>(std::move(batches))),
        data_(std::move(samples)),
        collate_(std::move(collate)) {
    static_assert(!detail::is_unbatched<Collate>, "tenon: Unbatched hands out samples, a batch sampler names batches");
    TENON_CHECK(!options.shuffle && !options.drop_last && options.batch_size == 1, ValueError,
                "DataLoader: batch_sampler option is mutually exclusive with batch_size, shuffle, and drop_last");
  }

 private:
  struct Slot {
    std::vector<std::optional<sample>> samples;
    std::optional<batch_type> batch;
  };
  struct Work final : detail::Work {
    Work(const DataLoader& l, std::int64_t epoch, std::int64_t n)
        : loader(l),
          seed(l.options_.seed),
          epoch(epoch),
          plan(l.batching_->plan(seed, epoch)),
          slots(static_cast<std::size_t>(n)) {
      std::int64_t most = 0;
      for (std::int64_t b = 0; b < plan.batches(); ++b) most = std::max(most, plan.end(b) - plan.begin(b));
      for (Slot& slot : slots) slot.samples.resize(whole_batches ? 0 : static_cast<std::size_t>(most));
    }
    std::int64_t units(std::int64_t batch) const override {
      return whole_batches ? 1 : plan.end(batch) - plan.begin(batch);
    }
    std::int64_t index(std::int64_t batch, std::int64_t unit) const override {
      return whole_batches ? -1 : plan.indices[static_cast<std::size_t>(plan.begin(batch) + unit)];
    }
    void make(std::int64_t at, std::int64_t batch, std::int64_t unit) override {
      Slot& slot = slots[static_cast<std::size_t>(at)];
      if constexpr (whole_batches) {
        const std::int64_t* all = plan.indices.data();
        slot.batch = loader.data_.get_batch(
            IntArrayRef(all + plan.begin(batch), static_cast<std::size_t>(plan.end(batch) - plan.begin(batch))));
      } else {
        std::int64_t i = index(batch, unit);
        Random random(seed, epoch, i);
        slot.samples[static_cast<std::size_t>(unit)] = get_sample(loader.data_, i, random);
      }
    }
    void finish(std::int64_t at, std::int64_t batch) override {
      if constexpr (!whole_batches) {
        Slot& slot = slots[static_cast<std::size_t>(at)];
        auto n = static_cast<std::size_t>(units(batch));
        std::vector<sample> samples;
        samples.reserve(n);
        for (std::size_t i = 0; i < n; ++i) samples.push_back(*std::exchange(slot.samples[i], std::nullopt));
        slot.batch = loader.collate_(std::move(samples));
      }
    }
    const DataLoader& loader;
    std::uint64_t seed;  // a copy: load_state() may change the loader's while threads of this pass draw
    std::int64_t epoch;
    detail::Plan plan;
    std::vector<Slot> slots;
  };
  struct State {
    explicit State(DataLoader& l)
        : loader(l),
          at(l.start()),
          work(l, at.epoch, l.slots()),
          threads(work, at.batch, work.plan.batches(), l.options_.num_workers, l.slots()) {}
    DataLoader& loader;
    LoaderPosition at;
    Work work;
    detail::Prefetcher threads;  // the last: its end ends the threads
  };

 public:
  /// One pass: an epoch, or what is left of it. Ends with the loader; a loader has one pass at a time.
  using Pass = detail::LoaderPass<State, batch_type>;
  Pass pass() { return Pass(*this); }

  using iterator = detail::PassIterator<Pass, batch_type>;
  /// Starts a pass.
  iterator begin() { return iterator(pass()); }
  std::default_sentinel_t end() const { return {}; }

  const D& dataset() const { return data_; }

 private:
  D data_;
  Collate collate_;
};
template <class D>
DataLoader(D) -> DataLoader<D>;
template <class D>
DataLoader(D, DataLoaderOptions) -> DataLoader<D>;
template <class D, class Collate>
DataLoader(D, DataLoaderOptions, Collate) -> DataLoader<D, Collate>;
template <class D, class S>
  requires(sampler<S> || batch_sampler<S>)
DataLoader(D, S, DataLoaderOptions = {})
->DataLoader<D>;
template <class D, class S, class Collate>
  requires(sampler<S> || batch_sampler<S>)
DataLoader(D, S, DataLoaderOptions, Collate)
->DataLoader<D, Collate>;

}  // namespace tenon::data
