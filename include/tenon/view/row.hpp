// A view's row: its geometry, said once. From it come the view's kernel, its in-place form, both for symbolic sizes,
// its copy and its inverse, and their derivatives; functionalization reads the geometry from the kernel for Meta
// tensors.
#pragma once
#include <tenon/base/component.hpp>
#include <tenon/schema/derive_view.hpp>
#include <tenon/view/copies.hpp>
#include <tenon/view/derivative.hpp>
#include <tenon/view/kernels.hpp>

namespace tenon {

/// What a row says beside the geometry. `TENON_WRT` clauses may stand among these; without one the derivative is that
/// of the geometry.
template <auto Op>
struct in_place_as {};  ///< the declared in-place form
template <auto Op>
struct copy_as {};  ///< the declared copy
template <auto Op>
struct scatter_as {};         ///< the declared inverse
struct within_memory {};      ///< refuse a geometry that lies outside of the tensor's memory
struct for_each_back_end {};  ///< kernels of back ends and of Meta, not one for all
struct without_derivative {};

/// An in-place form of a view is declared without `Tag::inplace_view`, by which generic code knows that the memory
/// stays.
template <class Operator>
struct inplace_form_of_a_view_lacks_its_tag;

namespace detail {

template <class T>
inline constexpr bool is_formula_v = false;
template <class T, class S, class F>
inline constexpr bool is_formula_v<autograd::detail::formula<T, S, F>> = true;
template <class Op, class... F>
auto append(autograd::detail::derivative<Op, F...>) -> autograd::detail::derivative<Op, F...>;
template <class Op, class... F, class First, class... Rest>
auto append(autograd::detail::derivative<Op, F...>, First, Rest... rest) {
  if constexpr (is_formula_v<First>)
    return append(autograd::detail::derivative<Op, F..., First>{}, rest...);
  else
    return append(autograd::detail::derivative<Op, F...>{}, rest...);
}

template <class Op, class K, bool PerBackEnd>
TENON_COLD void implement_view(Library& m, CallSite here) {
  using Sig = signature_of_t<Op>;
  if constexpr (PerBackEnd) {
    m.impl<Op{}, &K::call>(DispatchKey::CPU, here);
    if (cuda::is_built()) m.impl<Op{}, &K::call>(DispatchKey::CUDA, here);
  } else
    m.impl<Op{}, &K::call>(DispatchKey::CompositeExplicitAutograd, here);
  // Plain Meta tensors may come with symbolic arguments.
  if constexpr (signature<Sig>::symbolic || PerBackEnd)
    m.impl<Op{}, &K::symbolic>(DispatchKey::Meta, here);
  else if constexpr (is_selected(TENON_SELECTED_KEYS, kSymbolicKey))
    m.impl<Op{}, &K::symbolic>(kSymbolicKey, here);
}

template <class View, class K, auto Op>
TENON_COLD void add_view_form(Library& m, CallSite here, in_place_as<Op>) {
  using O = std::remove_const_t<decltype(Op)>;
  if constexpr (!O::facts().tags.has(Tag::inplace_view))
    static_assert(declaration_compiles<inplace_form_of_a_view_lacks_its_tag<O>>,
                  "tenon: the in-place form of a view writes no element; declare it with Tag::inplace_view");
  m.def<Op>(here);
  m.impl<Op, &K::inplace>(DispatchKey::CompositeExplicitAutograd, here);
  if constexpr (signature<signature_of_t<O>>::symbolic)
    m.impl<Op, &K::symbolic_inplace>(DispatchKey::Meta, here);
  else if constexpr (is_selected(TENON_SELECTED_KEYS, kSymbolicKey))
    m.impl<Op, &K::symbolic_inplace>(kSymbolicKey, here);
  register_derivative_of_view<O, View>(m, here);
}
template <class View, class K, auto Op>
TENON_COLD void add_view_form(Library& m, CallSite here, copy_as<Op>) {
  define_by_view<view_copy_kernel>(m, Op, View{}, here);
  register_copy_derivative<std::remove_const_t<decltype(Op)>, View>(m, here);
}
template <class View, class K, auto Op>
TENON_COLD void add_view_form(Library& m, CallSite here, scatter_as<Op>) {
  define_by_view<view_scatter_kernel>(m, Op, View{}, here);
  register_scatter_derivative<View, std::remove_const_t<decltype(Op)>>(m, here);
}
template <class View, class K, class Other>
void add_view_form(Library&, CallSite, Other) {}

/// All that a row registers.
template <class Op, class G, class... Says>
TENON_COLD void add_view(Library& m, CallSite here, Says... says) {
  constexpr auto said = []<class X>(std::type_identity<X>) { return (std::is_same_v<Says, X> || ...); };
  if constexpr (!is_well_formed_v<Op>) {
    (void)sizeof(schema_error_t<Op>);
  } else if constexpr (!is_view_schema<Op>()) {
    static_assert(declaration_compiles<schema_is_not_that_of_a_view<Op>>, "tenon: the schema is not that of a view");
  } else if constexpr (!geometry_check<Op, G>::ok) {
    geometry_check<Op, G>::report();
  } else {
    using K = view_kernels<G, signature_of_t<Op>, said(std::type_identity<within_memory>{})>;
    m.def<Op{}>(here);
    implement_view<Op, K, said(std::type_identity<for_each_back_end>{})>(m, here);
    using given = decltype(append(autograd::detail::derivative<Op>{}, says...));
    if constexpr (said(std::type_identity<without_derivative>{}))
      autograd::register_not_differentiable(m, Op{}, here.file, here.line);
    else if constexpr (std::is_same_v<given, autograd::detail::derivative<Op>>)
      autograd::register_derivative(m, autograd::detail::derivative<Op, view_formula<Op, G>>{}, here.file, here.line);
    else
      autograd::register_derivative(m, given{}, here.file, here.line);
    (add_view_form<Op, K>(m, here, says), ...);
  }
}

template <class Op>
inline constexpr auto view_inplace_text_v = [] {
  schema::Text<schema::derive_view_inplace(view_of<Op>())> text;
  schema::derive_view_inplace(view_of<Op>(), text.data);
  return text;
}();
template <class Op>
inline constexpr auto view_copy_text_v = [] {
  schema::Text<schema::derive_view_copy(view_of<Op>())> text;
  schema::derive_view_copy(view_of<Op>(), text.data);
  return text;
}();
template <class Op>
inline constexpr auto view_scatter_text_v = [] {
  schema::Text<schema::derive_view_scatter(view_of<Op>())> text;
  schema::derive_view_scatter(view_of<Op>(), text.data);
  return text;
}();

}  // namespace detail

/// The tags of a view's in-place form, and of its copy and inverse with out forms, as TENON_VIEW declares them.
template <class Op>
struct view_inplace_op : operator_base<view_inplace_op<Op>> {
  static constexpr std::string_view text() {
    if constexpr (std::is_same_v<typename signature<signature_of_t<Op>>::result, Tensor>)
      return detail::view_inplace_text_v<Op>.view();
    else
      return {};
  }
  static constexpr operator_options options() { return {Tag::inplace_view}; }
};
template <class Op>
struct view_copy_op : operator_with_forms<view_copy_op<Op>, false, true> {
  static constexpr std::string_view text() { return detail::view_copy_text_v<Op>.view(); }
  static constexpr operator_options options() { return {Tag::view_copy}; }
};
template <class Op>
struct view_scatter_op : operator_with_forms<view_scatter_op<Op>, false, true> {
  static constexpr std::string_view text() { return detail::view_scatter_text_v<Op>.view(); }
};

namespace detail {
template <class Op>
struct declaration_error<view_inplace_op<Op>, true>
    : std::conditional_t<is_well_formed_v<Op>, std::type_identity<operator_has_no_inplace_form<Op>>,
                         declaration_error<Op, false>> {};
/// All that TENON_VIEW registers: a list of views has no in-place form and no inverse.
template <class Op, class G, class... Says>
TENON_COLD void add_whole_view(Library& m, CallSite here, Says... says) {
  constexpr bool one = std::is_same_v<typename signature<signature_of_t<Op>>::result, Tensor>;
  if constexpr (!is_well_formed_v<Op> || !is_view_schema<Op>() || !geometry_check<Op, G>::ok)
    add_view<Op, G>(m, here);
  else if constexpr (one)
    add_view<Op, G>(m, here, within_memory{}, in_place_as<view_inplace_op<Op>{}>{}, copy_as<view_copy_op<Op>{}>{},
                    scatter_as<view_scatter_op<Op>{}>{}, says...);
  else
    add_view<Op, G>(m, here, within_memory{}, copy_as<view_copy_op<Op>{}>{}, says...);
}
}  // namespace detail
}  // namespace tenon

#define TENON_INTERNAL_VIEW_ROW(OP, ADD, GEOMETRY, ...)                                                       \
  template <class tenon_operator>                                                                             \
  TENON_COLD void OP##_register_view(::tenon::Library& m) {                                                   \
    ::tenon::detail::ADD<tenon_operator, GEOMETRY>(                                                           \
        m, ::tenon::CallSite::now(__FILE__, __LINE__) __VA_OPT__(, ) __VA_ARGS__);                            \
  }                                                                                                           \
  inline const ::tenon::detail::StaticLibrary OP##_view_row(                                                  \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<::std::remove_const_t<decltype(OP)>>(), \
      ::std::nullopt, &OP##_register_view<::std::remove_const_t<decltype(OP)>>, __FILE__, __LINE__)

/// The row of a declared view: defines it and registers all that follows from its geometry, a type with
/// `template <class Int> BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self, arguments...) const`, and
/// from what else is said: `in_place_as<op>()`, `copy_as<op>()`, `scatter_as<op>()`, `TENON_WRT(...)`, ... A view that
/// returns a list gives each geometry to a function that is its last argument. In the operator's namespace, in one
/// unit.
#define TENON_VIEW_OF(OP, GEOMETRY, ...) TENON_INTERNAL_VIEW_ROW(OP, add_view, GEOMETRY, __VA_ARGS__)
/// Declares a view by its schema and makes all of it: NAME, its copy NAME_copy and, for one result, its in-place form
/// NAME_ and its inverse NAME_scatter. A geometry outside of the tensor's memory is refused. At namespace scope, in one
/// unit.
#define TENON_VIEW(NAME, SCHEMA, GEOMETRY, ...)                          \
  TENON_OPERATOR(NAME, SCHEMA);                                          \
  inline constexpr ::tenon::view_inplace_op<NAME##_op> NAME##_{};        \
  inline constexpr ::tenon::view_copy_op<NAME##_op> NAME##_copy{};       \
  inline constexpr ::tenon::view_scatter_op<NAME##_op> NAME##_scatter{}; \
  TENON_INTERNAL_VIEW_ROW(NAME, add_whole_view, GEOMETRY, __VA_ARGS__)
