// Selective builds: a program names the operators and keys that it keeps, and the compiler leaves out the rest.
#pragma once
#include <string_view>

#include <tenon/base/error.hpp>
#include <tenon/base/selection.hpp>
#include <tenon/keys/dispatch_key.hpp>

/// The keys whose TENON_LIBRARY_IMPL blocks are kept, as a text: "CPU;AutogradCPU". Not set: all.
#ifndef TENON_SELECTED_KEYS
#define TENON_SELECTED_KEYS nullptr
#endif

namespace tenon {

/// Whether a selection keeps an operator, given by name or by schema; null keeps all. Throws ValueError for a name
/// without namespace, which no selection could hold.
constexpr bool is_selected(const char* list, std::string_view name_or_schema) {
  std::string_view name = name_or_schema.substr(0, name_or_schema.find('('));
  if (name.find("::") == name.npos) fail<ValueError>("TENON_SELECTIVE(\"", name, "\"): expected NAMESPACE::NAME");
  return !list || selection_contains(list, name);
}
constexpr bool is_selected(const char* list, DispatchKey key) {
  return !list || selection_contains(list, to_string(key));
}

namespace detail {

/// Stands for a name that was left out: registering it does nothing.
struct left_out {};
template <bool Selected>
constexpr auto selected(std::string_view text) {
  if constexpr (Selected)
    return text;
  else
    return left_out{};
}
/// Stands for a block of a key that was left out.
struct LeftOutLibrary {
  template <class... A>
  explicit constexpr LeftOutLibrary(A&&...) noexcept {}
};

}  // namespace detail
}  // namespace tenon

/// A name or schema, or what makes `def` and `impl` do nothing if the program's selection leaves it out:
/// `m.def(TENON_SELECTIVE("my::f(Tensor x) -> Tensor"))`.
#define TENON_SELECTIVE(TEXT) ::tenon::detail::selected<::tenon::is_selected(TENON_SELECTED_OPERATORS, TEXT)>(TEXT)
