// Bodies of Registry: what registration checks, does and undoes.
#pragma once
#include <cstdio>
#include <cstdlib>

#include <tenon/dispatch/registry.hpp>
#include <tenon/schema/compare.hpp>

namespace tenon {

inline void Registration::reset() noexcept {
  if (what_ != What::Nothing) Registry::get().undo(*this);
}

inline void Registry::check_type(OperatorEntry& entry, DispatchKey key, const OperatorEntry::KernelState& kernel) {
  if (!kernel->type) return;
  auto mismatch = [&](const SignatureInfo& first, std::string_view first_key, const std::string& first_debug) {
    auto key_text = key == DispatchKey::CompositeImplicitAutograd ? std::string_view("(catch all)") : to_string(key);
    fail<RegistrationError>("\nMismatch in kernel C++ signatures\n  operator: ", entry.description(), "\n    ",
                            entry.has_schema() ? entry.definition_debug_ : std::string("no debug info"),
                            "\n  kernel 1: ", detail::cpp_type_name(*first.type), "\n    dispatch key: ", first_key,
                            "\n    ", first_debug, "\n  kernel 2: ", detail::cpp_type_name(*kernel->type->type),
                            "\n    dispatch key: ", key_text, "\n    ", kernel->debug, "\n");
  };
  if (auto& fixed = entry.types_[kernel->type->symbolic]; fixed.type && !(*fixed.type == *kernel->type))
    mismatch(*fixed.type, fixed.key == DispatchKey::CompositeImplicitAutograd ? "(catch all)" : to_string(fixed.key),
             fixed.kernel->debug);
  if (const auto* declared = entry.declared_type_;
      declared && !(*declared == *kernel->type) &&
      !(!kernel->type->symbolic && *declared->plain_type == *kernel->type->type))
    mismatch(*declared, "(declaration)", entry.definition_debug_);
}

inline void Registry::check_call_type(OperatorEntry& entry, const std::type_info& type, const std::type_info& plain,
                                      bool symbolic) {
  auto same = [](const SignatureInfo* known, const std::type_info& asked) { return !known || *known->type == asked; };
  bool ok;
  if (symbolic)
    ok = same(entry.types_[1].type, type) && same(entry.types_[0].type, plain) && same(entry.declared_type_, type);
  else {
    auto lowered = [&](const SignatureInfo* known) {
      return !known || *known->type == type || *known->plain_type == type;
    };
    ok = same(entry.types_[0].type, type) && lowered(entry.types_[1].type) && lowered(entry.declared_type_);
  }
  if (!ok) report_wrong_type(entry, type, symbolic);
}

inline void Registry::fix_types(OperatorEntry& entry) {
  for (int symbolic = 0; symbolic < 2; ++symbolic) {
    auto& fixed = entry.types_[symbolic];
    auto before = fixed.type;
    auto still = [&] {
      for (const auto& list : entry.kernels_)
        if (list.key == fixed.key &&
            std::find(list.kernels.begin(), list.kernels.end(), fixed.kernel) != list.kernels.end())
          return true;
      return false;
    };
    if (fixed.kernel && still()) continue;
    fixed = {};
    for (const auto& list : entry.kernels_)
      for (const auto& kernel : list.kernels)
        if (kernel->type && kernel->type->symbolic == (symbolic != 0) && !fixed.type)
          fixed = {kernel->type, kernel, list.key};
    if (fixed.type != before) ++entry.type_version_;
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
/// The schema type of argument i, or of return -1 - i.
inline std::string argument_text(const SignatureInfo& type, int i) {
  if (type.describe) return type.describe(i);
  return code_text(i >= 0 ? type.args[i] : type.returns[-1 - i]);
}
inline std::string inferred_schema_text(const SignatureInfo& type, std::string_view name = {}) {
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

inline void Registry::check_against_schema(const OperatorEntry& entry, const schema::SchemaView& declared,
                                           const std::string& definition_debug, const Kernel::State& kernel) {
  if (!kernel.type) return;
  const SignatureInfo& type = *kernel.type;
  std::string reason;
  if (type.n_args != declared.n_args())
    reason =
        concat("The number of arguments is different. ", declared.n_args(), " vs ", static_cast<int>(type.n_args), ".");
  else if (type.n_returns != declared.n_returns())
    reason =
        concat("The number of returns is different. ", declared.n_returns(), " vs ", static_cast<int>(type.n_returns));
  auto compare = [&](const schema::Argument& a, std::uint32_t found, std::size_t i, const char* what, int place) {
    if (!reason.empty()) return;
    std::string found_text = detail::argument_text(type, place);
    if (a.cpp_code == 0 || found == 0) {
      // Types beyond words with modifiers are compared as text; a Value takes anything.
      if (found_text != "Any" && found_text != schema::type_text(declared, a))
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
      entry.name(), "\n  expected schema: ", schema::to_string(declared), "\n    ", definition_debug,
      "\n  inferred schema: ", detail::inferred_schema_text(type), "\n    ", kernel.debug, "\n  reason: ", reason);
}

inline Registration Registry::define(const schema::SchemaView& view, schema::FunctionSchema owner,
                                     const SignatureInfo* declared, std::vector<std::string> tags, std::string debug,
                                     std::string_view alias_analysis, std::string fake_module) {
  std::lock_guard lock(mutex_);
  OperatorEntry& entry = find_or_create(view.operator_name());
  if (entry.has_schema())
    fail<RegistrationError>(
        "Tried to register an operator (", schema::to_string(view),
        ") with the same name and overload name multiple times. Each overload's schema should only be registered with a single call to def(). Duplicate registration: ",
        debug, ". Original registration: ", entry.definition_debug_);
  for (const auto& list : entry.kernels_)
    for (const auto& kernel : list.kernels) check_against_schema(entry, view, debug, *kernel);
  std::string debug_before = std::exchange(entry.definition_debug_, std::move(debug));
  if (declared) {
    entry.declared_type_ = declared;
    try {
      for (const auto& list : entry.kernels_)
        for (const auto& kernel : list.kernels) check_type(entry, list.key, kernel);
    } catch (...) {
      entry.declared_type_ = nullptr;
      entry.definition_debug_ = std::move(debug_before);
      throw;
    }
    ++entry.type_version_;
  }
  entry.schema_ = view;
  entry.schema_owner_ = std::move(owner);
  entry.tags_ = std::move(tags);
  entry.inferred_ = alias_analysis == "CONSERVATIVE";
  entry.fake_module_ = std::move(fake_module);
  std::size_t hash = schema::hash(view);
  if (hash != entry.schema_hash_ || entry.generation_ == 0) entry.generation_.fetch_add(1);
  entry.schema_hash_ = hash;
  entry.n_args_.store(static_cast<std::int32_t>(view.n_args()), std::memory_order_release);
  invalidate(entry);
  for (auto& [id, listener] : listeners_) listener->on_registered(OperatorHandle(&entry, entry.generation()));
  Registration done(What::Definition);
  done.entry_ = &entry;
  return done;
}

inline void Registry::undefine(OperatorEntry& entry) {
  if (!entry.has_schema()) return;
  for (auto& [id, listener] : listeners_) listener->on_unregistered(OperatorHandle(&entry, entry.generation()));
  entry.n_args_.store(-1, std::memory_order_release);
  invalidate(entry);
  entry.schema_ = {};
  entry.schema_owner_ = {};
  if (std::exchange(entry.declared_type_, nullptr)) ++entry.type_version_;
  entry.tags_.clear();
}

inline void Registry::warn_override(OperatorEntry& entry, DispatchKey key, const Kernel::State& before,
                                    const Kernel::State& now) {
  auto policy = override_policy_.load();
  if (policy == OverridePolicy::Allow || now.overrides ||
      (policy == OverridePolicy::Warn && (key == DispatchKey::Meta || key == DispatchKey::MTIA)))
    return;
  std::string text =
      concat("Overriding a previously registered kernel for the same operator and the same dispatch key\n  operator: ",
             entry.description(), "\n    ", entry.has_schema() ? entry.definition_debug_ : std::string("no debug info"),
             "\n  dispatch key: ", key, "\n  previous kernel: ", before.debug, "\n       new kernel: ", now.debug);
  if (policy == OverridePolicy::Error) fail<RegistrationError>(text);
  if (std::find(entry.overwritten_warned_.begin(), entry.overwritten_warned_.end(), key) !=
      entry.overwritten_warned_.end())
    return;
  entry.overwritten_warned_.push_back(key);
  warn(text);
}

inline Registration Registry::implement(std::string_view full_name, DispatchKey key, Kernel kernel, std::string debug) {
  std::lock_guard lock(mutex_);
  auto state = kernel.state();
  if (state->debug.empty()) state->debug = std::move(debug);
  if (key == DispatchKey::Undefined) key = DispatchKey::CompositeImplicitAutograd;
  OperatorEntry& entry = find_or_create(full_name);
  check_type(entry, key, state);
  if (entry.has_schema()) check_against_schema(entry, entry.schema_, entry.definition_debug_, *state);
  auto list = std::find_if(entry.kernels_.begin(), entry.kernels_.end(), [&](const auto& l) { return l.key >= key; });
  if (list == entry.kernels_.end() || list->key != key)
    list = entry.kernels_.insert(list, {key, {}});
  else
    warn_override(entry, key, *list->kernels.front(), *state);
  list->kernels.insert(list->kernels.begin(), state);
  if (state->type)
    if (auto& fixed = entry.types_[state->type->symbolic]; !fixed.type) {
      fixed = {state->type, state, key};
      ++entry.type_version_;
    }
  invalidate(entry);
  Registration done(What::Implementation);
  done.entry_ = &entry;
  done.key_ = key;
  done.kernel_ = std::move(state);
  return done;
}

inline void Registry::remove_kernel(OperatorEntry& entry, DispatchKey key, const KernelState& kernel) {
  auto list = std::find_if(entry.kernels_.begin(), entry.kernels_.end(), [&](const auto& l) { return l.key == key; });
  if (list == entry.kernels_.end()) return;
  auto at = std::find(list->kernels.begin(), list->kernels.end(), kernel);
  if (at == list->kernels.end()) return;
  invalidate(entry);
  list->kernels.erase(at);
  if (list->kernels.empty()) entry.kernels_.erase(list);
  fix_types(entry);
}

inline Registration Registry::add_fallback(DispatchKey key, Kernel kernel, std::string debug) {
  std::lock_guard lock(mutex_);
  auto state = kernel.state();
  if (state->debug.empty()) state->debug = std::move(debug);
  std::vector<unsigned> slots;
  expand_alias(key).for_each([&](DispatchKey k) { slots.push_back(table_index(k)); });
  for (unsigned i : slots)
    if (fallbacks_[i])
      fail<RegistrationError>("Tried to register multiple backend fallbacks for the same dispatch key ",
                              detail::key_of_slot[i], "; previous registration ", fallbacks_[i]->debug,
                              ", new registration ", state->debug);
  invalidate_all();
  Registration done(What::Fallback);
  done.kernel_ = state;
  done.more_ = std::make_unique<Registration::More>();
  for (unsigned i : slots) done.more_->before.emplace_back(i, std::exchange(fallbacks_[i], state));
  return done;
}

inline Registration Registry::override_fallback(DispatchKey key, std::optional<Kernel> kernel, std::string debug) {
  std::lock_guard lock(mutex_);
  KernelState state;
  if (kernel) {
    state = kernel->state();
    if (state->debug.empty()) state->debug = std::move(debug);
  }
  invalidate_all();
  Registration done(What::OverriddenFallback);
  done.more_ = std::make_unique<Registration::More>();
  expand_alias(key).for_each([&](DispatchKey k) {
    unsigned i = table_index(k);
    done.more_->before.emplace_back(i + (falls_through_[i] ? kTableSize : 0), std::exchange(fallbacks_[i], state));
    falls_through_[i] = falls_through_[i] && kernel;
  });
  return done;
}

inline Registration Registry::add_library(std::string_view ns, std::string debug) {
  std::lock_guard lock(mutex_);
  if (auto it = libraries_.find(ns); it != libraries_.end())
    fail<RegistrationError>(
        "Only a single TENON_LIBRARY can be used to register the namespace ", ns,
        "; please put all of your definitions in a single TENON_LIBRARY block.  If you were trying to specify implementations, consider using TENON_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a single namespace in a distributed way, you can use TENON_LIBRARY_FRAGMENT to explicitly indicate this.  Previous registration of TENON_LIBRARY was ",
        it->second, "; latest registration was ", debug);
  libraries_.emplace(ns, std::move(debug));
  Registration done(What::Library);
  done.more_ = std::make_unique<Registration::More>();
  done.more_->name = ns;
  return done;
}

inline Registration Registry::add_listener(std::unique_ptr<RegistryListener> listener) {
  std::lock_guard lock(mutex_);
  for (auto& op : operators())
    if (op.has_schema()) listener->on_registered(op);
  Registration done(What::Listener);
  done.number_ = next_listener_++;
  listeners_.emplace_back(done.number_, std::move(listener));
  return done;
}

inline void Registry::undo(Registration& r) noexcept {
  std::vector<Garbage> free;  // destroyed after the lock is gone: kernels may hold anything
  KernelState kernel = std::move(r.kernel_);
  std::unique_ptr<RegistryListener> listener;
  std::lock_guard lock(mutex_);
  switch (std::exchange(r.what_, What::Nothing)) {
    case What::Definition: undefine(*r.entry_); break;
    case What::Implementation: remove_kernel(*r.entry_, r.key_, kernel); break;
    case What::Fallback:
      invalidate_all();
      for (const auto& [i, before] : r.more_->before)
        if (fallbacks_[i] == kernel) fallbacks_[i].reset();
      break;
    case What::OverriddenFallback:
      invalidate_all();
      for (const auto& [i, before] : r.more_->before) {
        fallbacks_[i % kTableSize] = before;
        falls_through_[i % kTableSize] = i >= kTableSize;
      }
      break;
    case What::Library: libraries_.erase(r.more_->name); break;
    case What::Listener:
      for (auto& [id, l] : listeners_)
        if (id == r.number_) listener = std::move(l);
      std::erase_if(listeners_, [](const auto& l) { return !l.second; });
      break;
    default: break;
  }
  free = collect();
}

inline void Registry::record_error(std::string ns, std::string message) noexcept {
  std::lock_guard lock(mutex_);
  errors_.push_back({std::move(ns), std::move(message), false});
  has_errors_.store(true, std::memory_order_release);
}
inline std::string Registry::error_list(std::string_view ns, bool only_new) {
  std::string text;
  for (auto& e : errors_)
    if ((ns.empty() || e.ns == ns) && !(only_new && std::exchange(e.reported, true))) ((text += "\n  ") += e.message);
  return text;
}
inline void Registry::throw_recorded_errors(std::string_view ns) {
  if (!has_errors_.load(std::memory_order_acquire)) return;
  std::lock_guard lock(mutex_);
  if (strict_) {
    std::fputs(("tenon: registrations failed:" + error_list({}, false) + "\n").c_str(), stderr);
    std::abort();
  }
  // The first use of a namespace throws, and every check of the whole.
  if (std::string text = error_list(ns, !ns.empty()); !text.empty())
    fail<RegistrationError>("registrations failed:", text);
}
inline std::vector<std::string> Registry::take_recorded_errors() {
  std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (auto& e : errors_) all.push_back(std::move(e.message));
  errors_.clear();
  has_errors_.store(false, std::memory_order_release);
  return all;
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

#include <tenon/dispatch/detail/registry_module.hpp>
#include <tenon/dispatch/detail/registry_text.hpp>
