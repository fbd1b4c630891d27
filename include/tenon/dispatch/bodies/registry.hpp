// Bodies of Registry: registration and table computation.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/bodies/registry_state.hpp>

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

}  // namespace detail

TENON_COLD_BODY Registry& Registry::get() {
#ifdef TENON_SHARED_RUNTIME
  static Registry* registry = static_cast<Registry*>(detail::tenon_runtime_registry());
#else
  alignas(Registry) static unsigned char memory[sizeof(Registry)];
  static Registry* registry = new (memory) Registry;
#endif
  return *registry;
}

TENON_COLD_BODY Registry::Registry() : state_(new State) {
  state_->tracers = detail::trace_from_environment() ? 1 : 0;
  const char* strict = std::getenv("TENON_STRICT_REGISTRATION");
  state_->strict = strict && std::strcmp(strict, "0") != 0;
  // Without a layer that makes something of these keys, calls pass them by.
  state_->default_fallthrough = Kernel(fallthrough()).debug("tenon's default").state();
  (key_sets::autograd_expansion | key_sets::default_included).for_each([&](DispatchKey k) {
    state_->passed_by[table_index(k)] = state_->falls_through[table_index(k)] = true;
  });
  // What stands at AutogradOther when a composite kernel hides a backend's own.
  state_->ambiguous_autograd_other =
      Kernel([](const OperatorHandle& op, Stack&) {
        fail<InternalError>(
            op.name(),
            " has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther. This makes the backend kernel unreachable; the dispatcher will always prefer the CompositeImplicitAutograd lowering. Register a kernel for AutogradOther to override it.\nCanonical state\n",
            Registry::get().dump_state(op.entry()));
      })
          .debug("ambiguous_autogradother")
          .state();
}

TENON_COLD_BODY Registry::Lock::Lock(Registry& registry) : registry_(registry) { registry_.state_->mutex.lock(); }
TENON_COLD_BODY Registry::Lock::~Lock() { registry_.state_->mutex.unlock(); }
TENON_COLD_BODY void Registry::set_override_policy(OverridePolicy policy) { state_->override_policy.store(policy); }
TENON_COLD_BODY void Registry::set_strict(bool on) { state_->strict.store(on); }

TENON_COLD_BODY OperatorEntry* Registry::find(std::string_view full_name) {
  OperatorEntry* entry = state_->names.find(full_name);
  if (!entry || entry->has_schema()) return entry;
  std::lock_guard lock(state_->mutex);
  return entry->empty() ? nullptr : entry;
}
TENON_COLD_BODY OperatorHandle Registry::find_op(std::string_view full_name) {
  OperatorEntry* entry = find(full_name);
  return entry ? OperatorHandle(entry, entry->generation()) : OperatorHandle();
}
TENON_COLD_BODY OperatorHandle Registry::find_schema(std::string_view full_name) {
  throw_recorded_errors(full_name);
  OperatorEntry* entry = find(full_name);
  return entry && entry->has_schema() ? OperatorHandle(entry, entry->generation()) : OperatorHandle();
}
TENON_COLD_BODY OperatorHandle Registry::find_schema_or_throw(std::string_view name, std::string_view overload) {
  std::string full(name);
  if (!overload.empty()) (full += '.') += overload;
  throw_recorded_errors(full);
  OperatorEntry* entry = find(full);
  if (entry && entry->has_schema()) return OperatorHandle(entry, entry->generation());
  fail<NotImplementedError>("Could not find schema for ", name, ".", overload,
                            entry ? " but we found an implementation; did you forget to def() the operator?" : "");
}
TENON_COLD_BODY std::vector<OperatorHandle> Registry::operators() {
  std::lock_guard lock(state_->mutex);
  std::vector<OperatorHandle> all;
  state_->names.for_each([&](OperatorEntry& entry) {
    if (!entry.empty()) all.emplace_back(&entry, entry.generation());
  });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name() < b.name(); });
  return all;
}
TENON_COLD_BODY std::vector<OperatorHandle> Registry::find_dangling_impls() {
  auto all = operators();
  std::erase_if(all, [](const OperatorHandle& op) { return op.has_schema(); });
  return all;
}
TENON_COLD_BODY std::vector<std::string> Registry::registrations_for(DispatchKey key) {
  std::lock_guard lock(state_->mutex);
  std::vector<std::string> names;
  for (const auto& op : operators())
    if (key == DispatchKey::Undefined || op.entry().kernel_at(key)) names.emplace_back(op.name());
  return names;
}

TENON_COLD_BODY OperatorEntry& Registry::find_or_create(std::string_view full_name) {
  std::size_t hash = detail::NameIndex::hash(full_name);
  if (OperatorEntry* known = state_->names.find(full_name, hash)) return *known;
  // Whatever may fail comes first. The name lies behind the entry.
  state_->names.reserve_one();
  using Entry = OperatorEntry::WithState;
  static_assert(alignof(Entry) == alignof(void*));
  char* memory = state_->memory.take(sizeof(Entry) + full_name.size());
  full_name.copy(memory + sizeof(Entry), full_name.size());
  Entry& made = *new (memory) Entry({memory + sizeof(Entry), full_name.size()}, state_->empty_table);
  state_->names.insert(made, hash);
  return made;
}

TENON_COLD_BODY OperatorEntry& Registry::join(detail::OperatorSlot& slot) {
  if (auto* entry = slot.entry.load(MemoryOrder::Acquire)) return *entry;
  std::lock_guard lock(state_->mutex);
  if (auto* entry = slot.entry.load(MemoryOrder::Acquire)) return *entry;
  OperatorEntry& entry = find_or_create(slot.name);
  entry.state().with_extra().slots.push_back(&slot);
  slot.table.store(&state_->empty_table, MemoryOrder::Release);
  slot.entry.store(&entry, MemoryOrder::Release);
  return entry;
}

TENON_COLD_BODY void Registry::invalidate(OperatorEntry& entry) {
  // Whoever sets it holds the lock too.
  if (!entry.current_.load(MemoryOrder::Relaxed)) return;
  entry.current_.store(nullptr);
  entry.table_.store(&state_->empty_table, MemoryOrder::Release);
  auto& extra = *entry.state().extra;  // of an operator that has had a table
  for (detail::OperatorSlot* slot : extra.slots) slot->table.store(&state_->empty_table, MemoryOrder::Release);
  if (extra.marked) state_->garbage.push_back({readers_.advance(), std::move(extra.marked)});
}
TENON_COLD_BODY void Registry::invalidate_all() {
  state_->names.for_each([this](OperatorEntry& entry) { invalidate(entry); });
}
TENON_COLD_BODY std::vector<Registry::Garbage> Registry::collect() {
  std::vector<Garbage> free;
  for (auto& g : state_->garbage) {
    if (!readers_.passed(g.epoch)) continue;
    // A plugin waits for the lock before its code goes: what needs that code ends here.
    if (std::any_of(g.table->kernels.begin(), g.table->kernels.end(), [&](const auto& k) { return may_unload(*k); }))
      g.table.reset();
    else
      free.push_back(std::move(g));
  }
  std::erase_if(state_->garbage, [](const auto& g) { return !g.table; });
  std::erase_if(state_->retired_schemas, [&](const auto& gone) {
    if (!readers_.passed(gone.first)) return false;
    state_->give(*gone.second);
    return true;
  });
  return free;
}

TENON_COLD_BODY Registry::Computed Registry::compute(const OperatorEntry& entry, DispatchKey k) {
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
        return {state_->ambiguous_autograd_other.get(), Provenance::AmbiguousAutogradOther};
      if (!entry.has_kernel_in(detail::backends_behind(k)) && !at(DispatchKey::CompositeExplicitAutograd))
        return {kernel, Provenance::Math};
    }
  if (expands_to(DispatchKey::Autograd, k))
    if (auto* kernel = at(DispatchKey::Autograd)) return {kernel, Provenance::Autograd};
  if (expands_to(DispatchKey::FuncTorchBatchedDecomposition, k))
    if (auto* kernel = at(DispatchKey::FuncTorchBatchedDecomposition)) return {kernel, Provenance::Batched};
  if (!undefined) {
    unsigned i = table_index(k);
    if (auto& kernel = state_->fallbacks[i]) return {kernel.get(), Provenance::Fallback};
    if (state_->falls_through[i]) return {state_->default_fallthrough.get(), Provenance::Fallback};
  }
  return {};
}

TENON_COLD_BODY const Kernel::State* Registry::fallback_at(DispatchKey key) {
  std::lock_guard lock(state_->mutex);
  return key == DispatchKey::Undefined ? nullptr : state_->fallbacks[table_index(key)].get();
}

TENON_COLD_BODY const detail::DispatchTable& Registry::table(OperatorEntry& entry) {
  if (const auto* current = entry.current_.load()) return *current;
  std::lock_guard lock(state_->mutex);
  return build(entry);
}

TENON_COLD_BODY const detail::DispatchTable& Registry::table_for(detail::OperatorSlot& slot, OperatorEntry& entry,
                                                                 const std::type_info& type,
                                                                 const std::type_info& plain, bool symbolic) {
  auto serves = [&](const detail::DispatchTable& t) {
    return t.n_args >= 0 && (slot.generation == 0 || slot.generation == t.generation);
  };
  if (const auto* current = entry.current_.load();
      current && current->special && serves(*current) &&
      current->type_version == slot.type_version.load(MemoryOrder::Acquire))
    return *current;
  std::lock_guard lock(state_->mutex);
  const auto& table = build(entry);
  if (!serves(table)) {
    if (table.n_args >= 0) check_call_type(entry, type, plain, symbolic);
    report_unregistered(entry);
  }
  if (slot.type_version.load(MemoryOrder::Relaxed) != table.type_version) {
    check_call_type(entry, type, plain, symbolic);
    slot.type_version.store(table.type_version, MemoryOrder::Release);
  }
  if (!table.special) slot.table.store(&table, MemoryOrder::Release);
  return table;
}

TENON_COLD_BODY const detail::DispatchTable& Registry::boxed_table(OperatorEntry& entry) {
  if (const auto* current = entry.current_.load(); current && current->special && current->n_args >= 0) return *current;
  std::lock_guard lock(state_->mutex);
  const auto& table = build(entry);
  if (table.n_args < 0) report_unregistered(entry);
  if (!table.special) entry.table_.store(&table, MemoryOrder::Release);
  return table;
}

TENON_COLD_BODY OperatorEntry::KernelState Registry::kernel_for(OperatorEntry& entry, DispatchKey key) {
  if (is_alias_key(key)) fail<ValueError>("Alias keys do not have runtime kernel registrations.");
  std::lock_guard lock(state_->mutex);
  if (auto* kernel = entry.kernel_at(key)) return *kernel;
  if (key != DispatchKey::Undefined)
    if (auto& fallback = state_->fallbacks[table_index(key)]) return fallback;
  fail<NotImplementedError>("no kernel for ", key, " on ", entry.name());
}

/// Under the lock.
TENON_COLD_BODY const detail::DispatchTable& Registry::build(OperatorEntry& entry) {
  using detail::DispatchTable;
  if (const auto* current = entry.current_.load()) return *current;
  throw_recorded_errors(entry.name());
  std::vector<const Kernel::State*> used;
  std::uint8_t slot[kTableSize] = {};
  std::uint64_t masks[kBackends];
  for (auto& m : masks) m = ~std::uint64_t{0};
  for (unsigned i = 0; i < kTableSize; ++i) {
    DispatchKey k = detail::key_of_slot[i];
    const Kernel::State* kernel = compute(entry, k).kernel;
    if (!kernel) continue;
    auto at = std::find(used.begin(), used.end(), kernel);
    if (at == used.end()) at = used.insert(used.end(), kernel);
    slot[i] = static_cast<std::uint8_t>(at - used.begin() + 1);
    if (kernel->is_fallthrough && k != DispatchKey::Undefined) {
      std::uint64_t bit = KeySet(functionality_of(k)).bits();
      for (unsigned b = 0; b < kBackends; ++b)
        if (backend_of(k) == BackendComponent::Invalid || static_cast<unsigned>(backend_of(k)) == b + 1)
          masks[b] &= ~bit;
    }
  }
  bool per_backend = std::any_of(masks + 1, masks + kBackends, [&](std::uint64_t m) { return m != masks[0]; });

  const SignatureInfo* type = entry.state().declared_type      ? entry.state().declared_type
                              : entry.state().fixed_type(true) ? entry.state().fixed_type(true)
                                                               : entry.state().fixed_type(false);
  auto& tables = entry.state().with_extra();
  bool marked = tables.kept.size() >= tables.kKept ||
                (type && may_unload(reinterpret_cast<const void*>(type->unboxed_from_boxed)));
  detail::TableOwner owner;
  owner.bytes = sizeof(DispatchTable) + used.size() * sizeof(KernelRecord);
  owner.memory = std::make_unique<unsigned char[]>(owner.bytes);
  auto* table = new (owner.memory.get()) DispatchTable;
  table->mask = masks[0];
  table->n_args = entry.n_args();
  table->generation = entry.generation();
  table->traced = state_->tracers > 0;
  table->signature = type;
  table->n_records = static_cast<std::uint8_t>(used.size() + 1);
  table->type_version = entry.state().type_version;
  if (per_backend) {
    owner.backend_masks = std::make_unique<std::uint64_t[]>(kBackends);
    std::copy(masks, masks + kBackends, owner.backend_masks.get());
    table->backend_masks = owner.backend_masks.get();
  }
  std::memcpy(table->slot, slot, sizeof slot);
  std::size_t n_targets = 0;
  auto calls_boxed = [&](const Kernel::State& k) {
    return !k.record.unboxed && !k.record.unboxed_sym && !k.is_fallthrough && type;
  };
  for (const auto* kernel : used) {
    marked = marked || may_unload(*kernel);
    n_targets += calls_boxed(*kernel);
  }
  if (!tables.handle) tables.handle = entry.handle();  // once: calls may be reading it
  if (n_targets) owner.targets = std::make_unique<detail::BoxedTarget[]>(n_targets);
  n_targets = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    KernelRecord record = used[i]->record;
    if (calls_boxed(*used[i])) {
      owner.targets[n_targets] = {record.boxed, record.boxed_data, &tables.handle};
      record.data = &owner.targets[n_targets++];
      (type->symbolic ? record.unboxed_sym : record.unboxed) = type->unboxed_from_boxed();
    }
    new (table->records + 1 + i) KernelRecord(record);
    owner.kernels.push_back(KernelState::share(const_cast<Kernel::State*>(used[i])));
  }
  table->special = marked || per_backend || table->traced || table->n_args < 0;
  tables.reach = std::max(tables.reach, table->special ? detail::Reach::Marked : detail::Reach::Unmarked);
  // Tables that calls reach without a mark stay; going back and forth between two states makes no new ones.
  if (!table->special)
    for (const auto& old : tables.kept)
      if (old.kernels == owner.kernels && old.table()->mask == table->mask && old.table()->n_args == table->n_args &&
          old.table()->generation == table->generation && old.table()->type_version == table->type_version &&
          std::memcmp(old.table()->slot, slot, sizeof slot) == 0) {
        entry.current_.store(old.table());
        return *old.table();
      }
  if (table->special)
    tables.marked = std::make_unique<detail::TableOwner>(std::move(owner));
  else
    tables.kept.push_back(std::move(owner));
  entry.current_.store(table);
  return *table;
}

}  // namespace tenon
