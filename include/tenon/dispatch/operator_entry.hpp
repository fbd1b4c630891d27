// One operator in the registry: its name, schema, kernels and the table computed from them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <tenon/base/atomic.hpp>
#include <tenon/dispatch/facts.hpp>
#include <tenon/dispatch/kernel_list.hpp>
#include <tenon/dispatch/table.hpp>
#include <tenon/schema/function_schema.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {

class OperatorEntry;
class Registry;

namespace detail {

/// What a call site holds: the table to use now. One per declaration and shared object; the registry re-points it.
struct OperatorSlot {
  constexpr explicit OperatorSlot(std::string_view operator_name = {}) : name(operator_name) {}
  Atomic<const DispatchTable*> table{&unbuilt_table};  ///< the registry's empty table where calls take the slow way
  Atomic<OperatorEntry*> entry{nullptr};
  Atomic<std::uint32_t> type_version{0};  ///< of the tables that the call site's C++ type was compared with
  std::uint32_t generation = 0;           ///< of the only definition that a typed handle's call site serves; 0: all
  Atomic<const SignatureInfo*> type{nullptr};  ///< of a typed handle's call site: how to call boxed kernels
  std::string_view name;                       ///< `aten::add.Tensor`
};

}  // namespace detail

/// A reference to an operator by its registry entry, cheap to copy. Entries live as long as the process, so it never
/// dangles; a call through it says where its operator was defined if that was unregistered meanwhile.
class OperatorHandle {
 public:
  OperatorHandle() = default;
  explicit OperatorHandle(OperatorEntry* entry) : entry_(entry) {}
  /// Of one definition: calls fail once the operator is defined anew with another schema.
  OperatorHandle(OperatorEntry* entry, std::uint32_t generation) : entry_(entry), generation_(generation) {}
  explicit operator bool() const { return entry_ != nullptr; }
  OperatorEntry& entry() const { return *entry_; }
  inline std::string_view name() const;
  inline bool has_schema() const;
  /// Whether the definition that the handle was made for is still there.
  inline bool is_current() const;
  /// Valid as long as the definition is, and inside a call of the operator until the call ends, even if another thread
  /// ends the definition. Throws InternalError for an operator that has kernels and never had a definition,
  /// NotImplementedError where it went.
  const schema::SchemaView& schema() const;
  /// Takes the arguments from the top of the stack and leaves the results there.
  void call_boxed(Stack& stack) const;
  /// Continues with exactly these keys: no thread-local words, no masks.
  void redispatch_boxed(KeySet keys, Stack& stack) const;
  /// Runs the kernel registered at `key` itself, else the fallback for it; the kernel gets the keys of the arguments.
  /// Throws NotImplementedError `no kernel for KEY on NAME`.
  void call_boxed_for_key(DispatchKey key, Stack& stack) const;
  /// A typed view of the operator. Throws TypeError if its kernels have another C++ type.
  template <class Sig>
  auto typed() const;
  friend bool operator==(const OperatorHandle& a, const OperatorHandle& b) { return a.entry_ == b.entry_; }

 private:
  OperatorEntry* entry_ = nullptr;
  std::uint32_t generation_ = 0;  // 0: of whatever definition there is
};

/// Everything below `mutex of the registry` unless it says otherwise.
class OperatorEntry {
 public:
  using KernelState = intrusive_ptr<Kernel::State>;
  OperatorEntry(const OperatorEntry&) = delete;
  OperatorEntry& operator=(const OperatorEntry&) = delete;

  /// `aten::add.Tensor`; never changes.
  std::string_view name() const { return name_; }
  OperatorHandle handle() const { return OperatorHandle(const_cast<OperatorEntry*>(this)); }
  /// The table that calls through handles use.
  const detail::DispatchTable& table() const { return *table_.load(MemoryOrder::Acquire); }
  bool has_schema() const { return n_args() >= 0; }
  /// -1 without a schema. Unlike the schema itself it may be read while the definition goes.
  std::int32_t n_args() const { return n_args_.load(MemoryOrder::Acquire); }
  const schema::SchemaView& schema() const;
  const Place& definition_place() const { return definition_place_; }
  /// What the definition says beside the schema; the usual facts without one.
  const OperatorFacts& facts() const;
  TagSet tags() const { return facts().tags; }
  bool has_tag(Tag tag) const { return tags().has(tag); }
  /// False also for a name that no tag has.
  bool has_tag(std::string_view tag) const;
  /// Where the definition says that the kernel for Meta is; empty if it does not.
  std::string_view fake_kernel_module() const;
  /// The schema if there is one, else the name.
  std::string description() const;

  /// By key; of one key newest first, and the first is active.
  const KernelList& kernels() const { return kernels_; }
  const KernelState* kernel_at(DispatchKey k) const;
  bool has_kernel_in(KeySet set) const;
  bool empty() const { return kernels_.empty() && !has_schema(); }

  /// Counts definitions with different schemas; 0 before the first.
  std::uint32_t generation() const { return generation_.load(MemoryOrder::Acquire); }

  struct State;  ///< what only the registry needs, complete in its own sources
  inline State& state() const;

 private:
  friend class Registry;
  friend class OperatorTables;
  struct WithState;  // both in one block of memory: every entry is one
  OperatorEntry(std::string_view full_name, const detail::DispatchTable& table) : name_(full_name), table_(&table) {}
  std::string_view name_;
  Atomic<const detail::DispatchTable*> table_;  // like a call site's
  Atomic<std::int32_t> n_args_{-1};
  Atomic<std::uint32_t> generation_{0};
  Atomic<const schema::SchemaView*> schema_{nullptr};
  Place definition_place_;
  KernelList kernels_;
  Atomic<const detail::DispatchTable*> current_{nullptr};  // the table in use, or null after a change
};

inline std::string_view OperatorHandle::name() const { return entry_->name(); }
inline bool OperatorHandle::has_schema() const { return entry_->has_schema(); }
inline bool OperatorHandle::is_current() const {
  return entry_ && entry_->has_schema() && (generation_ == 0 || generation_ == entry_->generation());
}

}  // namespace tenon
