// Declarations of operators that come in several forms: the in-place and out schemas are derived from the functional
// one.
#pragma once
#include <tenon/library/operator.hpp>
#include <tenon/schema/derive.hpp>

namespace tenon {

namespace detail {
// Templates of their own: a static member of a deduced type would be computed with each declaration, used or not.
template <class Op>
inline constexpr schema::Derived inplace_derived_v = schema::derive_inplace(view_of<Op>(), nullptr,
                                                                            Op::options().inplace_overload);
template <class Op>
inline constexpr schema::Derived out_derived_v = schema::derive_out(view_of<Op>(), nullptr, Op::options().out);
template <class Op>
inline constexpr auto inplace_text_v = schema::inplace_text<inplace_derived_v<Op>.size>(view_of<Op>(),
                                                                                        Op::options().inplace_overload);
template <class Op>
inline constexpr auto out_text_v = schema::out_text<out_derived_v<Op>.size>(view_of<Op>(), Op::options().out);

template <class Op>
consteval bool derives_inplace() {
  if constexpr (Op::options().no_inplace || !is_well_formed_v<Op>)
    return false;
  else
    return inplace_derived_v<Op>.why == schema::derivation::ok;
}
template <class Op>
consteval bool derives_out() {
  if constexpr (Op::options().no_out || !is_well_formed_v<Op>)
    return false;
  else if constexpr (Op::options().out_is_schema())
    return true;
  else
    return out_derived_v<Op>.why == schema::derivation::ok;
}
}  // namespace detail

/// The in-place form: `add_.Tensor(Tensor(a!) self, ...) -> Tensor(a!)`.
template <class Op>
struct inplace_op {
  static constexpr std::string_view text() {
    if constexpr (Op::has_inplace)
      return detail::inplace_text_v<Op>.view();
    else
      return {};
  }
  static constexpr operator_options options() { return {}; }
  static constexpr OperatorFacts facts() { return Op::options().inplace_facts(); }
  using functional = Op;
  TENON_INTERNAL_OPERATOR(inplace_op)
};
/// The out form: `add.out(..., *, Tensor(a!) out) -> Tensor(a!)`.
template <class Op>
struct out_op {
  static constexpr std::string_view text() {
    if constexpr (!Op::has_out)
      return {};
    else if constexpr (Op::options().out_is_schema())
      return Op::options().out;
    else
      return detail::out_text_v<Op>.view();
  }
  static constexpr operator_options options() { return {}; }
  static constexpr OperatorFacts facts() { return Op::options().out_facts(); }
  using functional = Op;
  TENON_INTERNAL_OPERATOR(out_op)
};

namespace detail {
// Of a form whose operator's schema does not parse, that schema's error is the one to tell.
template <class Op>
struct declaration_error<inplace_op<Op>, true>
    : std::conditional_t<is_well_formed_v<Op>, std::type_identity<operator_has_no_inplace_form<Op>>,
                         declaration_error<Op, false>> {};
template <class Op>
struct declaration_error<out_op<Op>, true>
    : std::conditional_t<is_well_formed_v<Op>, std::type_identity<operator_has_no_out_form<Op>>,
                         declaration_error<Op, false>> {};
}  // namespace detail

/// Base of the tag of an operator with derived forms, of those kinds that its macro gives. What the schema cannot give
/// or an option denies is missing all the same.
template <class Op, bool InPlace, bool Out>
struct operator_with_forms : operator_words {
  static constexpr operator_options options() { return {}; }
  static constexpr OperatorFacts facts() { return Op::options().facts(); }
  TENON_INTERNAL_OPERATOR(Op)
  // Not computed before somebody asks.
  static constexpr bool has_inplace = InPlace && detail::derives_inplace<Op>();
  static constexpr bool has_out = Out && detail::derives_out<Op>();
  using inplace = inplace_op<Op>;
  using out = out_op<Op>;
};

/// The same for an operator that has no list of derived forms elsewhere: all that its schema gives, but of tensor lists
/// no in-place form.
template <class Op>
struct operator_with_schema_forms : operator_base<Op> {
  static constexpr bool has_inplace = [] {
    if constexpr (detail::derives_inplace<Op>()) {
      constexpr schema::SchemaView view = detail::view_of<Op>();
      return schema::detail::is_tensor(view, view.args[0]);
    }
    return false;
  }();
  static constexpr bool has_out = detail::derives_out<Op>();
  using inplace = inplace_op<Op>;
  using out = out_op<Op>;
};

}  // namespace tenon
