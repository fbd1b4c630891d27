// Watching operators run: begin and end of a thread's calls, with what they were called with.
#pragma once
#include <tenon/boxing/stack.hpp>
#include <tenon/dispatch/operator_entry.hpp>

namespace tenon {

/// A call that has begun and not ended.
struct ObservedCall {
  OperatorHandle op;
  KeySet keys;          ///< as the kernel gets them
  const Stack* inputs;  ///< the boxed arguments, whose tensors are the caller's; null unless the guard asks for them
  int depth;            ///< nesting of dispatches on this thread; 1 for the outermost
};

/// Is told of calls, unboxed and boxed; not of redispatches, since a call is one whatever kernels it goes through, and
/// not of what it calls itself. An object may serve several threads if it can.
class CallObserver {
 public:
  virtual ~CallObserver() = default;
  /// Whether calls of an operator are reported.
  virtual bool observes(const OperatorHandle&) const { return true; }
  /// Before the kernel runs; what it throws, the call throws.
  virtual void begin(const ObservedCall& call) = 0;
  /// After the kernel has returned or thrown; once for each `begin` that returned, the last first.
  virtual void end(const ObservedCall& call) noexcept = 0;
};

namespace detail {
struct CallObserverFrame {
  CallObserver* observer;
  bool inputs;
  CallObserverFrame* outer;
};
TENON_THREAD_WORD(CallObserverFrame*, call_observers, nullptr);
}  // namespace detail

/// Reports this thread's calls to an observer for a scope. Guards nest, as scopes do. Costs nothing where no thread has
/// one: calls then take the way that they always take. With one, every call of the process pays for asking its thread.
class CallObserverGuard {
 public:
  /// `inputs`: box the arguments of each call, so that the observer sees them.
  explicit CallObserverGuard(CallObserver& observer, bool inputs = false);
  CallObserverGuard(const CallObserverGuard&) = delete;
  CallObserverGuard& operator=(const CallObserverGuard&) = delete;
  ~CallObserverGuard();

 private:
  detail::CallObserverFrame frame_;
};

}  // namespace tenon
