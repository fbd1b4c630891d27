// Bodies of what is known of loaded objects, and of what ends when one goes.
#pragma once
#include <link.h>

#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/detail/registry_state.hpp>

namespace tenon {
namespace detail {

TENON_COLD_BODY ModuleRange ModuleRange::of(const void* address) {
  struct Search {
    ModuleRange found;
    const void* address;
    bool first;
  } search{{}, address, true};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& s = *static_cast<Search*>(data);
        ModuleRange range;
        range.begin = ~std::uintptr_t{0};
        range.main_program = s.first;
        s.first = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          std::uintptr_t at = info->dlpi_addr + part.p_vaddr;
          range.begin = at < range.begin ? at : range.begin;
          range.end = at + part.p_memsz > range.end ? at + part.p_memsz : range.end;
        }
        if (!range.contains(s.address)) return 0;
        s.found = range;
        return 1;
      },
      &search);
  return search.found;
}
TENON_COLD_BODY bool ModuleRange::contains(const Kernel::State& k) const {
  auto in = [&](auto p) { return contains(reinterpret_cast<const void*>(p)); };
  return in(k.record.unboxed) || in(k.record.unboxed_sym) || in(k.record.boxed) || in(maker_of(k)) || in(k.type);
}

TENON_COLD_BODY bool Modules::may_unload(const void* address) const {
  return std::any_of(unloadable_.begin(), unloadable_.end(), [&](const auto& m) { return m.contains(address); });
}
TENON_COLD_BODY bool Modules::may_unload(const Kernel::State& k) const {
  return std::any_of(unloadable_.begin(), unloadable_.end(), [&](const auto& m) { return m.contains(k); });
}

TENON_COLD_BODY void Modules::enter(const ModuleRange& range) {
  Registry::Lock lock(Registry::get());
  // What is linked to the program starts before it does and stays; what starts later was opened.
  if (range.main_program)
    main_program_known_ = true;
  else if (main_program_known_ && std::find(unloadable_.begin(), unloadable_.end(), range) == unloadable_.end())
    unloadable_.push_back(range);
}

/// What an object that goes had registered, to be destroyed without the lock.
struct Modules::Leaving {
  const ModuleRange& range;
  Registry& registry;
  Registry::Listeners listeners = {};
  std::vector<OperatorEntry::KernelState> kernels = {};

  bool inside(const void* p) const { return range.contains(p); }
  void end_listeners(RegistryState& state) {
    state.listeners.take([&](const RegistryListener& l) { return inside(*reinterpret_cast<const void* const*>(&l)); },
                         listeners);
  }
  void end_fallbacks(RegistryState& state) {
    bool any = state.fallbacks.end([&](std::uint32_t, auto& kernel) {
      if (!kernel || !range.contains(*kernel)) return false;
      kernels.push_back(std::move(kernel));
      return true;
    });
    if (any) registry.tables().invalidate_all();
  }
  void end_in(OperatorEntry& entry) {
    OperatorEntry::State& own = entry.state();
    // Call sites go first: their memory is the module's.
    if (own.extra) std::erase_if(own.extra->slots, [&](const auto* slot) { return inside(slot); });
    bool defined_here = entry.has_schema() && (inside(&entry.schema()) || inside(entry.schema().args));
    std::vector<std::pair<DispatchKey, OperatorEntry::KernelState>> gone;
    for (const auto& [key, kernel] : entry.kernels())
      if (range.contains(*kernel)) gone.emplace_back(key, kernel);
    if (defined_here) registry.undefine(entry, listeners);
    for (auto& [key, kernel] : gone) {
      registry.remove_kernel(entry, key, kernel);
      kernels.push_back(std::move(kernel));
    }
    if (inside(own.declared_type)) {
      registry.tables().invalidate(entry);
      own.declared_type = nullptr;
      ++own.type_version;
    }
    if (own.extra)
      for (auto& typed : own.extra->typed_slots)
        if (inside(typed->slot.type.load())) typed->slot.type.store(nullptr);
  }
};

TENON_COLD_BODY void Modules::leave(const ModuleRange& range) {
  Registry& registry = Registry::get();
  RegistryState& state = *registry.state_;
  Retired::Tables free;
  Leaving leaving{range, registry};
  std::uint64_t epoch;
  {
    std::lock_guard lock(state.mutex);
    if (std::find(unloadable_.begin(), unloadable_.end(), range) == unloadable_.end()) return;
    leaving.end_listeners(state);
    leaving.end_fallbacks(state);
    state.names.for_each([&](OperatorEntry& entry) { leaving.end_in(entry); });
    epoch = state.readers.advance();
  }
  bool ended = state.readers.wait(epoch);
  // Others may have retired more meanwhile, and this thread may itself be inside a call. All ends under the lock, for a
  // table may hold kernels of another object that goes too.
  std::lock_guard lock(state.mutex);
  if (ended) state.retired.end(epoch, [&](const Kernel::State& k) { return range.contains(k); });
  free = state.collect();
  std::erase(unloadable_, range);
}

}  // namespace detail
}  // namespace tenon
