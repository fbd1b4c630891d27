// Every shared object that uses a shared registry tells it when it is loaded and when it goes.
#pragma once
#include <tenon/dispatch/call.hpp>

namespace tenon::detail {

#ifdef TENON_SHARED_RUNTIME
extern "C" TENON_EXPORT void tenon_runtime_enter(const void* address);
extern "C" TENON_EXPORT void tenon_runtime_leave(const void* address);

struct ModuleJoiner {
  ModuleJoiner() { tenon_runtime_enter(this); }
  ModuleJoiner(const ModuleJoiner&) = delete;
  ModuleJoiner& operator=(const ModuleJoiner&) = delete;
  ~ModuleJoiner() { tenon_runtime_leave(this); }
};
// Hidden: one in every shared object. It stands before the blocks of its unit, so it starts first and ends last.
[[gnu::visibility("hidden")]] inline const ModuleJoiner module_joiner;
#endif

}  // namespace tenon::detail
