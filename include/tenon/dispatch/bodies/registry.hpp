// Bodies of Registry: what is looked up, registered and undone.
#pragma once
#include <algorithm>
#include <new>

#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/dispatch/detail/registration_trace.hpp>
#include <tenon/dispatch/detail/registry_state.hpp>
#include <tenon/dispatch/kernel_check.hpp>
#include <tenon/dispatch/report.hpp>
#include <tenon/schema/compare.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {

#ifdef TENON_SHARED_RUNTIME
extern "C" TENON_BODY void detail::tenon_bodies_share_their_registry() {}
#elif defined(TENON_KERNELS_COMPILED)
// The compiled kernels are a runtime, too: core/dispatch.cpp.
extern "C" void* tenon_runtime_registry();
#endif

TENON_COLD_BODY Registry& Registry::get() {
#if defined(TENON_SHARED_RUNTIME) || defined(TENON_KERNELS_COMPILED)
  using namespace detail;
  static Registry* registry = static_cast<Registry*>(tenon_runtime_registry());
  return *registry;
#else
  return detail::OwnRegistry::get();
#endif
}

TENON_COLD_BODY Registry::Registry() : state_(new detail::RegistryState) {
  state_->tracers = detail::calls_are_watched() ? 1 : 0;
  // Without a layer that makes something of these keys, calls pass them by.
  state_->default_fallthrough = Kernel(fallthrough()).debug("tenon's default").state();
  (key_sets::autograd_expansion | key_sets::default_included).for_each([&](DispatchKey k) {
    state_->fallbacks.pass_by(table_index(k));
  });
  // What stands at AutogradOther when a composite kernel hides a backend's own.
  state_->ambiguous_autograd_other =
      Kernel([](const OperatorHandle& op, Stack&) {
        fail<InternalError>(
            op.name(),
            " has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther. This makes the backend kernel unreachable; the dispatcher will always prefer the CompositeImplicitAutograd lowering. Register a kernel for AutogradOther to override it.\nCanonical state\n",
            dump_state(op.entry()));
      })
          .debug("ambiguous_autogradother")
          .state();
}

TENON_COLD_BODY Registry::Lock::Lock(Registry& registry) : state_(*registry.state_) { state_.mutex.lock(); }
TENON_COLD_BODY Registry::Lock::~Lock() { state_.mutex.unlock(); }
TENON_COLD_BODY RecordedErrors& Registry::errors() { return state_->errors; }
TENON_COLD_BODY const DeviceHooks* Registry::device_hooks(DeviceType type) {
  return state_->device_hooks[static_cast<std::size_t>(type)].load(std::memory_order_acquire);
}
TENON_COLD_BODY void Registry::set_device_hooks(DeviceType type, const DeviceHooks* hooks) {
  state_->device_hooks[static_cast<std::size_t>(type)].store(hooks, std::memory_order_release);
}
TENON_COLD_BODY detail::Modules& Registry::modules() { return state_->modules; }
TENON_COLD_BODY detail::Readers& Registry::readers() { return state_->readers; }
TENON_COLD_BODY void Registry::set_override_policy(OverridePolicy policy) { state_->override_policy.store(policy); }
TENON_COLD_BODY void check_registrations() { Registry::get().errors().throw_for(); }

TENON_COLD_BODY void Registry::add_tracer() {
  std::lock_guard lock(state_->mutex);
  if (state_->tracers++ == 0) tables().invalidate_all();
}
TENON_COLD_BODY void Registry::remove_tracer() {
  std::lock_guard lock(state_->mutex);
  if (--state_->tracers == 0) tables().invalidate_all();
}

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
  errors().throw_for(full_name);
  OperatorEntry* entry = find(full_name);
  return entry && entry->has_schema() ? OperatorHandle(entry, entry->generation()) : OperatorHandle();
}
TENON_COLD_BODY OperatorHandle Registry::find_schema_or_throw(std::string_view name, std::string_view overload) {
  std::string full(name);
  if (!overload.empty()) (full += '.') += overload;
  errors().throw_for(full);
  OperatorEntry* entry = find(full);
  if (entry && entry->has_schema()) return OperatorHandle(entry, entry->generation());
  fail<NotImplementedError>("Could not find schema for ", full, detail::not_found(full, entry && !entry->empty()));
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

/// A definition on its way. What it changes in the entry goes back unless it is kept.
struct Registry::Definition {
  OperatorEntry& entry;
  detail::RegistryState& registry;
  OperatorEntry::State& own;
  OperatorEntry::State::Extra* extra;
  std::uint32_t last;
  std::size_t hash;
  Place place_before;
  std::string fake_before;

  Definition(OperatorEntry& of, detail::RegistryState& state, const schema::SchemaView& view, bool needs_extra)
      : entry(of),
        registry(state),
        own(of.state()),
        extra(needs_extra ? &own.with_extra() : own.extra.get()),
        last(of.generation()),
        hash(last != 0 ? schema::hash(view) : 0) {}  // of a first definition nobody asks

  void name(Place&& place, std::string_view fake_module) {
    if (extra) fake_before = std::exchange(extra->fake_module, std::string(fake_module));
    place_before = std::exchange(entry.definition_place_, std::move(place));
  }
  void unname() {
    entry.definition_place_ = std::move(place_before);
    if (extra) extra->fake_module = std::move(fake_before);
  }
  void declare(const SignatureInfo& type) {
    own.declared_type = &type;
    try {
      for (const auto& k : entry.kernels_) detail::check_type(entry, k.key, *k.kernel);
    } catch (...) {
      own.declared_type = nullptr;
      unname();
      throw;
    }
    ++own.type_version;
  }
  /// A copy of the schema that stayed from an earlier definition; null if there is none.
  const schema::SchemaView* kept_copy() const {
    if (extra)
      for (const schema::SchemaView* kept : extra->kept_schemas)
        if (schema::hash(*kept) == hash) return kept;
    return nullptr;
  }
  void publish(const schema::SchemaView& schema, bool lasting, const OperatorFacts& facts, bool inferred) {
    entry.schema_.store(&schema);
    own.copied_schema = !lasting;
    own.facts = facts;
    if (extra) {
      extra->inferred = inferred;
      // Calls that began in the definition before may ask for the schema now.
      extra->reach = extra->kept.empty() ? detail::Reach::Marked : detail::Reach::Unmarked;
    }
    if (last == 0 || hash != own.schema_hash)
      entry.generation_.store(std::max(last, extra ? extra->refused_generation : 0) + 1, MemoryOrder::Release);
    entry.n_args_.store(static_cast<std::int32_t>(schema.n_args()), MemoryOrder::Release);
  }
  /// After the definition was withdrawn since a listener refused it.
  void refuse(std::size_t last_hash) {
    auto refused = entry.generation();
    if (refused != last) own.with_extra().refused_generation = refused;
    entry.generation_.store(last, MemoryOrder::Release);
    own.schema_hash = last_hash;
    unname();
  }
};

TENON_COLD_BODY Registration Registry::define(const schema::SchemaView& view, bool lasting,
                                              const SignatureInfo* declared, const OperatorFacts& facts, Place&& place,
                                              std::string_view alias_analysis, std::string_view fake_module) {
  Listeners ended;
  std::lock_guard lock(state_->mutex);
  OperatorEntry& entry = find_or_create(view.operator_name());
  if (entry.has_schema())
    fail<RegistrationError>(
        "Tried to register an operator (", schema::to_string(view),
        ") with the same name and overload name multiple times. Each overload's schema should only be registered with a single call to def(). Duplicate registration: ",
        place, ". Original registration: ", entry.definition_place_);
  for (const auto& k : entry.kernels_) detail::check_against_schema(entry, view, place, *k.kernel);
  bool inferred = alias_analysis == "CONSERVATIVE";
  Definition made(entry, *state_, view, !(fake_module.empty() && !inferred));
  const schema::SchemaView* again = lasting ? nullptr : made.kept_copy();
  detail::DefinitionMemory::Block copy(state_->definitions, lasting || again ? 0 : schema::placed_size(view));
  made.name(std::move(place), fake_module);
  if (declared) made.declare(*declared);
  made.publish(lasting ? view : again ? *again : schema::place(view, copy.keep()), lasting, facts, inferred);
  tables().invalidate(entry);
  auto last_hash = entry.state().schema_hash;
  try {
    state_->listeners.tell_registered(entry, ended);
  } catch (...) {
    withdraw(entry);
    made.refuse(last_hash);
    throw;
  }
  state_->grown.notify_all();
  detail::show_definition(view, entry.definition_place_);
  return Registration(What::Definition, &entry);
}

TENON_COLD_BODY void Registry::undefine(OperatorEntry& entry, Listeners& ended) {
  if (!entry.has_schema()) return;
  state_->listeners.tell_unregistered(entry, ended);
  withdraw(entry);
}
TENON_COLD_BODY void Registry::withdraw(OperatorEntry& entry) {
  entry.n_args_.store(-1, MemoryOrder::Release);
  if (!state_->modules.empty()) entry.definition_place_.keep();
  tables().invalidate(entry);
  entry.state().schema_hash = schema::hash(entry.schema());
  const schema::SchemaView* gone = entry.schema_.exchange(nullptr);
  if (entry.state().copied_schema) retire(entry, *gone);
  if (std::exchange(entry.state().declared_type, nullptr)) ++entry.state().type_version;
  entry.state().facts = {};
}
/// Boxed kernels of calls that began before may be reading the schema.
TENON_COLD_BODY void Registry::retire(OperatorEntry& entry, const schema::SchemaView& gone) {
  OperatorEntry::State::Extra* extra = entry.state().extra.get();
  switch (extra ? extra->reach : detail::Reach::Nobody) {
    case detail::Reach::Nobody: detail::Retired::give(state_->definitions, gone); break;
    case detail::Reach::Marked: state_->retired.add(state_->readers.advance(), gone); break;
    case detail::Reach::Unmarked:
      if (std::find(extra->kept_schemas.begin(), extra->kept_schemas.end(), &gone) == extra->kept_schemas.end())
        extra->kept_schemas.push_back(&gone);
      break;
  }
}

TENON_COLD_BODY void Registry::warn_override(OperatorEntry& entry, DispatchKey key, const Kernel::State& before,
                                             const Kernel::State& now) {
  auto policy = state_->override_policy.load();
  if (policy == OverridePolicy::Allow || now.overrides ||
      (policy == OverridePolicy::Warn && (key == DispatchKey::Meta || key == DispatchKey::MTIA)))
    return;
  std::string text =
      concat("Overriding a previously registered kernel for the same operator and the same dispatch key\n  operator: ",
             entry.description(), "\n    ", entry.has_schema() ? entry.definition_place_ : Place("no debug info"),
             "\n  dispatch key: ", key, "\n  previous kernel: ", before.place, "\n       new kernel: ", now.place);
  if (policy == OverridePolicy::Error) fail<RegistrationError>(text);
  auto& warned = entry.state().with_extra().overwritten_warned;
  if (std::find(warned.begin(), warned.end(), key) != warned.end()) return;
  warned.push_back(key);
  warn(text);
}

TENON_COLD_BODY Registration Registry::implement(std::string_view full_name, DispatchKey key, Kernel&& kernel,
                                                 Place&& place) {
  std::lock_guard lock(state_->mutex);
  KernelState state = detail::at_place(std::move(kernel).state(), std::move(place));
  if (key == DispatchKey::Undefined) key = DispatchKey::CompositeImplicitAutograd;
  OperatorEntry& entry = find_or_create(full_name);
  detail::check_type(entry, key, *state);
  if (entry.has_schema()) detail::check_against_schema(entry, entry.schema(), entry.definition_place_, *state);
  auto at = std::find_if(entry.kernels_.begin(), entry.kernels_.end(), [&](const auto& k) { return k.key >= key; });
  if (at != entry.kernels_.end() && at->key == key) warn_override(entry, key, *at->kernel, *state);
  entry.kernels_.insert(at, {key, state});
  if (state->type)
    if (auto& fixed = entry.state().typed_by[state->type->symbolic]; !fixed) {
      fixed = state.get();
      ++entry.state().type_version;
    }
  tables().invalidate(entry);
  state_->grown.notify_all();
  detail::show_kernel(full_name, key, state->place);
  Registration done(What::Implementation, &entry);
  done.key_ = key;
  done.kernel_ = std::move(state);
  return done;
}
TENON_COLD_BODY void Registry::remove_kernel(OperatorEntry& entry, DispatchKey key, const KernelState& kernel) {
  auto at = std::find_if(entry.kernels_.begin(), entry.kernels_.end(),
                         [&](const auto& k) { return k.key == key && k.kernel == kernel; });
  if (at == entry.kernels_.end()) return;
  tables().invalidate(entry);
  entry.kernels_.erase(at);
  detail::fix_types(entry);
}

namespace detail {
TENON_COLD inline void check_takes_stack(const Kernel& kernel, const Place& place) {
  if (const SignatureInfo* type = kernel.state()->type)
    fail<RegistrationError>(
        "fallback(...): a fallback serves operators of every type, so its kernel must take a stack: void(const OperatorHandle&, [KeySet,] Stack&); got a kernel of type ",
        cpp_type_name(*type->type), "; ", place);
}
}  // namespace detail

TENON_COLD_BODY Registration Registry::add_fallback(DispatchKey key, Kernel kernel, Place place) {
  detail::check_takes_stack(kernel, place);
  std::lock_guard lock(state_->mutex);
  KernelState state = detail::at_place(std::move(kernel).state(), std::move(place));
  expand_alias(key).for_each([&](DispatchKey k) {
    if (const auto& there = state_->fallbacks.at(table_index(k)))
      fail<RegistrationError>("Tried to register multiple backend fallbacks for the same dispatch key ", k,
                              "; previous registration ", there->place, ", new registration ", state->place);
  });
  return add_to_fallbacks(key, std::move(state));
}
TENON_COLD_BODY Registration Registry::override_fallback(DispatchKey key, std::optional<Kernel> kernel, Place place) {
  if (kernel) detail::check_takes_stack(*kernel, place);
  std::lock_guard lock(state_->mutex);
  KernelState state;
  if (kernel) state = detail::at_place(std::move(*kernel).state(), std::move(place));
  return add_to_fallbacks(key, std::move(state));
}
TENON_COLD_BODY Registration Registry::add_to_fallbacks(DispatchKey key, KernelState&& kernel) {
  std::vector<unsigned> slots;
  expand_alias(key).for_each([&](DispatchKey k) { slots.push_back(table_index(k)); });
  tables().invalidate_all();
  if (kernel) detail::show_fallback(key, kernel->place);
  Registration done(What::Fallback, nullptr);
  done.number_ = state_->next_number++;
  state_->fallbacks.add(done.number_, slots, kernel);
  done.kernel_ = std::move(kernel);
  return done;
}
TENON_COLD_BODY Registration Registry::add_library(std::string_view ns, Place place) {
  std::lock_guard lock(state_->mutex);
  if (auto it = state_->libraries.find(ns); it != state_->libraries.end())
    fail<RegistrationError>(
        "Only a single TENON_LIBRARY can be used to register the namespace ", ns,
        "; please put all of your definitions in a single TENON_LIBRARY block.  If you were trying to specify implementations, consider using TENON_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a single namespace in a distributed way, you can use TENON_LIBRARY_FRAGMENT to explicitly indicate this.  Previous registration of TENON_LIBRARY was ",
        it->second, "; latest registration was ", place);
  state_->libraries.emplace(ns, place.text());
  detail::show_library(ns, place);
  return Registration(What::Library, new Registration::More{std::string(ns)});
}

TENON_COLD_BODY Registration Registry::add_listener(OwnedPtr<RegistryListener> listener) {
  std::lock_guard lock(state_->mutex);
  for (auto& op : operators())
    if (op.has_schema()) listener->on_registered(op);
  Registration done(What::Listener, nullptr);
  done.number_ = state_->next_number++;
  state_->listeners.add(done.number_, std::move(listener));
  return done;
}

TENON_COLD_BODY void Registration::reset() noexcept {
  if (what_ != What::Nothing) Registry::get().undo(*this);
}
TENON_COLD_BODY void Registry::undo(Registration& r) noexcept {
  detail::Retired::Tables free;  // destroyed after the lock is gone: kernels may hold anything
  KernelState kernel = std::move(r.kernel_);
  What what = std::exchange(r.what_, What::Nothing);
  void* subject = std::exchange(r.subject_, nullptr);
  auto entry = [&]() -> OperatorEntry& { return *static_cast<OperatorEntry*>(subject); };
  std::unique_ptr<Registration::More> more(what == What::Library ? static_cast<Registration::More*>(subject) : nullptr);
  Listeners ended;
  std::lock_guard lock(state_->mutex);
  switch (what) {
    case What::Definition: undefine(entry(), ended); break;
    case What::Implementation: remove_kernel(entry(), r.key_, kernel); break;
    case What::Fallback:
      if (state_->fallbacks.end([&](std::uint32_t number, const auto&) { return number == r.number_; }))
        tables().invalidate_all();
      break;
    case What::Library: state_->libraries.erase(more->name); break;
    case What::Listener: state_->listeners.end(r.number_, ended); break;
    default: break;
  }
  free = state_->collect();
}

}  // namespace tenon
