// The option `derived` of a row: its derivative follows from its formula, by dual numbers. Before the rows that use it.
#pragma once
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/autograd/pointwise.hpp>
#include <tenon/pointwise/symbol.hpp>

namespace tenon {

/// `derived` reads one formula: a row of several cases says its derivatives by TENON_WRT.
template <class Operator>
struct a_derived_row_has_one_case_without_condition;
/// Comparisons and tests have no slopes: such a row is not_differentiable.
template <class Operator, class Formula>
struct derived_formula_depends_on_no_element;

namespace pointwise::detail {

template <class V, class Places>
struct dual_by_all;
template <class V, std::size_t... K>
struct dual_by_all<V, std::index_sequence<K...>> {
  template <std::size_t>
  using tangent = V;
  using type = math::dual<V, tangent<K>...>;
  /// Element I: its slope by itself is 1.
  static type element(const V& value, std::size_t i) {
    return {value, std::tuple<tangent<K>...>(V(K == i ? 1 : 0)...)};
  }
};

template <class Formula, class Elements, class Numbers>
struct slopes;
template <class Formula, int... E, int... N>
struct slopes<Formula, codes<E...>, codes<N...>> {
  using V = math::symbol;
  using dual = dual_by_all<V, std::make_index_sequence<sizeof...(E)>>;
  template <int, class T>
  using each = T;
  using result = decltype(Formula::template of<double>(std::declval<each<E, typename dual::type>>()...,
                                                       std::declval<each<N, V>>()...));

  static void apply(const void*, const Tensor& grad, const Tensor* inputs, unsigned n, const Scalar* numbers, unsigned,
                    Tensor* results) {
    auto value = [&](int code) { return code >= 0 ? V(inputs[code]) : V::of(numbers[~code]); };
    constexpr int from[] = {E...};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      result y = Formula::template of<double>(dual::element(value(E), I)..., value(N)...);
      V by[] = {math::detail::full<V>(std::get<I>(y.tangents))...};
      for (unsigned k = 0; k < n; ++k) {
        V slope;
        for (std::size_t i = 0; i < sizeof...(E); ++i)
          if (from[i] == static_cast<int>(k)) slope = slope + by[i];
        results[k] = gradient_of(slope, grad);
      }
    }
    (std::make_index_sequence<sizeof...(E)>{});
  }
};

template <class Op, class Cases>
struct derive_row {
  static void add(Library&, const Place&) {
    static_assert(tenon::detail::declaration_compiles<a_derived_row_has_one_case_without_condition<Op>>,
                  "tenon: a row with `derived` has one case and no condition");
  }
};
template <class Op, class F, class E, class N, class... O>
struct derive_row<Op, types<case_of<void, F, E, N, O...>>> {
  static void add(Library& m, const Place& place) {
    using by_elements = slopes<F, E, N>;
    if constexpr (math::is_dual_v<typename by_elements::result>)
      autograd::register_pointwise_derivative(m, Op{}, &by_elements::apply, &by_elements::apply, nullptr, place.file(),
                                              place.line());
    else
      static_assert(tenon::detail::declaration_compiles<derived_formula_depends_on_no_element<Op, F>>,
                    "tenon: the formula of a row with `derived` depends on no element");
  }
};

}  // namespace pointwise::detail

namespace row_options {

struct derived_t : option {
  template <class Op, class Cases>
  static void add(Library& m, Cases, const Place& place) {
    pointwise::detail::derive_row<Op, Cases>::add(m, place);
  }
};
/// The derivative by every tensor among the elements: the formula's slopes, computed by operators, so that they can be
/// differentiated again and again.
inline constexpr derived_t derived{};

}  // namespace row_options
}  // namespace tenon
#endif
