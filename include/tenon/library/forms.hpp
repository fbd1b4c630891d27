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
