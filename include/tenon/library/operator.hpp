// The object that an operator's declaration makes: a typed call with keywords and defaults.
#pragma once
#include <initializer_list>

#include <tenon/library/declaration.hpp>
#include <tenon/library/keyword.hpp>
#include <tenon/library/options.hpp>

namespace tenon {

namespace detail {

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

template <class T>
inline constexpr bool is_optional_v = false;
template <class T>
inline constexpr bool is_optional_v<std::optional<T>> = true;
template <class T>
inline constexpr bool is_array_ref_v = false;
template <class T>
inline constexpr bool is_array_ref_v<ArrayRef<T>> = true;

template <class Op, std::size_t Is, class T>
struct default_list {
  static constexpr std::size_t size = schema::default_size(view_of<Op>(), parsed_v<Op>.args[Is]);
  struct items_t {
    T items[size ? size : 1]{};
  };
  static constexpr items_t make() {
    items_t list;
    for (std::size_t i = 0; i < size; ++i) {
      constexpr auto view = view_of<Op>();
      schema::Constant c = schema::default_item(view, parsed_v<Op>.args[Is], i);
      if constexpr (std::is_same_v<T, double>)
        list.items[i] = c.real();
      else if constexpr (std::is_same_v<T, bool>)
        list.items[i] = c.boolean();
      else
        list.items[i] = static_cast<T>(c.integer());
    }
    return list;
  }
  static constexpr items_t value = make();
};

/// The default of parameter I as its C++ type.
template <class Op, std::size_t Is, class T>
constexpr T default_of() {
  constexpr auto kind = parsed_v<Op>.args[Is].default_kind;
  if constexpr (kind == schema::DefaultKind::None_)
    return T{};
  else if constexpr (is_optional_v<T>)
    return T(default_of<Op, Is, typename T::value_type>());
  else if constexpr (is_array_ref_v<T>) {
    using E = std::conditional_t<std::is_same_v<typename T::value_type, SymInt>, std::int64_t, typename T::value_type>;
    using L = default_list<Op, Is, E>;
    return T(ArrayRef<E>(L::value.items, L::size));
  } else {
    constexpr schema::Constant c = schema::default_constant(view_of<Op>(), parsed_v<Op>.args[Is]);
    if constexpr (std::is_same_v<T, std::string_view>)
      return c.text.substr(1, c.text.size() - 2);
    else if constexpr (std::is_same_v<T, bool>)
      return c.boolean();
    else if constexpr (std::is_same_v<T, double>)
      return c.real();
    else if constexpr (std::is_same_v<T, Complex<double>>)
      return c.written == schema::DefaultKind::Imaginary ? T(0, c.real()) : T(c.real());
    else if constexpr (std::is_same_v<T, Scalar>)
      return c.written == schema::DefaultKind::Integer   ? T(c.integer())
             : c.written == schema::DefaultKind::Boolean ? T(c.boolean())
                                                         : T(c.real());
    else if constexpr (std::is_same_v<T, Device>)
      return T(c.text.substr(1, c.text.size() - 2));
    else if constexpr (std::is_enum_v<T>)
      return static_cast<T>(c.integer());
    else
      return T(c.integer());
  }
}

/// Whether a given argument may become a parameter: what C++ converts, less floating point to integers.
template <class Given, class A>
inline constexpr bool converts_v =
    (std::is_convertible_v<Given, A> ||
     (std::is_same_v<A, Tensor&> && std::is_same_v<std::remove_cvref_t<Given>, Tensor>)) &&
    !(std::is_floating_point_v<std::remove_cvref_t<Given>> && (std::is_integral_v<A> || std::is_same_v<A, SymInt>)) &&
    !(std::is_same_v<A, bool> && !std::is_same_v<std::remove_cvref_t<Given>, bool>);

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
  auto add = [&]<class T>(std::type_identity<T>) {
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

/// A call of one operator with arguments that are already known to bind.
template <class Op, class Sig = signature_of_t<Op>>
struct bound_call;
template <class Op>
struct bound_call<Op, anything(...)> {
  template <class... G>
  static anything run(G&&...) {
    return {};
  }
};
template <class Op, class R, class... A>
struct bound_call<Op, R(A...)> {
  template <class... G>
  [[gnu::always_inline]] static R run(G&&... g) {
    constexpr const auto& binding = binding_of<Op, G...>;
    if constexpr (!binding.result.ok()) {
      (void)sizeof(
          operator_call_error<Op, binding.result.why,
                              spell_t<argument_name, wrong_name<Op, binding.result.why, binding.result.which, G...>>>);
      return anything{};
    } else {
      pack<std::index_sequence_for<G...>, given_t<G>...> kept{{take_given(static_cast<G&&>(g))}...};
      return with<binding>(kept, std::index_sequence_for<A...>{});
    }
  }

 private:
  template <const auto& Binding, class P, std::size_t... Is>
  [[gnu::always_inline]] static R with(P& kept, std::index_sequence<Is...>) {
    using path = call_path<R(A...)>;
    if constexpr (path::factory)
      return path::call_here(slot_of<Op>, pick<Is, Binding.source[Is], A>(kept)...);
    else
      return path::call(slot_of<Op>, pick<Is, Binding.source[Is], A>(kept)...);
  }
  template <std::size_t Is, int Source, class A1, class P>
  [[gnu::always_inline]] static constexpr decltype(auto) pick(P& kept) {
    if constexpr (Source < 0)
      return default_of<Op, Is, std::remove_cvref_t<A1>>();
    else {
      using T = typename decltype(leaf_type<static_cast<std::size_t>(Source)>(kept))::type;
      if constexpr (!converts_v<T, A1>) {
        (void)sizeof(
            argument_is_not_convertible<Op, spell_t<argument_name, parameter_name<Op, Is>>, expected<A1>, found<T>>);
        return anything{};
      } else if constexpr (std::is_same_v<A1, Tensor&>)
        return const_cast<Tensor&>(leaf<static_cast<std::size_t>(Source)>(kept));
      else
        return static_cast<const std::remove_reference_t<T>&>(leaf<static_cast<std::size_t>(Source)>(kept));
    }
  }
};

}  // namespace detail

/// Base of every operator's tag type. Objects of it are empty; a call costs what the dispatcher costs.
template <class Op>
struct operator_base : operator_words {
  template <class... G>
  [[gnu::always_inline]] decltype(auto) operator()(G&&... args) const {
    return detail::bound_call<Op>::run(static_cast<G&&>(args)...);
  }
  static OperatorHandle handle() { return handle_of(Op{}); }
  static constexpr schema::SchemaView schema() { return detail::view_of<Op>(); }
  static constexpr operator_options options() { return {}; }
  /// What the declaration says beside the schema; the registered facts have the tags that the schema implies as well.
  static constexpr OperatorFacts facts() { return Op::options().facts(); }
  /// Continues with exactly these keys; arguments must have the types of the signature.
  template <class... G>
  [[gnu::always_inline]] static decltype(auto) redispatch(KeySet keys, G&&... args) {
    return detail::call_path<signature_of_t<Op>>::redispatch(detail::slot_of<Op>, keys, static_cast<G&&>(args)...);
  }
};

}  // namespace tenon

/// Declares an operator by its schema: an object NAME to call and to register kernels for. Behind the schema stand its
/// facts: `Tag::pointwise, with_method, no_device_check`. At namespace scope, in a header.
#define TENON_OPERATOR(NAME, SCHEMA, ...)                                                      \
  struct NAME##_op : ::tenon::operator_base<NAME##_op> {                                       \
    static constexpr ::std::string_view text() { return SCHEMA; }                              \
    __VA_OPT__(static constexpr ::tenon::operator_options options() { return {__VA_ARGS__}; }) \
  };                                                                                           \
  inline constexpr NAME##_op NAME {}
