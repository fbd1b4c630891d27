// Bodies of tables: which kernel serves which key, and when a table is made anew.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/detail/registry_state.hpp>
#include <tenon/dispatch/kernel_check.hpp>
#include <tenon/dispatch/report.hpp>

namespace tenon {
namespace detail {

/// The backends behind an autograd key.
constexpr KeySet backends_behind(DispatchKey k) {
  if (k == DispatchKey::AutogradOther) return key_sets::autograd_other_backends;
  if (k == DispatchKey::AutogradNestedTensor) return KeySet(DispatchKey::NestedTensor) | KeySet::all_backends();
  if (functionality_of(k) == DispatchKey::AutogradFunctionality && backend_of(k) != BackendComponent::Invalid)
    return KeySet(runtime_key(DispatchKey::Dense, backend_of(k)));
  return {};
}

inline void check_call_type(const OperatorEntry& entry, const std::type_info& type, const std::type_info& plain,
                            bool symbolic) {
  if (!serves_type(entry, type, plain, symbolic)) report_wrong_type(entry, type, symbolic);
}

}  // namespace detail

TENON_COLD_BODY OperatorTables::Computed OperatorTables::compute(const OperatorEntry& entry, DispatchKey k) {
  bool undefined = k == DispatchKey::Undefined;
  auto at = [&](DispatchKey key) -> const Kernel::State* {
    auto* kernel = entry.kernel_at(key);
    return kernel ? kernel->get() : nullptr;
  };
  if (!undefined)
    if (auto* kernel = at(k)) return {kernel, Provenance::Kernel};
  if (undefined || expands_to(DispatchKey::CompositeExplicitAutogradNonFunctional, k))
    if (auto* kernel = at(DispatchKey::CompositeExplicitAutogradNonFunctional))
      return {kernel, Provenance::DefaultBackend};
  if (undefined || expands_to(DispatchKey::CompositeExplicitAutograd, k))
    if (auto* kernel = at(DispatchKey::CompositeExplicitAutograd)) return {kernel, Provenance::DefaultBackend};
  if (!undefined && expands_to(DispatchKey::CompositeImplicitAutogradNestedTensor, k))
    if (auto* kernel = at(DispatchKey::CompositeImplicitAutogradNestedTensor)) return {kernel, Provenance::Nested};
  if (undefined || expands_to(DispatchKey::CompositeImplicitAutograd, k))
    if (auto* kernel = at(DispatchKey::CompositeImplicitAutograd)) {
      if (k == DispatchKey::AutogradOther && entry.has_kernel_in(key_sets::autograd_other_backends))
        return {state_.ambiguous_autograd_other.get(), Provenance::AmbiguousAutogradOther};
      if (!entry.has_kernel_in(detail::backends_behind(k)) && !at(DispatchKey::CompositeExplicitAutograd))
        return {kernel, Provenance::Math};
    }
  if (expands_to(DispatchKey::Autograd, k))
    if (auto* kernel = at(DispatchKey::Autograd)) return {kernel, Provenance::Autograd};
  if (expands_to(DispatchKey::FuncTorchBatchedDecomposition, k))
    if (auto* kernel = at(DispatchKey::FuncTorchBatchedDecomposition)) return {kernel, Provenance::Batched};
  if (!undefined) {
    unsigned i = table_index(k);
    if (const auto& kernel = state_.fallbacks.at(i)) return {kernel.get(), Provenance::Fallback};
    if (state_.fallbacks.falls_through(i)) return {state_.default_fallthrough.get(), Provenance::Fallback};
  }
  return {};
}

TENON_COLD_BODY const Kernel::State* OperatorTables::fallback_at(DispatchKey key) {
  std::lock_guard lock(state_.mutex);
  return key == DispatchKey::Undefined ? nullptr : state_.fallbacks.at(table_index(key)).get();
}

TENON_COLD_BODY const detail::DispatchTable& OperatorTables::of(OperatorEntry& entry) {
  if (const auto* current = entry.current_.load()) return *current;
  std::lock_guard lock(state_.mutex);
  return build(entry);
}

TENON_COLD_BODY const detail::DispatchTable& OperatorTables::for_site(detail::OperatorSlot& slot, OperatorEntry& entry,
                                                                      const std::type_info& type,
                                                                      const std::type_info& plain, bool symbolic) {
  auto serves = [&](const detail::DispatchTable& t) {
    return t.n_args >= 0 && (slot.generation == 0 || slot.generation == t.generation);
  };
  if (const auto* current = entry.current_.load();
      current && current->special && serves(*current) &&
      current->type_version == slot.type_version.load(MemoryOrder::Acquire))
    return *current;
  std::lock_guard lock(state_.mutex);
  const auto& table = build(entry);
  if (!serves(table)) {
    if (table.n_args >= 0) detail::check_call_type(entry, type, plain, symbolic);
    detail::report_unregistered(entry);
  }
  if (slot.type_version.load(MemoryOrder::Relaxed) != table.type_version) {
    detail::check_call_type(entry, type, plain, symbolic);
    slot.type_version.store(table.type_version, MemoryOrder::Release);
  }
  if (!table.special) slot.table.store(&table, MemoryOrder::Release);
  return table;
}

TENON_COLD_BODY const detail::DispatchTable& OperatorTables::for_boxed(OperatorEntry& entry) {
  if (const auto* current = entry.current_.load(); current && current->special && current->n_args >= 0) return *current;
  std::lock_guard lock(state_.mutex);
  const auto& table = build(entry);
  if (table.n_args < 0) detail::report_unregistered(entry);
  if (!table.special) entry.table_.store(&table, MemoryOrder::Release);
  return table;
}

TENON_COLD_BODY OperatorEntry::KernelState OperatorTables::kernel_for(OperatorEntry& entry, DispatchKey key) {
  if (is_alias_key(key)) fail<ValueError>("Alias keys do not have runtime kernel registrations.");
  std::lock_guard lock(state_.mutex);
  if (auto* kernel = entry.kernel_at(key)) return *kernel;
  if (key != DispatchKey::Undefined)
    if (const auto& fallback = state_.fallbacks.at(table_index(key))) return fallback;
  fail<NotImplementedError>("no kernel for ", key, " on ", entry.name());
}

/// A table on its way: what each key runs, then the memory that calls will read.
struct OperatorTables::Draft {
  OperatorEntry& entry;
  detail::RegistryState& state;
  const SignatureInfo* type;  ///< the operator's C++ type, if a unit has told it
  std::vector<const Kernel::State*> used;
  std::uint8_t slot[kTableSize] = {};
  std::uint64_t masks[kBackends];
  detail::TableOwner owner;

  Draft(OperatorEntry& of, detail::RegistryState& registry) : entry(of), state(registry) {
    const auto& own = entry.state();
    type = own.declared_type ? own.declared_type : own.fixed_type(true) ? own.fixed_type(true) : own.fixed_type(false);
    std::fill(std::begin(masks), std::end(masks), ~std::uint64_t{0});
  }
  void choose_kernels() {
    OperatorTables tables(state);
    for (unsigned i = 0; i < kTableSize; ++i) {
      DispatchKey k = detail::key_of_slot[i];
      const Kernel::State* kernel = tables.compute(entry, k).kernel;
      if (!kernel) continue;
      auto at = std::find(used.begin(), used.end(), kernel);
      if (at == used.end()) at = used.insert(used.end(), kernel);
      slot[i] = static_cast<std::uint8_t>(at - used.begin() + 1);
      if (kernel->is_fallthrough && k != DispatchKey::Undefined) mask_out(k);
    }
  }
  void mask_out(DispatchKey k) {
    std::uint64_t bit = KeySet(functionality_of(k)).bits();
    for (unsigned b = 0; b < kBackends; ++b)
      if (backend_of(k) == BackendComponent::Invalid || static_cast<unsigned>(backend_of(k)) == b + 1) masks[b] &= ~bit;
  }
  bool per_backend() const {
    return std::any_of(masks + 1, masks + kBackends, [&](std::uint64_t m) { return m != masks[0]; });
  }
  /// Whether calls must leave a mark, so that the table can be freed.
  bool is_marked() const {
    const auto& tables = *entry.state().extra;
    return tables.kept.size() >= tables.kKept ||
           (type && state.modules.may_unload(reinterpret_cast<const void*>(type->unboxed_from_boxed))) ||
           std::any_of(used.begin(), used.end(), [&](const auto* k) { return state.modules.may_unload(*k); });
  }
  detail::DispatchTable* make_table() {
    using detail::DispatchTable;
    owner.bytes = sizeof(DispatchTable) + used.size() * sizeof(KernelRecord);
    owner.memory = std::make_unique<unsigned char[]>(owner.bytes);
    auto* table = new (owner.memory.get()) DispatchTable;
    table->mask = masks[0];
    table->n_args = entry.n_args();
    table->generation = entry.generation();
    table->traced = state.tracers > 0;
    table->signature = type;
    table->n_records = static_cast<std::uint8_t>(used.size() + 1);
    table->type_version = entry.state().type_version;
    if (per_backend()) {
      owner.backend_masks = std::make_unique<std::uint64_t[]>(kBackends);
      std::copy(masks, masks + kBackends, owner.backend_masks.get());
      table->backend_masks = owner.backend_masks.get();
    }
    std::memcpy(table->slot, slot, sizeof slot);
    table->special = is_marked() || per_backend() || table->traced || table->n_args < 0;
    return table;
  }
  /// The kernels' records, boxed ones in a form that calls with typed arguments take.
  void fill_records(detail::DispatchTable& table) {
    auto calls_boxed = [&](const Kernel::State& k) {
      return !k.record.unboxed && !k.record.unboxed_sym && !k.is_fallthrough && type;
    };
    auto& tables = *entry.state().extra;
    if (!tables.handle) tables.handle = entry.handle();  // once: calls may be reading it
    auto n = std::count_if(used.begin(), used.end(), [&](const auto* k) { return calls_boxed(*k); });
    if (n) owner.targets = std::make_unique<detail::BoxedTarget[]>(static_cast<std::size_t>(n));
    n = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      KernelRecord record = used[i]->record;
      if (calls_boxed(*used[i])) {
        auto& target = owner.targets[static_cast<std::size_t>(n++)];
        target = {record.boxed, record.boxed_data, &tables.handle};
        record.data = &target;
        (type->symbolic ? record.unboxed_sym : record.unboxed) = type->unboxed_from_boxed();
      }
      new (table.records + 1 + i) KernelRecord(record);
      owner.kernels.push_back(OperatorEntry::KernelState::share(const_cast<Kernel::State*>(used[i])));
    }
  }
  /// A table that stayed and is the same; null if there is none.
  const detail::DispatchTable* known(const detail::DispatchTable& table) const {
    for (const auto& old : entry.state().extra->kept)
      if (const auto& t = *old.table(); old.kernels == owner.kernels && t.mask == table.mask &&
                                        t.n_args == table.n_args && t.generation == table.generation &&
                                        t.type_version == table.type_version &&
                                        std::memcmp(t.slot, slot, sizeof slot) == 0)
        return &t;
    return nullptr;
  }
};

/// Under the lock.
TENON_COLD_BODY const detail::DispatchTable& OperatorTables::build(OperatorEntry& entry) {
  if (const auto* current = entry.current_.load()) return *current;
  state_.errors.throw_for(entry.name());
  auto& tables = entry.state().with_extra();
  Draft draft(entry, state_);
  draft.choose_kernels();
  const detail::DispatchTable* table = draft.make_table();
  draft.fill_records(const_cast<detail::DispatchTable&>(*table));
  tables.reach = std::max(tables.reach, table->special ? detail::Reach::Marked : detail::Reach::Unmarked);
  // Tables that calls reach without a mark stay; going back and forth between two states makes no new ones.
  if (table->special)
    tables.marked = std::make_unique<detail::TableOwner>(std::move(draft.owner));
  else if (const auto* old = draft.known(*table))
    table = old;
  else
    tables.kept.push_back(std::move(draft.owner));
  entry.current_.store(table);
  return *table;
}

TENON_COLD_BODY void OperatorTables::invalidate(OperatorEntry& entry) {
  // Whoever sets it holds the lock too.
  if (!entry.current_.load(MemoryOrder::Relaxed)) return;
  entry.current_.store(nullptr);
  entry.table_.store(&state_.empty_table, MemoryOrder::Release);
  auto& extra = *entry.state().extra;  // of an operator that has had a table
  for (detail::OperatorSlot* slot : extra.slots) slot->table.store(&state_.empty_table, MemoryOrder::Release);
  if (extra.marked) state_.retired.add(state_.readers.advance(), std::move(extra.marked));
}
TENON_COLD_BODY void OperatorTables::invalidate_all() {
  state_.names.for_each([this](OperatorEntry& entry) { invalidate(entry); });
}

TENON_COLD_BODY OperatorEntry& OperatorTables::join(detail::OperatorSlot& slot) {
  if (auto* entry = slot.entry.load(MemoryOrder::Acquire)) return *entry;
  std::lock_guard lock(state_.mutex);
  if (auto* entry = slot.entry.load(MemoryOrder::Acquire)) return *entry;
  OperatorEntry& entry = Registry::get().find_or_create(slot.name);
  entry.state().with_extra().slots.push_back(&slot);
  slot.table.store(&state_.empty_table, MemoryOrder::Release);
  slot.entry.store(&entry, MemoryOrder::Release);
  return entry;
}

TENON_COLD_BODY bool OperatorTables::serves(const OperatorEntry& entry, const SignatureInfo& type) {
  std::lock_guard lock(state_.mutex);
  return detail::serves_type(entry, *type.type, *type.plain_type, type.symbolic);
}

TENON_COLD_BODY detail::OperatorSlot& OperatorTables::typed_slot(OperatorEntry& entry, std::uint32_t generation,
                                                                 const SignatureInfo& type) {
  std::lock_guard lock(state_.mutex);
  detail::check_call_type(entry, *type.type, *type.plain_type, type.symbolic);
  auto& slots = entry.state().with_extra().typed_slots;
  auto at = std::find_if(slots.begin(), slots.end(), [&](const auto& t) {
    return t->slot.generation == generation && t->type == type.type->name();
  });
  if (at == slots.end()) {
    at = slots.insert(at, std::make_unique<OperatorEntry::State::Extra::TypedSlot>());
    (*at)->type = type.type->name();
    auto& slot = (*at)->slot;
    slot.name = entry.name();
    slot.generation = generation;
    slot.table.store(&state_.empty_table);
    slot.entry.store(&entry);
    entry.state().extra->slots.push_back(&slot);
  }
  auto& slot = (*at)->slot;
  const SignatureInfo* known = slot.type.load();
  if (!known || (state_.modules.may_unload(known) && !state_.modules.may_unload(&type))) slot.type.store(&type);
  return slot;
}

}  // namespace tenon
