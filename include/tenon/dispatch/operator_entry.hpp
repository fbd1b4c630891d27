// One operator in the registry: its name, schema, kernels and the table computed from them.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
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
  std::atomic<const DispatchTable*> table{&unbuilt_table};
  std::atomic<OperatorEntry*> entry{nullptr};
  std::string_view name;  ///< `aten::add.Tensor`
};

/// Where something was registered.
struct Place {
  const char* file = "";
  int line = 0;
  std::string text() const { return "registered at " + std::string(file) + ":" + std::to_string(line); }
};

}  // namespace detail

/// A reference to an operator by its registry entry. Cheap to copy; entries live as long as the process, so it never
/// dangles, and tells when its operator was unregistered.
class OperatorHandle {
 public:
  OperatorHandle() = default;
  explicit OperatorHandle(OperatorEntry* entry) : entry_(entry) {}
  explicit operator bool() const { return entry_ != nullptr; }
  OperatorEntry& entry() const { return *entry_; }
  inline const std::string& name() const;
  inline bool has_schema() const;
  /// Throws InternalError for an operator that has kernels but no definition.
  inline const schema::SchemaView& schema() const;
  /// Takes the arguments from the top of the stack and leaves the results there.
  inline void call_boxed(Stack& stack) const;
  /// Continues with exactly these keys: no thread-local words, no masks.
  inline void redispatch_boxed(KeySet keys, Stack& stack) const;
  /// A typed view of the operator. Throws TypeError if its kernels have another C++ type.
  template <class Sig>
  auto typed() const;
  friend bool operator==(const OperatorHandle&, const OperatorHandle&) = default;

 private:
  OperatorEntry* entry_ = nullptr;
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
  bool has_schema() const { return has_schema_.load(std::memory_order_acquire); }
  const schema::SchemaView& schema() const {
    if (!has_schema()) fail<InternalError>("Tried to access the schema for ", name_, " which doesn't have a schema registered yet");
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

  /// The mask that applies to a call with these keys.
  std::uint64_t mask_for(KeySet keys) const { return per_backend_ ? backend_masks_[keys.backend_index()] : mask_; }

 private:
  friend class Registry;
  friend class OperatorHandle;
  std::string name_;
  OperatorHandle handle_;
  detail::OperatorSlot slot_;                       // for calls through handles
  std::vector<detail::OperatorSlot*> slots_{&slot_};
  std::atomic<bool> has_schema_{false};
  schema::SchemaView schema_;
  schema::FunctionSchema schema_owner_;  // empty when the schema is constant data of a declaration
  std::string definition_debug_;
  std::vector<std::string> tags_;
  std::string fake_module_, alias_analysis_ = "FROM_SCHEMA";
  std::vector<KernelList> kernels_;
  // The C++ types that the first kernels fixed: [0] without symbolic integers, [1] with.
  struct FixedType {
    const SignatureInfo* type = nullptr;
    KernelState kernel;
    DispatchKey key{};
  } types_[2];
  const SignatureInfo* declared_type_ = nullptr;    // of the tag that defined it
  std::uint64_t mask_ = ~std::uint64_t{0};
  bool per_backend_ = false;
  std::array<std::uint64_t, kBackends> backend_masks_{};
  std::vector<std::unique_ptr<unsigned char[]>> tables_;          // all that were ever published: a call may still read one
  std::vector<std::unique_ptr<detail::BoxedTarget>> targets_;
  std::vector<KernelState> retired_;                // calls in flight may still use them
  std::vector<std::string> overwritten_warned_;
};

inline const std::string& OperatorHandle::name() const { return entry_->name(); }
inline bool OperatorHandle::has_schema() const { return entry_->has_schema(); }
inline const schema::SchemaView& OperatorHandle::schema() const { return entry_->schema(); }

}  // namespace tenon
