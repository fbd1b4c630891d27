// Whether a meta function or a structured kernel takes what its operator's schema gives, said argument by argument.
#pragma once
#include <tenon/boxing/kernel.hpp>
#include <tenon/library/function.hpp>

namespace tenon {

/// The meta function of a structured operator is not `void(Outputs&, arguments...)`. Arguments are counted from 1, the
/// outputs included.
template <class Operator, class Where, class Expected, class Found>
struct meta_function_does_not_match_schema;

namespace detail {

/// In an assertion, so that the sentence of a declaration's mistake and the names that it is about are one error, and
/// constant functions stay callable behind it.
template <class Mistake>
inline constexpr bool declaration_compiles = false;

/// The parameters of a function, or of a function object whose call operator is neither overloaded nor a template.
template <class F>
concept has_parameters = (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>) || requires {
  &F::operator();
};

template <class... B>
struct parameter_list {};
template <class Sig>
struct parameters_of;
template <class R, class... B>
struct parameters_of<R(B...)> {
  using type = parameter_list<B...>;
};

template <class T>
struct bare_number {
  using type = T;
};
template <class T>
struct bare_number<std::optional<T>> {
  using type = T;
};
template <class T>
using bare_number_t = typename bare_number<std::remove_cvref_t<T>>::type;
/// Whether a number, or an optional one, of type A would be cut to be a B: C++ converts without a word.
template <class A, class B>
concept is_cut =
    std::is_arithmetic_v<bare_number_t<A>> && std::is_arithmetic_v<bare_number_t<B>> && !requires(bare_number_t<A> a) {
  bare_number_t<B>{a};
};

/// Whether one of the arguments `A...` is cut to be a parameter of F.
template <class F, class... A>
consteval bool cuts_number() {
  if constexpr (has_parameters<F>)
    return []<class... B>(parameter_list<B...>) {
      if constexpr (sizeof...(A) == sizeof...(B))
        return (is_cut<A, B> || ...);
      else
        return false;
    }(typename parameters_of<typename callable_of<F>::type>::type{});
  else
    return false;
}

/// `F` called with `A...`, or with plain integers in place of all symbolic ones; `Error` is the mistake's template.
template <template <class, class, class, class> class Error, class Op, class F, class... A>
struct function_check {
  static constexpr bool ok =
      (std::is_invocable_v<F, A...> || std::is_invocable_v<F, plain_t<A>...>)&&!cuts_number<F, plain_t<A>...>();

  static void report() {
    if constexpr (!has_parameters<F>)
      static_assert(declaration_compiles<Error<Op, number_of_arguments, expected<count_is<sizeof...(A)>>, found<F>>>,
                    "tenon: a function of a structured operator does not take what the schema gives");
    else if constexpr (callable_of<F>::takes_keys)
      static_assert(declaration_compiles<Error<Op, argument<1>, expected<typename nth<0, A...>::type>, found<KeySet>>>,
                    "tenon: a function of a structured operator does not take what the schema gives");
    else
      each(typename parameters_of<typename callable_of<F>::type>::type{});
  }

 private:
  template <class... B>
  static void each(parameter_list<B...>) {
    if constexpr (sizeof...(A) != sizeof...(B)) {
      static_assert(
          declaration_compiles<
              Error<Op, number_of_arguments, expected<count_is<sizeof...(A)>>, found<count_is<sizeof...(B)>>>>,
          "tenon: a function of a structured operator does not take what the schema gives");
    } else {
      constexpr bool fits[] = {(std::is_convertible_v<plain_t<A>, B> && !is_cut<plain_t<A>, B>)...},
                     fits_symbolic[] = {std::is_convertible_v<A, B>...};
      constexpr std::size_t plain = first_false(fits), at = plain < sizeof...(A) ? plain : first_false(fits_symbolic);
      using error = Error<Op, argument<static_cast<int>(at) + 1>, expected<typename nth<at, A...>::type>,
                          found<typename nth<at, B...>::type>>;
      static_assert(declaration_compiles<error>,
                    "tenon: a function of a structured operator does not take what the schema gives");
    }
  }
  static constexpr std::size_t first_false(const bool (&fits)[sizeof...(A)]) {
    std::size_t i = 0;
    while (i < sizeof...(A) && fits[i]) ++i;
    return i;
  }
};

}  // namespace detail
}  // namespace tenon
