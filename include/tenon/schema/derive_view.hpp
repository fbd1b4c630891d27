// The schemas of what is made of a view: its in-place form, its copy, and its inverse.
#pragma once
#include <tenon/schema/derive.hpp>

namespace tenon::schema {

namespace detail {
/// The first argument without the names of aliases.
constexpr std::string_view plain_self_name(const SchemaView& schema) {
  std::string_view text = arg_text(schema, 0);
  const TypeNode& tensor = schema.type(schema.args[0]);
  std::size_t skip = 6;  // "Tensor"
  if (tensor.alias_length != 0)
    skip = static_cast<std::size_t>(schema.text.data() + tensor.alias_offset + tensor.alias_length + 1 - text.data());
  return {text.data() + skip, text.size() - skip};
}
/// `of_self`: what stands behind the type of self, and behind that of a result that is self.
constexpr std::size_t derive_of_view(const SchemaView& schema, std::string_view suffix, std::string_view of_self,
                                     bool takes_src, char* out) {
  TextWriter to{out};
  to.put(schema.name());
  to.put(suffix);
  if (!schema.overload().empty()) {
    to.put('.');
    to.put(schema.overload());
  }
  to.put("(Tensor");
  to.put(of_self);
  to.put(plain_self_name(schema));
  if (takes_src) to.put(", Tensor src");
  for (unsigned i = 1; i < schema.head->n_args; ++i) {
    to.put(", ");
    if (i == schema.head->kwarg_start) to.put("*, ");
    to.put(arg_text(schema, i));
  }
  to.put(is_tensor_list(schema, schema.returns[0]) ? ") -> Tensor[]" : ") -> Tensor");
  to.put(of_self);
  return to.size;
}
}  // namespace detail

/// Writes the schema of a view's in-place form to `out` (null: only measures it): `ns::f.o(Tensor(a) self, ...) ->
/// Tensor(a)` gives `ns::f_.o(Tensor(a!) self, ...) -> Tensor(a!)`. Not for a view that returns a list.
constexpr std::size_t derive_view_inplace(const SchemaView& view, char* out = nullptr) {
  return detail::derive_of_view(view, "_", "(a!)", false, out);
}
/// Writes the schema of a view's copy to `out` (null: only measures it): `ns::f.o(Tensor(a) self, ...) -> Tensor(a)`
/// gives `ns::f_copy.o(Tensor self, ...) -> Tensor`.
constexpr std::size_t derive_view_copy(const SchemaView& view, char* out = nullptr) {
  return detail::derive_of_view(view, "_copy", {}, false, out);
}
/// The same for a view's inverse: `ns::f_scatter.o(Tensor self, Tensor src, ...) -> Tensor`.
constexpr std::size_t derive_view_scatter(const SchemaView& view, char* out = nullptr) {
  return detail::derive_of_view(view, "_scatter", {}, true, out);
}

}  // namespace tenon::schema
