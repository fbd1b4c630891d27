// Bodies of what is printed of operators and said when a call cannot be served.
#pragma once
#include <algorithm>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/base/component.hpp>
#include <tenon/base/selection.hpp>
#include <tenon/dispatch/detail/registry_state.hpp>
#include <tenon/dispatch/kernel_check.hpp>
#include <tenon/dispatch/report.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {

TENON_COLD_BODY std::string dump_state(const OperatorEntry& entry) {
  Registry::Lock lock(Registry::get());
  std::string out =
      concat("name: ", entry.name(),
             "\nschema: ", entry.has_schema() ? schema::to_string(entry.schema()) : std::string("(none)"), "\n");
  if (entry.has_schema())
    out += concat("debug: ", entry.definition_place(), "\nalias analysis kind: ",
                  entry.state().extra && entry.state().extra->inferred ? "CONSERVATIVE" : "FROM_SCHEMA", "\n");
  if (!entry.fake_kernel_module().empty()) out += concat("fake kernel module: ", entry.fake_kernel_module(), "\n");
  DispatchKey last = DispatchKey::Undefined;
  for (const auto& [key, state] : entry.kernels()) {
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

TENON_COLD_BODY std::string dump_table(const OperatorEntry& entry) {
  Registry::Lock lock(Registry::get());
  std::string out;
  for (unsigned i = 0; i < kTableSize; ++i) {
    OperatorTables::Computed c = Registry::get().tables().compute(entry, detail::key_of_slot[i]);
    if (c.kernel)
      out += concat(detail::key_of_slot[i], ": ", c.kernel->is_fallthrough ? "fallthrough " : "", c.kernel->place, " [",
                    c.provenance, "]\n");
  }
  return out;
}

namespace detail {

/// How many letters must be changed, added or left out to make one name of another.
inline std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

TENON_COLD_BODY std::string not_found(std::string_view name, bool has_kernels) {
  if (has_kernels) return " but we found an implementation; did you forget to def() the operator?";
  if (left_out_by_selection(name))
    return concat("; this program is compiled without it: add \"", name, "\" to its TENON_SELECTED_OPERATORS");
  std::string_view space = name.substr(0, name.find("::")), base = name.substr(0, name.find('.'));
  std::string overloads, nearest;
  std::size_t count = 0, least = base.size() > space.size() + 4 ? 4 : 2;
  for (const OperatorHandle& op : Registry::get().operators()) {
    std::string_view other = op.name(), other_base = other.substr(0, other.find('.'));
    if (!op.has_schema() || !other.starts_with(space) || other.substr(space.size(), 2) != "::") continue;
    ++count;
    if (other_base == base) overloads += concat(overloads.empty() ? "" : ", ", other);
    if (std::size_t n = edits_between(base, other_base); n < least) {
      least = n;
      nearest = other_base;
    }
  }
  if (!overloads.empty()) return concat("; there is ", overloads);
  std::string text;
  if (count != 0)
    text = concat("; namespace '", space, "' has ", count, count == 1 ? " operator" : " operators");
  else
    text = concat("; no operator of namespace '", space, "' is registered yet");
  if (!nearest.empty()) return concat(text, ", did you mean '", nearest, "'?");
  if (space == "aten")
    return text +
           "; link the unit that defines it: kernels_cpu, or include tenon/cpu.hpp in one unit of the program. The "
           "linker drops a static library's registrations unless it is linked with --whole-archive, as "
           "`pkg-config --libs tenon` does; a static object's constructor may run before they do";
  return text +
         "; link the unit that defines it (a static library with --whole-archive), or open the plugin first; a static "
         "object's constructor may run before registrations do";
}

TENON_COLD_BODY void report_unregistered(const OperatorEntry& entry) {
  Registry::Lock lock(Registry::get());  // another thread may define the operator again
  if (entry.generation() == 0 || entry.has_schema()) {
    if (entry.has_schema())
      fail<NotImplementedError>("operator ", entry.name(), " was unregistered and defined again with another schema (",
                                entry.definition_place(), "): ", schema::to_string(entry.schema()),
                                "; look it up again");
    fail<NotImplementedError>("Could not find schema for ", entry.name(), not_found(entry.name(), !entry.empty()));
  }
  // `registered at FILE:LINE` of the definition that is gone.
  std::string place = entry.definition_place().text();
  if (auto at = place.find("registered at "); at != place.npos) place = place.substr(at + 14);
  fail<NotImplementedError>("operator ", entry.name(), " was unregistered (defined at ", place, ")");
}

/// The kernels of an operator by key, with their places.
inline std::string kernels_text(const OperatorEntry& entry) {
  std::string text;
  DispatchKey last = DispatchKey::Undefined;
  for (const auto& [key, kernel] : entry.kernels())
    if (std::exchange(last, key) != key) text += concat(text.empty() ? "" : ", ", key, " (", kernel->place, ")");
  return text;
}
/// The keys whose fallback serves the operator; those of autograd lead to the keys below and serve no call.
inline std::string fallbacks_text(const OperatorEntry& entry) {
  std::string text;
  OperatorTables tables = Registry::get().tables();
  for (unsigned i = 1; i < kTableSize; ++i) {
    DispatchKey key = key_of_slot[i];
    const Kernel::State* fallback = tables.fallback_at(key);
    if (fallback && !fallback->is_fallthrough &&
        !key_sets::autograd_and_inplace_or_view.has_all(KeySet(functionality_of(key))) &&
        tables.compute(entry, key).provenance == Provenance::Fallback)
      text += concat(text.empty() ? "" : ", ", key);
  }
  return text;
}

/// A call that no kernel serves: the keys of its arguments, and the key that was looked for.
struct MissingCall {
  const OperatorEntry& entry;
  KeySet keys;
  const std::uint64_t* from_arguments;
  std::size_t n_arguments;
  DispatchKey top;
  std::string from = {};  ///< the arguments that bring the whole key
  bool included = tenon::local_keys().included.has(top);

  std::size_t size() const { return std::min(n_arguments, entry.schema().n_args()); }

  [[noreturn]] void report_no_key(std::string_view tail) const {
    if (keys.without_functionalities(key_sets::default_included).bits() != 0)
      fail<NotImplementedError>("Could not run '", entry.name(), "': every key of the call ", keys,
                                " falls through, and no kernel is left below them; register a kernel for one of them.",
                                tail);
    const schema::SchemaView& s = entry.schema();
    for (std::size_t i = 0; i < size(); ++i)
      if (s.type(s.arg(i)).kind == schema::Kind::Tensor)
        fail<ValueError>(entry.name(), ": argument ", i + 1, " '", s.arg_name(i),
                         "': expected a defined Tensor, got an undefined one; a gradient is defined once a backward "
                         "pass has reached its tensor");
    if (std::string_view name = entry.name(); name.starts_with("aten::"))
      for (std::size_t i = 0; i < size(); ++i)
        if (const schema::TypeNode& type = s.type(s.arg(i));
            type.kind == schema::Kind::List && s.node(type.child).kind == schema::Kind::Tensor)
          fail<ValueError>(name.substr(6, name.find('.') - 6), "(): expected a non-empty list of Tensors");
    fail<NotImplementedError>(
        "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema ",
        entry.name(),
        ".  This usually means that this function requires a non-empty list of Tensors; a kernel for CompositeExplicitAutograd serves calls without tensors.",
        tail);
  }
  /// Which arguments brought the key, or who else did; and which keys the thread hides.
  std::string brought() {
    std::string parts;  // those that bring its functionality or its backend
    KeySet from_all;
    for (std::size_t i = 0; i < size(); ++i) {
      KeySet keys_of(from_arguments[i]);
      from_all = from_all | keys_of;
      auto add = [&](std::string& to) { to += concat(to.empty() ? "" : ", ", "'", entry.schema().arg_name(i), "'"); };
      if (keys_of.has(top)) add(from);
      if (keys_of.has_any(KeySet(top))) add(parts);
    }
    std::string text;
    if (!from.empty())
      text = concat(" The key comes from argument ", from, ".");
    else if (included)
      text = " No argument brought that key: it is included by the thread.";
    else if (from_all.has(top))
      text = concat(" Together the arguments ", parts, " bring that key.");
    else if (n_arguments != 0)
      text = " No argument brought that key: the call asks for it, by a device or a layout say.";
    KeySet hidden = KeySet(from_all.bits() & tenon::local_keys().excluded.bits())
                        .without_functionalities(key_sets::autograd_and_inplace_or_view | key_sets::default_excluded);
    if (hidden.highest_functionality() != DispatchKey::Undefined)
      text += concat(" The thread excludes ", KeySet(hidden.bits() | (from_all.bits() & KeySet::all_backends().bits())),
                     ".");
    return text;
  }
  std::string remedy(bool has_kernels) const {
    std::string text = remedy_by_kernels(has_kernels);
    if (backend_of(top) == BackendComponent::CUDA && !cuda::is_built())
      text += concat(" For device cuda: ", cuda::kNoComponent, ".");
    return text;
  }
  std::string remedy_by_kernels(bool has_kernels) const {
    if (std::string_view fake = entry.fake_kernel_module(); top == DispatchKey::Meta && !fake.empty())
      return concat(" Its fake kernel is in module '", fake, "': load that.");
    if (!has_kernels)
      return entry.name().starts_with("aten::")
                 ? " Link kernels_cpu, or include tenon/cpu.hpp in one unit of the program."
                 : " Register a kernel for the operator, or link the unit that does.";
    if (included && from.empty()) return " Register one for that key, or end the guard that includes it.";
    // Of a device that nothing in the program serves it helps to know which ones there are.
    std::string devices;
    bool served = false;
    for (int i = 0; i <= static_cast<int>(DeviceType::PrivateUse1); ++i) {
      auto device = static_cast<DeviceType>(i);
      if (backend_of(device) == BackendComponent::Invalid) continue;
      DispatchKey key = dispatch_key_of(device);
      if (!entry.kernel_at(key)) continue;
      served = served || key == top;
      devices += concat(devices.empty() ? "" : " and ", device);
    }
    if (!served && !devices.empty() && from.empty())
      return concat(" This build has it for the devices ", devices,
                    " alone; a back end for another registers its own.");
    return " Register one for that key, or move the arguments to a device that has a kernel.";
  }
};

TENON_COLD_BODY void report_missing(OperatorEntry& entry, KeySet keys, const std::uint64_t* from_arguments,
                                    std::size_t n_arguments) {
  Registry& registry = Registry::get();
  Registry::Lock lock(registry);
  registry.errors().throw_for(entry.name());
  if (!entry.has_schema()) report_unregistered(entry);
  std::string kernels = kernels_text(entry), fallbacks = fallbacks_text(entry);
  KeySet kept(keys.bits() & registry.tables().of(entry).mask_for(keys));
  std::string tail = concat(" Kernels: [", kernels, "].");
  if (!fallbacks.empty()) tail += concat(" Fallbacks: [", fallbacks, "].");
  MissingCall call{entry, keys, from_arguments, n_arguments, kept.highest_priority()};
  if (call.top == DispatchKey::Undefined) call.report_no_key(tail);
  std::string brought = call.brought();
  fail<NotImplementedError>("Could not run '", entry.name(), "' with arguments from the '", call.top,
                            "' backend: no kernel is registered for it.", brought, " The call's keys are ", keys, ".",
                            tail, call.remedy(!kernels.empty()));
}

TENON_COLD_BODY void report_wrong_type(const OperatorEntry& entry, const std::type_info& asked, bool symbolic) {
  Registry::Lock lock(Registry::get());
  const Kernel::State* fixed = entry.state().typed_by[entry.state().typed_by[symbolic] ? symbolic : !symbolic];
  const SignatureInfo* known = entry.state().declared_type ? entry.state().declared_type
                               : fixed                     ? fixed->type
                                                           : nullptr;
  fail<TypeError>(
      "\nTried to access or call an operator with a wrong signature.\n  operator: ", entry.description(), "\n    ",
      entry.has_schema() ? entry.definition_place() : Place("unknown debug info"),
      "\n  correct signature:  ", known ? cpp_type_name(*known->type) : std::string("unknown"), "\n    ",
      entry.state().declared_type ? entry.definition_place()
      : fixed                     ? fixed->place
                                  : Place("unknown debug info"),
      "\n  accessed/called as: ", cpp_type_name(asked),
      "\nThis likely happened in a call to OperatorHandle::typed<Return (Args...)>(). Please make sure that the function signature matches the signature in the operator registration call.\n");
}

}  // namespace detail
}  // namespace tenon
