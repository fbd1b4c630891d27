// Every shared object that uses the registry tells it when it is loaded and when it goes.
#pragma once
#include <tenon/dispatch/call.hpp>

namespace tenon::detail {

struct ModuleJoiner {
  ModuleRange range = ModuleRange::of(this);
  ModuleJoiner() { Registry::get().enter_module(range); }
  ModuleJoiner(const ModuleJoiner&) = delete;
  ModuleJoiner& operator=(const ModuleJoiner&) = delete;
  ~ModuleJoiner() { Registry::get().leave_module(range); }
};
// Hidden: one in every shared object. It stands before the blocks of its unit, so it starts first and ends last.
[[gnu::visibility("hidden")]] inline const ModuleJoiner module_joiner;

}  // namespace tenon::detail
