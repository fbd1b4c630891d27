// Keeping and calling the hooks of steps.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/optim/step_hooks.hpp>

namespace tenon::optim {

TENON_BODY std::int64_t StepHooks::add(bool before, StepHook hook) {
  hooks_.push_back({++last_, before, std::move(hook)});
  return last_;
}
TENON_BODY bool StepHooks::remove(std::int64_t number) {
  return std::erase_if(hooks_, [&](const Entry& e) { return e.number == number; }) != 0;
}
TENON_BODY void StepHooks::call(bool before, Optimizer& optimizer) const {
  if (hooks_.empty()) return;
  for (const auto entries = hooks_; const Entry& e : entries)
    if (e.before == before) e.hook(optimizer);
}

}  // namespace tenon::optim
