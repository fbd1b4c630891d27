// The dispatch tables computed from what is registered: which kernel serves which key of an operator.
#pragma once
#include <cstdint>
#include <string_view>
#include <typeinfo>

#include <tenon/dispatch/operator_entry.hpp>

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

namespace detail {
class Modules;
struct RegistryState;
}  // namespace detail

/// `Registry::get().tables()`. All members may be called from any thread.
class OperatorTables {
 public:
  explicit OperatorTables(detail::RegistryState& state) : state_(state) {}

  struct Computed {
    const Kernel::State* kernel = nullptr;
    Provenance provenance = Provenance::Missing;
  };
  /// The kernel of one runtime key by the precedence of `docs/dispatch.md`, computed afresh.
  Computed compute(const OperatorEntry& entry, DispatchKey key);
  const Kernel::State* fallback_at(DispatchKey key);
  /// The kernel registered at `key` itself, else the fallback. Throws NotImplementedError; ValueError for an alias.
  OperatorEntry::KernelState kernel_for(OperatorEntry& entry, DispatchKey key);

  /// The operator's current table, built if a registration made the last one stale. Valid as long as nothing is
  /// registered, or until the end of the caller's CallSection.
  const detail::DispatchTable& of(OperatorEntry& entry);
  /// The same for a call site whose function type is `type`, and `plain` with plain integers for symbolic ones. Lets
  /// the site reach the table without this way if it may. Throws TypeError if the operator's kernels have another type,
  /// NotImplementedError if it is not defined or, for a typed handle, anew with another schema.
  const detail::DispatchTable& for_site(detail::OperatorSlot& slot, OperatorEntry& entry, const std::type_info& type,
                                        const std::type_info& plain, bool symbolic);
  /// The same for the boxed way of calling; throws NotImplementedError if there is no definition.
  const detail::DispatchTable& for_boxed(OperatorEntry& entry);

  /// Points a call site at the operator of its name, which need not exist yet.
  OperatorEntry& join(detail::OperatorSlot& slot);
  /// Whether calls of a C++ type may reach the operator, as far as its kernels and its declaration are known.
  bool serves(const OperatorEntry& entry, const SignatureInfo& type);
  /// The call site of a typed handle of one definition, or of all. Throws TypeError as `for_site`.
  detail::OperatorSlot& typed_slot(OperatorEntry& entry, std::uint32_t generation, const SignatureInfo& type);

 private:
  friend class Registry;
  friend class detail::Modules;
  struct Draft;
  const detail::DispatchTable& build(OperatorEntry& entry);
  /// After a change of one operator, and of what all of them use.
  void invalidate(OperatorEntry& entry);
  void invalidate_all();

  detail::RegistryState& state_;
};

}  // namespace tenon
