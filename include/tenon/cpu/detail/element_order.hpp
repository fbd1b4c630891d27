// The order of real elements, not-a-numbers behind all others.
#pragma once
#include <tenon/cpu/loops.hpp>

namespace tenon::cpu::detail {

template <class T>
bool is_nan_element([[maybe_unused]] T x) {
  if constexpr (is_floating_type(scalar_type_v<T>))
    return !(static_cast<compute_t<T>>(x) == static_cast<compute_t<T>>(x));
  else
    return false;
}
template <class T>
bool less_element(T a, T b) {
  return static_cast<compute_t<T>>(a) < static_cast<compute_t<T>>(b);
}
/// Smaller, not-a-numbers behind all others.
template <class T>
bool before_element(T a, T b) {
  return less_element(a, b) || (is_nan_element(b) && !is_nan_element(a));
}

}  // namespace tenon::cpu::detail
