// Bodies of Registry: shared objects that may be unloaded.
#pragma once
#include <tenon/dispatch/registry.hpp>

namespace tenon {

inline bool Registry::may_unload(const void* address) const {
  for (const auto& module : modules_)
    if (module.contains(address)) return true;
  return false;
}
inline bool Registry::may_unload(const Kernel::State& k) const {
  if (modules_.empty()) return false;
  auto in = [&](auto f) { return may_unload(reinterpret_cast<const void*>(f)); };
  // The first word of an object with virtual functions leads to the code that made it.
  return in(k.record.unboxed) || in(k.record.unboxed_sym) || in(k.record.boxed) || in(k.drop) ||
         may_unload(*reinterpret_cast<const void* const*>(&k)) || may_unload(static_cast<const void*>(k.type));
}

inline void Registry::enter_module(const detail::ModuleRange& range) {
  std::lock_guard lock(mutex_);
  // What is linked to the program starts before it does and stays; what starts later was opened.
  if (range.main_program)
    main_program_known_ = true;
  else if (main_program_known_ && std::find(modules_.begin(), modules_.end(), range) == modules_.end())
    modules_.push_back(range);
}

inline void Registry::leave_module(const detail::ModuleRange& range) {
  std::vector<Garbage> free;
  std::vector<KernelState> kernels;
  std::vector<std::unique_ptr<RegistryListener>> listeners;
  auto inside = [&](auto p) { return range.contains(reinterpret_cast<const void*>(p)); };
  auto of_module = [&](const Kernel::State& k) {
    return inside(k.record.unboxed) || inside(k.record.unboxed_sym) || inside(k.record.boxed) || inside(k.drop) ||
           inside(*reinterpret_cast<const void* const*>(&k)) || inside(k.type);
  };
  std::uint64_t epoch;
  {
    std::lock_guard lock(mutex_);
    if (std::find(modules_.begin(), modules_.end(), range) == modules_.end()) return;
    for (auto& l : listeners_)
      if (inside(*reinterpret_cast<const void* const*>(l.second.get()))) listeners.push_back(std::move(l.second));
    std::erase_if(listeners_, [](const auto& l) { return !l.second; });
    for (auto& fallback : fallbacks_)
      if (fallback && of_module(*fallback)) {
        invalidate_all();
        kernels.push_back(std::move(fallback));
      }
    for (auto& entry : entries_) {
      // Call sites go first: their memory is the module's.
      std::erase_if(entry->slots_, inside);
      bool touched = entry->has_schema() && (inside(entry->schema_.args) || inside(entry->declared_type_));
      std::vector<std::pair<DispatchKey, KernelState>> gone;
      for (const auto& list : entry->kernels_)
        for (const auto& kernel : list.kernels)
          if (of_module(*kernel)) gone.emplace_back(list.key, kernel);
      if (touched && inside(entry->schema_.args)) undefine(*entry);
      for (auto& [key, kernel] : gone) {
        remove_kernel(*entry, key, kernel);
        kernels.push_back(std::move(kernel));
      }
      if (inside(entry->declared_type_)) {
        invalidate(*entry);
        entry->declared_type_ = nullptr;
        ++entry->type_version_;
      }
      for (auto& typed : entry->typed_slots_)
        if (inside(typed->slot.type.load())) typed->slot.type.store(nullptr);
    }
    epoch = readers_.advance();
  }
  bool ended = readers_.wait(epoch);
  {
    std::lock_guard lock(mutex_);
    // Others may have retired more meanwhile, and this thread may itself be inside a call. All ends under the lock, for
    // a table may hold kernels of another object that goes too.
    for (auto& g : garbage_)
      if (ended && g.epoch <= epoch &&
          std::any_of(g.table->kernels.begin(), g.table->kernels.end(), [&](const auto& k) { return of_module(*k); }))
        g.table.reset();
    std::erase_if(garbage_, [](const auto& g) { return !g.table; });
    free = collect();
    std::erase(modules_, range);
  }
}

}  // namespace tenon
