// How the arguments of a call meet the parameters of a schema: by place or by name, and with which conversions.
#pragma once
#include <tenon/library/declaration.hpp>
#include <tenon/library/keyword.hpp>

namespace tenon::detail {

/// How a given argument is kept while the call lasts. Small integers become int64_t, so that a list of one may refer to
/// it; tensors and numbers are kept in one way however they are given, so that the compiler meets fewer types of calls.
template <class T>
struct given {
  using plain = std::remove_cvref_t<T>;
  static constexpr bool is_small =
      std::is_integral_v<plain> && !std::is_same_v<plain, bool> && !std::is_same_v<plain, std::uint64_t>;
  using type =
      std::conditional_t<is_small, std::int64_t,
                         std::conditional_t<std::is_arithmetic_v<plain>, plain,
                                            std::conditional_t<std::is_same_v<plain, Tensor>, const Tensor&, T&&>>>;
};
template <class T>
  requires is_keyword_v<std::remove_cvref_t<T>>
struct given<T> {
  using type = typename given<decltype(std::remove_cvref_t<T>::value)>::type;
};
template <class T>
using given_t = typename given<T>::type;

template <class T>
[[gnu::always_inline]] constexpr given_t<T> take_given(T&& x) {
  if constexpr (is_keyword_v<std::remove_cvref_t<T>>)
    return static_cast<given_t<T>>(x.value);
  else
    return static_cast<given_t<T>>(x);
}

template <std::size_t Is, class T>
struct pack_leaf {
  T value;
};
template <class Is, class... T>
struct pack;
template <std::size_t... Is, class... T>
struct pack<std::index_sequence<Is...>, T...> : pack_leaf<Is, T>... {};
template <std::size_t Is, class T>
constexpr std::type_identity<T> leaf_type(const pack_leaf<Is, T>&);
template <std::size_t Is, class T>
[[gnu::always_inline]] constexpr std::remove_reference_t<T>& leaf(pack_leaf<Is, T>& l) {
  return l.value;
}

/// Parameters that are integers or lists of them: a number with a fraction is none, whatever C++ would make of it.
template <class A>
inline constexpr bool is_integers_v = std::is_integral_v<A> || std::is_same_v<A, SymInt>;
template <class A>
inline constexpr bool is_integers_v<std::optional<A>> = is_integers_v<A>;
template <class A>
inline constexpr bool is_integers_v<ArrayRef<A>> = is_integers_v<A>;

/// Whether a given argument may become a parameter: what C++ converts, less floating point to integers.
template <class Given, class A>
inline constexpr bool converts_v =
    (std::is_convertible_v<Given, A> ||
     (std::is_same_v<A, Tensor&> && std::is_same_v<std::remove_cvref_t<Given>, Tensor>)) &&
    !(std::is_floating_point_v<std::remove_cvref_t<Given>> &&
      is_integers_v<A>)&&!(std::is_same_v<A, bool> && !std::is_same_v<std::remove_cvref_t<Given>, bool>);

/// What a call's binding depends on of an argument: that it is given by position, or its name.
struct by_position {};
template <class T>
struct given_by {
  using type = by_position;
};
template <fixed_string Name, class T>
struct given_by<keyword_value<Name, T>> {
  using type = keyword<Name>;
};

template <class Op, class... By>
consteval auto bind_call() {
  schema::Binding<parsed_v<Op>.head.n_args> binding;
  std::string_view names[sizeof...(By) + 1];
  std::size_t positional = 0, n = 0;
  [[maybe_unused]] auto add = [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, by_position>)
      names[n++] = T::name();
    else if (n == 0)
      ++positional;
    else if (binding.result.ok())
      binding.result = {schema::bind_error::positional_argument_after_keyword, n - 1};
  };
  (add(std::type_identity<By>{}), ...);
  if (binding.result.ok()) binding.result = schema::bind(view_of<Op>(), positional, names, n, binding.source);
  return binding;
}
/// The sources of all parameters of a call.
template <class Op, class... By>
inline constexpr auto binding_by = bind_call<Op, By...>();
template <class Op, class... G>
inline constexpr const auto& binding_of = binding_by<Op, typename given_by<std::remove_cvref_t<G>>::type...>;

template <class Op, auto Result, std::size_t Which, class... G>
struct wrong_name {
  static constexpr std::string_view view() {
    if constexpr (Result == schema::bind_error::required_argument_missing)
      return view_of<Op>().arg_name(Which);
    else if constexpr (Result == schema::bind_error::unknown_keyword ||
                       Result == schema::bind_error::argument_given_twice ||
                       Result == schema::bind_error::positional_argument_after_keyword) {
      std::string_view names[sizeof...(G) + 1];
      std::size_t n = 0;
      auto add = [&]<class T>(std::type_identity<T>) {
        if constexpr (is_keyword_v<T>) names[n++] = T::name();
      };
      (add(std::type_identity<std::remove_cvref_t<G>>{}), ...);
      return names[Which];
    } else
      return "";
  }
};
template <class Op, std::size_t Is>
struct parameter_name {
  static constexpr std::string_view view() { return view_of<Op>().arg_name(Is); }
};

template <class Op, class Name, class At = std::make_index_sequence<parsed_v<Op>.head.n_args>>
struct unknown_keyword_of;
template <class Op, class Name, std::size_t... At>
struct unknown_keyword_of<Op, Name, std::index_sequence<At...>> {
  using type = operator_call_error<Op, schema::bind_error::unknown_keyword, Name,
                                   spell_t<argument_name, parameter_name<Op, At>>...>;
};

template <std::size_t At, class First, class... Rest>
struct nth : nth<At - 1, Rest...> {};
template <class First, class... Rest>
struct nth<0, First, Rest...> {
  using type = First;
};

/// The words for why an operator does not take the arguments.
template <class Op, class... G>
struct refusal {
 private:
  static constexpr const auto& binding = binding_of<Op, G...>;
  using kept = pack<std::index_sequence_for<G...>, given_t<G>...>;
  template <int Source>
  struct given_at : decltype(leaf_type<static_cast<std::size_t>(Source)>(std::declval<kept&>())) {};
  template <int Source, class A>
  static constexpr bool converts() {
    if constexpr (Source < 0)
      return true;
    else
      return converts_v<typename given_at<Source>::type, A>;
  }
  template <class... A, std::size_t... At>
  static constexpr std::size_t first_wrong(std::index_sequence<At...>) {
    std::size_t first = 0;
    (void)((converts<binding.source[At], A>() && ++first) && ...);
    return first;
  }
  template <class R, class... A>
  static auto why(std::type_identity<R(A...)>) {
    using name = spell_t<argument_name, wrong_name<Op, binding.result.why, binding.result.which, G...>>;
    if constexpr (binding.result.why == schema::bind_error::unknown_keyword)
      return std::type_identity<typename unknown_keyword_of<Op, name>::type>{};
    else if constexpr (!binding.result.ok())
      return std::type_identity<operator_call_error<Op, binding.result.why, name>>{};
    else {
      constexpr std::size_t i = first_wrong<A...>(std::index_sequence_for<A...>{});
      return std::type_identity<argument_is_not_convertible<Op, spell_t<argument_name, parameter_name<Op, i>>,
                                                            expected<typename nth<i, A...>::type>,
                                                            found<typename given_at<binding.source[i]>::type>>>{};
    }
  }
  static auto why(std::type_identity<anything(...)>) { return std::type_identity<Op>{}; }

 public:
  using type = typename decltype(why(std::type_identity<signature_of_t<Op>>{}))::type;
};

}  // namespace tenon::detail
