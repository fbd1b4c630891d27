// Measuring what operators take: a profiler listens to a scope and keeps what ran.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/value.hpp>
#include <tenon/dispatch/observer.hpp>
#include <tenon/profiler/profile.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon::profiler {

struct Options {
  bool shapes = false;  ///< keep the sizes of each call's tensors; boxes the arguments of every call
  bool memory = false;  ///< count the bytes that CPU tensors take; small ones then come one by one from the allocator
};

namespace detail {

/// What the threads of one profile share: names, each once.
class Names {
 public:
  std::uint32_t of(std::string_view text) {
    std::lock_guard lock(mutex_);
    auto [at, fresh] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(list_.size()));
    if (fresh) list_.push_back(at->first);
    return at->second;
  }
  explicit Names(std::vector<std::string> first = {}) : list_(std::move(first)) {
    for (std::uint32_t i = 0; i < list_.size(); ++i) numbers_[list_[i]] = i;
  }
  std::vector<std::string> list() {
    std::lock_guard lock(mutex_);
    return list_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> list_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

using Clock = std::chrono::steady_clock;
struct Shared {
  Clock::time_point start = Clock::now();
  Names names, shapes{std::vector<std::string>{""}};
  std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
  }
};

/// One thread's events while they are collected.
class Recorder final : public CallObserver {
 public:
  Recorder(Shared& shared, std::string name) : shared_(shared) { track_.name = std::move(name); }
  void begin(const ObservedCall& call) override {
    auto [at, fresh] = known_.try_emplace(&call.op.entry(), 0);
    if (fresh) at->second = shared_.names.of(call.op.name());
    open(at->second, call.inputs ? shared_.shapes.of(text_of(*call.inputs)) : 0, false);
  }
  void end(const ObservedCall&) noexcept override { close(); }
  void begin_range(std::string_view name) { open(shared_.names.of(name), 0, true); }
  void close() noexcept {
    if (open_.empty()) return;  // the profile stopped inside
    track_.events[open_.back()].end = shared_.now();
    open_.pop_back();
  }
  void allocated(std::size_t bytes) noexcept {
    if (!open_.empty()) track_.events[open_.back()].bytes += static_cast<std::int64_t>(bytes);
  }
  /// Ends what has not ended.
  void finish() noexcept {
    while (!open_.empty()) close();
  }
  const Track& track() const { return track_; }

 private:
  void open(std::uint32_t name, std::uint32_t shapes, bool range) {
    open_.push_back(track_.events.size());
    try {
      track_.events.push_back({.name = name, .shapes = shapes, .depth = depth(), .range = range});
    } catch (...) {
      open_.pop_back();
      throw;
    }
    track_.events.back().begin = shared_.now();
  }
  std::uint32_t depth() const { return static_cast<std::uint32_t>(open_.size() - 1); }
  static std::string text_of(const Stack& inputs) {
    std::string out;
    for (const Value& v : inputs)
      ::tenon::detail::each_tensor(v, [&](const Tensor& t) {
        if (!out.empty()) out += ", ";
        ::tenon::detail::append(out, t.sym_sizes());
      });
    return out;
  }

  Shared& shared_;
  Track track_;
  std::vector<std::size_t> open_;  // places of the events that have not ended
  std::unordered_map<const OperatorEntry*, std::uint32_t> known_;
};

/// The innermost profile of this thread, or null.
inline Recorder* recorder_of_thread() {
  for (auto* frame = ::tenon::detail::call_observers; frame; frame = frame->outer)
    if (auto* recorder = dynamic_cast<Recorder*>(frame->observer)) return recorder;
  return nullptr;
}

/// Tells the asking thread's profile what is taken, and passes on.
class CountingAllocator final : public Allocator {
 public:
  CountingAllocator() : next_(allocator(DeviceType::CPU)), before_(set_allocator(DeviceType::CPU, this)) {}
  CountingAllocator(const CountingAllocator&) = delete;
  CountingAllocator& operator=(const CountingAllocator&) = delete;
  ~CountingAllocator() override { set_allocator(DeviceType::CPU, before_); }
  DataPtr allocate(std::size_t bytes) override {
    DataPtr memory = next_.allocate(bytes);
    if (Recorder* recorder = recorder_of_thread()) recorder->allocated(bytes);
    return memory;
  }

 private:
  Allocator& next_;
  Allocator* before_;
};

}  // namespace detail

/// Profiles its thread from its construction until `stop()` or its end; other threads join by a `Thread`.
/// Cost: none where no profiler lives; else the calls of all threads ask whether theirs is observed, and a call of an
/// observed one takes two readings of the clock and 40 bytes.
/// Profilers of one thread nest as scopes do. With `memory`, one profiler of the process at a time.
class Profiler {
 public:
  explicit Profiler(Options options = {}, std::string thread_name = "main") : options_(options) {
    if (options.memory) memory_.emplace();
    guard_.emplace(add(std::move(thread_name)), options.shapes);
  }
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;
  ~Profiler() { stop(); }

  /// On the profiler's own thread, after the scopes of all other threads have ended.
  void stop() {
    if (!guard_) return;
    guard_.reset();
    memory_.reset();
    for (const auto& r : recorders_) r->finish();
    duration_ = shared_.now();
  }
  /// What was collected; stops first.
  Profile profile() {
    stop();
    Profile p{shared_.names.list(), shared_.shapes.list(), {}, duration_};
    for (const auto& r : recorders_) p.tracks.push_back(r->track());
    return p;
  }

  /// Profiles the thread that makes it, for its scope, into a track of its own.
  class Thread {
   public:
    Thread(Profiler& profiler, std::string name)
        : recorder_(profiler.add(std::move(name))), guard_(recorder_, profiler.options_.shapes) {}

   private:
    detail::Recorder& recorder_;
    CallObserverGuard guard_;
  };

 private:
  detail::Recorder& add(std::string name) {
    std::lock_guard lock(mutex_);
    recorders_.push_back(std::make_unique<detail::Recorder>(shared_, std::move(name)));
    return *recorders_.back();
  }

  Options options_;
  detail::Shared shared_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<detail::Recorder>> recorders_;
  std::optional<detail::CountingAllocator> memory_;
  std::optional<CallObserverGuard> guard_;
  std::int64_t duration_ = 0;
};

/// Names what runs in its scope, in the innermost profile of its thread; does nothing where there is none.
class Range {
 public:
  explicit Range(std::string_view name) : recorder_(detail::recorder_of_thread()) {
    if (recorder_) recorder_->begin_range(name);
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() {
    if (recorder_) recorder_->close();
  }

 private:
  detail::Recorder* recorder_;
};

}  // namespace tenon::profiler
