// Bodies of comparing.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/schema/compare.hpp>
#include <tenon/schema/default_value.hpp>

namespace tenon::schema {
namespace detail {

inline std::int32_t fixed_size(const SchemaView& schema, const Argument& a) { return without_optional(schema, a).size; }

inline bool constants_equal(const Constant& a, const Constant& b) {
  Kind kind = matching_kind(a.kind);
  bool as_real = kind == Kind::Float || kind == Kind::Complex;
  auto number = [](DefaultKind k) { return k == DefaultKind::Integer || k == DefaultKind::Float; };
  auto whole = [](DefaultKind k) { return k == DefaultKind::Integer || k == DefaultKind::Symbol; };
  if (as_real && number(a.written) && number(b.written)) return a.real() == b.real();
  if (whole(a.written) && whole(b.written)) return a.integer() == b.integer();
  if (a.written != b.written) return false;
  switch (a.written) {
    case DefaultKind::Boolean: return a.boolean() == b.boolean();
    case DefaultKind::Float:
    case DefaultKind::Imaginary: return a.real() == b.real();
    case DefaultKind::String: return a.string() == b.string();
    default: return true;
  }
}

}  // namespace detail

TENON_COLD_BODY bool same_default(const SchemaView& a, const Argument& x, const SchemaView& b, const Argument& y) {
  if (!x.has_default() || !y.has_default()) return x.has_default() == y.has_default();
  bool list = default_is_list(a, x);
  if (list != default_is_list(b, y)) return false;
  if (!list) return detail::constants_equal(default_constant(a, x), default_constant(b, y));
  std::size_t n = default_size(a, x);
  if (n != default_size(b, y)) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!detail::constants_equal(default_item(a, x, i), default_item(b, y, i))) return false;
  return true;
}

TENON_COLD_BODY bool same_argument(const SchemaView& a, const Argument& x, const SchemaView& b, const Argument& y) {
  return detail::equal(a.name_of(x), b.name_of(y)) && x.kwarg_only == y.kwarg_only && same_type(a, x, b, y) &&
         detail::fixed_size(a, x) == detail::fixed_size(b, y) && same_alias(a, x, b, y) && same_default(a, x, b, y);
}

TENON_COLD_BODY bool operator==(const SchemaView& a, const SchemaView& b) {
  const Head &x = *a.head, &y = *b.head;
  if (!detail::equal(a.operator_name(), b.operator_name()) || x.n_args != y.n_args || x.n_returns != y.n_returns ||
      x.is_vararg != y.is_vararg || x.is_varret != y.is_varret)
    return false;
  for (unsigned i = 0; i < x.n_args; ++i)
    if (!same_argument(a, a.args[i], b, b.args[i])) return false;
  for (unsigned i = 0; i < x.n_returns; ++i)
    if (!same_argument(a, a.returns[i], b, b.returns[i])) return false;
  return true;
}

}  // namespace tenon::schema
