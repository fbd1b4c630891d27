// The process's registry of operators: definitions, kernels, fallbacks, and the tables computed from them.
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <tenon/dispatch/operator_entry.hpp>
#include <tenon/dispatch/trace.hpp>

namespace tenon {

/// Undoes one registration when it ends. Move-only; assigning over a live one undoes that first.
class Registration {
 public:
  Registration() = default;
  explicit Registration(std::function<void()> undo) : undo_(std::move(undo)) {}
  Registration(Registration&& o) noexcept : undo_(std::exchange(o.undo_, nullptr)) {}
  Registration& operator=(Registration&& o) noexcept {
    if (this != &o) {
      reset();
      undo_ = std::exchange(o.undo_, nullptr);
    }
    return *this;
  }
  ~Registration() { reset(); }
  void reset() { if (undo_) std::exchange(undo_, nullptr)(); }
  explicit operator bool() const { return static_cast<bool>(undo_); }

 private:
  std::function<void()> undo_;
};

/// Told of definitions as they come and go; on adding one it hears of all that exist.
class RegistryListener {
 public:
  virtual ~RegistryListener() = default;
  virtual void on_registered(const OperatorHandle& op) = 0;
  virtual void on_unregistered(const OperatorHandle& op) = 0;
};

/// Which rule gave a table entry its kernel; the words are the peer's.
enum class Provenance : std::uint8_t { Kernel, DefaultBackend, Nested, Math, AmbiguousAutogradOther, Autograd, Batched, Fallback, Missing };
constexpr std::string_view to_string(Provenance p) {
  constexpr std::string_view names[] = {"kernel", "default backend kernel", "nested kernel", "math kernel", "ambiguous autogradother", "autograd kernel", "batched kernel", "backend fallback", "missing"};
  return names[static_cast<int>(p)];
}

/// All members may be called from any thread. Calls take no lock; registration does.
class Registry {
 public:
  /// Never destroyed, so that static objects may undo their registrations at any time.
  static Registry& get() {
    alignas(Registry) static unsigned char memory[sizeof(Registry)];
    static Registry* registry = new (memory) Registry;
    return *registry;
  }

  /// The operator of a full name (`aten::add.Tensor`), defined or only implemented; null if there is none.
  OperatorEntry* find(std::string_view full_name);
  OperatorHandle find_op(std::string_view full_name);
  /// An operator with a schema, or an empty handle.
  OperatorHandle find_schema(std::string_view full_name);
  /// Throws NotImplementedError `Could not find schema for NAME.OVERLOAD`.
  OperatorHandle find_schema_or_throw(std::string_view name, std::string_view overload);
  std::vector<OperatorHandle> operators();
  /// Operators that have kernels and no definition.
  std::vector<OperatorHandle> find_dangling_impls();
  /// Names of operators with a kernel registered directly at `key`; of all operators for Undefined.
  std::vector<std::string> registrations_for(DispatchKey key);

  /// Defines an operator. `owner` keeps the view's data, or is empty for constant data.
  Registration define(const schema::SchemaView& schema, schema::FunctionSchema owner, const SignatureInfo* declared, std::vector<std::string> tags, std::string debug, std::string alias_analysis = "FROM_SCHEMA", std::string fake_module = {});
  Registration implement(std::string_view full_name, DispatchKey key, Kernel kernel, std::string debug);
  Registration add_fallback(DispatchKey key, Kernel kernel, std::string debug);
  /// Takes the place of the fallbacks at a key for as long as the result lives; no kernel: as if there were none.
  Registration override_fallback(DispatchKey key, std::optional<Kernel> kernel, std::string debug);
  Registration add_library(std::string_view ns, std::string debug);
  Registration add_listener(std::unique_ptr<RegistryListener> listener);

  /// Points a call site at the operator of its name, which need not exist yet.
  OperatorEntry& join(detail::OperatorSlot& slot);
  /// The operator's current table, built if a registration made the last one stale.
  const detail::DispatchTable& table(OperatorEntry& entry);

  struct Computed {
    const Kernel::State* kernel = nullptr;
    Provenance provenance = Provenance::Missing;
  };
  /// The kernel of one runtime key by the precedence of `docs/dispatch.md`, computed afresh.
  Computed compute(const OperatorEntry& entry, DispatchKey key);
  const Kernel::State* fallback_at(DispatchKey key);

  /// Remembers an error of a static registration; `check_registrations` reports it.
  void record_error(std::string ns, std::string message) noexcept;
  /// Throws RegistrationError with every recorded error of a namespace, or of all for an empty name.
  void throw_recorded_errors(std::string_view ns = {});

  /// Traces calls of the whole process as long as any tracer lives.
  void add_tracer();
  void remove_tracer();

  std::recursive_mutex& mutex() { return mutex_; }

  [[noreturn]] void report_missing(OperatorEntry& entry, KeySet keys);
  std::string dump_state(const OperatorEntry& entry);
  std::string dump_table(const OperatorEntry& entry);
  /// The full text of a mismatch between an operator and a C++ type.
  [[noreturn]] void report_wrong_type(OperatorEntry& entry, const SignatureInfo& asked);

 private:
  Registry() { tracers_ = detail::trace_from_environment() ? 1 : 0; }
  OperatorEntry& find_or_create(std::string_view full_name);
  void invalidate(OperatorEntry& entry);
  void invalidate_all();
  const detail::DispatchTable& build(OperatorEntry& entry);
  void check_against_schema(const OperatorEntry& entry, const schema::SchemaView& schema, const std::string& definition_debug, const Kernel::State& kernel);
  void check_type(OperatorEntry& entry, DispatchKey key, const OperatorEntry::KernelState& kernel);
  void warn_overwrite(OperatorEntry& entry, DispatchKey key, const Kernel::State& before, const Kernel::State& now);

  std::recursive_mutex mutex_;
  std::unordered_map<std::string_view, std::unique_ptr<OperatorEntry>> entries_;  // keys lie in the entries
  std::array<OperatorEntry::KernelState, kTableSize> fallbacks_{};
  std::map<std::string, std::string, std::less<>> libraries_;
  std::vector<std::pair<int, std::unique_ptr<RegistryListener>>> listeners_;
  std::vector<std::pair<std::string, std::string>> errors_;
  std::atomic<bool> has_errors_{false};
  int next_listener_ = 0, tracers_ = 0;
};

/// Throws RegistrationError that lists every registration of a static block that failed, with its place.
inline void check_registrations() { Registry::get().throw_recorded_errors(); }

}  // namespace tenon

#include <tenon/dispatch/detail/registry_impl.hpp>
