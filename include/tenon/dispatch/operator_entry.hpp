// One operator in the registry: its name, schema, kernels and the table computed from them.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <memory>
#include <string>
#include <vector>

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
  std::atomic<const DispatchTable*> table{
      &unbuilt_table};  ///< the registry's empty table where calls take the slow way
  std::atomic<OperatorEntry*> entry{nullptr};
  std::atomic<std::uint32_t> type_version{0};       ///< of the tables that the call site's C++ type was compared with
  std::atomic<const SignatureInfo*> type{nullptr};  ///< of a typed handle's call site: how to call boxed kernels
  std::string_view name;                            ///< `aten::add.Tensor`
};

/// Where something was registered.
struct Place {
  const char* file = "";
  int line = 0;
  std::string text() const {
    char number[12], *end = std::to_chars(number, number + sizeof number, line).ptr;
    std::string_view parts[] = {"registered at ", file, ":", {number, static_cast<std::size_t>(end - number)}};
    std::string out;
    out.reserve(parts[0].size() + parts[1].size() + 1 + parts[3].size());
    for (auto part : parts) out += part;
    return out;
  }
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
  inline const std::string& name() const;
  inline bool has_schema() const;
  /// Whether the definition that the handle was made for is still there.
  inline bool is_current() const;
  /// Valid as long as the definition is. Throws InternalError for an operator that has kernels but no definition.
  inline const schema::SchemaView& schema() const;
  /// Takes the arguments from the top of the stack and leaves the results there.
  inline void call_boxed(Stack& stack) const;
  /// Continues with exactly these keys: no thread-local words, no masks.
  inline void redispatch_boxed(KeySet keys, Stack& stack) const;
  /// Runs the kernel registered at `key` itself, else the fallback for it; the kernel gets the keys of the arguments.
  /// Throws NotImplementedError `no kernel for KEY on NAME`.
  inline void call_boxed_for_key(DispatchKey key, Stack& stack) const;
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
  explicit OperatorEntry(std::string full_name) : name_(std::move(full_name)), handle_(this) { slot_.name = name_; }
  OperatorEntry(const OperatorEntry&) = delete;
  OperatorEntry& operator=(const OperatorEntry&) = delete;

  /// `aten::add.Tensor`; never changes.
  const std::string& name() const { return name_; }
  const OperatorHandle& handle() const { return handle_; }
  detail::OperatorSlot& slot() { return slot_; }
  bool has_schema() const { return n_args() >= 0; }
  /// -1 without a schema. Unlike the schema itself it may be read while the definition goes.
  std::int32_t n_args() const { return n_args_.load(std::memory_order_acquire); }
  const schema::SchemaView& schema() const {
    if (!has_schema())
      fail<InternalError>("Tried to access the schema for ", name_, " which doesn't have a schema registered yet");
    return schema_;
  }
  const std::string& definition_debug() const { return definition_debug_; }
  const std::vector<std::string>& tags() const { return tags_; }
  bool has_tag(std::string_view tag) const { return std::find(tags_.begin(), tags_.end(), tag) != tags_.end(); }
  /// The schema if there is one, else the name.
  std::string description() const { return has_schema() ? schema::to_string(schema_) : name_; }

  struct KernelList {
    DispatchKey key;
    std::vector<KernelState> kernels;  ///< newest first; the first is active
  };
  const std::vector<KernelList>& kernels() const { return kernels_; }
  const KernelState* kernel_at(DispatchKey k) const {
    for (const auto& list : kernels_)
      if (list.key == k) return &list.kernels.front();
    return nullptr;
  }
  bool has_kernel_in(KeySet set) const {
    for (const auto& list : kernels_)
      if (!is_alias_key(list.key) && set.has_all(KeySet(list.key)) && list.key != DispatchKey::Undefined) return true;
    return false;
  }
  bool empty() const { return kernels_.empty() && !has_schema(); }

  /// Counts definitions with different schemas; 0 before the first.
  std::uint32_t generation() const { return generation_.load(std::memory_order_acquire); }

 private:
  friend class Registry;
  std::string name_;
  OperatorHandle handle_;
  detail::OperatorSlot slot_;  // for calls through handles
  std::vector<detail::OperatorSlot*> slots_{&slot_};
  std::atomic<std::int32_t> n_args_{-1};
  bool inferred_ = false;  // the schema, from a kernel's type
  schema::SchemaView schema_;
  schema::FunctionSchema schema_owner_;  // empty when the schema is constant data of a declaration
  std::string definition_debug_;
  std::vector<std::string> tags_;
  std::string fake_module_;
  std::vector<KernelList> kernels_;
  // The C++ types that the first kernels fixed: [0] without symbolic integers, [1] with.
  struct FixedType {
    const SignatureInfo* type = nullptr;
    KernelState kernel;
    DispatchKey key{};
  } types_[2];
  const SignatureInfo* declared_type_ = nullptr;  // of the tag that defined it
  std::atomic<std::uint32_t> generation_{0};
  std::uint32_t type_version_ = 1;  // changes with the three above
  std::size_t schema_hash_ = 0;     // of the last definition
  // The table in use, or null after a change. Kept ones may be read by calls that leave no mark and stay for good;
  // an equal one is used again, and when there are too many, the operator's calls are marked from then on.
  std::atomic<const detail::DispatchTable*> current_{nullptr};
  std::vector<detail::TableOwner> kept_;
  std::unique_ptr<detail::TableOwner> marked_;
  static constexpr std::size_t kKept = 8;
  struct TypedSlot {
    std::string type;
    detail::OperatorSlot slot;
  };
  std::vector<std::unique_ptr<TypedSlot>> typed_slots_;
  std::vector<DispatchKey> overwritten_warned_;
};

inline const std::string& OperatorHandle::name() const { return entry_->name(); }
inline bool OperatorHandle::has_schema() const { return entry_->has_schema(); }
inline bool OperatorHandle::is_current() const {
  return entry_ && entry_->has_schema() && (generation_ == 0 || generation_ == entry_->generation());
}
inline const schema::SchemaView& OperatorHandle::schema() const { return entry_->schema(); }

}  // namespace tenon
