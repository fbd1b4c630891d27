// Bodies of Registry: what registration checks, does and undoes.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/dispatch/bodies/registry_state.hpp>
#include <tenon/schema/compare.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {

TENON_COLD_BODY void Registration::reset() noexcept {
  if (what_ != What::Nothing) Registry::get().undo(*this);
}

TENON_COLD_BODY void Registry::check_type(OperatorEntry& entry, DispatchKey key,
                                          const OperatorEntry::KernelState& kernel) {
  if (!kernel->type) return;
  auto mismatch = [&](const SignatureInfo& first, std::string_view first_key, const Place& first_place) {
    auto key_text = key == DispatchKey::CompositeImplicitAutograd ? std::string_view("(catch all)") : to_string(key);
    fail<RegistrationError>("\nMismatch in kernel C++ signatures\n  operator: ", entry.description(), "\n    ",
                            entry.has_schema() ? entry.definition_place_ : Place("no debug info"),
                            "\n  kernel 1: ", detail::cpp_type_name(*first.type), "\n    dispatch key: ", first_key,
                            "\n    ", first_place, "\n  kernel 2: ", detail::cpp_type_name(*kernel->type->type),
                            "\n    dispatch key: ", key_text, "\n    ", kernel->place, "\n");
  };
  if (const auto* fixed = entry.state().typed_by[kernel->type->symbolic]; fixed && !(*fixed->type == *kernel->type)) {
    auto at = std::find_if(entry.kernels_.begin(), entry.kernels_.end(),
                           [&](const auto& k) { return k.kernel.get() == fixed; });
    mismatch(*fixed->type, at->key == DispatchKey::CompositeImplicitAutograd ? "(catch all)" : to_string(at->key),
             fixed->place);
  }
  if (const auto* declared = entry.state().declared_type;
      declared && !(*declared == *kernel->type) &&
      !(!kernel->type->symbolic && *declared->plain_type == *kernel->type->type))
    mismatch(*declared, "(declaration)", entry.definition_place_);
}

TENON_COLD_BODY bool Registry::serves(const OperatorEntry& entry, const std::type_info& type,
                                      const std::type_info& plain, bool symbolic) {
  auto same = [](const SignatureInfo* known, const std::type_info& asked) { return !known || *known->type == asked; };
  if (symbolic)
    return same(entry.state().fixed_type(true), type) && same(entry.state().fixed_type(false), plain) &&
           same(entry.state().declared_type, type);
  auto lowered = [&](const SignatureInfo* known) {
    return !known || *known->type == type || *known->plain_type == type;
  };
  return same(entry.state().fixed_type(false), type) && lowered(entry.state().fixed_type(true)) &&
         lowered(entry.state().declared_type);
}
TENON_COLD_BODY bool Registry::serves(const OperatorEntry& entry, const SignatureInfo& type) {
  std::lock_guard lock(state_->mutex);
  return serves(entry, *type.type, *type.plain_type, type.symbolic);
}
TENON_COLD_BODY void Registry::check_call_type(OperatorEntry& entry, const std::type_info& type,
                                               const std::type_info& plain, bool symbolic) {
  if (!serves(entry, type, plain, symbolic)) report_wrong_type(entry, type, symbolic);
}

TENON_COLD_BODY void Registry::fix_types(OperatorEntry& entry) {
  for (bool symbolic : {false, true}) {
    auto& fixed = entry.state().typed_by[symbolic];
    auto still = [&](const auto& k) { return k.kernel.get() == fixed; };
    if (fixed && std::any_of(entry.kernels_.begin(), entry.kernels_.end(), still)) continue;
    const SignatureInfo* before = entry.state().fixed_type(symbolic);
    fixed = nullptr;
    for (const auto& [key, kernel] : entry.kernels_)
      if (kernel->type && kernel->type->symbolic == symbolic && !fixed) fixed = kernel.get();
    if (entry.state().fixed_type(symbolic) != before) ++entry.state().type_version;
  }
}

namespace detail {

/// The words of a type code: `Tensor?[]`.
inline std::string code_text(std::uint32_t code) {
  if (code == 0) return "Any";
  std::string text(schema::kind_word(static_cast<Kind>(code & 0x7f)));
  for (unsigned shift = 8; shift < 32 && (code >> shift & 0xff); shift += 8)
    text += (code >> shift & 0xff) == schema::code_optional ? "?" : "[]";
  return text;
}
/// A code as matching sees it: sizes of lists and writes do not count, symbolic integers are integers if asked.
inline std::uint32_t matching_code(std::uint32_t code, bool symbolic_as_plain) {
  std::uint32_t out = code & 0x7f;
  if (symbolic_as_plain && static_cast<Kind>(out) == Kind::SymInt) out = static_cast<std::uint32_t>(Kind::Int);
  if (static_cast<Kind>(out) == Kind::SymFloat) out = static_cast<std::uint32_t>(Kind::Float);
  if (static_cast<Kind>(out) == Kind::SymBool) out = static_cast<std::uint32_t>(Kind::Bool);
  for (unsigned shift = 8; shift < 32 && (code >> shift & 0xff); shift += 8)
    out |= ((code >> shift & 0xff) == schema::code_optional ? schema::code_optional : schema::code_list) << shift;
  return out;
}
inline bool has_own_type(std::uint32_t code) {
  switch (static_cast<Kind>(code & 0x7f)) {
    case Kind::None_:
    case Kind::Quantizer:
    case Kind::ConstQuantizerPtr:
    case Kind::Capsule:
    case Kind::AnyClassType:
    case Kind::AnyEnumType: return false;
    default: return true;
  }
}
/// The schema type of argument i, or of return -1 - i.
inline std::string argument_text(const SignatureInfo& type, int i) {
  if (type.describe) return type.describe(i);
  return code_text(i >= 0 ? type.args[i] : type.returns[-1 - i]);
}
TENON_COLD_BODY std::string inferred_schema_text(const SignatureInfo& type, std::string_view name) {
  std::string text(name);
  text += '(';
  for (int i = 0; i < type.n_args; ++i) text += (i ? ", " : "") + argument_text(type, i) + " _" + std::to_string(i);
  text += ") -> ";
  if (type.n_returns == 1) return text + argument_text(type, -1);
  text += '(';
  for (int i = 0; i < type.n_returns; ++i)
    text += (i ? ", " : "") + argument_text(type, -1 - i) + " _" + std::to_string(i);
  return text + ')';
}

}  // namespace detail

TENON_COLD_BODY void Registry::check_against_schema(const OperatorEntry& entry, const schema::SchemaView& declared,
                                                    const Place& definition_place, const Kernel::State& kernel) {
  if (!kernel.type) return;
  const SignatureInfo& type = *kernel.type;
  auto same = [](const schema::Argument* a, const std::uint32_t* found, std::size_t n) {
    std::size_t i = 0;
    while (i < n && a[i].cpp_code == found[i] && found[i] != 0) ++i;
    return i == n;
  };
  if (type.n_args == declared.n_args() && type.n_returns == declared.n_returns() &&
      same(declared.args, type.args, declared.n_args()) && same(declared.returns, type.returns, declared.n_returns()))
    return;
  std::string reason;
  if (type.n_args != declared.n_args())
    reason =
        concat("The number of arguments is different. ", declared.n_args(), " vs ", static_cast<int>(type.n_args), ".");
  else if (type.n_returns != declared.n_returns())
    reason =
        concat("The number of returns is different. ", declared.n_returns(), " vs ", static_cast<int>(type.n_returns));
  auto compare = [&](const schema::Argument& a, std::uint32_t found, std::size_t i, const char* what, int place) {
    if (!reason.empty() || (a.cpp_code == found && found != 0)) return;
    std::string found_text = detail::argument_text(type, place);
    if (a.cpp_code == 0 || found == 0 || found == schema::cpp_code(schema::Kind::Any)) {
      // Types beyond words with modifiers are compared as text; a Value takes anything that has no type of its own.
      bool is_value = found_text == "Any" && (a.cpp_code == 0 || !detail::has_own_type(a.cpp_code));
      if (!is_value && found_text != schema::type_text(declared, a))
        reason = concat("Type mismatch in ", what, " ", i + 1, ": ", schema::type_text(declared, a), " vs ", found_text,
                        ".");
      return;
    }
    if (detail::matching_code(a.cpp_code, !type.symbolic) != detail::matching_code(found, !type.symbolic))
      reason =
          concat("Type mismatch in ", what, " ", i + 1, ": ", schema::type_text(declared, a), " vs ", found_text, ".");
  };
  if (reason.empty()) {
    for (std::size_t i = 0; i < declared.n_args(); ++i)
      compare(declared.arg(i), type.args[i], i, "argument", static_cast<int>(i));
    for (std::size_t i = 0; i < declared.n_returns(); ++i)
      compare(declared.ret(i), type.returns[i], i, "return", -1 - static_cast<int>(i));
  }
  if (reason.empty()) return;
  fail<RegistrationError>(
      "Inferred operator schema for a C++ kernel function doesn't match the expected function schema.\n  operator: ",
      entry.name(), "\n  expected schema: ", schema::to_string(declared), "\n    ", definition_place,
      "\n  inferred schema: ", detail::inferred_schema_text(type), "\n    ", kernel.place, "\n  reason: ", reason);
}

TENON_COLD_BODY Registration Registry::define(const schema::SchemaView& view, bool lasting,
                                              const SignatureInfo* declared, std::vector<std::string>&& tags,
                                              Place&& place, std::string_view alias_analysis,
                                              std::string_view fake_module) {
  Listeners ended;
  std::lock_guard lock(state_->mutex);
  OperatorEntry& entry = find_or_create(view.operator_name());
  if (entry.has_schema())
    fail<RegistrationError>(
        "Tried to register an operator (", schema::to_string(view),
        ") with the same name and overload name multiple times. Each overload's schema should only be registered with a single call to def(). Duplicate registration: ",
        place, ". Original registration: ", entry.definition_place_);
  for (const auto& k : entry.kernels_) check_against_schema(entry, view, place, *k.kernel);
  OperatorEntry::State::Extra* extra = entry.state().extra.get();
  bool inferred = alias_analysis == "CONSERVATIVE";
  if (!extra && !(tags.empty() && fake_module.empty() && !inferred)) extra = &entry.state().with_extra();
  std::string fake_before = extra ? extra->fake_module : std::string();
  if (extra && extra->fake_module != fake_module) extra->fake_module = fake_module;
  const std::uint32_t last = entry.generation();
  const std::size_t hash = last != 0 ? schema::hash(view) : 0;  // of a first definition nobody asks
  const schema::SchemaView* again = nullptr;
  if (extra && !lasting)
    for (const schema::SchemaView* kept : extra->kept_schemas)
      if (schema::hash(*kept) == hash) again = kept;
  detail::DefinitionMemory::Block copy(state_->definitions, lasting || again ? 0 : schema::placed_size(view));
  Place place_before = std::exchange(entry.definition_place_, std::move(place));
  if (declared) {
    entry.state().declared_type = declared;
    try {
      for (const auto& k : entry.kernels_) check_type(entry, k.key, k.kernel);
    } catch (...) {
      entry.state().declared_type = nullptr;
      entry.definition_place_ = std::move(place_before);
      throw;
    }
    ++entry.state().type_version;
  }
  entry.schema_.store(lasting ? &view : again ? again : &schema::place(view, copy.keep()));
  entry.state().copied_schema = !lasting;
  if (extra) {
    extra->tags = std::move(tags);
    extra->inferred = inferred;
    // Calls that began in the definition before may ask for the schema now.
    extra->reach = extra->kept.empty() ? detail::Reach::Marked : detail::Reach::Unmarked;
  }
  auto last_hash = entry.state().schema_hash;
  if (last == 0 || hash != last_hash)
    entry.generation_.store(std::max(last, extra ? extra->refused_generation : 0) + 1, MemoryOrder::Release);
  entry.n_args_.store(static_cast<std::int32_t>(view.n_args()), MemoryOrder::Release);
  invalidate(entry);
  try {
    tell_registered(entry, ended);
  } catch (...) {
    auto refused = entry.generation();
    withdraw(entry);
    if (refused != last) entry.state().with_extra().refused_generation = refused;
    entry.generation_.store(last, MemoryOrder::Release);
    entry.state().schema_hash = last_hash;
    if (extra) extra->fake_module = std::move(fake_before);
    entry.definition_place_ = std::move(place_before);
    throw;
  }
  return Registration(What::Definition, &entry);
}

TENON_COLD_BODY void Registry::undefine(OperatorEntry& entry, Listeners& ended) {
  if (!entry.has_schema()) return;
  tell_unregistered(entry, ended, 0, 0);
  withdraw(entry);
}

TENON_COLD_BODY void Registry::withdraw(OperatorEntry& entry) {
  entry.n_args_.store(-1, MemoryOrder::Release);
  if (!state_->modules.empty()) entry.definition_place_.keep();
  invalidate(entry);
  entry.state().schema_hash = schema::hash(entry.schema());
  const schema::SchemaView* gone = entry.schema_.exchange(nullptr);
  if (entry.state().copied_schema) retire(entry, *gone);
  if (std::exchange(entry.state().declared_type, nullptr)) ++entry.state().type_version;
  if (entry.state().extra) entry.state().extra->tags.clear();
}

/// Boxed kernels of calls that began before may be reading the schema.
TENON_COLD_BODY void Registry::retire(OperatorEntry& entry, const schema::SchemaView& gone) {
  OperatorEntry::State::Extra* extra = entry.state().extra.get();
  switch (extra ? extra->reach : detail::Reach::Nobody) {
    case detail::Reach::Nobody: state_->give(gone); break;
    case detail::Reach::Marked: state_->retired_schemas.emplace_back(readers_.advance(), &gone); break;
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
  check_type(entry, key, state);
  if (entry.has_schema()) check_against_schema(entry, entry.schema(), entry.definition_place_, *state);
  auto at = std::find_if(entry.kernels_.begin(), entry.kernels_.end(), [&](const auto& k) { return k.key >= key; });
  if (at != entry.kernels_.end() && at->key == key) warn_override(entry, key, *at->kernel, *state);
  entry.kernels_.insert(at, {key, state});
  if (state->type)
    if (auto& fixed = entry.state().typed_by[state->type->symbolic]; !fixed) {
      fixed = state.get();
      ++entry.state().type_version;
    }
  invalidate(entry);
  Registration done(What::Implementation, &entry);
  done.key_ = key;
  done.kernel_ = std::move(state);
  return done;
}

TENON_COLD_BODY void Registry::remove_kernel(OperatorEntry& entry, DispatchKey key, const KernelState& kernel) {
  auto at = std::find_if(entry.kernels_.begin(), entry.kernels_.end(),
                         [&](const auto& k) { return k.key == key && k.kernel == kernel; });
  if (at == entry.kernels_.end()) return;
  invalidate(entry);
  entry.kernels_.erase(at);
  fix_types(entry);
}

TENON_COLD_BODY Registration Registry::add_library(std::string_view ns, Place place) {
  std::lock_guard lock(state_->mutex);
  if (auto it = state_->libraries.find(ns); it != state_->libraries.end())
    fail<RegistrationError>(
        "Only a single TENON_LIBRARY can be used to register the namespace ", ns,
        "; please put all of your definitions in a single TENON_LIBRARY block.  If you were trying to specify implementations, consider using TENON_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a single namespace in a distributed way, you can use TENON_LIBRARY_FRAGMENT to explicitly indicate this.  Previous registration of TENON_LIBRARY was ",
        it->second, "; latest registration was ", place);
  state_->libraries.emplace(ns, place.text());
  return Registration(What::Library, new Registration::More{std::string(ns)});
}

TENON_COLD_BODY void Registry::undo(Registration& r) noexcept {
  std::vector<Garbage> free;  // destroyed after the lock is gone: kernels may hold anything
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
      if (state_->end_fallbacks([&](const auto& f) { return f.number == r.number_; })) invalidate_all();
      break;
    case What::Library: state_->libraries.erase(more->name); break;
    case What::Listener:
      for (auto& l : state_->listeners)
        if (l.number == r.number_) l.ended = true;
      sweep_listeners(ended);
      break;
    default: break;
  }
  free = collect();
}

TENON_COLD_BODY void Registry::record_error(std::string ns, std::string message) noexcept {
  std::lock_guard lock(state_->mutex);
  state_->errors.push_back({std::move(ns), std::move(message), false});
  state_->has_errors.store(true, std::memory_order_release);
}
TENON_COLD_BODY std::string Registry::error_list(std::string_view ns, bool only_new) {
  std::string text;
  for (auto& e : state_->errors)
    if ((ns.empty() || e.ns == ns) && !(only_new && std::exchange(e.reported, true))) ((text += "\n  ") += e.message);
  return text;
}
TENON_COLD_BODY void Registry::throw_recorded_errors(std::string_view name) {
  if (!state_->has_errors.load(std::memory_order_acquire)) return;
  std::string_view ns = name.substr(0, name.find(':'));
  std::lock_guard lock(state_->mutex);
  if (state_->strict) {
    std::fputs(("tenon: registrations failed:" + error_list({}, false) + "\n").c_str(), stderr);
    std::abort();
  }
  // The first use of a namespace throws, and every check of the whole.
  if (std::string text = error_list(ns, !ns.empty()); !text.empty())
    fail<RegistrationError>("registrations failed:", text);
}
TENON_COLD_BODY std::vector<std::string> Registry::take_recorded_errors() {
  std::lock_guard lock(state_->mutex);
  std::vector<std::string> all;
  for (auto& e : state_->errors) all.push_back(std::move(e.message));
  state_->errors.clear();
  state_->has_errors.store(false, std::memory_order_release);
  return all;
}
TENON_COLD_BODY void check_registrations() { Registry::get().throw_recorded_errors(); }

TENON_COLD_BODY void Registry::add_tracer() {
  std::lock_guard lock(state_->mutex);
  if (state_->tracers++ == 0) invalidate_all();
}
TENON_COLD_BODY void Registry::remove_tracer() {
  std::lock_guard lock(state_->mutex);
  if (--state_->tracers == 0) invalidate_all();
}

}  // namespace tenon
