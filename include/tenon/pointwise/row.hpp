// Rows: what an elementwise operator computes, checks and has for a derivative, in the names of its schema, read by
// every back end.
#pragma once
#include <tenon/pointwise/formula.hpp>

#if TENON_FORMULAS_ALONE
// Such a unit takes the formulas of rows alone.
#define TENON_ROWS_REGISTER 0
#define TENON_COMPUTES_BY(OP, ...) static_assert(true)
#else

#define TENON_ROWS_REGISTER 1
#include <tenon/pointwise/detail/row_data.hpp>

// The names of a schema in a row.
#define TENON_INTERNAL_ROW_CODE(N) ::tenon::pointwise::detail::code<tenon_operator, #N>()
#define TENON_INTERNAL_ROW_CODES(...) TENON_INTERNAL_EACH(TENON_INTERNAL_ROW_CODE, __VA_ARGS__)
#define TENON_INTERNAL_ROW_PARAMETER(N) [[maybe_unused]] ::tenon::pointwise::detail::argument_t<tenon_operator, #N> N
#define TENON_INTERNAL_ROW_PARAMETERS(...) TENON_INTERNAL_EACH(TENON_INTERNAL_ROW_PARAMETER, __VA_ARGS__)

/// A case of a row: where CONDITION holds over the arguments that NAMES lists, FORMULA is computed from ELEMENTS and
/// NUMBERS, arguments in the formula's order; options of that case follow. Names stand for Tensors (undefined where not
/// given), for Scalars (pointers where they may be missing) and for text.
///
///     TENON_WHEN((approximate), (approximate == "tanh"), gelu_tanh_formula, (self), ())
#define TENON_WHEN(NAMES, CONDITION, FORMULA, ELEMENTS, NUMBERS, ...)                                              \
  ::tenon::pointwise::detail::when<FORMULA, tenon_operator,                                                        \
                                   ::tenon::pointwise::detail::codes<TENON_INTERNAL_ROW_CODES ELEMENTS>,           \
                                   ::tenon::pointwise::detail::codes<TENON_INTERNAL_ROW_CODES NUMBERS>,            \
                                   ::tenon::pointwise::detail::codes<TENON_INTERNAL_ROW_CODES NAMES>>(             \
      TENON_INTERNAL_SHADOWS([](TENON_INTERNAL_ROW_PARAMETERS NAMES) -> bool { return CONDITION; }) __VA_OPT__(, ) \
          __VA_ARGS__)
/// The case of all other calls.
#define TENON_ELSE(FORMULA, ELEMENTS, NUMBERS, ...)                                                           \
  ::tenon::pointwise::detail::otherwise<FORMULA, tenon_operator,                                              \
                                        ::tenon::pointwise::detail::codes<TENON_INTERNAL_ROW_CODES ELEMENTS>, \
                                        ::tenon::pointwise::detail::codes<TENON_INTERNAL_ROW_CODES NUMBERS>>( \
      __VA_ARGS__)

/// Defines a declared operator with its forms by cases, tried in order, and registers its kernels and its derivative:
///
///     TENON_COMPUTES_BY(gelu_base, TENON_WHEN(...), TENON_ELSE(gelu_formula, (self), ()), check<...>,
///                       TENON_WRT((self), (grad, self, approximate), (gelu_slope(grad, self, approximate))));
///
/// Options, in any order behind the cases: promote<IntToFloat | Compare | ...>, check<function>,
/// prepare<function>, refuse<function>, named<"...">, cast<OutputCast::Exact | ...>, unary, row_major, reversed,
/// not_differentiable, unrecorded, TENON_WRT, and in_place(...) with the cases or clauses that the in-place form has of
/// its own. In one unit of a program.
#define TENON_COMPUTES_BY(OP, ...)                                                                            \
  template <class tenon_operator>                                                                             \
  TENON_COLD void OP##_register_row(::tenon::Library& m) {                                                    \
    using namespace ::tenon::row_options;                                                                     \
    if constexpr (::tenon::detail::is_any_form_selected<tenon_operator>())                                    \
      ::tenon::pointwise::register_row<tenon_operator>(m, ::tenon::Place{__FILE__, __LINE__}, __VA_ARGS__);   \
  }                                                                                                           \
  inline const ::tenon::detail::operator_library_t<::std::remove_const_t<decltype(OP)>> OP##_row(             \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<::std::remove_const_t<decltype(OP)>>(), \
      ::std::nullopt, &OP##_register_row<::std::remove_const_t<decltype(OP)>>, __FILE__, __LINE__)

#endif

/// A formula and the row of the operator that it is computed for, in one:
///
///     TENON_COMPUTES(lgamma_base, floating, (self), (), (math::lgamma(self)), promote<IntToFloat>,
///                    TENON_WRT((self), (grad, self), (grad * digamma(self))));
#define TENON_COMPUTES(OP, TYPES, ELEMENTS, NUMBERS, EXPRESSION, ...) \
  TENON_FORMULA(OP, TYPES, ELEMENTS, NUMBERS, EXPRESSION);            \
  TENON_COMPUTES_BY(OP, TENON_ELSE(OP##_formula, ELEMENTS, NUMBERS) __VA_OPT__(, ) __VA_ARGS__)
