// What the registry keeps for itself.
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include <tenon/dispatch/detail/fallback_list.hpp>
#include <tenon/dispatch/detail/lasting_memory.hpp>
#include <tenon/dispatch/detail/listener_list.hpp>
#include <tenon/dispatch/detail/name_index.hpp>
#include <tenon/dispatch/detail/operator_state.hpp>
#include <tenon/dispatch/detail/placed_kernel.hpp>
#include <tenon/dispatch/detail/retired.hpp>
#include <tenon/dispatch/module.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/dispatch/trace.hpp>

namespace tenon {
namespace detail {

/// The runtime key of each table entry.
constexpr std::array<DispatchKey, kTableSize> make_key_of_slot() {
  std::array<DispatchKey, kTableSize> keys{};
  KeySet::full().for_each([&](DispatchKey k) { keys[table_index(k)] = k; });
  return keys;
}
inline constexpr std::array<DispatchKey, kTableSize> key_of_slot = make_key_of_slot();

struct RegistryState {
  using KernelState = OperatorEntry::KernelState;

  std::recursive_mutex mutex;
  std::condition_variable_any grown;  // after each definition and each kernel
  NameIndex names;
  LastingMemory memory;
  DefinitionMemory definitions;
  FallbackList fallbacks;
  ListenerList listeners;
  Modules modules;
  Retired retired;
  Readers readers;
  RecordedErrors errors;
  std::map<std::string, std::string, std::less<>> libraries;  // where each namespace's block stands
  // What slots point to while there is no table that they may use, in memory that no unloading takes away.
  DispatchTable empty_table;
  KernelState ambiguous_autograd_other, default_fallthrough;
  std::atomic<OverridePolicy> override_policy{OverridePolicy::Warn};
  std::atomic<const DeviceHooks*> device_hooks[static_cast<std::size_t>(DeviceType::PrivateUse1) + 1] = {};
  std::uint32_t next_number = 0;
  int tracers = 0;

  Retired::Tables collect() {
    return retired.collect(readers, definitions, [this](const Kernel::State& k) { return modules.may_unload(k); });
  }
};

/// The registry of a process without the shared runtime.
struct OwnRegistry {
  static Registry& get() {
    alignas(Registry) static unsigned char memory[sizeof(Registry)];
    static Registry* registry = new (memory) Registry;
    return *registry;
  }
};

}  // namespace detail

/// What only few kinds of registrations need.
struct Registration::More {
  std::string name;
};

}  // namespace tenon
