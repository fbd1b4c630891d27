// Bodies of what an error tells of its call.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/boxing/value_text.hpp>
#include <tenon/dispatch/detail/caller.hpp>
#include <tenon/dispatch/call_context.hpp>
#include <tenon/dispatch/registry.hpp>

namespace tenon::detail {

/// `float32 [2, 3]`, of lists the first few; numbers and words as Python writes them.
TENON_COLD_BODY std::string argument_text(const Value& v) {
  constexpr std::size_t most_items = 6, most_letters = 80;
  if (v.is_tensor()) {
    const Tensor& t = v.to_tensor();
    if (!t.defined()) return "undefined";
    return concat(t.dtype(), ' ', t.sym_sizes(), t.is_cpu() ? std::string() : concat(" on ", t.device()));
  }
  if (!v.is_list()) {
    std::string text = to_string(v);
    return text.size() > most_letters ? text.substr(0, most_letters) + ".." : text;
  }
  std::string text = "[";
  std::size_t i = 0;
  for (const Value& item : v.to_list()) {
    if (i == most_items) return concat(text, ", .. ", v.to_list().size(), " in all]");
    text += concat(i++ ? ", " : "", argument_text(item));
  }
  return text + ']';
}

TENON_COLD_BODY void add_call_context(Error& error, std::string_view op, void (*const* box_into)(Stack&, const void*),
                                      const void* const* arguments, std::size_t n) noexcept try {
  Stack stack;
  for (std::size_t i = 0; i < n; ++i) box_into[i](stack, arguments[i]);
  const OperatorEntry* entry = Registry::get().find(op);
  bool named = entry && entry->has_schema() && entry->schema().n_args() == n;
  std::string line = concat(op, '(');
  for (std::size_t i = 0; i < n; ++i) {
    if (stack[i].is_none()) continue;
    if (line.back() != '(') line += ", ";
    if (named) line += concat(entry->schema().arg_name(i), ": ");
    line += argument_text(stack[i]);
  }
  error.add_context(line + ')');
  add_caller(error);
} catch (...) {  // the error itself matters more
}

}  // namespace tenon::detail
