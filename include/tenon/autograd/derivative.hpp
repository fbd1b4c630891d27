// Declaring derivatives: names of the schema become what is saved and the types of a formula's parameters.
#pragma once
#include <array>
#include <bit>

#include <tenon/autograd/detail/argument_edges.hpp>
#include <tenon/base/preprocessor.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon {
namespace autograd {

namespace detail {

template <class Targets, class Sources, class F>
struct formula;
template <int... T, int... S, class F>
struct formula<codes<T...>, codes<S...>, F> {
  static constexpr std::uint32_t bits(Source what) {
    std::uint32_t m = 0;
    ((source_of(S) == what ? void(m |= std::uint32_t{1} << index_of(S)) : void()), ...);
    return m;
  }
  static constexpr DerivativeClause clause() {
    DerivativeClause c;
    c.targets = (0u | ... | (std::uint32_t{1} << index_of(T)));
    c.inputs = bits(Source::Input) | bits(Source::List);
    c.outputs = bits(Source::Output);
    c.geometries = bits(Source::Sizes) | bits(Source::GeometryOf) | bits(Source::Dtype) | bits(Source::ListGeometry);
    c.plain = bits(Source::Plain);
    return c;
  }
  static constexpr bool known = ((S != 0) && ...) && ((T != 0) && ...);
  /// Adds the targets to `seen`; returns those that are there already.
  static constexpr std::uint32_t repeated(std::uint32_t& seen) {
    std::uint32_t again = 0;
    auto add = [&](std::uint32_t bit) {
      again |= seen & bit;
      seen |= bit;
    };
    (add(T ? std::uint32_t{1} << index_of(T) : 0), ...);
    return again;
  }
};
template <class Targets, class Sources, class F>
constexpr formula<Targets, Sources, F> wrt(F) {
  return {};
}
/// What TENON_WRT without parentheses makes: a clause about nothing.
template <class Op>
constexpr auto wrt_without_lists() {
  static_assert(tenon::detail::declaration_compiles<derivative_clause_lacks_parentheses<Op>>,
                "tenon: TENON_WRT expects lists in parentheses: TENON_WRT((self), (grad, other), formula)");
  return wrt<codes<>, codes<>>([] { return std::tuple<>(); });
}

template <class Op, class... Formulas>
struct derivative {};
template <class... Formulas>
constexpr std::uint32_t repeated_targets() {
  std::uint32_t seen = 0, again = 0;
  ((again |= Formulas::repeated(seen)), ...);
  return again;
}
template <class Op, std::uint32_t Arguments>
struct first_argument_of {
  static constexpr std::string_view view() {
    return tenon::detail::view_of<Op>().arg_name(static_cast<std::size_t>(std::countr_zero(Arguments)));
  }
};
template <class Op, class... Formulas>
constexpr derivative<Op, Formulas...> formulas(Formulas...) {
  constexpr std::uint32_t again = repeated_targets<Formulas...>();
  if constexpr (again != 0)
    static_assert(
        tenon::detail::declaration_compiles<
            derivative_argument_has_two_clauses<Op, tenon::detail::spell_t<name_text, first_argument_of<Op, again>>>>,
        "tenon: two clauses of a derivative are about one argument");
  return {};
}

template <class Sig>
struct layout_of;
template <class R, class... A>
struct layout_of<R(A...)> {
  using type = plain_layout<A...>;
};

/// Whether a formula's result is one gradient, or a tuple of as many as its clause has targets.
template <class R, std::size_t Targets>
inline constexpr bool gives_gradients = Targets == 1 &&
                                        (std::is_same_v<R, Tensor> || std::is_same_v<R, std::vector<Tensor>>);
template <class... R, std::size_t Targets>
inline constexpr bool gives_gradients<std::tuple<R...>, Targets> = sizeof...(R) == Targets &&
                                                                   (std::is_convertible_v<R, Tensor> && ...);
template <std::size_t Size, std::size_t Targets>
inline constexpr bool gives_gradients<std::array<Tensor, Size>, Targets> = Size == Targets;

/// The constant table and the one function that an operator's declaration leaves in a program.
template <class Op, class... Formulas>
struct derivative_of {
  template <int Code, class Targets>
  static decltype(auto) get(DerivativeNode& n, const Tensor* grads, Targets) {
    constexpr Source s = source_of(Code);
    constexpr unsigned i = static_cast<unsigned>(index_of(Code));
    if constexpr (s == Source::Grad)
      return grads[i];
    else if constexpr (s == Source::Input)
      return n.input(i);
    else if constexpr (s == Source::Output)
      return n.output(i);
    else if constexpr (s == Source::Sizes)
      return IntArrayRef(n.geometry(i).sizes);
    else if constexpr (s == Source::GeometryOf)
      return (n.geometry(i));
    else if constexpr (s == Source::Dtype)
      return n.geometry(i).dtype;
    else if constexpr (s == Source::List)
      return n.list(i);
    else if constexpr (s == Source::ListGeometry)
      return (n.lists().geometries[n.list_place(i)]);
    else if constexpr (s == Source::NeedsOf)
      return needs_of(n, Targets{});
    else {
      using Sig = signature_of_t<Op>;
      return plain_value(
          *reinterpret_cast<owned_arg<Sig, i>*>(static_cast<char*>(n.plain()) + layout_of<Sig>::type::offset(i)));
    }
  }
  template <class Sig, unsigned At>
  struct arg_type;
  template <class R, class... A, unsigned At>
  struct arg_type<R(A...), At> {
    using type = typename tenon::detail::nth<At, A...>::type;
  };
  template <class Sig, unsigned At>
  using owned_arg = owned_t<typename arg_type<Sig, At>::type>;

  template <class O>
  static decltype(auto) plain_value(O& x) {
    if constexpr (std::is_same_v<O, SymInt>)
      return x.expect_int();
    else if constexpr (std::is_same_v<O, std::vector<SymInt>>)
      return expect_ints(ArrayRef<SymInt>(x));
    else if constexpr (std::is_same_v<O, std::optional<SymInt>>)
      return x ? std::optional(x->expect_int()) : std::optional<std::int64_t>();
    else if constexpr (std::is_same_v<O, std::optional<std::vector<SymInt>>>)
      return x ? std::optional(expect_ints(ArrayRef<SymInt>(*x))) : std::optional<IntArrayRef>();
    else if constexpr (std::is_same_v<O, std::optional<DimVector>>)
      return x ? std::optional(IntArrayRef(*x)) : std::optional<IntArrayRef>();
    else if constexpr (std::is_same_v<O, std::optional<std::string>>)
      return x ? std::optional(std::string_view(*x)) : std::optional<std::string_view>();
    else
      return (x);
  }
  template <int... T>
  static Needs needs_of(DerivativeNode& n, codes<T...>) {
    Needs needs;
    unsigned i = 0;
    ((needs.bits |= static_cast<std::uint32_t>(argument_edges<Op>::template needs<T>(n)) << i++), ...);
    return needs;
  }

  template <int... T, int... S, class F>
  static void one(DerivativeNode& n, [[maybe_unused]] const Tensor* grads, Tensor* out,
                  formula<codes<T...>, codes<S...>, F>) {
    if (!(argument_edges<Op>::template needs<T>(n) || ...)) return;
    auto result = F{}(get<S>(n, grads, codes<T...>{})...);
    using R = decltype(result);
    if constexpr (!gives_gradients<typename tenon::detail::without_names<R>::type, sizeof...(T)>) {
      static_assert(tenon::detail::declaration_compiles<
                        derivative_formula_returns_something_else<Op, count_is<sizeof...(T)>, found<R>>>,
                    "tenon: the formula of a derivative returns neither a Tensor nor a tuple with one for each target");
    } else if constexpr (std::is_same_v<R, Tensor>) {
      ((out[argument_edges<Op>::template edge_of<T>(n)] = std::move(result)), ...);
    } else if constexpr (std::is_same_v<R, std::vector<Tensor>>) {
      unsigned first = (n.edge_of(static_cast<unsigned>(index_of(T))), ...);
      for (std::size_t i = 0; i < result.size(); ++i) out[first + i] = std::move(result[i]);
    } else {
      [&]<std::size_t... At>(std::index_sequence<At...>) {
        using edges = argument_edges<Op>;
        ((edges::template needs<T>(n) ? void(out[edges::template edge_of<T>(n)] = std::move(std::get<At>(result)))
                                      : void()),
         ...);
      }
      (std::make_index_sequence<sizeof...(T)>{});
    }
  }
  static void apply([[maybe_unused]] DerivativeNode& n, [[maybe_unused]] const Tensor* grads,
                    [[maybe_unused]] Tensor* out) {
    (one(n, grads, out, Formulas{}), ...);
  }

  static constexpr DerivativeTable make() {
    DerivativeTable t;
    t.apply = &apply;
    t.op_name = tenon::detail::view_of<Op>().operator_name();
    t.geometry_alone = Op::facts().tags.has(Tag::inplace_view);
    t.tensor_args = argument_edges<Op>::kinds.tensors;
    t.list_args = argument_edges<Op>::kinds.lists;
    ((t.clauses[t.n_clauses++] = Formulas::clause()), ...);
    for (unsigned i = 0; i < t.n_clauses; ++i) t.targets |= t.clauses[i].targets;
    t.gradients = (0u | ... | Formulas::bits(Source::Grad));
    return t;
  }
  static constexpr DerivativeTable table = make();
};

/// The kinds of operators that need a kernel at ADInplaceOrView.
template <class Op>
consteval bool writes() {
  for (std::size_t i = 0; i < tenon::detail::parsed_v<Op>.head.n_args; ++i)
    if (tenon::detail::parsed_v<Op>.args[i].write) return true;
  return false;
}
template <class Op>
consteval bool is_out_form() {
  auto view = tenon::detail::view_of<Op>();
  for (std::size_t i = 0; i < view.n_args(); ++i)
    if (view.is_out(i)) return true;
  return false;
}
/// Writes to a list are counted by the boxed kernel, which every operator without kernels of its own has.
template <class Op>
consteval bool writes_list() {
  auto view = tenon::detail::view_of<Op>();
  for (std::size_t i = 0; i < view.n_args(); ++i)
    if (view.arg(i).write && is_list_code(view.arg(i).cpp_code & ~schema::code_written)) return true;
  return false;
}
template <class Op>
consteval bool makes_view() {
  auto view = tenon::detail::view_of<Op>();
  if (writes<Op>() || view.n_args() == 0 || view.n_returns() != 1) return false;
  // A result that shares an alias set with the first argument, also as the elements of a list.
  auto annotated = [&](const schema::Argument& a) {
    const schema::TypeNode& node = view.type(a);
    return node.has_alias || (node.child >= 0 && view.node(node.child).has_alias);
  };
  return annotated(view.ret(0)) && annotated(view.arg(0));
}

template <class Op>
KernelData* kernel_data(const DerivativeTable* table = nullptr) {
  static KernelData data{&tenon::detail::slot_of<Op>, nullptr};
  if (table) data.table = table;
  return &data;
}

}  // namespace detail

/// Registers what an operator needs besides its derivative: counting of writes, making of views, refusal of out=.
template <class Op>
TENON_COLD void register_inplace_or_view(Library& m, const Place& place) {
  if constexpr (!tenon::detail::is_operator_selected_v<Op> || detail::writes_list<Op>()) {
    return;
  } else if constexpr (detail::writes<Op>()) {
    using Sig = signature_of_t<Op>;
    m.impl_slot<Op, &detail::writing_kernel<Sig>::call>(DispatchKey::ADInplaceOrView, detail::kernel_data<Op>(), place);
    if constexpr (detail::is_out_form<Op>())
      m.impl_slot<Op, &detail::out_autograd_kernel<Sig>::call>(DispatchKey::Autograd, detail::kernel_data<Op>(), place);
  } else if constexpr (detail::makes_view<Op>()) {
    m.impl_slot<Op, &detail::view_kernel<signature_of_t<Op>>::call>(DispatchKey::ADInplaceOrView,
                                                                    detail::kernel_data<Op>(), place);
  }
}

template <class Op>
TENON_COLD void register_autograd_kernel(Library& m, const DerivativeTable& table, const Place& place) {
  if constexpr (tenon::detail::is_operator_selected_v<Op>) {
    using Kernel = detail::autograd_kernel<signature_of_t<Op>, detail::makes_view<Op>()>;
    m.impl_slot<Op, &Kernel::call>(DispatchKey::Autograd, detail::kernel_data<Op>(&table), place);
    register_inplace_or_view<Op>(m, place);
  }
}

/// Registers a declared derivative for an operator and, where it has derived forms, for these.
template <class Op, class... Formulas>
TENON_COLD void register_derivative(Library& m, detail::derivative<Op, Formulas...>, const char* file, int line) {
  if constexpr ((Formulas::known && ...)) {
    Place place{file, line};
    const DerivativeTable& table = detail::derivative_of<Op, Formulas...>::table;
    register_autograd_kernel<Op>(m, table, place);
    if constexpr (requires { Op::has_inplace; }) {
      if constexpr (Op::has_inplace) register_autograd_kernel<typename Op::inplace>(m, table, place);
      if constexpr (Op::has_out) register_inplace_or_view<typename Op::out>(m, place);
    }
  }
}

namespace detail {
void zero_gradient(DerivativeNode& n, const Tensor* grads, Tensor* out);
/// The derivative of an in-place operator whose result does not depend on its arguments: zeros for each tensor.
template <class Op>
inline constexpr DerivativeTable zero_table = [] {
  DerivativeTable t = derivative_of<Op>::table;
  t.apply = &zero_gradient;
  t.clauses[0].targets = t.targets = t.tensor_args;
  t.ignored = ~t.targets;
  t.n_clauses = 1;
  return t;
}();
}  // namespace detail

/// A form that counts one write and records nothing, even where it writes to a leaf that requires grad.
template <class Op>
TENON_COLD void register_unrecorded_write(Library& m, const Place& place) {
  if constexpr (tenon::detail::is_operator_selected_v<Op>) {
    m.impl_fallthrough(tenon::detail::slot_of<Op>.name, DispatchKey::Autograd, place);
    m.impl_slot<Op, &detail::writing_kernel<signature_of_t<Op>>::call>(DispatchKey::ADInplaceOrView,
                                                                       detail::kernel_data<Op>(), place);
  }
}

/// Declares that no form of an operator takes part in recording: their Autograd keys fall through.
template <class Op>
TENON_COLD void register_unrecorded(Library& m, Op, const char* file, int line) {
  Place place{file, line};
  if constexpr (tenon::detail::is_operator_selected_v<Op>)
    m.impl_fallthrough(tenon::detail::slot_of<Op>.name, DispatchKey::Autograd, place);
  if constexpr (requires { Op::has_inplace; })
    if constexpr (Op::has_inplace) register_unrecorded_write<typename Op::inplace>(m, place);
  if constexpr (Op::has_out) register_unrecorded_write<typename Op::out>(m, place);
}

/// Declares that an operator's results never need a gradient; its Autograd key falls through.
template <class Op>
TENON_COLD void register_not_differentiable(Library& m, Op, const char* file, int line) {
  Place place{file, line};
  if constexpr (tenon::detail::is_operator_selected_v<Op>) {
    // An out form has a kernel there that refuses gradients.
    if constexpr (!detail::is_out_form<Op>())
      m.impl_fallthrough(tenon::detail::slot_of<Op>.name, DispatchKey::Autograd, place);
    if constexpr (detail::writes<Op>()) register_inplace_or_view<Op>(m, place);
  }
  if constexpr (requires { Op::has_inplace; }) {
    if constexpr (Op::has_inplace)
      if constexpr (tenon::detail::is_operator_selected_v<typename Op::inplace>)
        register_autograd_kernel<typename Op::inplace>(m, detail::zero_table<typename Op::inplace>, place);
    if constexpr (Op::has_out) register_inplace_or_view<typename Op::out>(m, place);
  }
}

}  // namespace autograd
}  // namespace tenon

#define TENON_INTERNAL_CODE(N) ::tenon::autograd::detail::code<tenon_operator>(#N)
#define TENON_INTERNAL_PARAMETER(N) \
  [[maybe_unused]] ::tenon::autograd::detail::source_t<tenon_operator, TENON_INTERNAL_CODE(N), #N> N
#define TENON_INTERNAL_TARGET(N) ::tenon::autograd::detail::target<tenon_operator, TENON_INTERNAL_CODE(N), #N>()
#define TENON_INTERNAL_CODES(...) TENON_INTERNAL_EACH(TENON_INTERNAL_CODE, __VA_ARGS__)
#define TENON_INTERNAL_TARGETS(...) TENON_INTERNAL_EACH(TENON_INTERNAL_TARGET, __VA_ARGS__)
#define TENON_INTERNAL_PARAMETERS(...) TENON_INTERNAL_EACH(TENON_INTERNAL_PARAMETER, __VA_ARGS__)

#define TENON_INTERNAL_WRT_01 TENON_INTERNAL_WRT_00
#define TENON_INTERNAL_WRT_10 TENON_INTERNAL_WRT_00
#define TENON_INTERNAL_WRT_00(...) ::tenon::autograd::detail::wrt_without_lists<tenon_operator>()

/// One clause of a derivative: the arguments it is about, the names that its formula reads, the formula.
#define TENON_WRT(TARGETS, NAMES, ...)                                                           \
  TENON_INTERNAL_JOIN(TENON_INTERNAL_JOIN(TENON_INTERNAL_WRT_, TENON_INTERNAL_IS_LIST(TARGETS)), \
                      TENON_INTERNAL_IS_LIST(NAMES))                                             \
  (TARGETS, NAMES, __VA_ARGS__)
#define TENON_INTERNAL_WRT_11(TARGETS, NAMES, ...)                                                 \
  ::tenon::autograd::detail::wrt<::tenon::autograd::detail::codes<TENON_INTERNAL_TARGETS TARGETS>, \
                                 ::tenon::autograd::detail::codes<TENON_INTERNAL_CODES NAMES>>(    \
      TENON_INTERNAL_SHADOWS([](TENON_INTERNAL_PARAMETERS NAMES) { return __VA_ARGS__; }))

/// Declares the derivative of a declared operator and of its in-place form. A name is an argument, `grad` or `gradN`,
/// `result` or `resultN` or a result's name, `ARG_sizes`, `ARG_dtype`, `ARG_geometry`, or `needs`. In one unit of a
/// program.
#define TENON_DERIVATIVE(NAME, ...)                                                                               \
  template <class tenon_operator>                                                                                 \
  TENON_COLD void NAME##_register_derivative(::tenon::Library& m) {                                               \
    if constexpr (::tenon::detail::is_any_form_selected<tenon_operator>())                                        \
      ::tenon::autograd::register_derivative(m, ::tenon::autograd::detail::formulas<tenon_operator>(__VA_ARGS__), \
                                             __FILE__, __LINE__);                                                 \
  }                                                                                                               \
  inline const ::tenon::detail::operator_library_t<::std::remove_const_t<decltype(NAME)>> NAME##_derivative(      \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<::std::remove_const_t<decltype(NAME)>>(),   \
      ::std::nullopt, &NAME##_register_derivative<::std::remove_const_t<decltype(NAME)>>, __FILE__, __LINE__)
/// Declares that the results of a declared operator never need a gradient.
#define TENON_NOT_DIFFERENTIABLE(NAME)                                                                               \
  inline const ::tenon::detail::operator_library_t<::std::remove_const_t<decltype(NAME)>> NAME##_not_differentiable( \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<::std::remove_const_t<decltype(NAME)>>(),      \
      ::std::nullopt,                                                                                                \
      [](::tenon::Library& m) { ::tenon::autograd::register_not_differentiable(m, NAME, __FILE__, __LINE__); },      \
      __FILE__, __LINE__)
