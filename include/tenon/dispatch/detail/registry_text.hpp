// Bodies of Registry: what it prints and what it says when a call cannot be served.
#pragma once
#include <tenon/dispatch/registry.hpp>

namespace tenon {

inline std::string Registry::dump_state(const OperatorEntry& entry) {
  std::lock_guard lock(mutex_);
  std::string out = concat("name: ", entry.name(), "\nschema: ", entry.has_schema() ? schema::to_string(entry.schema_) : std::string("(none)"), "\n");
  if (entry.has_schema()) out += concat("debug: ", entry.definition_debug_, "\nalias analysis kind: ", entry.alias_analysis_, "\n");
  for (const auto& list : entry.kernels_)
    for (std::size_t i = 0; i < list.kernels.size(); ++i) {
      const auto& kernel = *list.kernels[i];
      out += concat(list.key, is_alias_key(list.key) ? "[alias]" : "", i ? " (inactive)" : "", ": ", kernel.debug, " :: ", kernel.type ? detail::inferred_schema_text(*kernel.type) : std::string("(none)"), " [ ",
                    kernel.is_fallthrough ? "fallthrough " : "", kernel.record.boxed && !kernel.is_fallthrough ? "boxed " : "", kernel.record.unboxed ? "unboxed " : "", kernel.record.unboxed_sym ? "symint " : "", "]\n");
    }
  return out;
}

inline std::string Registry::dump_table(const OperatorEntry& entry) {
  std::lock_guard lock(mutex_);
  std::string out;
  for (unsigned i = 0; i < kTableSize; ++i) {
    Computed c = compute(entry, detail::key_of_slot[i]);
    if (c.kernel) out += concat(detail::key_of_slot[i], ": ", c.kernel->is_fallthrough ? "fallthrough " : "", c.kernel->debug, " [", c.provenance, "]\n");
  }
  return out;
}

inline void Registry::report_missing(OperatorEntry& entry, KeySet keys) {
  std::lock_guard lock(mutex_);
  throw_recorded_errors(entry.name().substr(0, entry.name().find(':')));
  if (!entry.has_schema())
    fail<NotImplementedError>("Could not find schema for ", entry.name(), entry.empty() ? "" : " but we found an implementation; did you forget to def() the operator?",
                              entry.empty() ? "; link the unit that defines it: kernels_cpu, or include tenon/cpu.hpp in one unit of the program" : "");
  std::string kernels, fallbacks;
  for (const auto& list : entry.kernels_) kernels += concat(kernels.empty() ? "" : ", ", list.key, " (", list.kernels.front()->debug, ")");
  for (unsigned i = 1; i < kTableSize; ++i)
    if (fallbacks_[i] && !fallbacks_[i]->is_fallthrough && compute(entry, detail::key_of_slot[i]).provenance == Provenance::Fallback) fallbacks += concat(fallbacks.empty() ? "" : ", ", detail::key_of_slot[i]);
  std::string tail = concat(" Kernels: [", kernels, "]. Fallbacks: [", fallbacks, "].");
  DispatchKey top = KeySet(keys.bits() & entry.mask_for(keys)).highest_priority();
  if (top == DispatchKey::Undefined && keys.without_functionalities(key_sets::default_included).bits() != 0)
    fail<NotImplementedError>("Could not run '", entry.name(), "': every key of the call ", keys, " falls through, and no kernel is left below them; register a kernel for one of them.", tail);
  if (top == DispatchKey::Undefined)
    fail<NotImplementedError>("There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema ", entry.name(),
                              ".  This usually means that this function requires a non-empty list of Tensors; a kernel for CompositeExplicitAutograd serves calls without tensors.", tail);
  fail<NotImplementedError>("Could not run '", entry.name(), "' with arguments from the '", top, "' backend: no kernel is registered for it. The call's keys are ", keys, ".", tail,
                            kernels.empty() ? " Link kernels_cpu, or include tenon/cpu.hpp in one unit of the program." : " Register one for that key, or move the arguments to a device that has a kernel.");
}

inline void Registry::report_wrong_type(OperatorEntry& entry, const SignatureInfo& asked) {
  std::lock_guard lock(mutex_);
  const auto& fixed = entry.types_[asked.symbolic].type ? entry.types_[asked.symbolic] : entry.types_[!asked.symbolic];
  fail<TypeError>("\nTried to access or call an operator with a wrong signature.\n  operator: ", entry.description(), "\n    ", entry.has_schema() ? entry.definition_debug_ : std::string("unknown debug info"),
                  "\n  correct signature:  ", fixed.type ? detail::cpp_type_name(*fixed.type->type) : std::string("unknown"), "\n    ", fixed.kernel ? fixed.kernel->debug : std::string("unknown debug info"),
                  "\n  accessed/called as: ", detail::cpp_type_name(*asked.type),
                  "\nThis likely happened in a call to OperatorHandle::typed<Return (Args...)>(). Please make sure that the function signature matches the signature in the operator registration call.\n");
}

}  // namespace tenon
