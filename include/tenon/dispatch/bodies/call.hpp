// Bodies of boxed calls.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/boxing/bodies/value.hpp>
#include <tenon/boxing/value_text.hpp>
#include <tenon/dispatch/bodies/observer.hpp>
#include <tenon/dispatch/bodies/usual_calls.hpp>
#include <tenon/dispatch/call.hpp>

namespace tenon {
namespace detail {

TENON_BODY std::string_view path_to(const DispatchTable& table, const KernelRecord& record, bool symbolic) {
  AnyFunction called = symbolic ? record.unboxed_sym : record.unboxed;
  if (called && table.signature && called == table.signature->unboxed_from_boxed()) return "boxed";
  return symbolic ? "sym" : "unboxed";
}

/// Nothing unless the call is one that this thread's observers hear of.
template <class F>
OwnedPtr<Observation> observe(const DispatchTable& table, const OperatorEntry& entry, KeySet keys, bool masked,
                              F box_arguments) {
  if (!observers_are_compiled || !table.traced || !masked || !call_observers) return nullptr;
  return OwnedPtr<Observation>(new Observation(entry.handle(), keys, box_arguments));
}

TENON_BODY SlowCall::SlowCall(const Site& site, KeySet keys, const std::uint64_t* from_arguments,
                              const void* const* arguments)
    : entry_(Registry::get().tables().join(site.slot)), section_(Registry::get().readers()), keys_(keys) {
  Registry& registry = Registry::get();
  OperatorEntry& entry = entry_;
  const DispatchTable* found = nullptr;
  auto look = [&] {
    found = &registry.tables().for_site(site.slot, entry, site.type, site.plain, site.symbolic);
    keys_ = site.masked ? KeySet(keys.bits() & found->mask_for(keys)) : keys;
    record_ = &found->at(keys_);
    return record_->boxed || record_->unboxed || (site.symbolic && record_->unboxed_sym);
  };
  bool there = look();
  auto trace_if_asked = [&](TraceKind kind, std::string_view path = {}) {
    if (found->traced) trace(kind, entry.name(), keys_.highest_priority(), path);
  };
  trace_if_asked(site.masked ? TraceKind::Call : TraceKind::Redispatch);
  observation_ = observe(*found, entry, keys_, site.masked, [&](Stack& stack) {
    for (const SignatureInfo* type : {found->signature, site.slot.type.load(MemoryOrder::Acquire)}) {
      if (!type || *type->type != site.type) continue;
      for (std::size_t i = 0; i < site.n_args; ++i) type->box_into[i](stack, arguments[i]);
      return true;
    }
    return false;
  });
  if (!there) {
    // What is said is of one state: another thread may have registered meanwhile.
    Registry::Lock lock(registry);
    if (!look()) detail::report_missing(entry, keys, from_arguments, site.n_args);
  }
  if (record_->unboxed || (site.symbolic && record_->unboxed_sym)) {
    trace_if_asked(TraceKind::Kernel, path_to(*found, *record_, site.symbolic));
    return;
  }
  if (!record_->boxed_data) {
    Stack none;
    record_->boxed(nullptr, entry.handle(), keys_, none);  // a fallthrough that was called directly: throws
  }
  const SignatureInfo* type = site.slot.type.load(MemoryOrder::Acquire);
  if (!record_->boxed_data || !type)
    fail<NotImplementedError>(
        "Could not run '", entry.name(), "': its kernel for ", keys_.highest_priority(),
        " is boxed, and no unit of the program registered the operator's C++ type; define it by its tag (m.def<OP>()) or call it through its handle");
  // A typed handle brought along how its type calls boxed kernels.
  op_ = entry.handle();
  target_ = {record_->boxed, record_->boxed_data, &op_};
  (site.symbolic ? typed_.unboxed_sym : typed_.unboxed) = type->unboxed_from_boxed();
  typed_.data = &target_;
  record_ = &typed_;
  trace_if_asked(TraceKind::Kernel, "boxed");
}
TENON_BODY SlowCall::~SlowCall() = default;

TENON_BODY DispatchKey factory_key(ScalarType dtype, Layout layout, Device device) {
  DispatchKey dense = dispatch_key_of(device.type);
  if (is_quantized_type(dtype) && layout == Layout::Strided && backend_of(dense) != BackendComponent::Invalid)
    return runtime_key(DispatchKey::Quantized, backend_of(dense));
  switch (layout) {
    case Layout::Strided: return dense;
    case Layout::Sparse: return runtime_key(DispatchKey::Sparse, backend_of(dense));
    case Layout::Mkldnn: return DispatchKey::MkldnnCPU;
    case Layout::Jagged: return runtime_key(DispatchKey::NestedTensor, backend_of(dense));
    default: return runtime_key(DispatchKey::SparseCsr, backend_of(dense));
  }
}

inline std::size_t checked_arguments(const OperatorEntry& entry, std::int32_t n, const Stack& stack) {
  TENON_CHECK(stack.size() >= static_cast<std::size_t>(n), ValueError, entry.name(), ": expected ", n,
              " arguments on the stack, got ", stack.size());
  return static_cast<std::size_t>(n);
}
TENON_BODY std::size_t arguments_on_stack(OperatorEntry& entry, const Stack& stack) {
  std::int32_t n = entry.n_args();
  if (n < 0) {
    Registry::Lock lock(Registry::get());  // another thread may define the operator again
    n = entry.n_args();
    if (n < 0) detail::report_missing(entry, {});
  }
  return checked_arguments(entry, n, stack);
}

inline KeySet keys_on_stack(const Stack& stack, std::size_t n) {
  std::uint64_t bits = 0;
  for (auto it = stack.end() - static_cast<std::ptrdiff_t>(n); it != stack.end(); ++it) bits |= value_key_bits(*it);
  return KeySet(bits);
}

inline std::string unreadable_argument(const OperatorEntry& entry, std::size_t i, std::string_view expected,
                                       const Value& found, const char* remedy = "") {
  return concat(entry.schema(), ": argument ", i + 1, " '", entry.schema().arg_name(i), "': expected ", expected,
                ", got ", found, remedy);
}
/// Says which argument cannot be read, if it is one of these; `first` is the place of the first on the stack.
TENON_COLD inline void name_unreadable_argument(const OperatorEntry& entry, const Stack& stack, std::size_t first,
                                                std::size_t n, const UnreadableValue& e) {
  for (std::size_t i = 0; i < n && first + i < stack.size(); ++i)
    if (e.is_in(stack[first + i])) e.raise(unreadable_argument(entry, i, e.expected(), stack[first + i], e.remedy()));
}
/// Runs a kernel on the `n` arguments on top of the stack.
inline void run_kernel(const KernelRecord& record, const OperatorEntry& entry, KeySet keys, std::size_t n,
                       Stack& stack) {
  std::size_t first = stack.size() - n;
  try {
    record.boxed(record.boxed_data, entry.handle(), keys, stack);
  } catch (const UnreadableValue& e) {
    name_unreadable_argument(entry, stack, first, n, e);
    throw;
  }
}

template <bool Masked>
[[gnu::noinline]] void run_boxed_slowly(OperatorEntry& entry, std::uint32_t generation, KeySet given, Stack& stack) {
  Registry& registry = Registry::get();
  CallSection section(registry.readers());
  const DispatchTable* table = nullptr;
  const KernelRecord* record = nullptr;
  std::size_t n = 0;
  KeySet keys, kept;
  auto look = [&] {
    table = &registry.tables().for_boxed(entry);
    if (generation != 0 && generation != table->generation) detail::report_unregistered(entry);
    n = checked_arguments(entry, table->n_args, stack);
    keys = Masked ? with_local_keys(keys_on_stack(stack, n)) : given;
    kept = Masked ? KeySet(keys.bits() & table->mask_for(keys)) : keys;
    record = &table->at(kept);
    return record->boxed != nullptr;
  };
  bool there = look();
  TraceDepth depth;
  if (table->traced)
    trace(Masked ? TraceKind::CallBoxed : TraceKind::RedispatchBoxed, entry.name(), kept.highest_priority());
  auto observation = observe(*table, entry, kept, Masked, [&](Stack& inputs) {
    inputs.assign(stack.end() - static_cast<std::ptrdiff_t>(n), stack.end());
    return true;
  });
  if (!there) {
    // What is said is of one state: another thread may have registered meanwhile.
    Registry::Lock lock(registry);
    if (!look()) {
      std::vector<std::uint64_t> from(n);
      const schema::SchemaView& s = entry.schema();
      for (std::size_t i = 0; i < n; ++i) {
        const Value& v = stack[stack.size() - n + i];
        // No kernel is there to say so.
        if (s.type(s.arg(i)).kind == schema::Kind::Tensor && !v.is_tensor() && !v.is_none())
          fail<TypeError>(unreadable_argument(entry, i, "Tensor", v));
        from[i] = value_key_bits(v);
      }
      detail::report_missing(entry, keys, from.data(), n);
    }
  }
  run_kernel(*record, entry, kept, n, stack);
}

/// All that a call uses comes from one table, so that it sees one definition. `generation`: of the handle.
template <bool Masked>
inline void run_boxed(OperatorEntry& entry, std::uint32_t generation, KeySet given, Stack& stack) {
  const DispatchTable& table = entry.table();
  if (!table.special && (generation == 0 || generation == table.generation)) [[likely]] {
    std::size_t n = static_cast<std::size_t>(table.n_args);
    if (stack.size() >= n) [[likely]] {
      KeySet kept = given;
      if constexpr (Masked) kept = KeySet(with_local_keys(keys_on_stack(stack, n)).bits() & table.mask);
      const KernelRecord& record = table.at(kept);
      if (record.boxed) [[likely]]
        return run_kernel(record, entry, kept, n, stack);
    }
  }
  run_boxed_slowly<Masked>(entry, generation, given, stack);
}

}  // namespace detail

TENON_BODY void OperatorHandle::call_boxed(Stack& stack) const {
  detail::run_boxed<true>(*entry_, generation_, {}, stack);
}

TENON_BODY void OperatorHandle::redispatch_boxed(KeySet keys, Stack& stack) const {
  detail::run_boxed<false>(*entry_, generation_, keys, stack);
}

TENON_BODY void OperatorHandle::call_boxed_for_key(DispatchKey key, Stack& stack) const {
  Registry& registry = Registry::get();
  detail::CallSection section(registry.readers());
  OperatorEntry::KernelState kernel;
  KeySet keys;
  std::size_t n = 0;
  {
    Registry::Lock lock(registry);
    if (!is_current()) detail::report_unregistered(*entry_);
    n = detail::arguments_on_stack(*entry_, stack);
    keys = with_local_keys(detail::keys_on_stack(stack, n));
    kernel = registry.tables().kernel_for(*entry_, key);
    keys = KeySet(keys.bits() & registry.tables().of(*entry_).mask_for(keys));
  }
  detail::run_kernel(kernel->record, *entry_, keys, n, stack);
}

}  // namespace tenon
