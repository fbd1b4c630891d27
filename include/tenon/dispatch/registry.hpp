// The process's registry of operators: what is defined, implemented and told to whom.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/base/owned_ptr.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/dispatch/readers.hpp>
#include <tenon/dispatch/recorded_errors.hpp>
#include <tenon/dispatch/registration.hpp>
#include <tenon/dispatch/tables.hpp>

namespace tenon {

/// What happens to a second kernel for the same operator and key. It wins in any case but Error.
enum class OverridePolicy : std::uint8_t { Warn, Allow, Error };

namespace detail {
#ifdef TENON_SHARED_RUNTIME
extern "C" TENON_EXPORT void* tenon_runtime_registry();
// A unit for the shared runtime asks for bodies that are for it, too: core/dispatch.cpp says what that is good for.
extern "C" [[gnu::visibility("hidden")]] void tenon_bodies_share_their_registry();
[[gnu::used]] static void (*const shared_bodies)() = &tenon_bodies_share_their_registry;
#endif
struct OwnRegistry;
struct Waiting;
}  // namespace detail

/// All members may be called from any thread. Calls take no lock; registration does.
class Registry {
 public:
  /// Never destroyed, so that static objects may undo their registrations at any time.
  static Registry& get();

  /// The operator of a full name (`aten::add.Tensor`), defined or only implemented; null if there is none.
  OperatorEntry* find(std::string_view full_name);
  OperatorHandle find_op(std::string_view full_name);
  /// An operator with a schema, or an empty handle. Throws the recorded errors of its namespace at its first use.
  OperatorHandle find_schema(std::string_view full_name);
  /// Throws NotImplementedError `Could not find schema for NAME.OVERLOAD`.
  OperatorHandle find_schema_or_throw(std::string_view name, std::string_view overload);
  std::vector<OperatorHandle> operators();
  /// Operators that have kernels and no definition.
  std::vector<OperatorHandle> find_dangling_impls();
  /// Names of operators with a kernel registered directly at `key`; of all operators for Undefined.
  std::vector<std::string> registrations_for(DispatchKey key);

  /// Defines an operator. A `lasting` schema lives as long as the definition, another is copied.
  Registration define(const schema::SchemaView& schema, bool lasting, const SignatureInfo* declared,
                      const OperatorFacts& facts, Place&& place, std::string_view alias_analysis = "FROM_SCHEMA",
                      std::string_view fake_module = {});
  Registration implement(std::string_view full_name, DispatchKey key, Kernel&& kernel, Place&& place);
  /// Throws RegistrationError for a kernel that takes no stack, and where the key has a fallback.
  Registration add_fallback(DispatchKey key, Kernel kernel, Place place);
  /// Takes the place of the fallbacks at a key for as long as the result lives; no kernel: as if there were none. Of
  /// several the newest that lives counts.
  Registration override_fallback(DispatchKey key, std::optional<Kernel> kernel, Place place);
  Registration add_library(std::string_view ns, Place place);
  Registration add_listener(OwnedPtr<RegistryListener> listener);
  /// Says for how the process treats a second kernel at a key; a warning names each operator and key once.
  void set_override_policy(OverridePolicy policy);
  /// Traces calls of the whole process as long as any tracer lives.
  void add_tracer();
  void remove_tracer();

  /// The tables that calls use.
  OperatorTables tables() { return OperatorTables(*state_); }
  /// What went wrong in static blocks.
  RecordedErrors& errors();
  /// What a back end of several devices tells of the current one; set_device_hooks() sets it.
  const DeviceHooks* device_hooks(DeviceType type);
  void set_device_hooks(DeviceType type, const DeviceHooks* hooks);
  /// The shared objects that may be unloaded.
  detail::Modules& modules();
  /// The calls that may be using what was replaced.
  detail::Readers& readers();

  /// Keeps other threads from registering for a scope; may nest.
  class Lock {
   public:
    explicit Lock(Registry& registry);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();

   private:
    detail::RegistryState& state_;
  };

 private:
  friend class Registration;
  friend class OperatorTables;
  friend class detail::Modules;
  friend struct detail::OwnRegistry;
  friend struct detail::Waiting;
  using KernelState = OperatorEntry::KernelState;
  using What = Registration::What;
  /// Listeners that end while listeners are told, to be destroyed without the lock.
  using Listeners = std::vector<OwnedPtr<RegistryListener>>;
  Registry();
  OperatorEntry& find_or_create(std::string_view full_name);
  void warn_override(OperatorEntry& entry, DispatchKey key, const Kernel::State& before, const Kernel::State& now);
  Registration add_to_fallbacks(DispatchKey key, KernelState&& kernel);
  void undo(Registration& registration) noexcept;
  void remove_kernel(OperatorEntry& entry, DispatchKey key, const KernelState& kernel);
  struct Definition;
  void undefine(OperatorEntry& entry, Listeners& ended);
  void withdraw(OperatorEntry& entry);
  void retire(OperatorEntry& entry, const schema::SchemaView& gone);

  detail::RegistryState* state_;  // lives as long
};

/// Throws RegistrationError that lists every registration of a static block that failed, with its place.
void check_registrations();

}  // namespace tenon
