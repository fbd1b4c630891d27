// Products of second derivatives with vectors, without the matrix: hvp, vhp.
#pragma once
#include <tuple>
#include <utility>

#include <tenon/func/jvp.hpp>

namespace tenon::func {

namespace detail {
template <class F, class... A, std::size_t... At>
auto hessian_times(F& f, const std::tuple<A...>& args, const std::tuple<A...>& vectors, std::index_sequence<At...>) {
  auto [both, changes] = jvp(grad_and_value<At...>(f), args, vectors);
  return std::pair(std::move(both.second), std::move(changes.first));
}
template <class F, class... A, std::size_t... At>
auto times_hessian(F& f, const std::tuple<A...>& args, const std::tuple<A...>& vectors, std::index_sequence<At...>) {
  auto product = std::apply([&](const A&... x) { return vjp(has_aux(grad_and_value<At...>(f)), x...); }, args);
  return std::pair(std::move(product.aux), product(one_or_all(std::tuple<A...>(vectors))));
}
}  // namespace detail

/// The value of `f`, a function of trees of tensors that returns one element, and the product of its second derivatives
/// with `vectors`: how the gradient with respect to all arguments changes along them, a tree like the argument, or a
/// tuple of them. Forward over reverse mode: memory and time are some times those of a gradient.
/// `auto [value, product] = func::hvp(f, x, v);`, or with tuples of several arguments and of their vectors.
/// Errors: ValueError unless `f` returns one element. Source: torch.autograd.functional.hvp of PyTorch 2.15.
template <class F, class... A>
auto hvp(F&& f, const std::tuple<A...>& args, const std::tuple<A...>& vectors) {
  return detail::hessian_times(f, args, vectors, std::index_sequence_for<A...>());
}
template <class F>
auto hvp(F&& f, const Tensor& x, const Tensor& vector) {
  return hvp(f, std::tuple(x), std::tuple(vector));
}
/// The same numbers by reverse mode twice, for functions with operators that have no forward derivative.
/// Source: torch.autograd.functional.vhp of PyTorch 2.15.
template <class F, class... A>
auto vhp(F&& f, const std::tuple<A...>& args, const std::tuple<A...>& vectors) {
  return detail::times_hessian(f, args, vectors, std::index_sequence_for<A...>());
}
template <class F>
auto vhp(F&& f, const Tensor& x, const Tensor& vector) {
  return vhp(f, std::tuple(x), std::tuple(vector));
}

}  // namespace tenon::func
