// One row per reduction: operator, operation, rule, derivative. Every back end reads the same rows.
#pragma once
#include <tuple>

#include <boost/mp11/algorithm.hpp>

#include <tenon/autograd/derivative.hpp>
#include <tenon/reduction/operation.hpp>
#include <tenon/reduction/rule.hpp>
#ifdef TENON_KERNELS_ARCH
#include <tenon/pointwise/formula.hpp>
#endif

namespace tenon {

/// The constructor of the operation does not take the operator's arguments besides `self`, `dim`, `keepdim` and
/// `dtype`, in the order of the schema.
template <class Operator, class Operation, class Arguments>
struct operation_is_not_made_from_arguments;
/// An option of a row is neither a `tenon::reduction::when` nor a TENON_WRT nor `tenon::reduction::no_gradient`.
template <class Operator, class Option>
struct row_has_no_such_option;

namespace reduction {

/// Another operation in the cases in which `Condition::holds(arguments, result dtype, numbers...)`; the first counts.
template <class Condition, class Operation>
struct when {};
/// The result never needs a gradient.
struct no_gradient {};

template <class Op, class Operation, class Rule, class Cases, class Options>
struct row {
  using operator_type = Op;
  using operation_type = Operation;
  using rule_type = Rule;
  using cases = Cases;
  using options = Options;
};

namespace detail {

namespace mp = boost::mp11;

template <class O>
O named();
template <template <class> class O>
operation<O, float, double> named();

template <class T>
struct is_case : std::false_type {};
template <class Condition, class Operation>
struct is_case<when<Condition, Operation>> : std::true_type {};
template <class T>
struct is_clause : std::false_type {};
template <class T, class S, class F>
struct is_clause<autograd::detail::formula<T, S, F>> : std::true_type {};

/// Where the arguments of a reduction stand in its schema; -1: it has none of that name.
struct Positions {
  int dim, keepdim, dtype;
};
template <class Op>
inline constexpr Positions positions = [] {
  auto view = tenon::detail::view_of<Op>();
  return Positions{view.find_argument("dim"), view.find_argument("keepdim"), view.find_argument("dtype")};
}();

inline std::optional<IntArrayRef> as_dims(const std::int64_t& dim) { return IntArrayRef(dim); }
inline std::optional<IntArrayRef> as_dims(IntArrayRef dims) { return dims; }
inline std::optional<IntArrayRef> as_dims(const std::optional<IntArrayRef>& dims) { return dims; }
inline std::optional<IntArrayRef> as_dims(const std::optional<std::int64_t>& dim) {
  return dim ? std::optional(IntArrayRef(*dim)) : std::nullopt;
}

/// The arguments of an operator of signature R(const Tensor&, A...).
template <class Op, class Sig = signature_of_t<Op>, class = void>
struct reader;
template <class Op, class R, class... A, class Used>
struct reader<Op, R(const Tensor&, A...), Used> {
  static constexpr Positions at = positions<Op>;
  static constexpr bool is_number(std::size_t i) {
    int n = static_cast<int>(i);
    return n != 0 && n != at.dim && n != at.keepdim && n != at.dtype;
  }
  static Arguments arguments(const Tensor& self, const std::remove_reference_t<A>&... rest) {
    Arguments out{self, std::nullopt, false, std::nullopt};
    auto all = std::tie(self, rest...);
    if constexpr (at.dim > 0) out.dims = as_dims(std::get<at.dim>(all));
    if constexpr (at.keepdim > 0) out.keepdim = std::get<at.keepdim>(all);
    if constexpr (at.dtype > 0) out.dtype = std::get<at.dtype>(all);
    return out;
  }
  /// The arguments that the operation is made from.
  static auto numbers(const Tensor&, const std::remove_reference_t<A>&... rest) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat([&] {
        if constexpr (is_number(I + 1))
          return std::tuple<std::remove_cvref_t<A>>(rest);
        else
          return std::tuple<>();
      }()...);
    }
    (std::index_sequence_for<A...>{});
  }
  using numbers_type = decltype(numbers(std::declval<const Tensor&>(), std::declval<std::remove_reference_t<A>&>()...));
};

template <class Operation, class Numbers>
struct loops_of;
/// The operation made from an operator's further arguments, or from nothing where it takes none.
template <class Operation, class... N>
struct loops_of<Operation, std::tuple<N...>> {
  using made = typename Operation::template of<mp::mp_front<typename Operation::accumulates>>;
  static constexpr bool from_numbers = std::is_constructible_v<made, const N&...>;
  using type = std::conditional_t<from_numbers, given<Operation, N...>, given<Operation>>;
};

template <class Rule, class Numbers, class Int>
void check_of(const Call<Int>& call, const void* numbers) {
  std::apply([&](const auto&... n) { Rule::check(call, n...); }, *static_cast<const Numbers*>(numbers));
}
template <class Op>
constexpr std::string_view short_name() {
  std::string_view name = tenon::detail::name_in(Op::text());
  name.remove_prefix(name.find("::") + 2);
  return name.substr(0, name.find('.'));
}
/// The rule of a row as data.
template <class Row>
struct rule_data;
template <class Op, class Operation, class R, class Cases, class Options>
struct rule_data<row<Op, Operation, R, Cases, Options>> {
  using numbers = typename reader<Op>::numbers_type;
  static constexpr Rule value{short_name<Op>(),
                              &R::result,
                              &check_of<R, numbers, std::int64_t>,
                              &check_of<R, numbers, SymInt>,
                              &R::elements,
                              &R::accumulates,
                              R::empty_list_is_none,
                              R::magnitudes,
                              R::cast};
};

/// The meta function of a row as records hold it.
template <class Row, class Int, class Sig = signature_of_t<typename Row::operator_type>>
struct meta_entry;
template <class Row, class Int, class... A>
struct meta_entry<Row, Int, Tensor(A...)> {
  static void call(const tenon::detail::StructuredRecord&, Outputs& o, A... args) {
    using read = reader<typename Row::operator_type>;
    auto numbers = read::numbers(args...);
    meta<Int>(rule_data<Row>::value, o, read::arguments(args...), &numbers);
  }
};

template <class Op>
consteval auto row_mistake() {
  using enum operator_mistake;
  using tenon::detail::found_mistake;
  using structured = decltype(tenon::detail::structured_mistake<Op>());
  if constexpr (!structured::ok) {
    return structured{};
  } else {
    constexpr schema::SchemaView view = tenon::detail::view_of<Op>();
    constexpr int tensors = [] {
      constexpr schema::SchemaView v = tenon::detail::view_of<Op>();
      int n = 0;
      for (std::size_t i = 0; i < v.n_args(); ++i) n += schema::detail::is_tensor(v, v.args[i]);
      return n;
    }();
    if constexpr (view.n_returns() != 1)
      return found_mistake<more_than_one_result, count_is<static_cast<int>(view.n_returns())>>{};
    else if constexpr (tensors == 0 || !schema::detail::is_tensor(view, view.args[0]))
      return found_mistake<no_tensor_among_the_arguments, argument<1>>{};
    else if constexpr (tensors > 1)
      return found_mistake<more_than_one_tensor, count_is<tensors>>{};
    else
      return tenon::detail::no_mistake{};
  }
}
template <class Operation>
struct lacks_of {
  template <class T>
  using fn = std::bool_constant<!accumulating<typename Operation::template of<T>, T>>;
};
template <class Operation, class... T>
consteval bool is_operation(types<T...>) {
  // The first element type tells of all.
  using wrong = mp::mp_copy_if_q<types<T...>, lacks_of<Operation>>;
  if constexpr (!mp::mp_empty<wrong>::value) {
    using first = mp::mp_front<wrong>;
    static_assert(
        tenon::detail::declaration_compiles<
            class_is_not_a_reduction_operation<typename Operation::template of<first>, first>>,
        "tenon: an operation has `value_type`, `identity()`, `map(x)`, `combine(a, b)` and `finish(total, n)`");
  }
  return mp::mp_empty<wrong>::value;
}

template <class Row>
using numbers_of = typename reader<typename Row::operator_type>::numbers_type;

/// The kernel of a row on a back end, as records hold it.
template <class Row, class Backend, class Sig = signature_of_t<typename Row::operator_type>>
struct kernel_entry;
template <class Row, class Backend, class... A>
struct kernel_entry<Row, Backend, Tensor(A...)> {
  static void call(const tenon::detail::StructuredRecord&, A... args, const Outputs& o) {
    using read = reader<typename Row::operator_type>;
    Backend::template run<Row>(read::arguments(args...), read::numbers(args...), o[0]);
  }
};
template <class Row, class Int, class Backend>
TENON_COLD void implement(Library& m, DispatchKey key, const Place& place) {
  using Op = typename Row::operator_type;
  static const tenon::detail::StructuredRecord record{
      tenon::detail::without_type(&meta_entry<Row, Int>::call),
      [] {
        if constexpr (std::is_void_v<Backend>)
          return static_cast<AnyFunction>(nullptr);
        else
          return tenon::detail::without_type(&kernel_entry<Row, Backend>::call);
      }(),
      nullptr};
  register_structured<Op>(m, key, record, place);
}

template <class Op, class... F>
TENON_COLD void add_derivative(Library& m, types<F...>, const Place& place) {
  if constexpr (sizeof...(F) > 0)
    autograd::register_derivative(m, autograd::detail::formulas<Op>(F{}...), place.file(), place.line());
}
template <class Op, class... Option>
consteval bool are_options(types<Option...>) {
  return ([] {
    constexpr bool ok = is_case<Option>::value || is_clause<Option>::value || std::is_same_v<Option, no_gradient>;
    if constexpr (!ok)
      static_assert(tenon::detail::declaration_compiles<row_has_no_such_option<Op, Option>>,
                    "tenon: a row has no such option");
    return ok;
  }() && ...);
}
template <class Op, class Operation, class Numbers>
consteval bool is_made_from_arguments() {
  using loops = loops_of<Operation, Numbers>;
  if constexpr (!loops::from_numbers)
    static_assert(
        tenon::detail::declaration_compiles<operation_is_not_made_from_arguments<Op, typename loops::made, Numbers>>,
        "tenon: an operation's constructor takes the schema's arguments beside `self`, `dim`, `keepdim` and `dtype`");
  return loops::from_numbers;
}

}  // namespace detail

/// The rule of a row as data.
template <class Row>
inline constexpr const Rule& rule_of = detail::rule_data<Row>::value;
/// A row's operation, or that of one of its cases, with the types of its constructor's arguments.
template <class Operation, class Numbers>
using given_numbers = typename detail::loops_of<Operation, Numbers>::type;
/// Whether the condition of a case holds for a call.
template <class Condition, class... N>
bool holds(const Arguments& a, ScalarType result, const std::tuple<N...>& numbers) {
  if constexpr (requires(const N&... n) { Condition::holds(a, result, n...); })
    return std::apply([&](const N&... n) { return Condition::holds(a, result, n...); }, numbers);
  else
    return Condition::holds(a, result);
}

/// The row of a declared operator; TENON_REDUCTION writes it.
template <class Op, class Operation, class Rule, class... Options>
constexpr auto make_row(Options...) {
  using list = types<Options...>;
  return row<Op, Operation, Rule, boost::mp11::mp_copy_if<list, detail::is_case>, list>{};
}

/// Registers a row's kernels for a back end: `Backend::key` and `Backend::run<Row>(arguments, numbers, out)`.
template <class Backend, class Row>
TENON_COLD void add_kernels(Library& m, const Place& place) {
  detail::implement<Row, std::int64_t, Backend>(m, Backend::key, place);
}

/// Defines the operator of a row with its forms and registers it for Meta tensors, symbolic ones, gradients, and for
/// the back ends in sight, which declare a `add_reduction(Row, Library&, const Place&)`.
template <class Row>
TENON_COLD void add(Library& m, const char* file, int line) {
  using Op = typename Row::operator_type;
  using mistake = decltype(detail::row_mistake<Op>());
  if constexpr (!mistake::ok) {
    mistake::template report<Op>();
  } else if constexpr (detail::is_operation<typename Row::operation_type>(
                           typename Row::operation_type::accumulates{}) &&
                       detail::is_made_from_arguments<Op, typename Row::operation_type, detail::numbers_of<Row>>() &&
                       detail::are_options<Op>(typename Row::options{})) {
    define_forms(m, Op{}, {}, file, line);
    Place place{file, line};
    detail::implement<Row, std::int64_t, void>(m, DispatchKey::Meta, place);
    if constexpr (is_selected(TENON_SELECTED_KEYS, kSymbolicKey))
      detail::implement<Row, SymInt, void>(m, kSymbolicKey, place);
    if constexpr (requires { add_reduction(Row{}, m, place); }) add_reduction(Row{}, m, place);
    using options = typename Row::options;
    detail::add_derivative<Op>(m, boost::mp11::mp_copy_if<options, detail::is_clause>{}, place);
    if constexpr (boost::mp11::mp_contains<options, no_gradient>::value)
      autograd::register_not_differentiable(m, Op{}, file, line);
  }
}

}  // namespace reduction
}  // namespace tenon

/// The row of a declared operator that reduces one tensor: its operation, a class template or a
/// `tenon::reduction::operation`; its rule, a class like `tenon::reduction::floating_dtype`; then TENON_WRT clauses,
/// `tenon::reduction::no_gradient{}` or `tenon::reduction::when<CONDITION, OPERATION>{}`. What the schema has besides
/// `self`, `dim`, `keepdim` and `dtype` goes to the operation's constructor. In one unit of a program, behind
/// <tenon/cpu/reduction.hpp>, which gives it loops of that unit's instruction set, or of every set in a source that
/// `tenon-rows` compiles.
#define TENON_REDUCTION(NAME, OPERATION, RULE, ...)                                                               \
  template <::std::same_as<::std::remove_const_t<decltype(NAME)>> tenon_operator>                                 \
  constexpr auto row_of(tenon_operator) {                                                                         \
    return ::tenon::reduction::make_row<tenon_operator, decltype(::tenon::reduction::detail::named<OPERATION>()), \
                                        RULE>(__VA_ARGS__);                                                       \
  }                                                                                                               \
  TENON_INTERNAL_USE_REDUCTION(NAME)
#ifdef TENON_KERNELS_ARCH
// A unit of one instruction set registers nothing and differentiates nothing: its end finds the row.
#undef TENON_WRT
#define TENON_WRT(...) \
  ::tenon::reduction::no_gradient {}
#define TENON_INTERNAL_USE_REDUCTION(NAME) \
  using NAME##_row = decltype(row_of(::std::remove_const_t<decltype(NAME)>{})) TENON_INTERNAL_LIST_FORMULA(NAME##_row)
#else
#define TENON_INTERNAL_USE_REDUCTION(NAME)                                                                      \
  template <class tenon_operator>                                                                               \
  TENON_COLD void NAME##_register_reduction(::tenon::Library& m) {                                              \
    if constexpr (::tenon::detail::is_any_form_selected<tenon_operator>())                                      \
      ::tenon::reduction::add<decltype(row_of(tenon_operator{}))>(m, __FILE__, __LINE__);                       \
  }                                                                                                             \
  inline const ::tenon::detail::operator_library_t<::std::remove_const_t<decltype(NAME)>> NAME##_reduction(     \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<::std::remove_const_t<decltype(NAME)>>(), \
      ::std::nullopt, &NAME##_register_reduction<::std::remove_const_t<decltype(NAME)>>, __FILE__, __LINE__)
#endif
