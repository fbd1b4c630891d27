// Functions that are called before and after each step of an optimiser.
#pragma once
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::optim {

class Optimizer;

/// Any callable that takes the optimiser.
class StepHook {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, StepHook> && std::is_invocable_v<F&, Optimizer&>)
  StepHook(F f)
      : object_(std::make_shared<F>(std::move(f))),
        call_([](void* object, Optimizer& optimizer) { (void)(*static_cast<F*>(object))(optimizer); }) {}
  void operator()(Optimizer& optimizer) const { call_(object_.get(), optimizer); }

 private:
  std::shared_ptr<void> object_;
  void (*call_)(void*, Optimizer&);
};

/// Those of one optimiser, in the order in which they are called.
class StepHooks {
 public:
  std::int64_t add(bool before, StepHook hook);
  bool remove(std::int64_t number);
  /// A hook may add and remove hooks, which counts from the next time on.
  void call(bool before, Optimizer& optimizer) const;

 private:
  struct Entry {
    std::int64_t number;
    bool before;
    StepHook hook;
  };
  std::vector<Entry> hooks_;
  std::int64_t last_ = 0;
};

}  // namespace tenon::optim
