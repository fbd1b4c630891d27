// Bodies of the checks of kernels against their operator.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/detail/operator_state.hpp>
#include <tenon/dispatch/kernel_check.hpp>
#include <tenon/schema/compare.hpp>
#include <tenon/schema/print.hpp>

namespace tenon::detail {

TENON_COLD_BODY void check_type(const OperatorEntry& entry, DispatchKey key, const Kernel::State& kernel) {
  if (!kernel.type) return;
  auto mismatch = [&](const SignatureInfo& first, std::string_view first_key, const Place& first_place) {
    auto key_text = key == DispatchKey::CompositeImplicitAutograd ? std::string_view("(catch all)") : to_string(key);
    fail<RegistrationError>("\nMismatch in kernel C++ signatures\n  operator: ", entry.description(), "\n    ",
                            entry.has_schema() ? entry.definition_place() : Place("no debug info"),
                            "\n  kernel 1: ", cpp_type_name(*first.type), "\n    dispatch key: ", first_key, "\n    ",
                            first_place, "\n  kernel 2: ", cpp_type_name(*kernel.type->type),
                            "\n    dispatch key: ", key_text, "\n    ", kernel.place, "\n");
  };
  if (const auto* fixed = entry.state().typed_by[kernel.type->symbolic]; fixed && !(*fixed->type == *kernel.type)) {
    auto at = std::find_if(entry.kernels().begin(), entry.kernels().end(),
                           [&](const auto& k) { return k.kernel.get() == fixed; });
    mismatch(*fixed->type, at->key == DispatchKey::CompositeImplicitAutograd ? "(catch all)" : to_string(at->key),
             fixed->place);
  }
  if (const auto* declared = entry.state().declared_type;
      declared && !(*declared == *kernel.type) &&
      !(!kernel.type->symbolic && *declared->plain_type == *kernel.type->type))
    mismatch(*declared, "(declaration)", entry.definition_place());
}

TENON_COLD_BODY bool serves_type(const OperatorEntry& entry, const std::type_info& type, const std::type_info& plain,
                                 bool symbolic) {
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

TENON_COLD_BODY void fix_types(OperatorEntry& entry) {
  for (bool symbolic : {false, true}) {
    auto& fixed = entry.state().typed_by[symbolic];
    auto still = [&](const auto& k) { return k.kernel.get() == fixed; };
    if (fixed && std::any_of(entry.kernels().begin(), entry.kernels().end(), still)) continue;
    const SignatureInfo* before = entry.state().fixed_type(symbolic);
    fixed = nullptr;
    for (const auto& [key, kernel] : entry.kernels())
      if (kernel->type && kernel->type->symbolic == symbolic && !fixed) fixed = kernel.get();
    if (entry.state().fixed_type(symbolic) != before) ++entry.state().type_version;
  }
}

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

TENON_COLD_BODY void check_against_schema(const OperatorEntry& entry, const schema::SchemaView& declared,
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
    std::string found_text = argument_text(type, place);
    if (a.cpp_code == 0 || found == 0 || found == schema::cpp_code(schema::Kind::Any)) {
      // Types beyond words with modifiers are compared as text; a Value takes anything that has no type of its own.
      bool is_value = found_text == "Any" && (a.cpp_code == 0 || !has_own_type(a.cpp_code));
      if (!is_value && found_text != schema::type_text(declared, a))
        reason = concat("Type mismatch in ", what, " ", i + 1, ": ", schema::type_text(declared, a), " vs ", found_text,
                        ".");
      return;
    }
    if (matching_code(a.cpp_code, !type.symbolic) != matching_code(found, !type.symbolic))
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
      "\n  inferred schema: ", inferred_schema_text(type), "\n    ", kernel.place, "\n  reason: ", reason);
}

}  // namespace tenon::detail
