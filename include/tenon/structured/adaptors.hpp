// A user's meta function and kernel in the form that records hold, and what keeps them from fitting a schema.
#pragma once
#include <tenon/library/forms.hpp>
#include <tenon/structured/function_check.hpp>
#include <tenon/structured/record.hpp>

namespace tenon {

/// A meta function's object has no `template <class Int> void operator()(Outputs&, arguments...) const` alone.
template <class Meta>
struct meta_functor_has_no_such_call_operator;
/// TENON_STRUCTURED_KERNEL for an operator of which no TENON_STRUCTURED_OF is in sight.
template <class Operator>
struct operator_has_no_meta_function;

namespace detail {

/// Says which argument of which form is symbolic where the meta function, or else the kernel, takes plain integers.
[[noreturn, gnu::cold]] void symbolic_meets_structured(const StructuredRecord& record, const Outputs& out, bool meta,
                                                       unsigned argument, const std::string& got);
inline std::string symbolic_text(const SymInt& s) { return to_string(s); }
inline std::string symbolic_text(SymIntArrayRef list) { return concat(list); }
template <class T>
std::string symbolic_text(const std::optional<T>& x) {
  return symbolic_text(*x);
}
/// An argument as a function written for plain integers takes it.
template <class A>
decltype(auto) plain_argument(std::remove_reference_t<A>& x) {
  if constexpr (is_symbolic_type_v<A>)
    return to_plain(x);
  else
    return static_cast<A>(x);
}
/// Throws TypeError unless every argument is plain.
template <class... A>
void check_plain(const StructuredRecord& record, const Outputs& out, bool meta,
                 const std::remove_reference_t<A>&... args) {
  unsigned i = 0;
  auto one = [&]<class T>(std::type_identity<T>, const auto& x) {
    if constexpr (is_symbolic_type_v<T>)
      if (!all_plain(x)) [[unlikely]]
        symbolic_meets_structured(record, out, meta, i, symbolic_text(x));
    ++i;
  };
  (one(std::type_identity<A>{}, args), ...);
}

/// Says which result the meta function left out.
[[noreturn, gnu::cold]] void result_was_not_set(const StructuredRecord& record, const Outputs& out);

/// A user's meta function and kernel in the form that records hold.
template <class Sig, auto Meta>
struct meta_adaptor;
template <class R, class... A, auto Meta>
struct meta_adaptor<R(A...), Meta> {
  static constexpr bool takes_symbols = std::is_invocable_v<decltype(Meta), Outputs&, A...>;
  static void call(const StructuredRecord& record, Outputs& o, A... args) {
    if constexpr (takes_symbols) {
      Meta(o, static_cast<A>(args)...);
    } else {
      check_plain<A...>(record, o, true, args...);
      Meta(o, plain_argument<A>(args)...);
    }
    if (o.set() != (1u << result_count_v<R>)-1) [[unlikely]]
      result_was_not_set(record, o);
  }
};
template <class Sig, auto Impl>
struct impl_adaptor;
template <class R, class... A, auto Impl>
struct impl_adaptor<R(A...), Impl> {
  static void call([[maybe_unused]] const StructuredRecord& record, A... args, const Outputs& o) {
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      if constexpr (std::is_invocable_v<decltype(Impl), A..., decltype(o[At])...>) {
        Impl(static_cast<A>(args)..., o[At]...);
      } else {
        check_plain<A...>(record, o, false, args...);
        Impl(plain_argument<A>(args)..., o[At]...);
      }
    }
    (std::make_index_sequence<result_count_v<R>>{});
  }
};

/// The checks of both against the operator's schema.
template <class Op, class Meta, class Sig = signature_of_t<Op>>
struct meta_check;
template <class Op, class Meta, class R, class... A>
struct meta_check<Op, Meta, R(A...)> : function_check<meta_function_does_not_match_schema, Op, Meta, Outputs&, A...> {};
template <class Op, class Impl, class Sig = signature_of_t<Op>,
          class Results = std::make_index_sequence<parsed_v<Op>.head.n_returns>>
struct impl_check;
template <class Op, class Impl, class R, class... A, std::size_t... At>
struct impl_check<Op, Impl, R(A...), std::index_sequence<At...>>
    : function_check<kernel_does_not_match_schema, Op, Impl, A...,
                     decltype((void(At), std::declval<const Tensor&>()))...> {};
template <class Op, class Impl>
consteval bool wrong_kernel() {
  if constexpr (std::is_same_v<Impl, std::nullptr_t>)
    return false;
  else
    return !impl_check<Op, Impl>::ok;
}

template <operator_mistake Mistake, class Where>
struct found_mistake {
  static constexpr bool ok = Mistake == operator_mistake::none;
  template <class Op>
  static void report() {
    static_assert(declaration_compiles<operator_cannot_be_made<Op, Mistake, Where>>,
                  "tenon: no whole operator follows from this declaration");
  }
};
using no_mistake = found_mistake<operator_mistake::none, void>;
struct schema_mistake {
  static constexpr bool ok = false;
  template <class Op>
  static void report() {
    (void)sizeof(schema_error_t<Op>);
  }
};

/// What keeps a schema from being a structured operator's.
template <class Op>
consteval auto structured_mistake() {
  using enum operator_mistake;
  if constexpr (!is_well_formed_v<Op>) {
    return schema_mistake{};
  } else {
    constexpr schema::SchemaView view = view_of<Op>();
    constexpr unsigned n = view.head->n_returns, wrong = [] {
      constexpr schema::SchemaView v = view_of<Op>();
      unsigned i = 0;
      while (i < v.head->n_returns && schema::detail::is_tensor(v, v.returns[i])) ++i;
      return i;
    }();
    if constexpr (n == 0)
      return found_mistake<nothing_is_returned, return_type>{};
    else if constexpr (wrong < n)
      return found_mistake<result_is_not_a_tensor, result<static_cast<int>(wrong) + 1>>{};
    else if constexpr (n > Outputs::kMost)
      return found_mistake<more_than_six_results, count_is<static_cast<int>(n)>>{};
    else if constexpr (!Op::has_out)
      return found_mistake<result_has_the_name_of_an_argument, return_type>{};
    else
      return no_mistake{};
  }
}

/// A meta function that is written once for both kinds of integers, with one of them.
template <class Functor, class Int, class = decltype(&Functor::template operator()<Int>)>
struct meta_with;
template <class Functor, class Int, class... A>
struct meta_with<Functor, Int, void (Functor::*)(Outputs&, A...) const> {
  void operator()(Outputs& out, A... args) const { Functor{}.template operator()<Int>(out, static_cast<A>(args)...); }
};
template <class Functor>
concept meta_of_ints = requires {
  sizeof(meta_with<Functor, std::int64_t>);
  sizeof(meta_with<Functor, SymInt>);
};

/// The meta functions for plain and for symbolic sizes; null where the one serves both.
template <auto Plain, auto Symbolic>
struct meta_pair {};
struct meta_mistake {};
template <class Functor>
constexpr auto meta_of() {
  if constexpr (meta_of_ints<Functor>) {
    return meta_pair<meta_with<Functor, std::int64_t>{}, meta_with<Functor, SymInt>{}>{};
  } else {
    static_assert(
        declaration_compiles<meta_functor_has_no_such_call_operator<Functor>>,
        "tenon: a meta function's object has `template <class Int> void operator()(Outputs&, arguments...) const`");
    return meta_mistake{};
  }
}
template <auto F>
constexpr auto meta_of() {
  return meta_pair<F, nullptr>{};
}

}  // namespace detail
}  // namespace tenon
