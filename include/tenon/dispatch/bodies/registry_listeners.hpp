// Bodies of Registry: who is told of definitions.
#pragma once
#include <algorithm>
#include <exception>

#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/dispatch/bodies/registry_state.hpp>

namespace tenon {

TENON_COLD_BODY Registration Registry::add_listener(OwnedPtr<RegistryListener> listener) {
  std::lock_guard lock(state_->mutex);
  for (auto& op : operators())
    if (op.has_schema()) listener->on_registered(op);
  Registration done(What::Listener, nullptr);
  done.number_ = state_->next_number++;
  state_->listeners.push_back({done.number_, std::move(listener)});
  return done;
}

TENON_COLD_BODY void Registry::tell_registered(OperatorEntry& entry, Listeners& ended) {
  if (state_->listeners.empty()) return;
  // One that is added meanwhile hears of the operator then.
  std::size_t n = state_->listeners.size(), told = 0;
  ++state_->telling;
  try {
    for (; told < n; ++told)
      if (const auto& l = state_->listeners[told]; !l.ended)
        l.listener->on_registered(OperatorHandle(&entry, entry.generation()));
  } catch (...) {
    tell_unregistered(entry, ended, told, n);
    --state_->telling;
    sweep_listeners(ended);
    throw;
  }
  --state_->telling;
  sweep_listeners(ended);
}
TENON_COLD_BODY void Registry::tell_unregistered(OperatorEntry& entry, Listeners& ended, std::size_t skip_from,
                                                 std::size_t skip_to) noexcept {
  ++state_->telling;
  for (std::size_t i = 0; i < state_->listeners.size(); ++i) {
    const auto& l = state_->listeners[i];
    if (l.ended || (i >= skip_from && i < skip_to)) continue;
    try {
      try {
        l.listener->on_unregistered(OperatorHandle(&entry, entry.generation()));
      } catch (const std::exception& e) {
        warn(concat("A listener failed when operator ", entry.name(), " went: ", e.what()));
      }
    } catch (...) {}  // nothing that ends may fail
  }
  --state_->telling;
  sweep_listeners(ended);
}
TENON_COLD_BODY void Registry::sweep_listeners(Listeners& ended) {
  if (state_->telling > 0) return;
  for (auto& l : state_->listeners)
    if (l.ended) ended.push_back(std::move(l.listener));
  std::erase_if(state_->listeners, [](const auto& l) { return l.ended; });
}

}  // namespace tenon
