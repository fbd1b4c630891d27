// From the result of a lambda over dual numbers to the gradient of each input.
#pragma once
#include <tuple>

#include <tenon/math/dual.hpp>

namespace tenon::cpu::detail {

template <class R>
R as_results(R only) {
  return only;
}
template <class R, class... More>
  requires(sizeof...(More) > 0)
std::tuple<R, More...> as_results(R first, More... more) { return {first, more...}; }
/// `grad` times the tangents of `y`, as an inner loop returns them: one value, or a tuple.
template <class G, class Y, std::size_t... I>
auto gradients_of(G grad, const Y& y, std::index_sequence<I...>) {
  if constexpr (!math::is_dual_v<Y>)  // it depends on no input
    return as_results((static_cast<void>(I), G(0))...);
  else
    return as_results(math::along(grad, std::get<I>(y.tangents))...);
}

}  // namespace tenon::cpu::detail
