// Overload sets: the functions that users call.
#pragma once
#include <array>

#include <tenon/library/factory_options.hpp>
#include <tenon/library/forms.hpp>

namespace tenon {

namespace detail {

/// A given argument as all calls see it that differ in nothing that matters to the choice of an overload.
template <class G>
struct canonical_given : given<G> {};
template <fixed_string Name, class T>
struct canonical_given<keyword_value<Name, T>> {
  using type = keyword_value<Name, given_t<T>>;
};

/// How well arguments fit an operator: -1 not at all, else the number that need no conversion.
template <class Op, class... G>
struct fit {
  static consteval int score() { return score(std::type_identity<signature_of_t<Op>>{}); }

 private:
  using kept = pack<std::index_sequence_for<G...>, given_t<G>...>;
  template <class R, class... A>
  static consteval int score(std::type_identity<R(A...)>) {
    if constexpr (binding_of<Op, G...>.result.ok())
      return sum<A...>(std::index_sequence_for<A...>{});
    else
      return -1;
  }
  static consteval int score(std::type_identity<anything(...)>) { return -1; }
  template <class... A, std::size_t... At>
  static consteval int sum(std::index_sequence<At...>) {
    int total = 0;
    ((total = total < 0 ? total : add<binding_of<Op, G...>.source[At], A>(total)), ...);
    return total;
  }
  template <int Source, class A>
  static consteval int add(int total) {
    if constexpr (Source < 0)
      return total;
    else {
      using T = typename decltype(leaf_type<static_cast<std::size_t>(Source)>(std::declval<kept&>()))::type;
      using Plain = std::remove_cvref_t<T>;
      if constexpr (!converts_v<T, A>)
        return -1;
      else
        return total + (std::is_same_v<Plain, std::remove_cvref_t<A>> ||
                        (std::is_arithmetic_v<Plain> && std::is_same_v<std::remove_cvref_t<A>, Scalar>));
    }
  }
};

// Whether an argument is a list of tensors, `Optional`: of such as may be missing.
template <class Op, std::size_t At, bool Optional = false>
consteval bool takes_tensor_list() {
  constexpr unsigned list = schema::code_list;
  return is_well_formed_v<Op> && parsed_v<Op>.head.n_args > At &&
         (parsed_v<Op>.args[At].cpp_code & ~schema::code_written) ==
             (Optional ? schema::cpp_code(Kind::Tensor, false, schema::code_optional, list)
                       : schema::cpp_code(Kind::Tensor, false, list));
}

template <class... Ops>
struct operator_list {
  template <std::size_t At>
  static constexpr bool takes_list = (takes_tensor_list<Ops, At>() || ...);
  template <std::size_t At>
  static constexpr bool takes_optional_list = (takes_tensor_list<Ops, At, true>() || ...);
};
template <class... Lists>
struct joined;
template <>
struct joined<> {
  using type = operator_list<>;
};
template <class List>
struct joined<List> {
  using type = List;
};
template <class... A, class... B, class... Rest>
struct joined<operator_list<A...>, operator_list<B...>, Rest...> : joined<operator_list<A..., B...>, Rest...> {};
template <bool Has, class Form>
using form_if = std::conditional_t<Has, operator_list<Form>, operator_list<>>;

// What a function is over. `type<K>` is the list to choose from in a call with (K) or without keywords; nothing of it
// is computed before a call.
template <class... Ops>
struct given_operators {
  template <bool>
  using type = operator_list<Ops...>;
};

// Which operators have out forms is computed for calls with keywords alone.
template <bool Keywords, class... Ops>
struct operators_of_call {
  using type = operator_list<Ops...>;
};
template <class... Ops>
struct operators_of_call<true, Ops...> : joined<operator_list<Ops...>, form_if<Ops::has_out, typename Ops::out>...> {};
}  // namespace detail

/// The operators of a declaration, and their out forms for calls with keywords: `out` is always one.
template <class Function, class... Ops>
struct declared_operators {
  template <bool Keywords>
  using type = typename detail::operators_of_call<Keywords, Ops...>::type;
};

namespace detail {

/// The in-place forms of a function's operators.
template <class Function>
struct inplace_forms_of : inplace_forms_of<typename Function::operators> {};
template <class Function, class... Ops>
struct inplace_forms_of<declared_operators<Function, Ops...>> {
  template <bool>
  using type = typename joined<form_if<Ops::has_inplace, typename Ops::inplace>...>::type;
};

template <class G>
struct keyword_name {
  static constexpr std::string_view view() { return G::name(); }
};
/// The names of the arguments of operators, each once.
template <class... Ops>
struct names_of_arguments {
  struct List {
    std::array<std::string_view, (parsed_v<Ops>.head.n_args + ... + 0)> names{};
    std::size_t size = 0;
  };
  static constexpr List list = [] {
    List all;
    auto add = [&](const schema::SchemaView& s) {
      for (std::size_t i = 0; i < s.n_args(); ++i) {
        bool there = false;
        for (std::size_t k = 0; k < all.size; ++k) there = there || all.names[k] == s.arg_name(i);
        if (!there) all.names[all.size++] = s.arg_name(i);
      }
    };
    (add(view_of<Ops>()), ...);
    return all;
  }();
};
template <class Names, std::size_t At>
struct name_of_argument {
  static constexpr std::string_view view() { return Names::list.names[At]; }
};
/// The error of the first unknown keyword among the arguments.
template <class Keyword, class Names, class At = std::make_index_sequence<Names::list.size>>
struct keyword_error_of;
template <class Keyword, class Names, std::size_t... At>
struct keyword_error_of<Keyword, Names, std::index_sequence<At...>> {
  template <class Self>
  using type = no_argument_has_this_keyword<Self, spell_t<argument_name, keyword_name<Keyword>>,
                                            spell_t<argument_name, name_of_argument<Names, At>>...>;
};
template <class List, class... G>
struct keyword_error;
template <class... Ops, class G, class... Rest>
struct keyword_error<operator_list<Ops...>, G, Rest...> {
  template <class Self>
  using type = typename std::conditional_t<unknown_keyword<G, Ops...>, keyword_error_of<G, names_of_arguments<Ops...>>,
                                           keyword_error<operator_list<Ops...>, Rest...>>::template type<Self>;
};

/// The call of the operator in a list that fits best.
template <class Self, class List>
struct best_call;
template <class Self>
struct best_call<Self, operator_list<>> {
  template <class... G>
  static anything run(G&&...) {
    static_assert(call_compiles<no_overload_accepts<Self>>, "tenon: the function has no operator of this form");
    return anything{};
  }
};
template <class Self, class Op>
struct best_call<Self, operator_list<Op>> : bound_call<Op> {};
template <class Self, class... Ops>
struct best_call<Self, operator_list<Ops...>> {
  template <class... G>
  [[gnu::always_inline]] static decltype(auto) run(G&&... args) {
    constexpr int best = choose<0, -1, -1, typename canonical_given<G>::type...>();
    if constexpr (best < 0 && (unknown_keyword<std::remove_cvref_t<G>, Ops...> || ...)) {
      using error = typename keyword_error<operator_list<Ops...>, std::remove_cvref_t<G>...>::template type<Self>;
      static_assert(call_compiles<error>, "tenon: a keyword of this call is no argument of the function");
      return anything{};
    } else if constexpr (best < 0) {
      using error = no_overload_accepts<Self, typename refusal<Ops, G...>::type...>;
      static_assert(call_compiles<error>, "tenon: no overload takes these arguments");
      return anything{};
    } else
      return bound_call<typename nth<static_cast<std::size_t>(best), Ops...>::type>::run(static_cast<G&&>(args)...);
  }

 private:
  // No operator fits better than one that takes every argument as it is: those after it are not even parsed.
  template <std::size_t At, int Best, int Score, class... G>
  static consteval int choose() {
    if constexpr (At == sizeof...(Ops) || Score == static_cast<int>(sizeof...(G)))
      return Best;
    else {
      constexpr int score = fit<typename nth<At, Ops...>::type, G...>::score();
      if constexpr (score > Score)
        return choose<At + 1, static_cast<int>(At), score, G...>();
      else
        return choose<At + 1, Best, Score, G...>();
    }
  }
};

/// A call with options that are none of a schema's arguments: of factories alone.
template <class Self, class List>
struct factory_call;
template <class Self, class... Ops>
struct factory_call<Self, operator_list<Ops...>> {
  template <class... G>
  static decltype(auto) run(G&&... args) {
    using call = best_call<Self, operator_list<Ops...>>;
    if constexpr ((is_factory<Ops>() || ...))
      return call_factory<call, operator_list<Ops...>>(static_cast<G&&>(args)...);
    else
      return call::run(static_cast<G&&>(args)...);
  }
};

template <class Self, class Operators, class... G>
[[gnu::always_inline]] inline decltype(auto) call_function(G&&... args) {
  constexpr bool keywords = (is_keyword_v<std::remove_cvref_t<G>> || ...);
  if constexpr ((is_factory_option_v<std::remove_cvref_t<G>> || ...))
    return factory_call<Self, typename Operators::template type<true>>::run(static_cast<G&&>(args)...);
  else
    return best_call<Self, typename Operators::template type<keywords>>::run(static_cast<G&&>(args)...);
}

/// Whether a declaration's words name a list. Of schemas that are no literals there they may.
consteval bool name_a_list(const char* words) { return __builtin_strchr(words, '[') || !__builtin_strchr(words, '"'); }

/// An argument of a call with braces.
struct given_or_braces {
  given_or_braces();
  given_or_braces(std::initializer_list<given_or_braces>);
  template <class T>
  given_or_braces(T&&);
};

/// A braced list as operators take it; anything else as it came.
[[gnu::always_inline]] inline IntArrayRef unbraced(std::initializer_list<std::int64_t> list) {
  return {list.begin(), list.size()};
}
template <class T>
[[gnu::always_inline]] constexpr T&& unbraced(T&& x) {
  return static_cast<T&&>(x);
}

}  // namespace detail

/// A function over several operators. The one that takes the arguments with the fewest conversions is called; among
/// equals the first. Braced lists of integers are taken in the first six places, also side by side; of tensors and of
/// symbolic integers in the first two. Where no schema names a list, `Lists` is false and saves the compiler that.
template <class Self, class Operators, bool Lists = true>
struct basic_overload_set {
  using operators = Operators;
  template <class... G>
  [[gnu::always_inline]] decltype(auto) operator()(G&&... args) const {
    return detail::call_function<Self, Operators>(static_cast<G&&>(args)...);
  }
  // A template argument that braces cannot give is the default: one overload serves all lists left of its last place.
  using ints = std::initializer_list<std::int64_t>;
  // Empty braces are a list of tensors where one may stand.
  template <class... G, class List = Operators>
    requires(!List::template type<false>::template takes_list<0>)
  [[gnu::always_inline]] decltype(auto) operator()(ints a, G&&... args) const {
    return (*this)(detail::unbraced(a), static_cast<G&&>(args)...);
  }
  template <class X = ints, class... G>
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, ints a, G&&... args) const {
    return (*this)(detail::unbraced(static_cast<X&&>(x)), detail::unbraced(a), static_cast<G&&>(args)...);
  }
  template <class X = ints, class Y = ints, class... G>
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, Y&& y, ints a, G&&... args) const {
    return (*this)(detail::unbraced(static_cast<X&&>(x)), detail::unbraced(static_cast<Y&&>(y)), detail::unbraced(a),
                   static_cast<G&&>(args)...);
  }
  template <class X = ints, class Y = ints, class Z = ints, class... G>
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, Y&& y, Z&& z, ints a, G&&... args) const {
    return (*this)(detail::unbraced(static_cast<X&&>(x)), detail::unbraced(static_cast<Y&&>(y)),
                   detail::unbraced(static_cast<Z&&>(z)), detail::unbraced(a), static_cast<G&&>(args)...);
  }
  template <class X = ints, class Y = ints, class Z = ints, class T = ints, class... G>
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, Y&& y, Z&& z, T&& t, ints a, G&&... args) const {
    return (*this)(detail::unbraced(static_cast<X&&>(x)), detail::unbraced(static_cast<Y&&>(y)),
                   detail::unbraced(static_cast<Z&&>(z)), detail::unbraced(static_cast<T&&>(t)), detail::unbraced(a),
                   static_cast<G&&>(args)...);
  }
  template <class X = ints, class Y = ints, class Z = ints, class T = ints, class U = ints, class... G>
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, Y&& y, Z&& z, T&& t, U&& u, ints a, G&&... args) const {
    return (*this)(detail::unbraced(static_cast<X&&>(x)), detail::unbraced(static_cast<Y&&>(y)),
                   detail::unbraced(static_cast<Z&&>(z)), detail::unbraced(static_cast<T&&>(t)),
                   detail::unbraced(static_cast<U&&>(u)), detail::unbraced(a), static_cast<G&&>(args)...);
  }
  template <class... G, class List = Operators>
    requires(!List::template type<false>::template takes_list<0>)
  [[gnu::always_inline]] decltype(auto) operator()(SymIntList a, G&&... args) const {
    return (*this)(a.ref, static_cast<G&&>(args)...);
  }
  template <class X, class... G>
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, SymIntList a, G&&... args) const {
    return (*this)(static_cast<X&&>(x), a.ref, static_cast<G&&>(args)...);
  }
  template <class... G, class List = Operators>
    requires(List::template type<false>::template takes_list<0>)
  [[gnu::always_inline]] decltype(auto) operator()(std::initializer_list<Tensor> list, G&&... args) const {
    return (*this)(TensorList(list.begin(), list.size()), static_cast<G&&>(args)...);
  }
  template <class X, class... G, class List = Operators>
    requires(List::template type<false>::template takes_list<1>)
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, std::initializer_list<Tensor> list, G&&... args) const {
    return (*this)(static_cast<X&&>(x), TensorList(list.begin(), list.size()), static_cast<G&&>(args)...);
  }
  template <class X, class... G, class List = Operators>
    requires(List::template type<false>::template takes_optional_list<1>)
  [[gnu::always_inline]] decltype(auto) operator()(X&& x, std::initializer_list<std::optional<Tensor>> list,
                                                   G&&... args) const {
    return (*this)(static_cast<X&&>(x), ArrayRef<std::optional<Tensor>>(list.begin(), list.size()),
                   static_cast<G&&>(args)...);
  }
};
template <class Self, class Operators>
struct basic_overload_set<Self, Operators, false> {
  using operators = Operators;
  template <class... G>
  [[gnu::always_inline]] decltype(auto) operator()(G&&... args) const {
    return detail::call_function<Self, Operators>(static_cast<G&&>(args)...);
  }
  // What a call with braces finds, which the template does not take.
  using any = detail::given_or_braces;
  anything operator()(any, any = {}, any = {}, any = {}, any = {}, any = {}) const {
    static_assert(detail::call_compiles<no_argument_of_this_function_is_a_list<Self>>,
                  "tenon: braces are a list, which this function does not take; what is missing is std::nullopt");
    return {};
  }
};
/// The same over operators given by their objects.
template <class Self, auto... Ops>
struct overload_set : basic_overload_set<Self, detail::given_operators<std::remove_const_t<decltype(Ops)>...>> {};

}  // namespace tenon

/// Declares the function NAME over declared operators: TENON_FUNCTION(add, add_Tensor, add_Scalar).
#define TENON_FUNCTION(NAME, ...)                                                  \
  struct NAME##_function : ::tenon::overload_set<NAME##_function, __VA_ARGS__> {}; \
  inline constexpr NAME##_function NAME {}
