// From the words of a row to constant data.
#pragma once
#include <boost/mp11/algorithm.hpp>

#include <tenon/autograd/derivative.hpp>
#include <tenon/pointwise/detail/row_options.hpp>
#include <tenon/pointwise/kernels.hpp>

namespace tenon {

/// A row names something that is no argument of the operator, or one of a kind that has no place there.
template <class Operator, class Name>
struct row_names_no_argument_of_the_schema;
/// The numbers of a formula are not arguments that follow one another in the schema.
template <class Operator, class Formula>
struct numbers_of_a_formula_do_not_follow_one_another;
/// Behind the cases of a row stands something that is no option of rows.
template <class Operator, class Option>
struct row_has_no_such_option;
/// A case gives a formula another number of elements or numbers than it has.
template <class Operator, class Formula>
struct formula_takes_other_elements_or_numbers;

namespace pointwise::detail {

using autograd::detail::codes;
using autograd::detail::spelled;
using tenon::detail::PointwiseArguments;
using tenon::detail::PointwiseCase;
using tenon::detail::PointwiseCheck;
using tenon::detail::PointwiseFormula;
using tenon::detail::PointwiseRow;
using tenon::detail::PointwiseRule;

inline constexpr int kUnknown = 64, kText = 65;

enum class Part : std::uint8_t { Tensor, Number, Text, Other };
constexpr Part part_of(std::uint32_t cpp_code) {
  using schema::Kind;
  if (autograd::detail::is_tensor_code(cpp_code & ~schema::code_written)) return Part::Tensor;
  if ((cpp_code >> 8) != 0 && (cpp_code >> 8) != schema::code_optional) return Part::Other;
  switch (static_cast<Kind>(cpp_code & 0x7f)) {
    case Kind::Scalar:
    case Kind::Float:
    case Kind::Int:
    case Kind::Bool: return Part::Number;
    case Kind::Str: return Part::Text;
    default: return Part::Other;
  }
}
/// k for tensor k of the signature, ~k for number k. An ordinary function: not instantiated per operator.
constexpr int find_code(const schema::SchemaView& s, std::string_view name) {
  int at = s.find_argument(name), tensors = 0, numbers = 0;
  for (int i = 0; i <= at; ++i) {
    Part part = part_of(s.arg(static_cast<std::size_t>(i)).cpp_code);
    if (i == at)
      return part == Part::Tensor ? tensors : part == Part::Number ? ~numbers : part == Part::Text ? kText : kUnknown;
    tensors += part == Part::Tensor;
    numbers += part == Part::Number;
  }
  return kUnknown;
}
template <class Op, fixed_string Name>
consteval int code() {
  constexpr int found = find_code(tenon::detail::view_of<Op>(), Name.view());
  if constexpr (found == kUnknown)
    static_assert(tenon::detail::declaration_compiles<
                      row_names_no_argument_of_the_schema<Op, tenon::detail::spell_t<name_text, spelled<Name>>>>,
                  "tenon: a row names what is no argument of the schema");
  return found;
}
template <class Op, fixed_string Name>
consteval bool may_be_missing() {
  constexpr auto view = tenon::detail::view_of<Op>();
  return view.arg(static_cast<std::size_t>(view.find_argument(Name.view()))).cpp_code >> 8 == schema::code_optional;
}
/// What a name in a condition stands for.
template <class Op, fixed_string Name>
constexpr auto argument_type() {
  constexpr int c = code<Op, Name>();
  if constexpr (c == kText)
    return std::type_identity<std::string_view>{};
  else if constexpr (c >= 0)
    return std::type_identity<const Tensor&>{};
  else if constexpr (may_be_missing<Op, Name>())
    return std::type_identity<const Scalar*>{};
  else
    return std::type_identity<const Scalar&>{};
}
template <class Op, fixed_string Name>
using argument_t = typename decltype(argument_type<Op, Name>())::type;

/// An argument of a call as a condition sees it.
struct Argument {
  const PointwiseArguments& a;
  int code;
  operator const Tensor&() const { return *a.tensors[code]; }
  operator const Scalar&() const { return a.numbers[~code]; }
  operator const Scalar*() const { return a.is_given(static_cast<unsigned>(~code)) ? &a.numbers[~code] : nullptr; }
  operator std::string_view() const { return a.text; }
};
template <class F, int... Code>
struct condition {
  static bool applies(const PointwiseArguments& a) { return F{}(Argument{a, Code}...); }
};

/// A case of a row; `Applies` is a condition, or void for the rest.
template <class Applies, class Formula, class Elements, class Numbers, class... Options>
struct case_of {
  using formula = Formula;
};
template <class Formula, class Op, class Elements, class Numbers, class Names, class F, class... Options>
constexpr auto when(F, Options...) {
  return []<int... C>(codes<C...>) { return case_of<condition<F, C...>, Formula, Elements, Numbers, Options...>{}; }
  (Names{});
}
template <class Formula, class Op, class Elements, class Numbers, class... Options>
constexpr case_of<void, Formula, Elements, Numbers, Options...> otherwise(Options...) {
  return {};
}

}  // namespace pointwise::detail

namespace pointwise::detail {

template <class T>
inline constexpr bool is_case_v = false;
template <class A, class F, class E, class N, class... O>
inline constexpr bool is_case_v<case_of<A, F, E, N, O...>> = true;
template <class T>
using is_case = std::bool_constant<is_case_v<T>>;
template <class T>
inline constexpr bool is_clause_v = false;
template <class T, class S, class F>
inline constexpr bool is_clause_v<autograd::detail::formula<T, S, F>> = true;
template <class T>
using is_clause = std::bool_constant<is_clause_v<T>>;
template <class T>
inline constexpr bool is_cast_v = false;
template <OutputCast C>
inline constexpr bool is_cast_v<row_options::cast_t<C>> = true;

/// The operator's name without namespace and overload, as text that ends in 0.
template <class Op>
struct base_name {
  static constexpr std::string_view view = [] {
    std::string_view name = tenon::detail::name_in(Op::text());
    name.remove_prefix(name.find("::") + 2);
    return name.substr(0, name.find('.'));
  }();
  struct text_t {
    char at[view.size() + 1]{};
  };
  static constexpr text_t text = [] {
    text_t t;
    for (std::size_t i = 0; i < view.size(); ++i) t.at[i] = view[i];
    return t;
  }();
};

// An option's part of a rule or row; what does not concern it is passed over.
template <class T>
constexpr void apply(PointwiseRule&, T) {}
template <Promote P>
constexpr void apply(PointwiseRule& r, row_options::promote_t<P>) {
  r.promote = P;
}
template <auto F>
constexpr void apply(PointwiseRule& r, row_options::check_t<F>) {
  r.check = F;
}
template <fixed_string Name>
constexpr void apply(PointwiseRule& r, row_options::named_t<Name>) {
  r.name = row_options::named_t<Name>::name.data;
}
template <OutputCast C>
constexpr void apply(PointwiseRule& r, row_options::cast_t<C>) {
  r.cast = C;
}
constexpr void apply(PointwiseRule& r, row_options::unary_t) { r.unary = true; }
constexpr void apply(PointwiseRule& r, row_options::row_major_t) { r.row_major = true; }
template <class T>
constexpr void apply(PointwiseRow&, T) {}
template <auto F>
constexpr void apply(PointwiseRow& r, row_options::prepare_t<F>) {
  r.prepare = F;
}
template <auto F>
constexpr void apply(PointwiseRow& r, row_options::refuse_t<F>) {
  r.refuse = F;
}
constexpr void apply(PointwiseRow& r, row_options::reversed_t) { r.reversed = true; }

/// How many leading numbers of the signature the elements of a case take.
template <class A, class F, int... E, class N, class... O>
constexpr int operands_of(case_of<A, F, codes<E...>, N, O...>) {
  int most = 0;
  ((most = E < 0 && ~E + 1 > most ? ~E + 1 : most), ...);
  return most;
}
template <class Op>
consteval bool has_optional_tensors() {
  constexpr auto view = tenon::detail::view_of<Op>();
  for (std::size_t i = 0; i < view.n_args(); ++i)
    if (part_of(view.arg(i).cpp_code) == Part::Tensor && view.arg(i).cpp_code >> 8 == schema::code_optional)
      return true;
  return false;
}

/// PyTorch makes such an out form of the functional one and a copy, which wants the very dtype.
template <class Op>
consteval bool out_is_generated() {
  if constexpr (Op::has_out)
    return Op::options().out_facts().tags.has(Tag::generated);
  else
    return false;
}

template <class Op, class Case, class... Options>
struct make_case;
template <class Op, class A, class F, int... E, int... N, class... O, class... Options>
struct make_case<Op, case_of<A, F, codes<E...>, codes<N...>, O...>, Options...> {
  static constexpr bool reversed = (std::is_same_v<Options, row_options::reversed_t> || ...);
  static constexpr int place(int code) { return reversed && (code == 0 || code == 1) ? 1 - code : code; }
  static constexpr bool numbers_follow() {
    constexpr int n[] = {~N..., 0};
    for (std::size_t i = 1; i < sizeof...(N); ++i)
      if (n[i] != n[i - 1] + 1) return false;
    return true;
  }
  static constexpr PointwiseCase make(int number_operands) {
    if constexpr (sizeof...(E) != F::elements || sizeof...(N) != F::numbers)
      static_assert(tenon::detail::declaration_compiles<formula_takes_other_elements_or_numbers<Op, F>>,
                    "tenon: a case of a row gives its formula more or fewer elements or numbers than it takes");
    if constexpr (!numbers_follow())
      static_assert(tenon::detail::declaration_compiles<numbers_of_a_formula_do_not_follow_one_another<Op, F>>,
                    "tenon: the numbers of a formula do not follow one another in the schema");
    PointwiseCase c;
    if constexpr (!std::is_void_v<A>) c.applies = &A::applies;
    PointwiseRule& r = c.rule;
    r.formula = &formula_of<F>;
    r.name = base_name<Op>::text.at;
    r.number_operands = static_cast<std::uint8_t>(number_operands);
    r.masks = element_types<typename F::types>::masked;
    r.n_elements = sizeof...(E);
    constexpr int elements[] = {E...}, numbers[] = {N..., ~0};
    for (std::size_t i = 0; i < sizeof...(E); ++i) r.elements[i] = static_cast<signed char>(place(elements[i]));
    r.first_number = static_cast<std::uint8_t>(sizeof...(N) ? ~numbers[0] : number_operands);
    r.n_numbers = sizeof...(N);
    (apply(r, Options{}), ...);
    (apply(r, O{}), ...);
    constexpr bool says = (is_cast_v<Options> || ...) || (is_cast_v<O> || ...);
    if (!says && (out_is_generated<Op>() ||
                  (sizeof...(E) == 1 && (r.promote == Promote::Same || r.promote == Promote::ComplexToReal))))
      r.cast = OutputCast::Exact;
    if constexpr (has_optional_tensors<Op>())
      for (std::size_t i = 0; i < sizeof...(E); ++i)
        if (elements[i] >= 0) {
          r.elements[i] = static_cast<signed char>(c.n_tensors);
          c.tensors[c.n_tensors++] = static_cast<signed char>(elements[i]);
        }
    return c;
  }
};

/// The constant data of a row.
template <class Op, class Cases, class... Options>
struct row_data;
template <class Op, class... Cases, class... Options>
struct row_data<Op, types<Cases...>, Options...> {
  static constexpr int number_operands = [] {
    int most = 0;
    ((most = operands_of(Cases{}) > most ? operands_of(Cases{}) : most), ...);
    return most;
  }();
  static constexpr PointwiseCase cases[] = {make_case<Op, Cases, Options...>::make(number_operands)...};
  static constexpr PointwiseRow row = [] {
    PointwiseRow r{cases, static_cast<std::uint8_t>(sizeof...(Cases))};
    (apply(r, Options{}), ...);
    return r;
  }();
  static void bind() { (bind_formula<typename Cases::formula>(), ...); }
};

/// The parts of one kind that a row's in-place form has of its own, or else those of the row.
template <template <class> class Is, class Default, class... Parts>
struct in_place_parts {
  using type = Default;
};
template <template <class> class Is, class Default, class... Own, class... Parts>
struct in_place_parts<Is, Default, row_options::in_place_t<Own...>, Parts...> {
  using own = boost::mp11::mp_copy_if<types<Own...>, Is>;
  using type = boost::mp11::mp_if<boost::mp11::mp_empty<own>, Default, own>;
};
template <template <class> class Is, class Default, class First, class... Parts>
struct in_place_parts<Is, Default, First, Parts...> : in_place_parts<Is, Default, Parts...> {};

template <class Op, class Part>
consteval bool is_part_of_row() {
  constexpr bool ok = is_case_v<Part> || is_clause_v<Part> || std::is_base_of_v<row_options::option, Part>;
  if constexpr (!ok)
    static_assert(tenon::detail::declaration_compiles<row_has_no_such_option<Op, Part>>,
                  "tenon: a row has no such option");
  return ok;
}
template <class Op, class... Clauses, class... InPlace>
void register_clauses(Library& m, types<Clauses...>, types<InPlace...>, const Place& place) {
  if constexpr (std::is_same_v<types<Clauses...>, types<InPlace...>>) {
    if constexpr (sizeof...(Clauses) != 0)
      autograd::register_derivative(m, autograd::detail::formulas<Op>(Clauses{}...), place.file(), place.line());
  } else {
    autograd::register_autograd_kernel<Op>(m, autograd::detail::derivative_of<Op, Clauses...>::table, place);
    autograd::register_autograd_kernel<typename Op::inplace>(m, autograd::detail::derivative_of<Op, InPlace...>::table,
                                                             place);
    if constexpr (Op::has_out) autograd::register_inplace_or_view<typename Op::out>(m, place);
  }
}

}  // namespace pointwise::detail

namespace pointwise {

/// Defines an operator with its forms and registers what a row says of it.
template <class Op, class... Parts>
TENON_COLD void register_row(Library& m, const Place& place, Parts...) {
  using namespace boost::mp11;
  if constexpr ((detail::is_part_of_row<Op, Parts>() && ...)) {
    using all = types<Parts...>;
    using cases = mp_copy_if<all, detail::is_case>;
    using clauses = mp_copy_if<all, detail::is_clause>;
    using data = detail::row_data<Op, cases, Parts...>;
    using in_place =
        detail::row_data<Op, typename detail::in_place_parts<detail::is_case, cases, Parts...>::type, Parts...>;
    data::bind();
    in_place::bind();
    define_pointwise<Op, data, in_place>(m, place);
    detail::register_clauses<Op>(m, clauses{},
                                 typename detail::in_place_parts<detail::is_clause, clauses, Parts...>::type{}, place);
    if constexpr ((std::is_same_v<Parts, row_options::not_differentiable_t> || ...))
      autograd::register_not_differentiable(m, Op{}, place.file(), place.line());
    if constexpr ((std::is_same_v<Parts, row_options::unrecorded_t> || ...))
      autograd::register_unrecorded(m, Op{}, place.file(), place.line());
    // An option may register something itself.
    auto add = [&]<class Part>(Part) {
      if constexpr (requires { Part::template add<Op>(m, cases{}, place); }) Part::template add<Op>(m, cases{}, place);
    };
    (add(Parts{}), ...);
  }
}

}  // namespace pointwise
}  // namespace tenon
