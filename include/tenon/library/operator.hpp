// The object that an operator's declaration makes: a typed call with keywords and defaults.
#pragma once
#include <initializer_list>

#include <tenon/dispatch/usual_calls.hpp>
#include <tenon/library/binding.hpp>
#include <tenon/library/options.hpp>
#include <tenon/library/result_names.hpp>

// What an operator's object has. The types of derived forms write it as well: with a base of their own a declaration
// would cost the compiler twice as much.
#define TENON_INTERNAL_OPERATOR(OP)                                                                                \
  template <class... G>                                                                                            \
  [[gnu::always_inline]] decltype(auto) operator()(G&&... args) const {                                            \
    return ::tenon::detail::bound_call<OP>::run(static_cast<G&&>(args)...);                                        \
  }                                                                                                                \
  static ::tenon::OperatorHandle handle() { return ::tenon::handle_of(OP{}); }                                     \
  static constexpr ::tenon::schema::SchemaView schema() { return ::tenon::detail::view_of<OP>(); }                 \
  /* Continues with exactly these keys; arguments must have the types of the signature. */                         \
  template <class... G>                                                                                            \
  [[gnu::always_inline]] static decltype(auto) redispatch(::tenon::KeySet keys, G&&... args) {                     \
    return ::tenon::detail::call_path<::tenon::signature_of_t<OP>>::redispatch(::tenon::detail::slot_of<OP>, keys, \
                                                                               static_cast<G&&>(args)...);         \
  }

namespace tenon {

namespace detail {

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
    // Constants of their own: what a text means must not be read anew at each call.
    constexpr schema::Constant c = schema::default_constant(view_of<Op>(), parsed_v<Op>.args[Is]);
    constexpr auto written = c.written;
    if constexpr (std::is_same_v<T, std::string_view>)
      return c.text.substr(1, c.text.size() - 2);
    else if constexpr (std::is_same_v<T, bool>) {
      constexpr bool value = c.boolean();
      return value;
    } else if constexpr (std::is_same_v<T, Device>)
      return T(c.text.substr(1, c.text.size() - 2));
    else if constexpr (std::is_same_v<T, Scalar> && written == schema::DefaultKind::Boolean) {
      constexpr bool value = c.boolean();
      return T(value);
    } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Complex<double>> ||
                         (std::is_same_v<T, Scalar> && written != schema::DefaultKind::Integer)) {
      constexpr double value = c.real();
      if constexpr (std::is_same_v<T, Complex<double>> && written == schema::DefaultKind::Imaginary)
        return T(0, value);
      else
        return T(value);
    } else {
      constexpr std::int64_t value = c.integer();
      return static_cast<T>(value);
    }
  }
}

/// A call of one operator. Where the arguments do not fit, the one error says why.
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
  [[gnu::always_inline]] static typename given_back<Op, R>::type run(G&&... g) {
    constexpr const auto& binding = binding_of<Op, G...>;
    using kept_t = pack<std::index_sequence_for<G...>, given_t<G>...>;
    if constexpr (!fits<binding, kept_t>(std::index_sequence_for<A...>{})) {
      using error = typename refusal<Op, G...>::type;
      static_assert(call_compiles<error>, "tenon: the operator does not take these arguments");
      return anything{};
    } else {
      kept_t kept{{take_given(static_cast<G&&>(g))}...};
      return with<binding>(kept, std::index_sequence_for<A...>{});
    }
  }

 private:
  template <int Source, class P>
  using given_at = typename decltype(leaf_type<static_cast<std::size_t>(Source)>(std::declval<P&>()))::type;
  template <int Source, class A1, class P>
  static consteval bool converts() {
    if constexpr (Source < 0)
      return true;
    else
      return converts_v<given_at<Source, P>, A1>;
  }
  template <const auto& Binding, class P, std::size_t... Is>
  static consteval bool fits(std::index_sequence<Is...>) {
    if constexpr (!Binding.result.ok())
      return false;
    else
      return (converts<Binding.source[Is], A, P>() && ... && true);
  }
  template <const auto& Binding, class P, std::size_t... Is>
  [[gnu::always_inline]] static R with(P& kept, std::index_sequence<Is...>) {
    if constexpr (is_factory_v<A...>)
      return call_path<R(A...)>::call_here(slot_of<Op>, pick<Is, Binding.source[Is], A>(kept)...);
    else
      return call_operator<R, A...>(slot_of<Op>, pick<Is, Binding.source[Is], A>(kept)...);
  }
  template <std::size_t Is, int Source, class A1, class P>
  [[gnu::always_inline]] static constexpr decltype(auto) pick(P& kept) {
    if constexpr (Source < 0)
      return default_of<Op, Is, std::remove_cvref_t<A1>>();
    else if constexpr (std::is_same_v<A1, Tensor&>)
      return const_cast<Tensor&>(leaf<static_cast<std::size_t>(Source)>(kept));
    else
      return static_cast<const std::remove_reference_t<given_at<Source, P>>&>(
          leaf<static_cast<std::size_t>(Source)>(kept));
  }
};

}  // namespace detail

/// Base of an operator's tag type. Objects of it are empty; a call costs what the dispatcher costs.
template <class Op>
struct operator_base : operator_words {
  static constexpr operator_options options() { return {}; }
  /// What the declaration says beside the schema; the registered facts have the tags that the schema implies as well.
  static constexpr OperatorFacts facts() { return Op::options().facts(); }
  TENON_INTERNAL_OPERATOR(Op)
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
