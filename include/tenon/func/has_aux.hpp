// Functions that return more than what is differentiated.
#pragma once
#include <tuple>
#include <type_traits>
#include <utility>

namespace tenon::func {

namespace detail {
template <class T>
inline constexpr bool is_pair = false;
template <class R, class Aux>
inline constexpr bool is_pair<std::pair<R, Aux>> = true;
template <class R, class Aux>
inline constexpr bool is_pair<std::tuple<R, Aux>> = true;
template <class F>
class HasAux {
 public:
  explicit HasAux(F f) : f_(std::move(f)) {}
  template <class... A>
  auto operator()(const A&... args) const {
    auto both = f_(args...);
    static_assert(is_pair<decltype(both)>,
                  "tenon: a function of has_aux() returns a pair: what is differentiated, and what is not");
    if constexpr (is_pair<decltype(both)>)
      return std::pair(std::get<0>(std::move(both)), std::get<1>(std::move(both)));
    else
      return std::pair(both, both);
  }

 private:
  mutable F f_;
};
template <class F>
inline constexpr bool is_has_aux = false;
template <class F>
inline constexpr bool is_has_aux<HasAux<F>> = true;
/// Of a function that a transform takes.
template <class F>
inline constexpr bool has_aux_v = is_has_aux<std::remove_cvref_t<F>>;
}  // namespace detail

/// Says that `f` returns a pair of what is differentiated and of anything else, which comes out beside the derivatives
/// as it is: vjp(), jvp(), jacrev() and jacfwd() would differentiate both, `jacrev(has_aux(f))` the first. For grad()
/// and grad_and_value() every pair is one.
/// Source: `has_aux` of torch.func of PyTorch 2.15.
template <class F>
auto has_aux(F&& f) {
  return detail::HasAux<std::decay_t<F>>(static_cast<F&&>(f));
}

}  // namespace tenon::func
