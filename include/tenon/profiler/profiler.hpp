// Measuring what operators take: a profiler listens to a scope and keeps what ran.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/dispatch/observer.hpp>
#include <tenon/profiler/detail/recorder.hpp>
#include <tenon/profiler/options.hpp>
#include <tenon/profiler/profile.hpp>

namespace tenon::profiler {

/// Profiles its thread from its construction until `stop()` or its end; other threads join by a `Thread`.
/// Cost: none where no profiler lives; else the calls of all threads ask whether theirs is observed, and a call of an
/// observed one takes two readings of the processor's counter and 64 bytes.
/// Profilers of one thread nest as scopes do. With `memory`, one profiler of the process at a time.
class Profiler {
 public:
  explicit Profiler(Options options = {}, std::string thread_name = "main") : options_(options) {
    if (options.memory) {
      shared_.log = std::make_shared<detail::MemoryLog>();
      memory_.emplace();
    }
    guard_.emplace(add(std::move(thread_name)), options.boxes());
  }
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;
  ~Profiler() { stop(); }

  /// On the profiler's own thread, after the scopes of all other threads have ended.
  void stop() {
    if (!guard_) return;
    guard_.reset();
    if (memory_) blocks_ = shared_.log->close();
    memory_.reset();
    for (const auto& r : recorders_) r->finish();
    end_ = detail::Moment::now();
  }
  /// What was collected; stops first.
  Profile profile() {
    stop();
    detail::TickScale ns(shared_.start, end_);
    Profile p{shared_.names.list(), shared_.shapes.list(), {}, ns(end_.ticks), blocks_};
    for (const auto& r : recorders_) {
      Track& track = p.tracks.emplace_back(r->track());
      for (Event& e : track.events) {
        e.begin = ns(e.begin);
        e.end = ns(e.end);
      }
    }
    for (Block& b : p.blocks) {
      b.taken = ns(b.taken);
      if (b.released >= 0) b.released = ns(b.released);
    }
    return p;
  }

  /// Profiles the thread that makes it, for its scope, into a track of its own.
  class Thread {
   public:
    Thread(Profiler& profiler, std::string name)
        : recorder_(profiler.add(std::move(name))), guard_(recorder_, profiler.options_.boxes()) {}

   private:
    detail::Recorder& recorder_;
    CallObserverGuard guard_;
  };

 private:
  detail::Recorder& add(std::string name) {
    std::lock_guard lock(mutex_);
    auto number = static_cast<std::uint32_t>(recorders_.size());
    recorders_.push_back(std::make_unique<detail::Recorder>(shared_, options_, std::move(name), number));
    return *recorders_.back();
  }

  Options options_;
  detail::Shared shared_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<detail::Recorder>> recorders_;
  std::optional<detail::CountingAllocator::User> memory_;
  std::vector<Block> blocks_;
  std::optional<CallObserverGuard> guard_;
  detail::Moment end_;
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
