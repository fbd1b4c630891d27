// The derivatives that follow from a view's geometry: of the view where none is given, of its copy and of its inverse.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/view.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::detail {

/// Arguments of a schema that a formula reads: the gradient, then `First` of the tensors, then the plain ones.
template <class Op, unsigned Target, autograd::detail::Source First, unsigned Of, unsigned Plain, class F>
constexpr auto formula_of() {
  using namespace autograd::detail;
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return formula<codes<make_code(Source::Input, Target)>,
                   codes<make_code(Source::Grad, 0), make_code(First, Of),
                         make_code(Source::Plain, static_cast<int>(Plain + I))...>,
                   F>{};
  }
  (std::make_index_sequence<parsed_v<Op>.head.n_args - Plain>{});
}

/// The gradient of a view by its geometry alone.
template <class G>
struct view_backward {
  template <class... A>
  Tensor operator()(const Tensor& grad, const autograd::Geometry& self, const A&... args) const {
    GeometryRef from(self.sizes, self.strides, self.offset);
    if constexpr (requires { G{}.template operator()<std::int64_t>(from, args...); }) {
      Geometry g = G{}.template operator()<std::int64_t>(from, args...);
      return autograd::as_strided_backward(grad, self, g.sizes, g.strides, g.offset);
    } else {
      // Several results: their gradients follow each other, and those that nobody used are undefined.
      const Tensor* next = &grad;
      Tensor sum;
      G{}.template operator()<std::int64_t>(from, args..., [&](const Geometry& g) {
        if (const Tensor& part = *next++; part.defined()) {
          Tensor whole = autograd::as_strided_backward(part, self, g.sizes, g.strides, g.offset);
          sum = sum.defined() ? ops::add(sum, whole) : whole;
        }
      });
      return sum;
    }
  }
};
template <class Op, class G>
using view_formula = decltype(formula_of<Op, 0, autograd::detail::Source::GeometryOf, 0, 1, view_backward<G>>());

/// The gradients of an inverse: what the view shows has none of `self`, and is that of `src`.
template <class Scatter, class Sig = signature_of_t<Scatter>>
struct scatter_self;
template <class Scatter, class... A>
struct scatter_self<Scatter, Tensor(const Tensor&, const Tensor&, A...)> {
  Tensor operator()(const Tensor& grad, IntArrayRef src_sizes, const plain_t<A>&... args) const {
    return call_path<Tensor(const Tensor&, const Tensor&, A...)>::call(slot_of<Scatter>, grad,
                                                                       ops::new_zeros(grad, src_sizes), args...);
  }
};
template <class View, class Sig = signature_of_t<View>>
struct scatter_src;
template <class View, class... A>
struct scatter_src<View, Tensor(const Tensor&, A...)> {
  Tensor operator()(const Tensor& grad, IntArrayRef, const plain_t<A>&... args) const {
    return call_path<Tensor(const Tensor&, A...)>::call(slot_of<View>, grad, args...);
  }
};
template <class View, class Scatter>
TENON_COLD void register_scatter_derivative(Library& m, CallSite here) {
  using enum autograd::detail::Source;
  using of_self = decltype(formula_of<Scatter, 0, Sizes, 1, 2, scatter_self<Scatter>>());
  using of_src = decltype(formula_of<Scatter, 1, Sizes, 1, 2, scatter_src<View>>());
  autograd::register_derivative(m, autograd::detail::derivative<Scatter, of_self, of_src>{}, here.file, here.line);
}

/// The derivative of an operator with the arguments of a view, which has the view's formulas. Does nothing where the
/// view is not part of the program.
template <class Op, class View>
TENON_COLD void register_derivative_of_view([[maybe_unused]] Library& m, [[maybe_unused]] CallSite here) {
  if constexpr (is_operator_selected_v<Op>)
    if (const autograd::DerivativeTable* of_view = autograd::detail::kernel_data<View>()->table) {
      static autograd::DerivativeTable table = *of_view;
      table.op_name = view_of<Op>().operator_name();
      table.geometry_alone = Op::facts().tags.has(Tag::inplace_view);
      autograd::register_autograd_kernel<Op>(m, table, here);
    }
}

/// The same for the copy of a view.
template <class Copy, class View>
TENON_COLD void register_copy_derivative(Library& m, CallSite here) {
  register_derivative_of_view<Copy, View>(m, here);
  // What writes to a list is counted by the fallback.
  if constexpr (std::is_same_v<typename signature<signature_of_t<Copy>>::result, Tensor>)
    autograd::register_inplace_or_view<typename Copy::out>(m, here);
}

}  // namespace tenon::detail
