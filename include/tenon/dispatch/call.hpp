// The way of a call: key set, mask, table, kernel.
#pragma once
#include <tenon/dispatch/registry.hpp>

namespace tenon {
namespace detail {

template <class Sig>
struct call_path;
template <class R, class... A>
struct call_path<R(A...)> {
  using adaptor = adaptors<R(A...)>;
  static constexpr bool symbolic = signature<R(A...)>::symbolic;

  [[gnu::always_inline]] static bool callable(const KernelRecord& r) {
    if constexpr (symbolic) return r.unboxed || r.unboxed_sym;
    else return r.unboxed != nullptr;
  }

  [[gnu::always_inline]] static R call(OperatorSlot& slot, A... args) {
    const DispatchTable* table = slot.table.load(std::memory_order_acquire);
    KeySet keys = with_local_keys(KeySet((std::uint64_t{0} | ... | key_bits(args))));
    if (!table->special) [[likely]] {
      KeySet masked(keys.bits() & table->mask);
      const KernelRecord& record = table->at(masked);
      if (callable(record)) [[likely]] return adaptor::call_record(record, masked, static_cast<A>(args)...);
    }
    return slow(slot, keys, true, static_cast<A>(args)...);
  }

  [[gnu::always_inline]] static R redispatch(OperatorSlot& slot, KeySet keys, A... args) {
    const DispatchTable* table = slot.table.load(std::memory_order_acquire);
    if (!table->special) [[likely]] {
      const KernelRecord& record = table->at(keys);
      if (callable(record)) [[likely]] return adaptor::call_record(record, keys, static_cast<A>(args)...);
    }
    return slow(slot, keys, false, static_cast<A>(args)...);
  }

 private:
  /// First call, traced calls, masks that differ between backends, missing kernels.
  [[gnu::noinline]] static R slow(OperatorSlot& slot, KeySet keys, bool masked, A... args) {
    Registry& registry = Registry::get();
    OperatorEntry& entry = registry.join(slot);
    const DispatchTable& table = registry.table(entry);
    KeySet all = keys;
    if (masked) keys = KeySet(keys.bits() & entry.mask_for(keys));
    const KernelRecord& record = table.at(keys);
    TraceDepth depth;
    if (table.special) trace(masked ? TraceKind::Call : TraceKind::Redispatch, entry.name(), keys.highest_priority());
    if (!callable(record)) {
      if (!record.boxed || !entry.has_schema()) registry.report_missing(entry, all);
      Stack none;
      if (!record.boxed_data) record.boxed(nullptr, entry.handle(), keys, none);  // a fallthrough that was called directly: throws
      fail<NotImplementedError>("Could not run '", entry.name(), "': its kernel for ", keys.highest_priority(), " is boxed, and no unit of the program registered the operator's C++ type; define it by its tag (m.def<OP>()) or call it through its handle");
    }
    if (table.special) trace(TraceKind::Kernel, entry.name(), keys.highest_priority(), symbolic ? "sym" : "unboxed");
    return adaptor::call_record(record, keys, static_cast<A>(args)...);
  }
};

inline void run_boxed(OperatorEntry& entry, KeySet keys, bool masked, Stack& stack) {
  Registry& registry = Registry::get();
  const DispatchTable& table = registry.table(entry);
  KeySet all = keys;
  if (masked) keys = KeySet(keys.bits() & (table.special ? entry.mask_for(keys) : table.mask));
  const KernelRecord& record = table.at(keys);
  if (!record.boxed || !entry.has_schema()) [[unlikely]] registry.report_missing(entry, all);
  if (!table.special) [[likely]] return record.boxed(record.boxed_data, entry.handle(), keys, stack);
  TraceDepth depth;
  trace(masked ? TraceKind::CallBoxed : TraceKind::RedispatchBoxed, entry.name(), keys.highest_priority());
  record.boxed(record.boxed_data, entry.handle(), keys, stack);
}

/// The keys of the arguments on top of the stack. Throws InternalError if the stack is too short.
inline KeySet keys_on_stack(const OperatorEntry& entry, const Stack& stack) {
  if (!entry.has_schema()) Registry::get().report_missing(const_cast<OperatorEntry&>(entry), {});
  std::size_t n = entry.schema().n_args();
  TENON_CHECK(stack.size() >= n, ValueError, entry.name(), ": expected ", n, " arguments on the stack, got ", stack.size());
  std::uint64_t bits = 0;
  for (auto it = stack.end() - static_cast<std::ptrdiff_t>(n); it != stack.end(); ++it) bits |= value_key_bits(*it);
  return KeySet(bits);
}

}  // namespace detail

inline void OperatorHandle::call_boxed(Stack& stack) const { detail::run_boxed(*entry_, with_local_keys(detail::keys_on_stack(*entry_, stack)), true, stack); }
inline void OperatorHandle::redispatch_boxed(KeySet keys, Stack& stack) const { detail::run_boxed(*entry_, keys, false, stack); }

/// An operator whose C++ type was checked once; as fast as a call through its declaration.
template <class Sig>
class TypedOperatorHandle;
template <class R, class... A>
class TypedOperatorHandle<R(A...)> : public OperatorHandle {
 public:
  explicit TypedOperatorHandle(OperatorHandle handle) : OperatorHandle(handle) {}
  R call(A... args) const { return detail::call_path<R(A...)>::call(entry().slot(), static_cast<A>(args)...); }
  R redispatch(KeySet keys, A... args) const { return detail::call_path<R(A...)>::redispatch(entry().slot(), keys, static_cast<A>(args)...); }
};

template <class Sig>
auto OperatorHandle::typed() const {
  const SignatureInfo& asked = detail::signature_info<Sig>::value;
  Registry& registry = Registry::get();
  std::lock_guard lock(registry.mutex());
  auto& types = entry_->types_;
  const SignatureInfo* fixed = types[asked.symbolic].type;
  if (fixed && !(*fixed == asked)) registry.report_wrong_type(*entry_, asked);
  if constexpr (signature<Sig>::symbolic)
    if (const auto* plain = types[0].type; plain && !(*plain == detail::signature_info<typename signature<Sig>::plain>::value)) registry.report_wrong_type(*entry_, asked);
  if (!entry_->declared_type_ && !fixed) {
    // Boxed kernels of this operator learn how to be called with this type.
    entry_->declared_type_ = &asked;
    for (auto* slot : entry_->slots_) slot->table.store(&detail::unbuilt_table, std::memory_order_release);
  }
  return TypedOperatorHandle<Sig>(*this);
}

/// Traces this thread's calls to a function, or to standard error, for a scope.
class DispatchTraceGuard {
 public:
  explicit DispatchTraceGuard(TraceCallback callback = &detail::print_trace_line, void* context = nullptr) : before_(detail::trace_state) {
    detail::trace_state.callback = callback;
    detail::trace_state.context = context;
    Registry::get().add_tracer();
  }
  DispatchTraceGuard(const DispatchTraceGuard&) = delete;
  DispatchTraceGuard& operator=(const DispatchTraceGuard&) = delete;
  ~DispatchTraceGuard() {
    Registry::get().remove_tracer();
    detail::trace_state.callback = before_.callback;
    detail::trace_state.context = before_.context;
  }

 private:
  detail::TraceState before_;
};

}  // namespace tenon
