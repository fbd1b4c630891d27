// Waiting for what another thread registers: conditions on the registry's lock.
#pragma once
#include <chrono>
#include <mutex>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/detail/registry_state.hpp>
#include <tenon/dispatch/waiting.hpp>

namespace tenon {

struct detail::Waiting {
  template <class F>
  static bool until(double seconds, F&& holds) {
    RegistryState& state = *Registry::get().state_;
    std::unique_lock lock(state.mutex);
    return state.grown.wait_for(lock, std::chrono::duration<double>(seconds), holds);
  }
};

TENON_COLD_BODY bool wait_for_def(std::string_view full_name, double seconds) {
  return detail::Waiting::until(seconds, [&] {
    OperatorEntry* entry = Registry::get().find(full_name);
    return entry && entry->has_schema();
  });
}

TENON_COLD_BODY bool wait_for_impl(std::string_view full_name, DispatchKey key, double seconds) {
  if (key == DispatchKey::Undefined) key = DispatchKey::CompositeImplicitAutograd;
  return detail::Waiting::until(seconds, [&] {
    OperatorEntry* entry = Registry::get().find(full_name);
    return entry && entry->kernel_at(key);
  });
}

}  // namespace tenon
