// Bodies of watching calls.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/base/dim_vector.hpp>
#include <tenon/dispatch/observer.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/dispatch/trace.hpp>
#include <tenon/tensor/blocks.hpp>

namespace tenon {
namespace detail {

/// The macro, where the bodies are compiled, leaves the test for observers out of calls that are traced.
#ifdef TENON_DISABLE_PER_OP_PROFILING
inline constexpr bool observers_are_compiled = false;
#else
inline constexpr bool observers_are_compiled = true;
#endif

/// What an observer calls is not observed.
class UnobservedScope {
 public:
  UnobservedScope() : frames(std::exchange(call_observers, nullptr)) {}
  UnobservedScope(const UnobservedScope&) = delete;
  UnobservedScope& operator=(const UnobservedScope&) = delete;
  ~UnobservedScope() { call_observers = frames; }
  CallObserverFrame* const frames;
};

/// The report of one call to the observers of its thread.
class Observation {
 public:
  // One a call: a profile should show little of itself.
  TENON_INTERNAL_BLOCK_ALLOCATED
  /// `box_arguments(stack)` pushes the arguments; false if it cannot.
  template <class F>
  Observation(OperatorHandle op, KeySet keys, F box_arguments) : call_{op, keys, nullptr, trace_state.depth} {
    UnobservedScope unobserved;
    for (auto* frame = unobserved.frames; frame; frame = frame->outer) {
      if (!frame->observer->observes(op)) continue;
      if (frame->inputs && !call_.inputs && box_arguments(inputs_)) call_.inputs = &inputs_;
      told_.push_back(frame);
    }
    // The outermost guard is the first to hear of a call and the last to hear of its end.
    std::size_t begun = told_.size();
    try {
      for (; begun > 0; --begun) {
        const CallObserverFrame& frame = *told_[begun - 1];
        shown_to(frame, [&](const ObservedCall& call) { frame.observer->begin(call); });
      }
    } catch (...) {
      end(begun);
      throw;
    }
  }
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;
  ~Observation() {
    UnobservedScope unobserved;
    end();
  }

 private:
  /// Without the arguments where a guard does not ask for them.
  template <class F>
  void shown_to(const CallObserverFrame& frame, F f) const {
    if (frame.inputs || !call_.inputs) [[likely]]
      return f(call_);
    ObservedCall call = call_;
    call.inputs = nullptr;
    f(call);
  }
  /// To those from the first on that heard of the begin.
  void end(std::size_t first = 0) noexcept {
    for (; first < told_.size(); ++first) {
      const CallObserverFrame& frame = *told_[first];
      shown_to(frame, [&](const ObservedCall& call) { frame.observer->end(call); });
    }
  }

  ObservedCall call_;
  Stack inputs_;
  SmallVector<CallObserverFrame*, 4> told_;  // the innermost first
};

}  // namespace detail

TENON_COLD_BODY CallObserverGuard::CallObserverGuard(CallObserver& observer, bool inputs)
    : frame_{&observer, inputs, detail::call_observers} {
  TENON_CHECK(detail::observers_are_compiled, NotImplementedError,
              "this program is compiled with TENON_DISABLE_PER_OP_PROFILING, which leaves out observers of calls; "
              "compile it without");
  Registry::get().add_tracer();
  detail::call_observers = &frame_;
}
TENON_COLD_BODY CallObserverGuard::~CallObserverGuard() {
  detail::call_observers = frame_.outer;
  Registry::get().remove_tracer();
}

}  // namespace tenon
