// Bodies of Registry: shared objects that may be unloaded.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/bodies/registry_state.hpp>

namespace tenon {

TENON_COLD_BODY bool Registry::may_unload(const void* address) const {
  for (const auto& module : state_->modules)
    if (module.contains(address)) return true;
  return false;
}
TENON_COLD_BODY bool Registry::may_unload(const Kernel::State& k) const {
  if (state_->modules.empty()) return false;
  auto in = [&](auto f) { return may_unload(reinterpret_cast<const void*>(f)); };
  return in(k.record.unboxed) || in(k.record.unboxed_sym) || in(k.record.boxed) || may_unload(detail::maker_of(k)) ||
         may_unload(static_cast<const void*>(k.type));
}

TENON_COLD_BODY void Registry::enter_module(const detail::ModuleRange& range) {
  std::lock_guard lock(state_->mutex);
  // What is linked to the program starts before it does and stays; what starts later was opened.
  if (range.main_program)
    state_->main_program_known = true;
  else if (state_->main_program_known &&
           std::find(state_->modules.begin(), state_->modules.end(), range) == state_->modules.end())
    state_->modules.push_back(range);
}

TENON_COLD_BODY void Registry::leave_module(const detail::ModuleRange& range) {
  std::vector<Garbage> free;
  std::vector<KernelState> kernels;
  Listeners listeners;
  auto inside = [&](auto p) { return range.contains(reinterpret_cast<const void*>(p)); };
  auto of_module = [&](const Kernel::State& k) {
    return inside(k.record.unboxed) || inside(k.record.unboxed_sym) || inside(k.record.boxed) ||
           inside(detail::maker_of(k)) || inside(k.type);
  };
  std::uint64_t epoch;
  {
    std::lock_guard lock(state_->mutex);
    if (std::find(state_->modules.begin(), state_->modules.end(), range) == state_->modules.end()) return;
    for (auto& l : state_->listeners)
      if (!l.ended && inside(*reinterpret_cast<const void* const*>(l.listener.get()))) {
        listeners.push_back(std::move(l.listener));
        l.ended = true;
      }
    sweep_listeners(listeners);
    bool any = state_->end_fallbacks([&](auto& f) {
      if (!f.kernel || !of_module(*f.kernel)) return false;
      kernels.push_back(std::move(f.kernel));
      return true;
    });
    if (any) invalidate_all();
    state_->names.for_each([&](OperatorEntry& entry) {
      // Call sites go first: their memory is the module's.
      if (entry.state().extra) std::erase_if(entry.state().extra->slots, inside);
      bool defined_here = entry.has_schema() && (inside(&entry.schema()) || inside(entry.schema().args));
      std::vector<std::pair<DispatchKey, KernelState>> gone;
      for (const auto& [key, kernel] : entry.kernels_)
        if (of_module(*kernel)) gone.emplace_back(key, kernel);
      if (defined_here) undefine(entry, listeners);
      for (auto& [key, kernel] : gone) {
        remove_kernel(entry, key, kernel);
        kernels.push_back(std::move(kernel));
      }
      if (inside(entry.state().declared_type)) {
        invalidate(entry);
        entry.state().declared_type = nullptr;
        ++entry.state().type_version;
      }
      if (entry.state().extra)
        for (auto& typed : entry.state().extra->typed_slots)
          if (inside(typed->slot.type.load())) typed->slot.type.store(nullptr);
    });
    epoch = readers_.advance();
  }
  bool ended = readers_.wait(epoch);
  {
    std::lock_guard lock(state_->mutex);
    // Others may have retired more meanwhile, and this thread may itself be inside a call. All ends under the lock, for
    // a table may hold kernels of another object that goes too.
    for (auto& g : state_->garbage)
      if (ended && g.epoch <= epoch &&
          std::any_of(g.table->kernels.begin(), g.table->kernels.end(), [&](const auto& k) { return of_module(*k); }))
        g.table.reset();
    std::erase_if(state_->garbage, [](const auto& g) { return !g.table; });
    free = collect();
    std::erase(state_->modules, range);
  }
}

}  // namespace tenon
