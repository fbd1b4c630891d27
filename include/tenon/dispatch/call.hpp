// The way of a call: key set, mask, table, kernel.
#pragma once

#include <tenon/base/owned_ptr.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/dispatch/report.hpp>
#include <tenon/dispatch/trace.hpp>

namespace tenon {
namespace detail {

/// The key of the back end that makes tensors of a dtype and a layout on a device.
DispatchKey factory_key(ScalarType dtype, Layout layout, Device device);

/// The way from an unboxed call to a kernel, for the trace: `unboxed`, `sym`, or `boxed` if the arguments are boxed
/// first.
std::string_view path_to(const DispatchTable& table, const KernelRecord& record, bool symbolic);

/// What a factory operator's arguments ask for; what is absent is the CPU's.
struct FactoryTarget {
  Device device = kCPU;
  Layout layout = Layout::Strided;
  ScalarType dtype = kFloat;
  template <class... A>
  [[gnu::always_inline]] constexpr explicit FactoryTarget(const A&... args) {
    (look(args), ...);
  }
  constexpr bool is_dense_cpu() const {
    return device.is_cpu() && layout == Layout::Strided && !is_quantized_type(dtype);
  }

 private:
  template <class T>
  [[gnu::always_inline]] constexpr void look(const T& x) {
    if constexpr (std::is_same_v<T, std::optional<Device>>)
      device = x.value_or(device);
    else if constexpr (std::is_same_v<T, std::optional<Layout>>)
      layout = x.value_or(layout);
    else if constexpr (std::is_same_v<T, std::optional<ScalarType>>)
      dtype = x.value_or(dtype);
  }
};

/// The BackendSelect kernel of a factory operator: redispatches to the key of its device and layout arguments. `slot`
/// is the operator's.
template <class Sig>
struct backend_select;

class Observation;

/// First calls, traced calls, masks that differ between backends, tables that may be freed, missing kernels: finds the
/// kernel, and lives as long as it runs.
class SlowCall {
 public:
  struct Site {
    OperatorSlot& slot;
    const std::type_info& type;
    const std::type_info& plain;
    bool symbolic, masked;
    std::size_t n_args;
  };
  /// Throws if there is no kernel. `from_arguments` holds the key bits that each argument brings, `arguments` leads to
  /// them.
  SlowCall(const Site& site, KeySet keys, const std::uint64_t* from_arguments, const void* const* arguments);
  SlowCall(const SlowCall&) = delete;
  SlowCall& operator=(const SlowCall&) = delete;
  ~SlowCall();
  const KernelRecord& record() const { return *record_; }
  KeySet keys() const { return keys_; }

 private:
  OperatorEntry& entry_;
  CallSection section_;
  TraceDepth depth_;
  KeySet keys_;
  const KernelRecord* record_;
  KernelRecord typed_;  // of a boxed kernel, by way of a typed handle's call site
  BoxedTarget target_;
  OperatorHandle op_;
  OwnedPtr<Observation> observation_;
};

/// Whether an operator with these parameters makes tensors of its own: the back end is chosen by its options.
template <class... A>
inline constexpr bool is_factory_v = (std::is_same_v<A, std::optional<Device>> || ...) &&
                                     !(carries_keys_v<std::remove_cvref_t<A>> || ...);

/// A call of an operator of the type R(A...). All operators of a type share it: inlined it would be ten times the code
/// at each call, and no faster. The usual types' are compiled once per program: `dispatch/usual_calls.hpp`.
template <class R, class... A>
[[gnu::noinline]] R call_operator(OperatorSlot& slot, A... args);

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
    return call_operator<R, A...>(slot, static_cast<A&&>(args)...);
  }
  /// For factories, most of whose options are known to be absent where they are called.
  [[gnu::always_inline]] static R call_here(OperatorSlot& slot, A... args) {
    return call_with(slot, static_cast<A&&>(args)...);
  }
  /// Takes references: to move a few symbolic integers costs as much as the way to the kernel.
  [[gnu::always_inline]] static R call_with(OperatorSlot& slot, A&&... args) {
    const DispatchTable* table = slot.table.load(MemoryOrder::Acquire);
    KeySet keys = with_local_keys(KeySet((std::uint64_t{0} | ... | key_bits(args))));
    if (!table->special) [[likely]] {
      KeySet masked(keys.bits() & table->mask);
      if constexpr (is_factory_v<A...>) {
        // The choice of a back end needs neither a look-up nor a call of its own where it is the usual one.
        constexpr KeySet select{DispatchKey::BackendSelect}, cpu{DispatchKey::CPU};
        const KernelRecord &choice = table->at(select), &next = table->at(cpu);
        if (masked == select &&
            (symbolic ? choice.unboxed_sym : choice.unboxed) ==
                reinterpret_cast<AnyFunction>(&backend_select<R(A...)>::call) &&
            FactoryTarget(args...).is_dense_cpu() && callable(next)) [[likely]]
          return adaptor::call_record_last(next, cpu, slot.name, static_cast<A&&>(args)...);
      }
      constexpr KeySet usual{DispatchKey::AutogradCPU, DispatchKey::CPU}, lower{DispatchKey::ADInplaceOrView};
      const KernelRecord& record = table->at<usual.bits(), lower.bits()>(masked);
      if (callable(record)) [[likely]]
        return adaptor::call_record_last(record, masked, slot.name, static_cast<A&&>(args)...);
    }
    return slow(slot, keys, true, static_cast<A>(args)...);
  }

  [[gnu::noinline]] static R redispatch(OperatorSlot& slot, KeySet keys, A... args) {
    return redispatch_here(slot, keys, static_cast<A&&>(args)...);
  }
  /// The same inside a kernel that passes its own arguments on: no frame and no copies, and they stay as they are.
  [[gnu::always_inline]] static R redispatch_here(OperatorSlot& slot, KeySet keys, A&&... args) {
    const DispatchTable* table = slot.table.load(MemoryOrder::Acquire);
    if (!table->special) [[likely]] {
      const KernelRecord& record = table->at<KeySet(DispatchKey::CPU).bits()>(keys);
      if (callable(record)) [[likely]]
        return adaptor::call_record(record, keys, slot.name, static_cast<A&&>(args)...);
    }
    return slow(slot, keys, false, static_cast<A>(args)...);
  }
  /// The same where the next kernel is most often `Next::call` at the key `At`: then its `Next::run`, in place of a
  /// call.
  template <class Next, DispatchKey At>
  [[gnu::always_inline]] static R redispatch_to(OperatorSlot& slot, KeySet keys, A&&... args) {
    const DispatchTable* table = slot.table.load(MemoryOrder::Acquire);
    if (!table->special) [[likely]] {
      constexpr KeySet usual{DispatchKey::CPU, At};
      const KernelRecord& record = table->at<usual.bits()>(keys);
      if ((symbolic ? record.unboxed_sym : record.unboxed) == reinterpret_cast<AnyFunction>(&Next::call)) [[likely]]
        return Next::run(record.data, keys, static_cast<A&&>(args)...);
    }
    return redispatch(slot, keys, static_cast<A>(args)...);
  }

 private:
  [[gnu::cold, gnu::noinline]] static R slow(OperatorSlot& slot, KeySet keys, bool masked, A... args);
};
template <class R, class... A>
R call_path<R(A...)>::slow(OperatorSlot& slot, KeySet keys, bool masked, A... args) {
  const std::uint64_t from[] = {key_bits(args)..., 0};
  const void* const arguments[] = {__builtin_addressof(args)..., nullptr};
  SlowCall call({slot, typeid(R(A...)), typeid(typename signature<R(A...)>::plain), symbolic, masked, sizeof...(A)},
                keys, from, arguments);
  return adaptor::call_record(call.record(), call.keys(), slot.name, static_cast<A&&>(args)...);
}

template <class R, class... A>
R call_operator(OperatorSlot& slot, A... args) {
  return call_path<R(A...)>::call_with(slot, static_cast<A&&>(args)...);
}

template <class R, class... A>
struct backend_select<R(A...)> {
  static R call(void* slot, KeySet, A... args);
};
template <class R, class... A>
R backend_select<R(A...)>::call(void* slot, KeySet, A... args) {
  FactoryTarget target(args...);
  return call_path<R(A...)>::redispatch(
      *static_cast<OperatorSlot*>(slot),
      target.is_dense_cpu() ? DispatchKey::CPU : factory_key(target.dtype, target.layout, target.device),
      static_cast<A>(args)...);
}

/// The number of an operator's arguments, which lie on top of the stack. Throws if the stack is too short.
std::size_t arguments_on_stack(OperatorEntry& entry, const Stack& stack);

}  // namespace detail

/// An operator whose C++ type was checked; as fast as a call through its declaration.
template <class Sig, class Canonical = canonical_t<Sig>>
class TypedOperatorHandle;
template <class R, class... A, class C, class... B>
class TypedOperatorHandle<R(A...), C(B...)> : public OperatorHandle {
 public:
  /// `symbolic`: the slot is of an operator that returns symbolic integers where the handle returns plain ones.
  TypedOperatorHandle(OperatorHandle handle, detail::OperatorSlot& slot, bool symbolic)
      : OperatorHandle(handle), slot_(&slot), symbolic_(symbolic) {}
  R call(A... args) const {
    return as_spelled([&]() -> C {
      if constexpr (may_be_symbolic)
        if (symbolic_) return plain(detail::call_path<Symbolic(B...)>::call(*slot_, static_cast<B>(args)...));
      return detail::call_path<C(B...)>::call(*slot_, static_cast<B>(args)...);
    });
  }
  R redispatch(KeySet keys, A... args) const {
    return as_spelled([&]() -> C {
      if constexpr (may_be_symbolic)
        if (symbolic_)
          return plain(detail::call_path<Symbolic(B...)>::redispatch(*slot_, keys, static_cast<B>(args)...));
      return detail::call_path<C(B...)>::redispatch(*slot_, keys, static_cast<B>(args)...);
    });
  }

 private:
  using Symbolic = detail::symbolic_result_t<C>;
  static constexpr bool may_be_symbolic = !std::is_same_v<C, Symbolic>;
  template <class S>
  C plain(S&& result) const {
    return detail::plain_result<C>(std::forward<S>(result), name());
  }
  /// What schemas cannot name word by word comes as a Value.
  template <class F>
  [[gnu::always_inline]] static R as_spelled(F&& run) {
    if constexpr (std::is_same_v<C, Value> && !std::is_same_v<R, Value>) {
      Value result = run();
      return detail::from_value<R>(result);
    } else
      return run();
  }

  detail::OperatorSlot* slot_;
  bool symbolic_;
};

namespace detail {
template <class Sig>
struct with_symbolic_result;
template <class R, class... A>
struct with_symbolic_result<R(A...)> {
  using type = symbolic_result_t<R>(A...);
};
}  // namespace detail

template <class Sig>
auto OperatorHandle::typed() const {
  using C = canonical_t<Sig>;
  using S = typename detail::with_symbolic_result<C>::type;
  Registry& registry = Registry::get();
  if (generation_ != 0 && !is_current()) [[unlikely]]
    detail::report_unregistered(*entry_);
  const SignatureInfo* type = &detail::signature_info<C>::value;
  bool symbolic = false;
  if constexpr (!std::is_same_v<C, S>)
    if (!registry.tables().serves(*entry_, *type) &&
        registry.tables().serves(*entry_, detail::signature_info<S>::value)) {
      symbolic = true;
      type = &detail::signature_info<S>::value;
    }
  return TypedOperatorHandle<Sig>(*this, registry.tables().typed_slot(*entry_, generation_, *type), symbolic);
}

}  // namespace tenon
