// Profiling some steps of a program: which ones a schedule says.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <tenon/base/error.hpp>
#include <tenon/profiler/profiler.hpp>

namespace tenon::profiler {

/// What is done in a step: nothing, profiling to throw away, profiling, or profiling with a profile at the end.
enum class ProfilerAction : std::uint8_t { None, Warmup, Record, RecordAndSave };

/// A cycle of steps: `wait` without profiling, `warmup` whose profile is thrown away, `active` that make one.
struct ScheduleOptions {
  std::int64_t wait = 0, warmup = 0, active = 1;
  std::int64_t repeat = 0;       ///< cycles; 0: for ever
  std::int64_t skip_first = 0;   ///< steps before the first cycle
  bool skip_first_wait = false;  ///< the first cycle does not wait
};

/// What a schedule says for each step, from 0.
using Schedule = std::function<ProfilerAction(std::int64_t step)>;

/// A function that says what is done in each step.
/// Errors: ValueError unless `active` is above 0 and the others are not below.
/// Source: torch.profiler.schedule of PyTorch 2.15.
inline Schedule schedule(const ScheduleOptions& options) {
  const ScheduleOptions& o = options;
  TENON_CHECK(o.wait >= 0 && o.warmup >= 0 && o.active > 0 && o.repeat >= 0 && o.skip_first >= 0, ValueError,
              "schedule: expected active above 0 and the others not below 0, got wait=", o.wait, ", warmup=", o.warmup,
              ", active=", o.active, ", repeat=", o.repeat, ", skip_first=", o.skip_first);
  return [o](std::int64_t step) {
    step -= o.skip_first;
    if (step < 0) return ProfilerAction::None;
    if (o.skip_first_wait) step += o.wait;
    std::int64_t cycle = o.wait + o.warmup + o.active, at = step % cycle;
    if (at < o.wait || (o.repeat > 0 && step / cycle >= o.repeat)) return ProfilerAction::None;
    if (at < o.wait + o.warmup) return ProfilerAction::Warmup;
    return at < cycle - 1 ? ProfilerAction::Record : ProfilerAction::RecordAndSave;
  };
}

/// Profiles the steps that a schedule names, on the thread that makes it, and gives each profile to a function:
///
///     profiler::StepProfiler steps(profiler::schedule({.wait = 1, .warmup = 1, .active = 3}), on_trace_ready);
///     for (..) { train(); steps.step(); }
///
/// Each step that is profiled is a range `ProfilerStep#5`. Other threads join `current()`, by a `Profiler::Thread`
/// whose scope ends within the step. Cost: none in steps that are not profiled.
/// Source: torch.profiler.profile of PyTorch 2.15, with a schedule.
class StepProfiler {
 public:
  using OnTraceReady = std::function<void(const Profile&)>;
  explicit StepProfiler(Schedule schedule, OnTraceReady on_trace_ready = {}, Options options = {},
                        std::string thread_name = "main")
      : schedule_(std::move(schedule)),
        on_trace_ready_(std::move(on_trace_ready)),
        options_(options),
        thread_name_(std::move(thread_name)),
        action_(schedule_(0)) {
    begin_step();
  }
  StepProfiler(const StepProfiler&) = delete;
  StepProfiler& operator=(const StepProfiler&) = delete;
  ~StepProfiler() {
    range_.reset();
    profiler_.reset();
  }

  /// The next step begins.
  void step() {
    ProfilerAction next = schedule_(step_ + 1);
    range_.reset();
    ProfilerAction before = std::exchange(action_, next);
    ++step_;
    // What was warmed up begins anew where profiling does.
    if (before == ProfilerAction::RecordAndSave || (records(before) && !records(next)))
      save();
    else if (before == ProfilerAction::Warmup && next != before)
      profiler_.reset();
    begin_step();
  }
  /// Ends the last step and profiling; a profile of part of a cycle is given away too, as at the end of Python's
  /// `with`. The end of the object drops it.
  void stop() {
    range_.reset();
    if (records(std::exchange(action_, ProfilerAction::None)))
      save();
    else
      profiler_.reset();
  }
  std::int64_t step_num() const { return step_; }
  /// What profiles this step; null where nothing does.
  Profiler* current() { return profiler_ ? &*profiler_ : nullptr; }
  /// The last profile that was made.
  const std::optional<Profile>& profile() const { return profile_; }

 private:
  static bool records(ProfilerAction action) {
    return action == ProfilerAction::Record || action == ProfilerAction::RecordAndSave;
  }
  void begin_step() {
    if (action_ == ProfilerAction::None) return;
    if (!profiler_) profiler_.emplace(options_, thread_name_);
    range_.emplace("ProfilerStep#" + std::to_string(step_));
  }
  void save() {
    if (!profiler_) return;
    profile_ = profiler_->profile();
    profiler_.reset();
    if (on_trace_ready_) on_trace_ready_(*profile_);
  }

  Schedule schedule_;
  OnTraceReady on_trace_ready_;
  Options options_;
  std::string thread_name_;
  ProfilerAction action_;
  std::int64_t step_ = 0;
  std::optional<Profiler> profiler_;
  std::optional<Range> range_;
  std::optional<Profile> profile_;
};

}  // namespace tenon::profiler
