// Bodies of boxed calls.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/boxing/bodies/value.hpp>
#include <tenon/boxing/value_text.hpp>
#include <tenon/dispatch/bodies/observer.hpp>
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
  if (!table.traced || !masked || !call_observers) return nullptr;
  return OwnedPtr<Observation>(new Observation(entry.handle(), keys, box_arguments));
}

TENON_BODY SlowCall::SlowCall(const Site& site, KeySet keys, const std::uint64_t* from_arguments,
                              const void* const* arguments)
    : entry_(Registry::get().join(site.slot)), section_(Registry::get().readers()), keys_(keys) {
  Registry& registry = Registry::get();
  OperatorEntry& entry = entry_;
  const DispatchTable& table = registry.table_for(site.slot, entry, site.type, site.plain, site.symbolic);
  if (site.masked) keys_ = KeySet(keys.bits() & table.mask_for(keys));
  record_ = &table.at(keys_);
  auto trace_if_asked = [&](TraceKind kind, std::string_view path = {}) {
    if (table.traced) trace(kind, entry.name(), keys_.highest_priority(), path);
  };
  trace_if_asked(site.masked ? TraceKind::Call : TraceKind::Redispatch);
  observation_ = observe(table, entry, keys_, site.masked, [&](Stack& stack) {
    for (const SignatureInfo* type : {table.signature, site.slot.type.load(MemoryOrder::Acquire)}) {
      if (!type || *type->type != site.type) continue;
      for (std::size_t i = 0; i < site.n_args; ++i) type->box_into[i](stack, arguments[i]);
      return true;
    }
    return false;
  });
  if (record_->unboxed || (site.symbolic && record_->unboxed_sym)) {
    trace_if_asked(TraceKind::Kernel, path_to(table, *record_, site.symbolic));
    return;
  }
  if (!record_->boxed || !entry.has_schema()) registry.report_missing(entry, keys, from_arguments, site.n_args);
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

TENON_BODY DispatchKey factory_key(Layout layout, Device device) {
  DispatchKey dense = dispatch_key_of(device.type);
  switch (layout) {
    case Layout::Strided: return dense;
    case Layout::Sparse: return runtime_key(DispatchKey::Sparse, backend_of(dense));
    case Layout::Mkldnn: return DispatchKey::MkldnnCPU;
    case Layout::Jagged: return runtime_key(DispatchKey::NestedTensor, backend_of(dense));
    default: return runtime_key(DispatchKey::SparseCsr, backend_of(dense));
  }
}

TENON_BODY std::size_t arguments_on_stack(OperatorEntry& entry, const Stack& stack) {
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

/// Says which argument is symbolic, if it is one of these; `first` is the place of the first on the stack.
TENON_COLD inline void name_symbolic_argument(const OperatorEntry& entry, const Stack& stack, std::size_t first,
                                              std::size_t n, const SymbolicValueError& e) {
  for (std::size_t i = 0; i < n && first + i < stack.size(); ++i)
    if (e.is_in(stack[first + i]))
      fail<TypeError>(entry.schema(), ": argument ", i + 1, " '", entry.schema().arg_name(i),
                      "': expected plain integers, got ", stack[first + i],
                      "; register a kernel that takes SymInt, or call guard_int() on the value");
}
/// Runs a kernel on the `n` arguments on top of the stack.
inline void run_kernel(const KernelRecord& record, const OperatorEntry& entry, KeySet keys, std::size_t n,
                       Stack& stack) {
  std::size_t first = stack.size() - n;
  try {
    record.boxed(record.boxed_data, entry.handle(), keys, stack);
  } catch (const SymbolicValueError& e) {
    name_symbolic_argument(entry, stack, first, n, e);
    throw;
  }
}

inline void run_boxed(OperatorEntry& entry, KeySet keys, bool masked, std::size_t n, Stack& stack) {
  Registry& registry = Registry::get();
  auto missing = [&](KeySet all) {
    std::vector<std::uint64_t> from(n);
    for (std::size_t i = 0; i < n; ++i) from[i] = value_key_bits(stack[stack.size() - n + i]);
    registry.report_missing(entry, all, from.data(), n);
  };
  const DispatchTable* table = &entry.table();
  if (!table->special) [[likely]] {
    KeySet kept = masked ? KeySet(keys.bits() & table->mask) : keys;
    const KernelRecord& record = table->at(kept);
    if (!record.boxed || !entry.has_schema()) [[unlikely]]
      missing(keys);
    return run_kernel(record, entry, kept, n, stack);
  }
  CallSection section(registry.readers());
  const DispatchTable& now = registry.boxed_table(entry);
  KeySet kept = masked ? KeySet(keys.bits() & now.mask_for(keys)) : keys;
  const KernelRecord& record = now.at(kept);
  TraceDepth depth;
  if (now.traced)
    trace(masked ? TraceKind::CallBoxed : TraceKind::RedispatchBoxed, entry.name(), kept.highest_priority());
  auto observation = observe(now, entry, kept, masked, [&](Stack& inputs) {
    inputs.assign(stack.end() - static_cast<std::ptrdiff_t>(n), stack.end());
    return true;
  });
  if (!record.boxed || !entry.has_schema()) missing(keys);
  run_kernel(record, entry, kept, n, stack);
}

}  // namespace detail

TENON_BODY void OperatorHandle::call_boxed(Stack& stack) const {
  if (generation_ != 0 && !is_current()) [[unlikely]]
    Registry::get().report_unregistered(*entry_);
  std::size_t n = detail::arguments_on_stack(*entry_, stack);
  detail::run_boxed(*entry_, with_local_keys(detail::keys_on_stack(stack, n)), true, n, stack);
}

TENON_BODY void OperatorHandle::redispatch_boxed(KeySet keys, Stack& stack) const {
  if (generation_ != 0 && !is_current()) [[unlikely]]
    Registry::get().report_unregistered(*entry_);
  detail::run_boxed(*entry_, keys, false, detail::arguments_on_stack(*entry_, stack), stack);
}

TENON_BODY void OperatorHandle::call_boxed_for_key(DispatchKey key, Stack& stack) const {
  if (!is_current()) [[unlikely]]
    Registry::get().report_unregistered(*entry_);
  Registry& registry = Registry::get();
  std::size_t n = detail::arguments_on_stack(*entry_, stack);
  KeySet keys = with_local_keys(detail::keys_on_stack(stack, n));
  detail::CallSection section(registry.readers());
  auto kernel = registry.kernel_for(*entry_, key);
  detail::run_kernel(kernel->record, *entry_, KeySet(keys.bits() & registry.table(*entry_).mask_for(keys)), n, stack);
}

}  // namespace tenon
