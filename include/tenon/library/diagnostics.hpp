// The words of compile errors. A mistake names one class template that is never defined, whose arguments tell the
// story; every compiler then prints exactly one error line.
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
/// A call does not give each parameter one value.
template <class Operator, schema::bind_error Error, class Name>
struct operator_call_error;
/// An argument of a call cannot become what the schema says.
template <class Operator, class Name, class Expected, class Found>
struct argument_is_not_convertible;
/// No overload takes these arguments.
template <class Function, class... Given>
struct no_overload_accepts;

/// Stands for the result of a call that did not compile, so that no second error follows.
struct anything {
  template <class T>
  operator T() const;
};

namespace detail {
template <template <char...> class Holder, class Text, class I>
struct spell;
template <template <char...> class Holder, class Text, std::size_t... I>
struct spell<Holder, Text, std::index_sequence<I...>> {
  using type = Holder<Text::view()[I]...>;
};
/// The characters of `Text::view()` as arguments of `Holder`.
template <template <char...> class Holder, class Text>
using spell_t = typename spell<Holder, Text, std::make_index_sequence<Text::view().size()>>::type;
}  // namespace detail

}  // namespace tenon
