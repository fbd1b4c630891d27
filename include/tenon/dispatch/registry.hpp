// The process's registry of operators: definitions, kernels, fallbacks, and the tables computed from them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <tenon/base/owned_ptr.hpp>
#include <tenon/dispatch/readers.hpp>
#include <tenon/dispatch/registration.hpp>
#include <tenon/dispatch/trace.hpp>

namespace tenon {

/// Which rule gave a table entry its kernel; the words are the peer's.
enum class Provenance : std::uint8_t {
  Kernel,
  DefaultBackend,
  Nested,
  Math,
  AmbiguousAutogradOther,
  Autograd,
  Batched,
  Fallback,
  Missing
};
constexpr std::string_view to_string(Provenance p) {
  constexpr std::string_view names[] = {"kernel",         "default backend kernel",  "nested kernel",
                                        "math kernel",    "ambiguous autogradother", "autograd kernel",
                                        "batched kernel", "backend fallback",        "missing"};
  return names[static_cast<int>(p)];
}

/// What happens to a second kernel for the same operator and key. It wins in any case but Error.
enum class OverridePolicy : std::uint8_t { Warn, Allow, Error };

namespace detail {
struct ModuleRange;
/// The schema that a kernel's C++ type gives.
std::string inferred_schema_text(const SignatureInfo& type, std::string_view name = {});
#ifdef TENON_SHARED_RUNTIME
extern "C" TENON_EXPORT void* tenon_runtime_registry();
#endif
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
                      std::vector<std::string>&& tags, Place&& place, std::string_view alias_analysis = "FROM_SCHEMA",
                      std::string_view fake_module = {});
  Registration implement(std::string_view full_name, DispatchKey key, Kernel&& kernel, Place&& place);
  /// Throws RegistrationError for a kernel that takes no stack, and where the key has a fallback.
  Registration add_fallback(DispatchKey key, Kernel kernel, Place place);
  /// Takes the place of the fallbacks at a key for as long as the result lives; no kernel: as if there were none. Of
  /// several the newest that lives counts.
  Registration override_fallback(DispatchKey key, std::optional<Kernel> kernel, Place place);
  Registration add_library(std::string_view ns, Place place);
  Registration add_listener(OwnedPtr<RegistryListener> listener);

  /// Points a call site at the operator of its name, which need not exist yet.
  OperatorEntry& join(detail::OperatorSlot& slot);
  /// The operator's current table, built if a registration made the last one stale. Valid as long as nothing is
  /// registered, or until the end of the caller's CallSection.
  const detail::DispatchTable& table(OperatorEntry& entry);
  /// The same for a call site whose function type is `type`, and `plain` with plain integers for symbolic ones. Lets
  /// the site reach the table without this way if it may. Throws TypeError if the operator's kernels have another type,
  /// NotImplementedError if it is not defined or, for a typed handle, anew with another schema.
  const detail::DispatchTable& table_for(detail::OperatorSlot& slot, OperatorEntry& entry, const std::type_info& type,
                                         const std::type_info& plain, bool symbolic);
  /// The same for the boxed way of calling; throws NotImplementedError if there is no definition.
  const detail::DispatchTable& boxed_table(OperatorEntry& entry);
  detail::Readers& readers() { return readers_; }

  struct Computed {
    const Kernel::State* kernel = nullptr;
    Provenance provenance = Provenance::Missing;
  };
  /// The kernel of one runtime key by the precedence of `docs/dispatch.md`, computed afresh.
  Computed compute(const OperatorEntry& entry, DispatchKey key);
  const Kernel::State* fallback_at(DispatchKey key);
  /// The kernel registered at `key` itself, else the fallback. Throws NotImplementedError; ValueError for an alias.
  OperatorEntry::KernelState kernel_for(OperatorEntry& entry, DispatchKey key);

  /// Remembers an error of a static registration; `check_registrations` reports it.
  void record_error(std::string ns, std::string message) noexcept;
  /// Throws RegistrationError with every recorded error of the namespace of `name`, or of all for an empty name.
  void throw_recorded_errors(std::string_view name = {});
  /// The recorded errors, which are forgotten.
  std::vector<std::string> take_recorded_errors();

  /// Traces calls of the whole process as long as any tracer lives.
  void add_tracer();
  void remove_tracer();

  /// Keeps other threads from registering for a scope; may nest.
  class Lock {
   public:
    explicit Lock(Registry& registry);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();

   private:
    Registry& registry_;
  };
  /// Says for how the process treats a second kernel at a key; a warning names each operator and key once.
  void set_override_policy(OverridePolicy policy);
  /// With strict registration the program ends, with the whole list on standard error, at the first use of a registry
  /// that holds errors. TENON_STRICT_REGISTRATION=1 asks for it too.
  void set_strict(bool on);

  /// A shared object that may be unloaded says that it is there, and that it goes. Leaving undoes what is left of its
  /// registrations and waits for the calls that run its kernels, those of the caller's own thread left out.
  void enter_module(const detail::ModuleRange& range);
  void leave_module(const detail::ModuleRange& range);

  /// Throws NotImplementedError for a call with these keys. `from_arguments` holds the key bits that each brought.
  [[noreturn]] void report_missing(OperatorEntry& entry, KeySet keys, const std::uint64_t* from_arguments = nullptr,
                                   std::size_t n_arguments = 0);
  /// Throws NotImplementedError if the handle's definition is gone.
  [[noreturn]] void report_unregistered(OperatorEntry& entry);
  std::string dump_state(const OperatorEntry& entry);
  std::string dump_table(const OperatorEntry& entry);
  /// The full text of a mismatch between an operator and a C++ type.
  [[noreturn]] void report_wrong_type(OperatorEntry& entry, const std::type_info& asked, bool symbolic);
  /// Whether calls of a C++ type may reach the operator, as far as its kernels and its declaration are known.
  bool serves(const OperatorEntry& entry, const SignatureInfo& type);
  /// The call site of a typed handle of one definition, or of all. Throws TypeError as `table_for`.
  detail::OperatorSlot& typed_slot(OperatorEntry& entry, std::uint32_t generation, const SignatureInfo& type);

 private:
  friend class Registration;
  using KernelState = OperatorEntry::KernelState;
  using What = Registration::What;
  struct Garbage;
  struct State;
  Registry();
  OperatorEntry& find_or_create(std::string_view full_name);
  void invalidate(OperatorEntry& entry);
  void invalidate_all();
  const detail::DispatchTable& build(OperatorEntry& entry);
  void check_against_schema(const OperatorEntry& entry, const schema::SchemaView& schema, const Place& definition_place,
                            const Kernel::State& kernel);
  void check_type(OperatorEntry& entry, DispatchKey key, const KernelState& kernel);
  bool serves(const OperatorEntry& entry, const std::type_info& type, const std::type_info& plain, bool symbolic);
  void check_call_type(OperatorEntry& entry, const std::type_info& type, const std::type_info& plain, bool symbolic);
  /// The C++ types that an operator's kernels fix, from those that are left.
  void fix_types(OperatorEntry& entry);
  Registration add_to_fallbacks(const std::vector<unsigned>& slots, KernelState&& kernel);
  void warn_override(OperatorEntry& entry, DispatchKey key, const Kernel::State& before, const Kernel::State& now);
  void undo(Registration& registration) noexcept;
  void remove_kernel(OperatorEntry& entry, DispatchKey key, const KernelState& kernel);
  /// Listeners that end while listeners are told go to `ended`, to be destroyed without the lock.
  using Listeners = std::vector<OwnedPtr<RegistryListener>>;
  void undefine(OperatorEntry& entry, Listeners& ended);
  void withdraw(OperatorEntry& entry);
  void retire(OperatorEntry& entry, const schema::SchemaView& gone);
  void tell_registered(OperatorEntry& entry, Listeners& ended);
  /// All but the listeners [skip_from, skip_to).
  void tell_unregistered(OperatorEntry& entry, Listeners& ended, std::size_t skip_from, std::size_t skip_to) noexcept;
  void sweep_listeners(Listeners& ended);
  bool may_unload(const Kernel::State& kernel) const;
  bool may_unload(const void* address) const;
  /// What can be freed now, to be destroyed without the lock.
  std::vector<Garbage> collect();
  std::string error_list(std::string_view ns, bool only_new);

  State* state_;  // lives as long
  detail::Readers readers_;
};

/// Throws RegistrationError that lists every registration of a static block that failed, with its place.
void check_registrations();

}  // namespace tenon
