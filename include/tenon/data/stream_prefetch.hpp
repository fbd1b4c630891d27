// The threads behind a loader of a stream: items are read one after the other, samples are made side by side.
#pragma once
#include <cstdint>
#include <memory>

#include <tenon/data/prefetch.hpp>

namespace tenon::data::detail {

/// What is to be done in a pass over a stream: batches of units, one after the other until there is no further item. A
/// slot is where a batch is put together; batch b uses slot b % slots.
class StreamWork {
 public:
  virtual ~StreamWork() = default;
  /// Reads the next item and returns its place, or null at the end. One thread at a time, the units in their order.
  virtual void* read(std::int64_t slot, std::int64_t unit) = 0;
  /// Makes the sample of the item in a place, the `index`-th of the stream, on any thread.
  virtual void make(void* item, std::int64_t index) = 0;
  /// Joins the units of a batch, on any thread.
  virtual void finish(std::int64_t slot) = 0;
};

/// Runs the work on threads, or without threads in next() itself.
class StreamPrefetcher {
 public:
  /// Batches from `first` on; at most `slots` are in work or wait for next(). `drop_last` leaves out a last batch that
  /// is not full.
  StreamPrefetcher(StreamWork& work, std::int64_t first, std::int64_t batch_size, bool drop_last, int workers,
                   std::int64_t slots);
  /// Ends when each thread has ended the unit that it is at.
  ~StreamPrefetcher();
  StreamPrefetcher(const StreamPrefetcher&) = delete;
  StreamPrefetcher& operator=(const StreamPrefetcher&) = delete;

  /// Waits for the next batch and returns its slot, or -1 after the last. The slot is the caller's until release().
  /// Errors: SampleError of the batch's first unit that failed; the batch counts as handed out and released. After one
  /// of reading there is no further batch.
  std::int64_t next();
  void release();

 private:
  struct State;
  void run() noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace tenon::data::detail
