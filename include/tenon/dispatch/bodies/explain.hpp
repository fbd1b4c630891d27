// Bodies of explanations.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/detail/registry_state.hpp>
#include <tenon/dispatch/explain.hpp>
#include <tenon/dispatch/report.hpp>

namespace tenon {
namespace detail {

TENON_COLD_BODY Explanation explain_keys(OperatorEntry& entry, std::vector<Explanation::Argument> arguments) {
  Registry& registry = Registry::get();
  registry.errors().throw_for(entry.name());
  Registry::Lock lock(registry);
  Explanation e;
  e.op = entry.description();
  e.fake_kernel_module = entry.fake_kernel_module();
  for (auto& a : arguments) {
    e.from_arguments = e.from_arguments | a.keys;
    if (!a.keys.empty()) e.arguments.push_back(std::move(a));
  }
  e.included = tenon::local_keys().included;
  e.excluded = tenon::local_keys().excluded;
  DispatchKey last = DispatchKey::Undefined;  // only the active kernel of each key is told
  for (const auto& [key, kernel] : entry.kernels())
    if (std::exchange(last, key) != key) e.kernels.push_back(concat(key, " (", kernel->place, ")"));
  KeySet raw = e.from_arguments | e.included, left = raw;
  // The keys from the highest downward, each with the backend that it would have.
  while (true) {
    DispatchKey k = key_of_slot[left.table_index()];  // what calls index, also where a key has no backend
    if (k == DispatchKey::Undefined) {
      e.key = DispatchKey::Undefined;
      auto c = registry.tables().compute(entry, DispatchKey::Undefined);
      e.rule = c.provenance;
      if (c.kernel) e.kernel = c.kernel->place.text();
      return e;
    }
    auto computed = registry.tables().compute(entry, k);
    if (e.excluded.has_all(KeySet(functionality_of(k))))
      e.skipped.push_back({k, "excluded by the thread"});
    else if (computed.kernel && computed.kernel->is_fallthrough)
      e.skipped.push_back({k, concat("falls through (", computed.kernel->place, ")")});
    else {
      e.key = k;
      e.rule = computed.provenance;
      if (computed.kernel) {
        e.kernel = computed.kernel->place.text();
        e.boxed = !computed.kernel->record.unboxed && !computed.kernel->record.unboxed_sym;
      }
      return e;
    }
    left = left.without(k);
  }
}

}  // namespace detail

TENON_COLD_BODY Explanation explain(const OperatorHandle& op, const Stack& stack) {
  Registry& registry = Registry::get();
  Registry::Lock lock(registry);
  if (!op.is_current()) detail::report_unregistered(op.entry());
  std::size_t n = detail::arguments_on_stack(op.entry(), stack);
  std::vector<Explanation::Argument> arguments;
  for (std::size_t i = 0; i < n; ++i)
    arguments.push_back(
        {std::string(op.schema().arg_name(i)), KeySet(detail::value_key_bits(stack[stack.size() - n + i]))});
  return detail::explain_keys(op.entry(), std::move(arguments));
}

TENON_COLD_BODY std::string Explanation::text() const {
  std::string out = op + "\n";
  for (const auto& a : arguments) out += concat("  argument '", a.name, "' brings ", a.keys, "\n");
  if (arguments.empty()) out += "  no argument brings keys\n";
  out += concat("  the thread includes ", included, " and excludes ", excluded, "\n");
  for (const auto& s : skipped) out += concat("  ", s.key, " is skipped: ", s.why, "\n");
  if (rule == Provenance::Missing)
    out += concat("  ", key, " has no kernel; the operator's kernels: ", kernels, "\n",
                  key == DispatchKey::Meta && !fake_kernel_module.empty()
                      ? concat("  its fake kernel is in module '", fake_kernel_module, "'\n")
                      : std::string());
  else
    out += concat("  ", key, " wins by the rule '", rule, "': ", boxed ? "boxed kernel, " : "", kernel, "\n");
  return out;
}

}  // namespace tenon
