// Structured operators: one meta function and one kernel per back end give the functional, in-place and out forms.
#pragma once
#include <array>

#include <tenon/base/body.hpp>
#include <tenon/library/library.hpp>
#include <tenon/library/forms.hpp>
#include <tenon/structured/function_check.hpp>
#include <tenon/structured/outputs.hpp>
#include <tenon/tensor/each_tensor.hpp>

namespace tenon {

namespace detail {

/// The namespace of a declared operator as a NUL-terminated constant.
template <class Op>
const char* namespace_of() {
  static constexpr auto storage = [] {
    struct {
      char text[64]{};
    } s;
    std::string_view name = name_in(Op::text());
    for (std::size_t i = 0; i < 63 && i < name.size() && name[i] != ':'; ++i) s.text[i] = name[i];
    return s;
  }();
  return storage.text;
}

/// What the kernels of one structured operator know at run time; constant data.
struct StructuredRecord {
  AnyFunction meta;  ///< of type void(const StructuredRecord&, Outputs&, A...)
  AnyFunction impl;  ///< of type void(const StructuredRecord&, A..., const Outputs&); null for the Meta back end
  const void* more;  ///< what meta and impl share: a table of inner loops for example
  /// The full names of the functional, in-place and out form; null where the library's own meta functions are.
  const std::string_view* names = nullptr;
};

/// Copies proxies back into the caller's tensors; by the operator copy_, which any device may define. The write is
/// already counted and recorded by the operator that made the proxies.
void copy_back(Outputs& outputs, unsigned count);

template <class R>
inline constexpr unsigned result_count_v = 1;
template <class... R>
inline constexpr unsigned result_count_v<std::tuple<R...>> = sizeof...(R);

template <class R>
R take_results(Outputs& o) {
  if constexpr (std::is_same_v<R, Tensor>)
    return o.take(0);
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return R{o.take(I)...}; }
  (std::make_index_sequence<result_count_v<R>>{});
}

/// The three entries of a signature; the operator arrives as data.
template <class Sig>
struct structured_entries;
template <class R, class... A>
struct structured_entries<R(A...)> {
  using meta_fn = void (*)(const StructuredRecord&, Outputs&, A...);
  using impl_fn = void (*)(const StructuredRecord&, A..., const Outputs&);
  static constexpr unsigned n = result_count_v<R>;

  static R functional(void* data, KeySet, A... args) {
    const auto& r = *static_cast<const StructuredRecord*>(data);
    Outputs o(StructuredForm::Functional, r.impl == nullptr);
    reinterpret_cast<meta_fn>(r.meta)(r, o, args...);
    if (r.impl) reinterpret_cast<impl_fn>(r.impl)(r, args..., o);
    return take_results<R>(o);
  }
  static void run_given(const StructuredRecord& r, Outputs& o, A... args) {
    reinterpret_cast<meta_fn>(r.meta)(r, o, args...);
    if (!r.impl) return;
    reinterpret_cast<impl_fn>(r.impl)(r, args..., o);
    for (unsigned i = 0; i < n; ++i)
      if (o.proxy(i).defined()) return copy_back(o, n);
  }
};
template <class Sig, class OutSig>
struct structured_out;
template <class R, class... A, class OutR, class... B>
struct structured_out<R(A...), OutR(B...)> {
  static OutR call(void* data, KeySet, B... all) {
    return split(data, std::forward_as_tuple(all...), std::index_sequence_for<A...>{},
                 std::make_index_sequence<sizeof...(B) - sizeof...(A)>{});
  }

 private:
  template <class T, std::size_t... I, std::size_t... J>
  static OutR split(void* data, T all, std::index_sequence<I...>, std::index_sequence<J...>) {
    Outputs o(StructuredForm::Out, static_cast<const StructuredRecord*>(data)->impl == nullptr);
    (o.give(J, std::get<sizeof...(I) + J>(all)), ...);
    auto read = [&](const Tensor& t) { o.read(t); };
    (each_tensor(std::get<I>(all), read), ...);
    structured_entries<R(A...)>::run_given(*static_cast<const StructuredRecord*>(data), o,
                                           static_cast<A>(std::get<I>(all))...);
    if constexpr (sizeof...(J) == 1)
      return std::get<sizeof...(I)>(all);
    else
      return OutR{std::get<sizeof...(I) + J>(all)...};
  }
};
template <class Sig>
struct structured_inplace;
template <class... B>
struct structured_inplace<Tensor(const Tensor&, B...)> {
  static Tensor& call(void* data, KeySet, Tensor& self, B... rest) {
    Outputs o(StructuredForm::InPlace, static_cast<const StructuredRecord*>(data)->impl == nullptr);
    o.give(0, self);
    structured_entries<Tensor(const Tensor&, B...)>::run_given(*static_cast<const StructuredRecord*>(data), o, self,
                                                               rest...);
    return self;
  }
};

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
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (std::is_invocable_v<decltype(Impl), A..., decltype(o[I])...>) {
        Impl(static_cast<A>(args)..., o[I]...);
      } else {
        check_plain<A...>(record, o, false, args...);
        Impl(plain_argument<A>(args)..., o[I]...);
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
template <class Op, class Impl, class R, class... A, std::size_t... I>
struct impl_check<Op, Impl, R(A...), std::index_sequence<I...>>
    : function_check<kernel_does_not_match_schema, Op, Impl, A...,
                     decltype((void(I), std::declval<const Tensor&>()))...> {};
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
    (void)sizeof(operator_cannot_be_made<Op, Mistake, Where>);
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
  if constexpr (!parsed_v<Op>.head.ok()) {
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

}  // namespace detail

/// Defines an operator and its forms.
template <class Op>
TENON_COLD void define_forms(Library& m, Op, std::vector<std::string> tags = {}, const char* file = __builtin_FILE(),
                             int line = __builtin_LINE()) {
  m.def<Op{}>(tags, CallSite::now(file, line));
  if constexpr (Op::has_inplace) m.def<typename Op::inplace{}>(tags, CallSite::now(file, line));
  if constexpr (Op::has_out) m.def<typename Op::out{}>(tags, CallSite::now(file, line));
}

/// Registers the forms of a structured operator for one key from a record that lives as long as the program.
template <class Op>
TENON_COLD void register_structured(Library& m, DispatchKey key, const detail::StructuredRecord& record,
                                    const Place& place) {
  using Sig = signature_of_t<Op>;
  m.impl_slot<Op, &detail::structured_entries<Sig>::functional>(key, &record, place);
  if constexpr (Op::has_inplace)
    m.impl_slot<typename Op::inplace, &detail::structured_inplace<Sig>::call>(key, &record, place);
  if constexpr (Op::has_out)
    m.impl_slot<typename Op::out, &detail::structured_out<Sig, signature_of_t<typename Op::out>>::call>(key, &record,
                                                                                                        place);
}

/// `implement_structured<ops::mm, &mm_meta, &mm_cpu>(m, DispatchKey::CPU)`; a null kernel registers the meta function
/// alone.
template <auto Op, auto Meta, auto Impl>
TENON_COLD void implement_structured(Library& m, DispatchKey key, const char* file = __builtin_FILE(),
                                     int line = __builtin_LINE()) {
  using O = std::remove_const_t<decltype(Op)>;
  if constexpr (!detail::parsed_v<O>.head.ok()) {
    return;  // its definition says what is wrong
  } else if constexpr (!detail::meta_check<O, decltype(Meta)>::ok) {
    detail::meta_check<O, decltype(Meta)>::report();
  } else if constexpr (detail::wrong_kernel<O, decltype(Impl)>()) {
    detail::impl_check<O, decltype(Impl)>::report();
  } else if constexpr (detail::is_any_form_selected<O>()) {
    using Sig = signature_of_t<O>;
    static constexpr auto names = [] {
      std::array<std::string_view, 3> out{detail::name_in(O::text())};
      if constexpr (O::has_inplace)
        if constexpr (detail::is_operator_selected_v<typename O::inplace>) out[1] = detail::name_in(O::inplace::text());
      if constexpr (O::has_out)
        if constexpr (detail::is_operator_selected_v<typename O::out>) out[2] = detail::name_in(O::out::text());
      return out;
    }();
    static const detail::StructuredRecord record{
        reinterpret_cast<AnyFunction>(&detail::meta_adaptor<Sig, Meta>::call),
        [] {
          if constexpr (std::is_same_v<decltype(Impl), std::nullptr_t>)
            return static_cast<AnyFunction>(nullptr);
          else
            return reinterpret_cast<AnyFunction>(&detail::impl_adaptor<Sig, Impl>::call);
        }(),
        nullptr, names.data()};
    register_structured<O>(m, key, record, Place{file, line});
  }
}

namespace detail {
/// All that TENON_STRUCTURED registers.
template <class Op, auto Meta>
TENON_COLD void add_structured(Library& m, const char* file, int line) {
  using mistake = decltype(detail::structured_mistake<Op>());
  if constexpr (mistake::ok) {
    define_forms(m, Op{}, {}, file, line);
    implement_structured<Op{}, Meta, nullptr>(m, DispatchKey::Meta, file, line);
  } else {
    mistake::template report<Op>();
  }
}
/// All that TENON_STRUCTURED_KERNEL registers.
template <class Op, auto Meta, auto Impl>
TENON_COLD void add_structured_kernel(Library& m, DispatchKey key, const char* file, int line) {
  // Of a mistake in schema or meta function the definition tells.
  if constexpr (decltype(detail::structured_mistake<Op>())::ok)
    if constexpr (detail::meta_check<Op, decltype(Meta)>::ok)
      implement_structured<Op{}, Meta, Impl>(m, key, file, line);
}
}  // namespace detail

}  // namespace tenon

#define TENON_INTERNAL_SCHEMA_FORMS(NAME, SCHEMA, ...)                     \
  struct NAME##_op : ::tenon::operator_with_schema_forms<NAME##_op> {      \
    static constexpr ::std::string_view text() { return SCHEMA; }          \
    __VA_ARGS__                                                            \
  };                                                                       \
  inline constexpr NAME##_op NAME{};                                       \
  inline constexpr ::tenon::detail::inplace_object_t<NAME##_op> NAME##_{}; \
  inline constexpr ::tenon::out_op<NAME##_op> NAME##_out {}

/// Declares an operator with its forms and its meta function `void(Outputs&, args...)`, and registers both, the meta
/// function as the kernel of Meta tensors. Its results are one to six tensors. There is an out form NAME_out, and an
/// in-place form NAME_ where the schema begins with a Tensor and returns one. In a .cpp, or in a header through
/// TENON_OPERATOR_FORMS. An operator without tensors has a kernel for CompositeExplicitAutograd, not for CPU.
#define TENON_STRUCTURED(NAME, SCHEMA, META)                                                            \
  TENON_INTERNAL_SCHEMA_FORMS(NAME, SCHEMA);                                                            \
  template <class>                                                                                      \
  struct NAME##_meta_of {                                                                               \
    static constexpr auto value = META;                                                                 \
  };                                                                                                    \
  inline const ::tenon::detail::StaticLibrary NAME##_definition(                                        \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<NAME##_op>(), ::std::nullopt,     \
      [](::tenon::Library& m) {                                                                         \
        ::tenon::detail::add_structured<NAME##_op, NAME##_meta_of<void>::value>(m, __FILE__, __LINE__); \
      },                                                                                                \
      __FILE__, __LINE__)
/// Registers the kernel `void(args..., const Tensor& out...)` of a structured operator for one back end.
#define TENON_STRUCTURED_KERNEL(NAME, KEY, KERNEL)                                                  \
  inline const ::tenon::detail::StaticLibrary NAME##_##KEY##_kernel(                                \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<NAME##_op>(), ::std::nullopt, \
      [](::tenon::Library& m) {                                                                     \
        ::tenon::detail::add_structured_kernel<NAME##_op, NAME##_meta_of<void>::value, KERNEL>(     \
            m, ::tenon::DispatchKey::KEY, __FILE__, __LINE__);                                      \
      },                                                                                            \
      __FILE__, __LINE__)
