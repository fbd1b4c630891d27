// The operators that a program keeps, as a list that the compiler reads.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

/// The operators that TENON_SELECTIVE keeps, with overloads, as a text: "aten::add.Tensor;my::f". Not set: all. The
/// library's own kernels and derivatives, and whatever else is registered by declared operator, obey a list that names
/// their namespace: in a program of headers alone nothing is compiled for the others. The same in all units of a
/// program.
#ifndef TENON_SELECTED_OPERATORS
#define TENON_SELECTED_OPERATORS nullptr
#endif

namespace tenon {

namespace detail {
/// The list of a macro above; empty if it is not set.
constexpr std::string_view selection_text(const char* list) { return list ? std::string_view(list) : ""; }
/// Whether `test` holds for one of the entries of a list that `;` separates, in order; it is asked no further then. A
/// separator at the end admits an empty entry.
template <class F>
constexpr bool any_entry(std::string_view list, F test) {
  for (;;) {
    std::size_t end = list.find(';');
    if (test(list.substr(0, end))) return true;
    if (end == list.npos) return false;
    list.remove_prefix(end + 1);
  }
}
}  // namespace detail

/// Whether `name` is one of the entries of a list that `;` separates.
constexpr bool selection_contains(std::string_view list, std::string_view name) {
  return detail::any_entry(list, [name](std::string_view entry) { return entry == name; });
}
namespace detail {

/// FNV-1a, so that the compiler compares numbers for the hundreds of operators that a program may declare.
constexpr std::uint64_t name_hash(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}
constexpr std::size_t selection_size(const char* list) {
  std::size_t n = 1;
  for (; list && *list; ++list) n += *list == ';';
  return n;
}
/// The namespace of a full name, with its `::`.
constexpr std::string_view namespace_in(std::string_view name) { return name.substr(0, name.find("::") + 2); }
/// The entries of a list as hashes.
template <std::size_t Size>
struct SelectionIndex {
  std::uint64_t name[Size]{}, space[Size]{};
  std::uint64_t form_of[Size]{};  // of an in-place or out form: the name without `_`, overload or both; else 0
  constexpr explicit SelectionIndex(const char* text) {
    std::size_t i = 0;
    any_entry(selection_text(text), [&](std::string_view entry) {
      std::string_view base = entry.substr(0, entry.find('.'));
      name[i] = name_hash(entry);
      space[i] = name_hash(namespace_in(entry));
      bool in_place = !base.empty() && base.back() == '_';
      if (in_place) base.remove_suffix(1);
      if (in_place || entry.find("out") != entry.npos) form_of[i] = name_hash(base);
      ++i;
      return false;
    });
  }
};
// Of this unit: the units of a test may have lists of their own.
constexpr SelectionIndex<selection_size(TENON_SELECTED_OPERATORS)> selection_index(TENON_SELECTED_OPERATORS);
constexpr bool index_contains(const auto& hashes, std::uint64_t hash) {
  for (std::uint64_t h : hashes)
    if (h == hash) return true;
  return false;
}

}  // namespace detail

/// Whether a list has an entry in the namespace of `name`.
constexpr bool selection_names_namespace(std::string_view list, std::string_view name) {
  std::string_view ns = detail::namespace_in(name);
  return detail::any_entry(list, [ns](std::string_view entry) { return entry.substr(0, ns.size()) == ns; });
}
/// Whether a list has an operator of this name, with any overload or in place: "aten::sum" for "aten::sum.dim_IntList".
constexpr bool selection_contains_base(std::string_view list, std::string_view base) {
  return detail::any_entry(list, [base](std::string_view entry) {
    if (entry.substr(0, base.size()) != base) return false;
    entry.remove_prefix(base.size());
    return entry.empty() || entry[0] == '.' || entry == "_" || entry.substr(0, 2) == "_.";
  });
}
/// Whether a selection keeps one of several operators, named as above; a list that does not name the namespace keeps
/// all.
constexpr bool selection_keeps_any(const char* list, std::initializer_list<std::string_view> bases) {
  if (!list || !selection_names_namespace(list, *bases.begin())) return true;
  for (std::string_view base : bases)
    if (selection_contains_base(list, base)) return true;
  return false;
}

namespace detail {
/// Whether the program's selection names the operator's namespace and not the operator.
constexpr bool left_out_by_selection(std::string_view name) {
  constexpr std::string_view list = selection_text(TENON_SELECTED_OPERATORS);
  return selection_names_namespace(list, name) && !selection_contains(list, name);
}
}  // namespace detail

}  // namespace tenon
