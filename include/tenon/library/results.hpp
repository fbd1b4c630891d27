// Results with names: what an operator returns whose schema names its results is a std::tuple with a member for each.
#pragma once
#include <tuple>

#include <tenon/base/fixed_string.hpp>
#include <tenon/library/declaration.hpp>

namespace tenon {

namespace detail {
/// The member of a result of that name; of a name that nobody spelled as a member there is none.
template <fixed_string Name, std::size_t Is>
struct result_field {
  template <class... T>
  struct in {
    explicit constexpr in(std::tuple<T...>&) {}
  };
};
}  // namespace detail

/// `ops::max(x, 1)` as a tuple, for `auto [values, indices]`, std::get and std::tie, and by name: `x.max(1).values`.
/// The members refer to the tuple's elements.
template <class Tuple, class... Field>
struct named_results;
template <class... T, class... Field>
struct named_results<std::tuple<T...>, Field...> : std::tuple<T...>, Field::template in<T...>... {
  using unnamed = std::tuple<T...>;
  constexpr named_results() requires std::is_default_constructible_v<unnamed> : Field::template in<T...>(own())... {}
  constexpr named_results(unnamed each) : unnamed(std::move(each)), Field::template in<T...>(own())... {}
  constexpr named_results(T... each) : unnamed(std::forward<T>(each)...), Field::template in<T...>(own())... {}
  constexpr named_results(const named_results& o) : named_results(static_cast<const unnamed&>(o)) {}
  constexpr named_results(named_results&& o) noexcept : named_results(static_cast<unnamed&&>(o)) {}
  constexpr named_results& operator=(const named_results& o) { return own() = static_cast<const unnamed&>(o), *this; }
  constexpr named_results& operator=(named_results&& o) noexcept { return own() = static_cast<unnamed&&>(o), *this; }
  ~named_results() = default;

 private:
  constexpr unnamed& own() { return *this; }
};

namespace detail {
/// The name of result I as a template argument.
template <class Op, std::size_t Is>
consteval auto result_name() {
  constexpr std::string_view name = view_of<Op>().return_name(Is);
  return [&]<std::size_t... At>(std::index_sequence<At...>) {
    return fixed_string<name.size() + 1>({name[At]..., '\0'});
  }
  (std::make_index_sequence<name.size()>());
}
template <class Op, class Tuple, class At = std::make_index_sequence<std::tuple_size_v<Tuple>>>
struct named_results_of;
template <class Op, class Tuple, std::size_t... Is>
struct named_results_of<Op, Tuple, std::index_sequence<Is...>> {
  using type = named_results<Tuple, result_field<result_name<Op, Is>(), Is>...>;
};
/// Several results of which one has a name.
template <class Op>
consteval bool names_results() {
  bool named = false;
  for (std::size_t i = 0; i < parsed_v<Op>.head.n_returns; ++i) named |= !view_of<Op>().return_name(i).empty();
  return named && parsed_v<Op>.head.n_returns > 1;
}
/// What a call of an operator gives its caller.
template <class Op, class R>
struct given_back : std::type_identity<R> {};
template <class Op, class... R>
  requires(names_results<Op>())
struct given_back<Op, std::tuple<R...>> : named_results_of<Op, std::tuple<R...>> {};
}  // namespace detail

}  // namespace tenon

template <class Tuple, class... Field>
struct std::tuple_size<tenon::named_results<Tuple, Field...>> : std::tuple_size<Tuple> {};
template <std::size_t Is, class Tuple, class... Field>
struct std::tuple_element<Is, tenon::named_results<Tuple, Field...>> : std::tuple_element<Is, Tuple> {};

/// Lets results of that name be reached as a member: of an operator of one's own, beside its declaration. At the global
/// scope; once in a program's headers.
#define TENON_RESULT_NAME(NAME)                                                   \
  template <::std::size_t Is>                                                     \
  struct tenon::detail::result_field<#NAME, Is> {                                 \
    template <class... T>                                                         \
    struct in {                                                                   \
      explicit constexpr in(::std::tuple<T...>& of) : NAME{::std::get<Is>(of)} {} \
      ::std::tuple_element_t<Is, ::std::tuple<T...>>& NAME;                       \
    };                                                                            \
  };
