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
    if constexpr (symbolic)
      return r.unboxed || r.unboxed_sym;
    else
      return r.unboxed != nullptr;
  }

  [[gnu::always_inline]] static R call(OperatorSlot& slot, A... args) {
    const DispatchTable* table = slot.table.load(std::memory_order_acquire);
    KeySet keys = with_local_keys(KeySet((std::uint64_t{0} | ... | key_bits(args))));
    if (!table->special) [[likely]] {
      KeySet masked(keys.bits() & table->mask);
      const KernelRecord& record = table->at(masked);
      if (callable(record)) [[likely]]
        return adaptor::call_record(record, masked, slot.name, static_cast<A>(args)...);
    }
    return slow(slot, keys, true, static_cast<A>(args)...);
  }

  [[gnu::always_inline]] static R redispatch(OperatorSlot& slot, KeySet keys, A... args) {
    const DispatchTable* table = slot.table.load(std::memory_order_acquire);
    if (!table->special) [[likely]] {
      const KernelRecord& record = table->at(keys);
      if (callable(record)) [[likely]]
        return adaptor::call_record(record, keys, slot.name, static_cast<A>(args)...);
    }
    return slow(slot, keys, false, static_cast<A>(args)...);
  }

 private:
  /// First call, traced calls, masks that differ between backends, tables that may be freed, missing kernels.
  [[gnu::noinline]] static R slow(OperatorSlot& slot, KeySet keys, bool masked, A... args) {
    Registry& registry = Registry::get();
    OperatorEntry& entry = registry.join(slot);
    CallSection section(registry.readers());
    const DispatchTable& table =
        registry.table_for(slot, entry, typeid(R(A...)), typeid(typename signature<R(A...)>::plain), symbolic);
    KeySet all = keys;
    if (masked) keys = KeySet(keys.bits() & table.mask_for(keys));
    const KernelRecord& record = table.at(keys);
    TraceDepth depth;
    if (table.traced) trace(masked ? TraceKind::Call : TraceKind::Redispatch, entry.name(), keys.highest_priority());
    if (!callable(record)) {
      if (!record.boxed || !entry.has_schema()) {
        const std::uint64_t from[] = {key_bits(args)..., 0};
        registry.report_missing(entry, all, from, sizeof...(A));
      }
      if (record.boxed_data)
        if (const SignatureInfo* type = slot.type.load(std::memory_order_acquire)) {
          // A typed handle brought along how its type calls boxed kernels.
          BoxedTarget target{record.boxed, record.boxed_data, &entry.handle()};
          if (table.traced) trace(TraceKind::Kernel, entry.name(), keys.highest_priority(), "boxed");
          return reinterpret_cast<typename signature<R(A...)>::function>(type->unboxed_from_boxed())(
              &target, keys, static_cast<A>(args)...);
        }
      Stack none;
      if (!record.boxed_data)
        record.boxed(nullptr, entry.handle(), keys, none);  // a fallthrough that was called directly: throws
      fail<NotImplementedError>(
          "Could not run '", entry.name(), "': its kernel for ", keys.highest_priority(),
          " is boxed, and no unit of the program registered the operator's C++ type; define it by its tag (m.def<OP>()) or call it through its handle");
    }
    if (table.traced) trace(TraceKind::Kernel, entry.name(), keys.highest_priority(), symbolic ? "sym" : "unboxed");
    return adaptor::call_record(record, keys, slot.name, static_cast<A>(args)...);
  }
};

/// The number of an operator's arguments, which lie on top of the stack. Throws if the stack is too short.
inline std::size_t arguments_on_stack(OperatorEntry& entry, const Stack& stack) {
  std::int32_t n = entry.n_args();
  if (n < 0) Registry::get().report_missing(entry, {});
  TENON_CHECK(stack.size() >= static_cast<std::size_t>(n), ValueError, entry.name(), ": expected ", n,
              " arguments on the stack, got ", stack.size());
  return static_cast<std::size_t>(n);
}
inline KeySet keys_on_stack(const Stack& stack, std::size_t n) {
  std::uint64_t bits = 0;
  for (auto it = stack.end() - static_cast<std::ptrdiff_t>(n); it != stack.end(); ++it) bits |= value_key_bits(*it);
  return KeySet(bits);
}

inline void run_boxed(OperatorEntry& entry, KeySet keys, bool masked, std::size_t n, Stack& stack) {
  Registry& registry = Registry::get();
  auto missing = [&](KeySet all) {
    std::vector<std::uint64_t> from(n);
    for (std::size_t i = 0; i < n; ++i) from[i] = value_key_bits(stack[stack.size() - n + i]);
    registry.report_missing(entry, all, from.data(), n);
  };
  const DispatchTable* table = entry.slot().table.load(std::memory_order_acquire);
  if (!table->special) [[likely]] {
    KeySet kept = masked ? KeySet(keys.bits() & table->mask) : keys;
    const KernelRecord& record = table->at(kept);
    if (!record.boxed || !entry.has_schema()) [[unlikely]]
      missing(keys);
    return record.boxed(record.boxed_data, entry.handle(), kept, stack);
  }
  CallSection section(registry.readers());
  const DispatchTable& now = registry.boxed_table(entry);
  KeySet kept = masked ? KeySet(keys.bits() & now.mask_for(keys)) : keys;
  const KernelRecord& record = now.at(kept);
  TraceDepth depth;
  if (now.traced)
    trace(masked ? TraceKind::CallBoxed : TraceKind::RedispatchBoxed, entry.name(), kept.highest_priority());
  if (!record.boxed || !entry.has_schema()) missing(keys);
  record.boxed(record.boxed_data, entry.handle(), kept, stack);
}

}  // namespace detail

inline void OperatorHandle::call_boxed(Stack& stack) const {
  if (generation_ != 0 && !is_current()) [[unlikely]]
    Registry::get().report_unregistered(*entry_);
  std::size_t n = detail::arguments_on_stack(*entry_, stack);
  detail::run_boxed(*entry_, with_local_keys(detail::keys_on_stack(stack, n)), true, n, stack);
}
inline void OperatorHandle::redispatch_boxed(KeySet keys, Stack& stack) const {
  if (generation_ != 0 && !is_current()) [[unlikely]]
    Registry::get().report_unregistered(*entry_);
  detail::run_boxed(*entry_, keys, false, detail::arguments_on_stack(*entry_, stack), stack);
}
inline void OperatorHandle::call_boxed_for_key(DispatchKey key, Stack& stack) const {
  if (!is_current()) [[unlikely]]
    Registry::get().report_unregistered(*entry_);
  Registry& registry = Registry::get();
  KeySet keys = with_local_keys(detail::keys_on_stack(stack, detail::arguments_on_stack(*entry_, stack)));
  detail::CallSection section(registry.readers());
  auto kernel = registry.kernel_for(*entry_, key);
  kernel->record.boxed(kernel->record.boxed_data, entry_->handle(),
                       KeySet(keys.bits() & registry.table(*entry_).mask_for(keys)), stack);
}

/// An operator whose C++ type was checked; as fast as a call through its declaration.
template <class Sig, class Canonical = canonical_t<Sig>>
class TypedOperatorHandle;
template <class R, class... A, class C, class... B>
class TypedOperatorHandle<R(A...), C(B...)> : public OperatorHandle {
 public:
  TypedOperatorHandle(OperatorHandle handle, detail::OperatorSlot& slot) : OperatorHandle(handle), slot_(&slot) {}
  R call(A... args) const { return detail::call_path<C(B...)>::call(*slot_, static_cast<B>(args)...); }
  R redispatch(KeySet keys, A... args) const {
    return detail::call_path<C(B...)>::redispatch(*slot_, keys, static_cast<B>(args)...);
  }

 private:
  detail::OperatorSlot* slot_;
};

template <class Sig>
auto OperatorHandle::typed() const {
  using C = canonical_t<Sig>;
  if (generation_ != 0 && !is_current()) [[unlikely]]
    Registry::get().report_unregistered(*entry_);
  return TypedOperatorHandle<Sig>(*this, Registry::get().typed_slot(*entry_, detail::signature_info<C>::value,
                                                                    typeid(typename signature<C>::plain)));
}

/// Traces this thread's calls to a function, or to standard error, for a scope.
class DispatchTraceGuard {
 public:
  explicit DispatchTraceGuard(TraceCallback callback = &detail::print_trace_line, void* context = nullptr)
      : before_(detail::trace_state) {
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
