// What the errors of writes say: who wrote, to which argument, and what had been saved.
#pragma once
#include <string>

#include <tenon/autograd/saved.hpp>
#include <tenon/dispatch/registry.hpp>

namespace tenon::autograd::detail {

/// The operator that wrote to a tensor's memory last; empty where nobody counted it.
inline std::string_view last_writer(const Tensor& t) {
  auto* writer = static_cast<const OperatorEntry*>(t->storage()->writer());
  return writer ? OperatorHandle(const_cast<OperatorEntry*>(writer)).name() : std::string_view();
}

/// Which argument of the operator is written; an operator that writes to several does not say to which.
inline std::string written_argument(std::string_view op) {
  std::string names;
  const OperatorEntry* entry = Registry::get().find(op);
  if (entry && entry->has_schema())
    for (std::size_t i = 0; i < entry->schema().n_args(); ++i)
      if (entry->schema().arg(i).write)
        names += concat(names.empty() ? "'" : " or '", entry->schema().arg_name(i), "'");
  return names.empty() ? concat(" It is written by ", op, ".") : concat(" It is argument ", names, " of ", op, ".");
}

/// `origin`: which tensor that is, between commas. `saved_as`: by whom it was saved, and as what.
[[noreturn, gnu::cold]] inline void report_written_since(const Tensor& t, std::uint32_t version,
                                                         std::string_view origin, std::string_view saved_as) {
  std::string_view writer = last_writer(t);
  fail<AutogradError>(
      "one of the variables needed for gradient computation has been modified by an inplace operation: [", t.dtype(),
      " ", t.sizes(), "]", origin, " is at version ", t.version(), "; expected version ", version, " instead", saved_as,
      writer.empty() ? "" : "; last written by ", writer,
      ". Hint: clone() the tensor before the inplace operation, or apply the operation out of place.");
}

/// The same of what a node saved.
[[noreturn, gnu::cold]] inline void report_written_since(const SavedTensor& saved, const Node& node,
                                                         std::string_view saved_as) {
  std::string origin;
  if (saved.result)
    origin = concat(", which is output ", saved.result - 1, " of ", node.name(), ",");
  else if (auto fn = grad_fn_of(saved.tensor))
    origin = concat(", which is output ", meta_of(saved.tensor)->result_index, " of ", fn->name(), ",");
  report_written_since(saved.tensor, saved.version, origin, saved_as);
}

}  // namespace tenon::autograd::detail
