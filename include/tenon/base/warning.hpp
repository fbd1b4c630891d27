// Warnings: things that are allowed and seldom meant.
#pragma once
#include <cstdio>
#include <string>

#include <tenon/base/error.hpp>
#include <tenon/base/shared_object.hpp>

namespace tenon {

using WarningHandler = void (*)(const std::string& message, void* context);

namespace detail {
struct WarningState {
  WarningHandler handler = nullptr;
  void* context = nullptr;
};
TENON_THREAD_WORD(WarningState, warning_state);
}  // namespace detail

/// Gives the thread's handler a message; without one it goes to standard error.
template <class... Parts>
[[gnu::cold, gnu::noinline]] void warn(const Parts&... parts) {
  std::string message = concat(parts...);
  if (detail::warning_state.handler)
    detail::warning_state.handler(message, detail::warning_state.context);
  else
    std::fputs(("Warning: " + message + "\n").c_str(), stderr);
}

/// Sends this thread's warnings to a function for a scope.
class WarningGuard {
 public:
  WarningGuard(WarningHandler handler, void* context) : before_(detail::warning_state) {
    detail::warning_state = {handler, context};
  }
  WarningGuard(const WarningGuard&) = delete;
  WarningGuard& operator=(const WarningGuard&) = delete;
  ~WarningGuard() { detail::warning_state = before_; }

 private:
  detail::WarningState before_;
};

}  // namespace tenon
