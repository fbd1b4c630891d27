// Bodies of Registry: registration and table computation.
#pragma once
#include <cxxabi.h>

#include <cstdio>

#include <tenon/dispatch/registry.hpp>

namespace tenon {
namespace detail {

/// The runtime key of each table entry.
constexpr std::array<DispatchKey, kTableSize> make_key_of_slot() {
  std::array<DispatchKey, kTableSize> keys{};
  KeySet::full().for_each([&](DispatchKey k) { keys[table_index(k)] = k; });
  return keys;
}
inline constexpr std::array<DispatchKey, kTableSize> key_of_slot = make_key_of_slot();

inline std::string cpp_type_name(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : type.name();
  std::free(text);
  return name;
}

/// The backends behind an autograd key.
constexpr KeySet backends_behind(DispatchKey k) {
  if (k == DispatchKey::AutogradOther) return key_sets::autograd_other_backends;
  if (k == DispatchKey::AutogradNestedTensor) return KeySet(DispatchKey::NestedTensor) | KeySet::all_backends();
  if (functionality_of(k) == DispatchKey::AutogradFunctionality && backend_of(k) != BackendComponent::Invalid) return KeySet(runtime_key(DispatchKey::Dense, backend_of(k)));
  return {};
}

/// What stands at AutogradOther when a composite kernel hides a backend's own.
inline const Kernel::State& ambiguous_autograd_other() {
  static const Kernel kernel = Kernel([](const OperatorHandle& op, Stack&) {
    fail<InternalError>(op.name(), " has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther. This makes the backend kernel unreachable; the dispatcher will always prefer the CompositeImplicitAutograd lowering. Register a kernel for AutogradOther to override it.\nCanonical state\n", Registry::get().dump_state(op.entry()));
  }).debug("ambiguous_autogradother");
  return *kernel.state();
}

}  // namespace detail

inline OperatorEntry* Registry::find(std::string_view full_name) {
  std::lock_guard lock(mutex_);
  auto it = entries_.find(full_name);
  return it == entries_.end() || it->second->empty() ? nullptr : it->second.get();
}
inline OperatorHandle Registry::find_op(std::string_view full_name) { return OperatorHandle(find(full_name)); }
inline OperatorHandle Registry::find_schema(std::string_view full_name) {
  OperatorEntry* entry = find(full_name);
  return entry && entry->has_schema() ? OperatorHandle(entry) : OperatorHandle();
}
inline OperatorHandle Registry::find_schema_or_throw(std::string_view name, std::string_view overload) {
  std::string full(name);
  if (!overload.empty()) (full += '.') += overload;
  throw_recorded_errors(full.substr(0, full.find(':')));
  OperatorEntry* entry = find(full);
  if (entry && entry->has_schema()) return OperatorHandle(entry);
  fail<NotImplementedError>("Could not find schema for ", name, ".", overload, entry ? " but we found an implementation; did you forget to def() the operator?" : "");
}
inline std::vector<OperatorHandle> Registry::operators() {
  std::lock_guard lock(mutex_);
  std::vector<OperatorHandle> all;
  for (auto& [name, entry] : entries_)
    if (!entry->empty()) all.push_back(entry->handle());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name() < b.name(); });
  return all;
}
inline std::vector<OperatorHandle> Registry::find_dangling_impls() {
  auto all = operators();
  std::erase_if(all, [](const OperatorHandle& op) { return op.has_schema(); });
  return all;
}
inline std::vector<std::string> Registry::registrations_for(DispatchKey key) {
  std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& op : operators())
    if (key == DispatchKey::Undefined || op.entry().kernel_at(key)) names.push_back(op.name());
  return names;
}

inline OperatorEntry& Registry::find_or_create(std::string_view full_name) {
  auto it = entries_.find(full_name);
  if (it != entries_.end()) return *it->second;
  auto entry = std::make_unique<OperatorEntry>(std::string(full_name));
  OperatorEntry& made = *entry;
  entries_.emplace(made.name(), std::move(entry));
  made.slot_.entry.store(&made, std::memory_order_release);
  return made;
}

inline OperatorEntry& Registry::join(detail::OperatorSlot& slot) {
  if (auto* entry = slot.entry.load(std::memory_order_acquire)) return *entry;
  std::lock_guard lock(mutex_);
  if (auto* entry = slot.entry.load(std::memory_order_acquire)) return *entry;
  OperatorEntry& entry = find_or_create(slot.name);
  entry.slots_.push_back(&slot);
  slot.table.store(entry.slot_.table.load(std::memory_order_acquire), std::memory_order_release);
  slot.entry.store(&entry, std::memory_order_release);
  return entry;
}

inline void Registry::invalidate(OperatorEntry& entry) {
  for (detail::OperatorSlot* slot : entry.slots_) slot->table.store(&detail::unbuilt_table, std::memory_order_release);
}
inline void Registry::invalidate_all() {
  for (auto& [name, entry] : entries_) invalidate(*entry);
}

inline Registry::Computed Registry::compute(const OperatorEntry& entry, DispatchKey k) {
  bool undefined = k == DispatchKey::Undefined;
  auto at = [&](DispatchKey key) -> const Kernel::State* {
    auto* kernel = entry.kernel_at(key);
    return kernel ? kernel->get() : nullptr;
  };
  if (!undefined)
    if (auto* kernel = at(k)) return {kernel, Provenance::Kernel};
  if (undefined || expands_to(DispatchKey::CompositeExplicitAutogradNonFunctional, k))
    if (auto* kernel = at(DispatchKey::CompositeExplicitAutogradNonFunctional)) return {kernel, Provenance::DefaultBackend};
  if (undefined || expands_to(DispatchKey::CompositeExplicitAutograd, k))
    if (auto* kernel = at(DispatchKey::CompositeExplicitAutograd)) return {kernel, Provenance::DefaultBackend};
  if (!undefined && expands_to(DispatchKey::CompositeImplicitAutogradNestedTensor, k))
    if (auto* kernel = at(DispatchKey::CompositeImplicitAutogradNestedTensor)) return {kernel, Provenance::Nested};
  if (undefined || expands_to(DispatchKey::CompositeImplicitAutograd, k))
    if (auto* kernel = at(DispatchKey::CompositeImplicitAutograd)) {
      if (k == DispatchKey::AutogradOther && entry.has_kernel_in(key_sets::autograd_other_backends)) return {&detail::ambiguous_autograd_other(), Provenance::AmbiguousAutogradOther};
      if (!entry.has_kernel_in(detail::backends_behind(k)) && !at(DispatchKey::CompositeExplicitAutograd)) return {kernel, Provenance::Math};
    }
  if (expands_to(DispatchKey::Autograd, k))
    if (auto* kernel = at(DispatchKey::Autograd)) return {kernel, Provenance::Autograd};
  if (expands_to(DispatchKey::FuncTorchBatchedDecomposition, k))
    if (auto* kernel = at(DispatchKey::FuncTorchBatchedDecomposition)) return {kernel, Provenance::Batched};
  if (!undefined)
    if (auto& kernel = fallbacks_[table_index(k)]) return {kernel.get(), Provenance::Fallback};
  return {};
}

inline const Kernel::State* Registry::fallback_at(DispatchKey key) {
  std::lock_guard lock(mutex_);
  return key == DispatchKey::Undefined ? nullptr : fallbacks_[table_index(key)].get();
}

inline const detail::DispatchTable& Registry::table(OperatorEntry& entry) {
  const auto* current = entry.slot_.table.load(std::memory_order_acquire);
  if (current != &detail::unbuilt_table) return *current;
  std::lock_guard lock(mutex_);
  current = entry.slot_.table.load(std::memory_order_acquire);
  return current != &detail::unbuilt_table ? *current : build(entry);
}

inline const detail::DispatchTable& Registry::build(OperatorEntry& entry) {
  using detail::DispatchTable;
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
        if (backend_of(k) == BackendComponent::Invalid || static_cast<unsigned>(backend_of(k)) == b + 1) masks[b] &= ~bit;
    }
  }
  entry.per_backend_ = false;
  for (unsigned b = 0; b < kBackends; ++b) {
    entry.backend_masks_[b] = masks[b];
    entry.per_backend_ = entry.per_backend_ || masks[b] != masks[0];
  }
  entry.mask_ = masks[0];

  const SignatureInfo* type = entry.declared_type_ ? entry.declared_type_ : entry.types_[1].type ? entry.types_[1].type : entry.types_[0].type;
  std::size_t bytes = sizeof(DispatchTable) + used.size() * sizeof(KernelRecord);
  auto memory = std::make_unique<unsigned char[]>(bytes);
  auto* table = new (memory.get()) DispatchTable;
  table->mask = entry.mask_;
  table->special = entry.per_backend_ || tracers_ > 0;
  table->n_records = static_cast<std::uint8_t>(used.size() + 1);
  std::memcpy(table->slot, slot, sizeof slot);
  for (std::size_t i = 0; i < used.size(); ++i) {
    KernelRecord record = used[i]->record;
    if (!record.unboxed && !record.unboxed_sym && !used[i]->is_fallthrough && type) {
      auto known = std::find_if(entry.targets_.begin(), entry.targets_.end(), [&](const auto& t) { return t->boxed == record.boxed && t->data == record.boxed_data; });
      if (known == entry.targets_.end())
        known = entry.targets_.insert(entry.targets_.end(), std::make_unique<detail::BoxedTarget>(detail::BoxedTarget{record.boxed, record.boxed_data, &entry.handle_}));
      record.data = known->get();
      (type->symbolic ? record.unboxed_sym : record.unboxed) = type->unboxed_from_boxed();
    }
    new (table->records + 1 + i) KernelRecord(record);
  }
  // A table equal to an older one is that one: repeated registration and removal does not grow the list.
  for (const auto& old : entry.tables_)
    if (reinterpret_cast<const DispatchTable*>(old.get())->n_records == table->n_records && std::memcmp(old.get(), memory.get(), bytes) == 0) {
      table = reinterpret_cast<DispatchTable*>(old.get());
      memory.reset();
      break;
    }
  if (memory) entry.tables_.push_back(std::move(memory));
  for (detail::OperatorSlot* s : entry.slots_) s->table.store(table, std::memory_order_release);
  return *table;
}

inline void Registry::check_type(OperatorEntry& entry, DispatchKey key, const OperatorEntry::KernelState& kernel) {
  if (!kernel->type) return;
  auto& fixed = entry.types_[kernel->type->symbolic];
  if (!fixed.type || *fixed.type == *kernel->type) return;
  auto key_text = [](DispatchKey k) { return k == DispatchKey::CompositeImplicitAutograd ? std::string("(catch all)") : std::string(to_string(k)); };
  fail<RegistrationError>("\nMismatch in kernel C++ signatures\n  operator: ", entry.description(), "\n    ", entry.has_schema() ? entry.definition_debug_ : std::string("no debug info"),
                          "\n  kernel 1: ", detail::cpp_type_name(*fixed.type->type), "\n    dispatch key: ", key_text(fixed.key), "\n    ", fixed.kernel->debug,
                          "\n  kernel 2: ", detail::cpp_type_name(*kernel->type->type), "\n    dispatch key: ", key_text(key), "\n    ", kernel->debug, "\n");
}

namespace detail {

/// The words of a type code: `Tensor?[]`.
inline std::string code_text(std::uint32_t code) {
  if (code == 0) return "Any";
  std::string text(schema::kind_word(static_cast<Kind>(code & 0x7f)));
  for (unsigned shift = 8; shift < 32 && (code >> shift & 0xff); shift += 8) text += (code >> shift & 0xff) == schema::code_optional ? "?" : "[]";
  return text;
}
/// A code as matching sees it: sizes of lists and writes do not count, symbolic integers are integers if asked.
inline std::uint32_t matching_code(std::uint32_t code, bool symbolic_as_plain) {
  std::uint32_t out = code & 0x7f;
  if (symbolic_as_plain && static_cast<Kind>(out) == Kind::SymInt) out = static_cast<std::uint32_t>(Kind::Int);
  if (static_cast<Kind>(out) == Kind::SymFloat) out = static_cast<std::uint32_t>(Kind::Float);
  if (static_cast<Kind>(out) == Kind::SymBool) out = static_cast<std::uint32_t>(Kind::Bool);
  for (unsigned shift = 8; shift < 32 && (code >> shift & 0xff); shift += 8) out |= ((code >> shift & 0xff) == schema::code_optional ? schema::code_optional : schema::code_list) << shift;
  return out;
}
inline std::string inferred_schema_text(const SignatureInfo& type, std::string_view name = {}) {
  std::string text(name);
  text += '(';
  for (int i = 0; i < type.n_args; ++i) text += (i ? ", " : "") + code_text(type.args[i]) + " _" + std::to_string(i);
  text += ") -> ";
  if (type.n_returns == 1) return text + code_text(type.returns[0]);
  text += '(';
  for (int i = 0; i < type.n_returns; ++i) text += (i ? ", " : "") + code_text(type.returns[i]) + " _" + std::to_string(i);
  return text + ')';
}

}  // namespace detail

inline void Registry::check_against_schema(const OperatorEntry& entry, const schema::SchemaView& declared, const std::string& definition_debug, const Kernel::State& kernel) {
  if (!kernel.type) return;
  const SignatureInfo& type = *kernel.type;
  std::string reason;
  if (type.n_args != declared.n_args()) reason = concat("The number of arguments is different. ", declared.n_args(), " vs ", static_cast<int>(type.n_args), ".");
  else if (type.n_returns != declared.n_returns()) reason = concat("The number of returns is different. ", declared.n_returns(), " vs ", static_cast<int>(type.n_returns));
  auto compare = [&](const schema::Argument& a, std::uint32_t found, std::size_t i, const char* what) {
    if (!reason.empty() || a.cpp_code == 0 || found == 0) return;
    if (detail::matching_code(a.cpp_code, !type.symbolic) != detail::matching_code(found, !type.symbolic))
      reason = concat("Type mismatch in ", what, " ", i + 1, ": ", schema::type_text(declared, a), " vs ", detail::code_text(found), ".");
  };
  if (reason.empty()) {
    for (std::size_t i = 0; i < declared.n_args(); ++i) compare(declared.arg(i), type.args[i], i, "argument");
    for (std::size_t i = 0; i < declared.n_returns(); ++i) compare(declared.ret(i), type.returns[i], i, "return");
  }
  if (reason.empty()) return;
  fail<RegistrationError>("Inferred operator schema for a C++ kernel function doesn't match the expected function schema.\n  operator: ", entry.name(), "\n  expected schema: ", schema::to_string(declared),
                          "\n    ", definition_debug, "\n  inferred schema: ", detail::inferred_schema_text(type), "\n    ", kernel.debug, "\n  reason: ", reason);
}

inline Registration Registry::define(const schema::SchemaView& view, schema::FunctionSchema owner, const SignatureInfo* declared, std::vector<std::string> tags, std::string debug, std::string alias_analysis, std::string fake_module) {
  std::lock_guard lock(mutex_);
  OperatorEntry& entry = find_or_create(view.operator_name());
  if (entry.has_schema())
    fail<RegistrationError>("Tried to register an operator (", schema::to_string(view), ") with the same name and overload name multiple times. Each overload's schema should only be registered with a single call to def(). Duplicate registration: ", debug, ". Original registration: ", entry.definition_debug_);
  for (const auto& list : entry.kernels_)
    for (const auto& kernel : list.kernels) check_against_schema(entry, view, debug, *kernel);
  entry.schema_ = view;
  entry.schema_owner_ = std::move(owner);
  entry.definition_debug_ = std::move(debug);
  entry.tags_ = std::move(tags);
  entry.declared_type_ = declared;
  entry.alias_analysis_ = std::move(alias_analysis);
  entry.fake_module_ = std::move(fake_module);
  entry.has_schema_.store(true, std::memory_order_release);
  invalidate(entry);
  for (auto& [id, listener] : listeners_) listener->on_registered(entry.handle());
  return Registration([this, &entry] {
    std::lock_guard undo(mutex_);
    for (auto& [id, listener] : listeners_) listener->on_unregistered(entry.handle());
    entry.has_schema_.store(false, std::memory_order_release);
    entry.schema_ = {};
    entry.schema_owner_ = {};
    entry.declared_type_ = nullptr;
    entry.tags_.clear();
    invalidate(entry);
  });
}

inline void Registry::warn_overwrite(OperatorEntry& entry, DispatchKey key, const Kernel::State& before, const Kernel::State& now) {
  std::string id(to_string(key));
  if (key == DispatchKey::Meta || key == DispatchKey::MTIA || std::find(entry.overwritten_warned_.begin(), entry.overwritten_warned_.end(), id) != entry.overwritten_warned_.end()) return;
  entry.overwritten_warned_.push_back(id);
  std::fputs(concat("Warning: Overriding a previously registered kernel for the same operator and the same dispatch key\n  operator: ", entry.description(), "\n    ", entry.has_schema() ? entry.definition_debug_ : std::string("no debug info"),
                    "\n  dispatch key: ", key, "\n  previous kernel: ", before.debug, "\n       new kernel: ", now.debug, "\n").c_str(), stderr);
}

inline Registration Registry::implement(std::string_view full_name, DispatchKey key, Kernel kernel, std::string debug) {
  std::lock_guard lock(mutex_);
  auto state = kernel.state();
  if (state->debug.empty()) state->debug = std::move(debug);
  if (key == DispatchKey::Undefined) key = DispatchKey::CompositeImplicitAutograd;
  OperatorEntry& entry = find_or_create(full_name);
  check_type(entry, key, state);
  if (entry.has_schema()) check_against_schema(entry, entry.schema_, entry.definition_debug_, *state);
  if (state->type)
    if (auto& fixed = entry.types_[state->type->symbolic]; !fixed.type) fixed = {state->type, state, key};
  auto list = std::find_if(entry.kernels_.begin(), entry.kernels_.end(), [&](const auto& l) { return l.key >= key; });
  if (list == entry.kernels_.end() || list->key != key) list = entry.kernels_.insert(list, {key, {}});
  else warn_overwrite(entry, key, *list->kernels.front(), *state);
  list->kernels.insert(list->kernels.begin(), state);
  invalidate(entry);
  return Registration([this, &entry, key, state] {
    std::lock_guard undo(mutex_);
    auto at = std::find_if(entry.kernels_.begin(), entry.kernels_.end(), [&](const auto& l) { return l.key == key; });
    std::erase(at->kernels, state);
    if (at->kernels.empty()) entry.kernels_.erase(at);
    entry.retired_.push_back(state);
    if (entry.kernels_.empty()) for (auto& fixed : entry.types_) fixed = {};
    invalidate(entry);
  });
}

inline Registration Registry::add_fallback(DispatchKey key, Kernel kernel, std::string debug) {
  std::lock_guard lock(mutex_);
  auto state = kernel.state();
  if (state->debug.empty()) state->debug = std::move(debug);
  std::vector<unsigned> slots;
  expand_alias(key).for_each([&](DispatchKey k) { slots.push_back(table_index(k)); });
  for (unsigned i : slots)
    if (fallbacks_[i])
      fail<RegistrationError>("Tried to register multiple backend fallbacks for the same dispatch key ", detail::key_of_slot[i], "; previous registration ", fallbacks_[i]->debug, ", new registration ", state->debug);
  for (unsigned i : slots) fallbacks_[i] = state;
  invalidate_all();
  return Registration([this, slots] {
    std::lock_guard undo(mutex_);
    for (unsigned i : slots) fallbacks_[i].reset();
    invalidate_all();
  });
}

inline Registration Registry::override_fallback(DispatchKey key, std::optional<Kernel> kernel, std::string debug) {
  std::lock_guard lock(mutex_);
  OperatorEntry::KernelState state;
  if (kernel) {
    state = kernel->state();
    if (state->debug.empty()) state->debug = std::move(debug);
  }
  std::vector<std::pair<unsigned, OperatorEntry::KernelState>> before;
  expand_alias(key).for_each([&](DispatchKey k) { before.emplace_back(table_index(k), std::exchange(fallbacks_[table_index(k)], state)); });
  invalidate_all();
  return Registration([this, before = std::move(before)] {
    std::lock_guard undo(mutex_);
    for (const auto& [i, old] : before) fallbacks_[i] = old;
    invalidate_all();
  });
}

inline Registration Registry::add_library(std::string_view ns, std::string debug) {
  std::lock_guard lock(mutex_);
  if (auto it = libraries_.find(ns); it != libraries_.end())
    fail<RegistrationError>("Only a single TENON_LIBRARY can be used to register the namespace ", ns, "; please put all of your definitions in a single TENON_LIBRARY block.  If you were trying to specify implementations, consider using TENON_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a single namespace in a distributed way, you can use TENON_LIBRARY_FRAGMENT to explicitly indicate this.  Previous registration of TENON_LIBRARY was ", it->second, "; latest registration was ", debug);
  libraries_.emplace(ns, std::move(debug));
  return Registration([this, name = std::string(ns)] {
    std::lock_guard undo(mutex_);
    libraries_.erase(name);
  });
}

inline Registration Registry::add_listener(std::unique_ptr<RegistryListener> listener) {
  std::lock_guard lock(mutex_);
  for (auto& op : operators())
    if (op.has_schema()) listener->on_registered(op);
  int id = next_listener_++;
  listeners_.emplace_back(id, std::move(listener));
  return Registration([this, id] {
    std::lock_guard undo(mutex_);
    std::erase_if(listeners_, [&](const auto& l) { return l.first == id; });
  });
}

inline void Registry::record_error(std::string ns, std::string message) noexcept {
  std::lock_guard lock(mutex_);
  errors_.emplace_back(std::move(ns), std::move(message));
  has_errors_.store(true, std::memory_order_release);
}
inline void Registry::throw_recorded_errors(std::string_view ns) {
  if (!has_errors_.load(std::memory_order_acquire)) return;
  std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [where, message] : errors_)
    if (ns.empty() || where == ns) ((text += "\n  ") += message);
  if (!text.empty()) fail<RegistrationError>("registrations failed:", text);
}
inline void Registry::add_tracer() {
  std::lock_guard lock(mutex_);
  if (tracers_++ == 0) invalidate_all();
}
inline void Registry::remove_tracer() {
  std::lock_guard lock(mutex_);
  if (--tracers_ == 0) invalidate_all();
}

}  // namespace tenon

#include <tenon/dispatch/detail/registry_text.hpp>
