// Functions that are called before and after each step of an optimiser.
#pragma once
#include <cstdint>
#include <vector>

#include <tenon/base/shared_function.hpp>

namespace tenon::optim {

class Optimizer;

/// Any callable that takes the optimiser.
using StepHook = SharedFunction<void(Optimizer&)>;

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
