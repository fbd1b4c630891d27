// Declarations of operators that come in several forms: the in-place and out schemas are derived from the functional
// one.
#pragma once
#include <tenon/library/function.hpp>
#include <tenon/schema/derive.hpp>

namespace tenon {

namespace detail {
// Templates of their own: a static member of a deduced type would be computed with each declaration, used or not.
template <class Op>
inline constexpr auto inplace_text_v = schema::inplace_text<schema::derive_inplace(view_of<Op>()).size>(view_of<Op>());
template <class Op>
inline constexpr auto out_text_v =
    schema::out_text<schema::derive_out(view_of<Op>(), nullptr, Op::out_overload()).size>(view_of<Op>(),
                                                                                          Op::out_overload());
}  // namespace detail

/// The in-place form: `add_.Tensor(Tensor(a!) self, ...) -> Tensor(a!)`.
template <class Op>
struct inplace_op : operator_base<inplace_op<Op>> {
  static constexpr std::string_view text() { return detail::inplace_text_v<Op>.view(); }
  using functional = Op;
};
/// The out form: `add.out(..., *, Tensor(a!) out) -> Tensor(a!)`.
template <class Op>
struct out_op : operator_base<out_op<Op>> {
  static constexpr std::string_view text() { return detail::out_text_v<Op>.view(); }
  using functional = Op;
};

/// Base of the tag of an operator with derived forms.
template <class Op, bool InPlace, bool Out>
struct operator_with_forms : operator_base<Op> {
  static constexpr bool has_inplace = InPlace, has_out = Out;
  using inplace = inplace_op<Op>;
  using out = out_op<Op>;
  /// Null for the rule of `schema::derive_out`.
  static constexpr std::string_view out_overload() { return {}; }
};

namespace detail {
template <class Op>
consteval bool derives_inplace() {
  if constexpr (parsed_v<Op>.head.ok() && parsed_v<Op>.head.n_args > 0) {
    constexpr schema::SchemaView view = view_of<Op>();
    return schema::detail::is_tensor(view, view.args[0]) && schema::derive_inplace(view).why == schema::derivation::ok;
  }
  return false;
}
template <class Op>
consteval schema::derivation out_derivation() {
  return schema::derive_out(view_of<Op>(), nullptr, Op::out_overload()).why;
}
template <class Op>
consteval bool derives_out() {
  if constexpr (parsed_v<Op>.head.ok()) return out_derivation<Op>() == schema::derivation::ok;
  return false;
}

/// The object NAME_ of an operator that has no such form.
template <class Op>
struct absent_inplace {
  template <class... G>
  anything operator()(G&&...) const {
    return (void)sizeof(operator_has_no_inplace_form<Op>), anything{};
  }
};
template <class Op>
using inplace_object_t = std::conditional_t<Op::has_inplace, inplace_op<Op>, absent_inplace<Op>>;
}  // namespace detail

/// Base of the tag of an operator whose schema says which forms there are: an in-place form where the first argument
/// and the only result are tensors, an out form where all results are.
template <class Op>
struct operator_with_schema_forms : operator_base<Op> {
  static constexpr bool has_inplace = detail::derives_inplace<Op>(), has_out = detail::derives_out<Op>();
  using inplace = inplace_op<Op>;
  using out = out_op<Op>;
  static constexpr std::string_view out_overload() { return {}; }
};

}  // namespace tenon

#define TENON_INTERNAL_FORMS(NAME, SCHEMA, INPLACE, OUT, ...)                              \
  struct NAME##_op : ::tenon::operator_with_forms<NAME##_op, INPLACE, OUT> {               \
    static constexpr ::std::string_view text() { return SCHEMA; }                          \
    __VA_OPT__(static constexpr ::std::string_view out_overload() { return __VA_ARGS__; }) \
  };                                                                                       \
  inline constexpr NAME##_op NAME {}

/// Declares NAME, its in-place form NAME_ and its out form NAME_out. The last argument states the out overload's name
/// where it is not the usual one.
#define TENON_OPERATOR_FORMS(NAME, SCHEMA, ...)                \
  TENON_INTERNAL_FORMS(NAME, SCHEMA, true, true, __VA_ARGS__); \
  inline constexpr ::tenon::inplace_op<NAME##_op> NAME##_{};   \
  inline constexpr ::tenon::out_op<NAME##_op> NAME##_out {}
/// Declares NAME and its out form NAME_out.
#define TENON_OPERATOR_OUT(NAME, SCHEMA, ...)                   \
  TENON_INTERNAL_FORMS(NAME, SCHEMA, false, true, __VA_ARGS__); \
  inline constexpr ::tenon::out_op<NAME##_op> NAME##_out {}
/// The same with the out form's schema written out, where it does not follow from the functional one.
#define TENON_OPERATOR_OUT_AS(NAME, SCHEMA, OUT_SCHEMA)           \
  TENON_OPERATOR(NAME##_out, OUT_SCHEMA);                         \
  struct NAME##_op : ::tenon::operator_base<NAME##_op> {          \
    static constexpr ::std::string_view text() { return SCHEMA; } \
    static constexpr bool has_inplace = false, has_out = true;    \
    using out = NAME##_out_op;                                    \
  };                                                              \
  inline constexpr NAME##_op NAME {}
