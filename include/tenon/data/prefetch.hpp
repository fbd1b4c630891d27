// The threads behind a loader: work is taken up sample by sample, and batches are handed out in order.
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <tenon/base/error.hpp>

namespace tenon::data {

/// What making a sample or a batch threw, with its place. The message holds that of the cause.
class SampleError : public Error {
 public:
  SampleError(std::string message, std::int64_t batch, std::int64_t index, std::exception_ptr cause)
      : Error(std::move(message)), batch_(batch), index_(index), cause_(std::move(cause)) {}
  /// The number of the batch in its epoch.
  std::int64_t batch() const { return batch_; }
  /// The index of the sample in the data set, or -1 if the batch could not be joined.
  std::int64_t index() const { return index_; }
  const std::exception_ptr& cause() const { return cause_; }
  [[noreturn]] void rethrow_cause() const { std::rethrow_exception(cause_); }

 private:
  std::int64_t batch_, index_;
  std::exception_ptr cause_;
};

namespace detail {

/// Throws a SampleError of a batch; `index` is -1 if no sample of it is at fault.
[[noreturn]] void throw_sample_error(const std::exception_ptr& cause, std::int64_t batch, std::int64_t index);

/// What is to be done in a pass: batches, each made of units, which are samples mostly. A slot is where a batch is put
/// together; batch b uses slot b % slots.
class Work {
 public:
  virtual ~Work() = default;
  virtual std::int64_t units(std::int64_t batch) const = 0;
  /// Makes a unit, on any thread.
  virtual void make(std::int64_t slot, std::int64_t batch, std::int64_t unit) = 0;
  /// Joins the units of a batch, on any thread.
  virtual void finish(std::int64_t slot, std::int64_t batch) = 0;
  /// The sample of a unit, for messages; -1 if it is none.
  virtual std::int64_t index(std::int64_t batch, std::int64_t unit) const = 0;
};

/// Runs the work on threads, or without threads in next() itself.
class Prefetcher {
 public:
  /// Batches from `first` up to `end`; at most `slots` are in work or wait for next().
  Prefetcher(Work& work, std::int64_t first, std::int64_t end, int workers, std::int64_t slots);
  /// Ends when each thread has ended the unit that it is at.
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Waits for the next batch and returns its slot, or -1 after the last. The slot is the caller's until release().
  /// Errors: SampleError of the batch's first unit that failed; the batch counts as handed out and released.
  std::int64_t next();
  void release();

 private:
  struct State;
  void run() noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace detail
}  // namespace tenon::data
