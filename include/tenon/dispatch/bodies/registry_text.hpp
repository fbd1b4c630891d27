// Bodies of Registry: what it prints and what it says when a call cannot be served.
#pragma once
#include <algorithm>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/base/selection.hpp>
#include <tenon/dispatch/bodies/registry_state.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {

TENON_COLD_BODY std::string Registry::dump_state(const OperatorEntry& entry) {
  std::lock_guard lock(state_->mutex);
  std::string out =
      concat("name: ", entry.name(),
             "\nschema: ", entry.has_schema() ? schema::to_string(entry.schema()) : std::string("(none)"), "\n");
  if (entry.has_schema())
    out += concat("debug: ", entry.definition_place_, "\nalias analysis kind: ",
                  entry.state().extra && entry.state().extra->inferred ? "CONSERVATIVE" : "FROM_SCHEMA", "\n");
  if (!entry.fake_kernel_module().empty()) out += concat("fake kernel module: ", entry.fake_kernel_module(), "\n");
  DispatchKey last = DispatchKey::Undefined;
  for (const auto& [key, state] : entry.kernels_) {
    const auto& kernel = *state;
    bool active = std::exchange(last, key) != key;
    out += concat(key, is_alias_key(key) ? "[alias]" : "", active ? "" : " (inactive)", ": ", kernel.place,
                  " :: ", kernel.type ? detail::inferred_schema_text(*kernel.type) : std::string("(none)"), " [ ",
                  kernel.is_fallthrough ? "fallthrough " : "",
                  kernel.record.boxed && !kernel.is_fallthrough ? "boxed " : "",
                  kernel.record.unboxed ? "unboxed " : "", kernel.record.unboxed_sym ? "symint " : "", "]\n");
  }
  return out;
}

TENON_COLD_BODY std::string Registry::dump_table(const OperatorEntry& entry) {
  std::lock_guard lock(state_->mutex);
  std::string out;
  for (unsigned i = 0; i < kTableSize; ++i) {
    Computed c = compute(entry, detail::key_of_slot[i]);
    if (c.kernel)
      out += concat(detail::key_of_slot[i], ": ", c.kernel->is_fallthrough ? "fallthrough " : "", c.kernel->place, " [",
                    c.provenance, "]\n");
  }
  return out;
}

TENON_COLD_BODY void Registry::report_unregistered(OperatorEntry& entry) {
  std::lock_guard lock(state_->mutex);  // another thread may define the operator again
  if (entry.generation() == 0 || entry.has_schema()) {
    if (entry.has_schema())
      fail<NotImplementedError>("operator ", entry.name(), " was unregistered and defined again with another schema (",
                                entry.definition_place_, "): ", schema::to_string(entry.schema()),
                                "; look it up again");
    if (entry.empty() && detail::left_out_by_selection(entry.name()))
      fail<NotImplementedError>("Could not find schema for ", entry.name(),
                                "; this program is compiled without it: add \"", entry.name(),
                                "\" to its TENON_SELECTED_OPERATORS");
    std::string_view remedy = " but we found an implementation; did you forget to def() the operator?";
    if (entry.empty()) {
      remedy = "; link the unit that defines it";
      if (entry.name().starts_with("aten::"))
        remedy = "; link the unit that defines it: kernels_cpu, or include tenon/cpu.hpp in one unit of the program";
    }
    fail<NotImplementedError>("Could not find schema for ", entry.name(), remedy);
  }
  // `registered at FILE:LINE` of the definition that is gone.
  std::string place = entry.definition_place_.text();
  if (auto at = place.find("registered at "); at != place.npos) place = place.substr(at + 14);
  fail<NotImplementedError>("operator ", entry.name(), " was unregistered (defined at ", place, ")");
}

TENON_COLD_BODY void Registry::report_missing(OperatorEntry& entry, KeySet keys, const std::uint64_t* from_arguments,
                                              std::size_t n_arguments) {
  std::lock_guard lock(state_->mutex);
  throw_recorded_errors(entry.name());
  if (!entry.has_schema()) report_unregistered(entry);
  std::string kernels, fallbacks;
  DispatchKey last = DispatchKey::Undefined;
  for (const auto& [key, kernel] : entry.kernels_)
    if (std::exchange(last, key) != key) kernels += concat(kernels.empty() ? "" : ", ", key, " (", kernel->place, ")");
  for (unsigned i = 1; i < kTableSize; ++i) {
    // Those of autograd lead to the keys below; they serve no call.
    DispatchKey key = detail::key_of_slot[i];
    if (state_->fallbacks[i] && !state_->fallbacks[i]->is_fallthrough &&
        !key_sets::autograd_and_inplace_or_view.has_all(KeySet(functionality_of(key))) &&
        compute(entry, key).provenance == Provenance::Fallback)
      fallbacks += concat(fallbacks.empty() ? "" : ", ", key);
  }
  const auto& table = build(entry);
  DispatchKey top = KeySet(keys.bits() & table.mask_for(keys)).highest_priority();
  std::string tail = concat(" Kernels: [", kernels, "].");
  if (!fallbacks.empty()) tail += concat(" Fallbacks: [", fallbacks, "].");
  if (top == DispatchKey::Undefined && keys.without_functionalities(key_sets::default_included).bits() != 0)
    fail<NotImplementedError>("Could not run '", entry.name(), "': every key of the call ", keys,
                              " falls through, and no kernel is left below them; register a kernel for one of them.",
                              tail);
  if (top == DispatchKey::Undefined) {
    const schema::SchemaView& s = entry.schema();
    for (std::size_t i = 0; i < n_arguments && i < s.n_args(); ++i)
      if (s.type(s.arg(i)).kind == schema::Kind::Tensor)
        fail<ValueError>(entry.name(), ": argument ", i + 1, " '", s.arg_name(i),
                         "': expected a defined Tensor, got an undefined one; a gradient is defined once a backward "
                         "pass has reached its tensor");
    fail<NotImplementedError>(
        "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema ",
        entry.name(),
        ".  This usually means that this function requires a non-empty list of Tensors; a kernel for CompositeExplicitAutograd serves calls without tensors.",
        tail);
  }

  // The arguments that bring the whole key; else those that bring its functionality or its backend.
  std::string arguments, parts;
  KeySet from_all;
  for (std::size_t i = 0; i < n_arguments && i < entry.schema().n_args(); ++i) {
    KeySet from(from_arguments[i]);
    from_all = from_all | from;
    auto add = [&](std::string& to) { to += concat(to.empty() ? "" : ", ", "'", entry.schema().arg_name(i), "'"); };
    if (from.has(top)) add(arguments);
    if (from.has_any(KeySet(top))) add(parts);
  }
  bool included = tenon::local_keys().included.has(top);
  std::string brought;
  if (!arguments.empty())
    brought = concat(" The key comes from argument ", arguments, ".");
  else if (included)
    brought = " No argument brought that key: it is included by the thread.";
  else if (from_all.has(top))
    brought = concat(" Together the arguments ", parts, " bring that key.");
  else if (n_arguments != 0)
    brought = " No argument brought that key: the call asks for it, by a device or a layout say.";
  KeySet hidden = KeySet(from_all.bits() & tenon::local_keys().excluded.bits())
                      .without_functionalities(key_sets::autograd_and_inplace_or_view | key_sets::default_excluded);
  if (hidden.highest_functionality() != DispatchKey::Undefined)
    brought +=
        concat(" The thread excludes ", KeySet(hidden.bits() | (from_all.bits() & KeySet::all_backends().bits())), ".");

  std::string_view fake = entry.fake_kernel_module();
  std::string remedy;
  if (top == DispatchKey::Meta && !fake.empty())
    remedy = concat(" Its fake kernel is in module '", fake, "': load that.");
  else if (kernels.empty() && entry.name().starts_with("aten::"))
    remedy = " Link kernels_cpu, or include tenon/cpu.hpp in one unit of the program.";
  else if (kernels.empty())
    remedy = " Register a kernel for the operator, or link the unit that does.";
  else if (included && arguments.empty())
    remedy = " Register one for that key, or end the guard that includes it.";
  else
    remedy = " Register one for that key, or move the arguments to a device that has a kernel.";
  fail<NotImplementedError>("Could not run '", entry.name(), "' with arguments from the '", top,
                            "' backend: no kernel is registered for it.", brought, " The call's keys are ", keys, ".",
                            tail, remedy);
}

TENON_COLD_BODY void Registry::report_wrong_type(OperatorEntry& entry, const std::type_info& asked, bool symbolic) {
  std::lock_guard lock(state_->mutex);
  const Kernel::State* fixed = entry.state().typed_by[entry.state().typed_by[symbolic] ? symbolic : !symbolic];
  const SignatureInfo* known = entry.state().declared_type ? entry.state().declared_type
                               : fixed                     ? fixed->type
                                                           : nullptr;
  fail<TypeError>(
      "\nTried to access or call an operator with a wrong signature.\n  operator: ", entry.description(), "\n    ",
      entry.has_schema() ? entry.definition_place_ : Place("unknown debug info"),
      "\n  correct signature:  ", known ? detail::cpp_type_name(*known->type) : std::string("unknown"), "\n    ",
      entry.state().declared_type ? entry.definition_place_
      : fixed                     ? fixed->place
                                  : Place("unknown debug info"),
      "\n  accessed/called as: ", detail::cpp_type_name(asked),
      "\nThis likely happened in a call to OperatorHandle::typed<Return (Args...)>(). Please make sure that the function signature matches the signature in the operator registration call.\n");
}

TENON_COLD_BODY detail::OperatorSlot& Registry::typed_slot(OperatorEntry& entry, std::uint32_t generation,
                                                           const SignatureInfo& type) {
  std::lock_guard lock(state_->mutex);
  check_call_type(entry, *type.type, *type.plain_type, type.symbolic);
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
    slot.table.store(&state_->empty_table);
    slot.entry.store(&entry);
    entry.state().extra->slots.push_back(&slot);
  }
  auto& slot = (*at)->slot;
  const SignatureInfo* known = slot.type.load();
  if (!known || (may_unload(known) && !may_unload(&type))) slot.type.store(&type);
  return slot;
}

}  // namespace tenon
