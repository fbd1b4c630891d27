// The names in the formulas of derivatives: what of an operator each stands for, found from its schema.
#pragma once
#include <tenon/autograd/kernels.hpp>
#include <tenon/structured/function_check.hpp>

namespace tenon {

template <char... Name>
struct name_text;
/// A formula names something that is neither an argument, a result, a gradient nor one of their properties.
template <class Operator, class Name>
struct derivative_names_nothing_in_the_schema;
/// A clause is about an argument that is not a tensor.
template <class Operator, class Name>
struct derivative_target_is_not_a_tensor_argument;
/// Two clauses, or one clause twice, are about the same argument.
template <class Operator, class Name>
struct derivative_argument_has_two_clauses;
/// The targets of a clause, or the names that its formula reads, are no lists in parentheses.
template <class Operator>
struct derivative_clause_lacks_parentheses;
/// A formula returns neither a Tensor nor, for several targets, a tuple with a Tensor for each.
template <class Operator, class Targets, class Found>
struct derivative_formula_returns_something_else;

namespace autograd {

/// Which targets of a clause need a gradient, in the order of the clause's list.
struct Needs {
  std::uint32_t bits = 0;
  bool operator[](unsigned i) const { return bits >> i & 1; }
};

namespace detail {

enum class Source : int { Unknown, Grad, Input, Output, Sizes, GeometryOf, Dtype, Plain, NeedsOf, List, ListGeometry };
constexpr int make_code(Source s, int index) { return static_cast<int>(s) * 64 + index; }
constexpr Source source_of(int code) { return static_cast<Source>(code / 64); }
constexpr int index_of(int code) { return code % 64; }
template <int... C>
struct codes {};

constexpr bool is_tensor_code(std::uint32_t c) {
  return (c & 0x7f) == static_cast<std::uint32_t>(schema::Kind::Tensor) &&
         ((c >> 8) == 0 || (c >> 8) == schema::code_optional);
}
constexpr bool is_list_code(std::uint32_t c) {
  return (c & 0x7f) == static_cast<std::uint32_t>(schema::Kind::Tensor) && !is_tensor_code(c);
}

/// What a name in a formula stands for. An ordinary function: not instantiated per operator.
constexpr int find_source(const schema::SchemaView& s, std::string_view w) {
  auto same = [](std::string_view a, std::string_view b) { return schema::detail::equal(a, b); };
  auto numbered = [&](std::string_view stem) {  // -1: no; else the number
    if (w.size() < stem.size() || !same(w.substr(0, stem.size()), stem)) return -1;
    if (w.size() == stem.size()) return 0;
    int n = 0;
    for (char c : w.substr(stem.size())) {
      if (c < '0' || c > '9') return -1;
      n = n * 10 + (c - '0');
    }
    return n;
  };
  if (int i = s.find_argument(w); i >= 0) {
    std::uint32_t c = s.arg(static_cast<std::size_t>(i)).cpp_code;
    return make_code(is_tensor_code(c) ? Source::Input : is_list_code(c) ? Source::List : Source::Plain, i);
  }
  if (same(w, "needs")) return make_code(Source::NeedsOf, 0);
  for (std::size_t i = 0; i < s.n_returns(); ++i) {
    auto r = s.return_name(i);
    if (r.empty()) continue;
    if (same(w, r)) return make_code(Source::Output, static_cast<int>(i));
    if (w.size() == r.size() + 5 && same(w.substr(0, 5), "grad_") && same(w.substr(5), r))
      return make_code(Source::Grad, static_cast<int>(i));
  }
  if (int n = numbered("grad"); n >= 0 && n < static_cast<int>(s.n_returns() ? s.n_returns() : 1))
    return make_code(Source::Grad, n);
  if (int n = numbered("result"); n >= 0 && n < static_cast<int>(s.n_returns())) return make_code(Source::Output, n);
  for (std::size_t i = 0; i < s.n_args(); ++i) {
    auto name = s.arg_name(i);
    if (w.size() <= name.size() || !same(w.substr(0, name.size()), name)) continue;
    auto rest = w.substr(name.size());
    bool list = is_list_code(s.arg(i).cpp_code);
    if (list && same(rest, "_geometries")) return make_code(Source::ListGeometry, static_cast<int>(i));
    if (list) continue;
    if (same(rest, "_sizes")) return make_code(Source::Sizes, static_cast<int>(i));
    if (same(rest, "_geometry")) return make_code(Source::GeometryOf, static_cast<int>(i));
    if (same(rest, "_dtype")) return make_code(Source::Dtype, static_cast<int>(i));
  }
  return 0;
}
template <class Op>
consteval int code(std::string_view name) {
  return find_source(tenon::detail::view_of<Op>(), name);
}

template <fixed_string Name>
struct spelled {
  static constexpr std::string_view view() { return Name.view(); }
};
template <class Op, int Code, fixed_string Name>
constexpr auto source_type() {
  constexpr Source s = source_of(Code);
  if constexpr (s == Source::Sizes)
    return std::type_identity<IntArrayRef>{};
  else if constexpr (s == Source::GeometryOf)
    return std::type_identity<const Geometry&>{};
  else if constexpr (s == Source::Dtype)
    return std::type_identity<ScalarType>{};
  else if constexpr (s == Source::NeedsOf)
    return std::type_identity<Needs>{};
  else if constexpr (s == Source::List)
    return std::type_identity<const std::vector<Tensor>&>{};
  else if constexpr (s == Source::ListGeometry)
    return std::type_identity<const std::vector<Geometry>&>{};
  else if constexpr (s == Source::Plain) {
    using Bare = typename tenon::detail::parameter<tenon::detail::parsed_v<Op>.args[index_of(Code)].cpp_code>::value;
    return std::type_identity<tenon::detail::plain_t<Bare>>{};
  } else {
    if constexpr (s == Source::Unknown)
      static_assert(tenon::detail::declaration_compiles<
                        derivative_names_nothing_in_the_schema<Op, tenon::detail::spell_t<name_text, spelled<Name>>>>,
                    "tenon: a derivative names what is no argument, result or gradient of the schema");
    return std::type_identity<const Tensor&>{};
  }
}
template <class Op, int Code, fixed_string Name>
using source_t = typename decltype(source_type<Op, Code, Name>())::type;

template <class Op, int Code, fixed_string Name>
consteval int target() {
  if constexpr (source_of(Code) == Source::Input || source_of(Code) == Source::List)
    return Code;
  else {
    static_assert(tenon::detail::declaration_compiles<
                      derivative_target_is_not_a_tensor_argument<Op, tenon::detail::spell_t<name_text, spelled<Name>>>>,
                  "tenon: a clause of a derivative is about what is no tensor argument of the schema");
    return 0;
  }
}

}  // namespace detail
}  // namespace autograd
}  // namespace tenon
