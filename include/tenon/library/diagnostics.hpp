// The words of compile errors. A mistake names one class template that is never defined, whose arguments tell the
// story; every compiler then prints exactly one error line. Calls assert `call_compiles` of it, beside a sentence.
#pragma once
#include <utility>

#include <tenon/schema/match.hpp>
#include <tenon/schema/reason.hpp>

namespace tenon {

using schema::bind_error;
using schema::reason;

template <int Column>
struct at_column;
template <char... Text>
struct near_text;
/// The schema of a declaration does not parse.
template <class Operator, schema::reason Reason, class Column, class Text>
struct operator_schema_error;

template <int Number>
struct argument;  // counted from 1
struct return_type;
struct number_of_arguments;
template <int Count>
struct count_is;
template <class T>
struct expected;
template <class T>
struct found;
/// A kernel's C++ type is not the one that the operator's schema gives.
template <class Operator, class Where, class Expected, class Found>
struct kernel_does_not_match_schema;

template <char... Name>
struct argument_name;
/// A call does not give each parameter one value. Of a keyword that is no argument, `Takes` are those that there are.
template <class Operator, schema::bind_error Error, class Name, class... Takes>
struct operator_call_error;
/// An argument of a call cannot become what the schema says.
template <class Operator, class Name, class Expected, class Found>
struct argument_is_not_convertible;
/// No overload takes the arguments; for each the reason.
template <class Function, class... Reasons>
struct no_overload_accepts;

/// A keyword of a call is the name of no argument; `Takes` are those that there are, of the function's first operator.
template <class Function, class Keyword, class... Takes>
struct no_argument_has_this_keyword;
/// A call with braces of a function whose schemas name no list.
template <class Function>
struct no_argument_of_this_function_is_a_list;
/// `m.impl<ops::empty_strided, &f>()`, where a kernel is registered for one operator: its members are
/// `ops::empty_strided_base`, ..
template <class Operators>
struct name_one_operator_of_this_overload_set;

/// What the macros that make a whole operator from one line do not take.
enum class operator_mistake : std::uint8_t {
  none,
  nothing_is_returned,
  result_is_not_a_tensor,
  more_than_six_results,
  more_than_one_tensor,
  more_than_one_result,
  result_has_the_name_of_an_argument,
  argument_is_neither_tensor_nor_number,
  no_tensor_among_the_arguments,
  more_than_four_tensors,
  more_than_three_numbers,
  lambda_does_not_take_these_arguments,
  lambda_returns_neither_number_nor_comparison,
  lambda_returns_no_complex_number,
};
template <int Number>
struct result;  // counted from 1
/// TENON_STRUCTURED or TENON_POINTWISE cannot make this operator.
template <class Operator, operator_mistake Mistake, class Where>
struct operator_cannot_be_made;
/// A use of `name_` where there is no in-place form: the declaration denies it, or the schema gives none because its
/// first argument and its one result are not tensors.
template <class Operator>
struct operator_has_no_inplace_form;
/// The same for `name_out` where the declaration denies it.
template <class Operator>
struct operator_has_no_out_form;

/// Stands for the result of a call that did not compile, so that no second error follows.
struct anything {
  template <class T>
  operator T() const;
};

namespace detail {
/// In an assertion, so that sentence and names are one error.
template <class Error>
inline constexpr bool call_compiles = false;

template <template <char...> class Holder, class Text, class At>
struct spell;
template <template <char...> class Holder, class Text, std::size_t... At>
struct spell<Holder, Text, std::index_sequence<At...>> {
  using type = Holder<Text::view()[At]...>;
};
/// The characters of `Text::view()` as arguments of `Holder`.
template <template <char...> class Holder, class Text>
using spell_t = typename spell<Holder, Text, std::make_index_sequence<Text::view().size()>>::type;
}  // namespace detail

}  // namespace tenon
