// Rows of elements of one dtype read as another, with any byte step on both sides.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/base/scalar_type.hpp>
#include <tenon/math/vec.hpp>

namespace tenon::cpu {

/// One element as another type: complex to real drops the imaginary part, anything to bool is `!= 0`, floating to
/// integer truncates (values outside the integer's range give an unspecified one).
template <class D, class S>
D cast_element(S s) {
  if constexpr (std::is_same_v<D, S>) {
    return s;
  } else if constexpr (std::is_same_v<D, bool>) {
    if constexpr (is_complex_v<S>)
      return cast_element<bool>(s.re) || cast_element<bool>(s.im);
    else
      return static_cast<bool>(s != S(0));
  } else if constexpr (is_complex_v<D>) {
    using R = typename D::value_type;
    if constexpr (is_complex_v<S>)
      return D(cast_element<R>(s.re), cast_element<R>(s.im));
    else
      return D(cast_element<R>(s), R(0.0f));
  } else if constexpr (is_complex_v<S>) {
    return cast_element<D>(s.re);
  } else if constexpr (small_float<S>) {
    return cast_element<D>(static_cast<float>(s));
  } else if constexpr (small_float<D>) {
    return D(static_cast<float>(s));
  } else if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D> && sizeof(D) < 4) {
    return static_cast<D>(static_cast<std::int32_t>(s));
  } else if constexpr (std::is_floating_point_v<S> && std::is_same_v<D, std::uint32_t>) {
    return static_cast<D>(static_cast<std::int64_t>(s));
  } else {
    return static_cast<D>(s);
  }
}

}  // namespace tenon::cpu

#include <tenon/cpu/detail/convert_impl.hpp>

namespace tenon::cpu {

/// Writes n elements of dtype `to` from elements of dtype `from`; steps count bytes, a source step of 0 repeats.
/// The rows do not overlap unless they are the same. Errors: TypeError for a dtype without elements.
template <class Arch>
void convert(void* dst, ScalarType to, std::int64_t dst_step, const void* src, ScalarType from, std::int64_t src_step,
             std::int64_t n) {
  if (to == from)
    detail::move_row<Arch>(static_cast<char*>(dst), dst_step, static_cast<const char*>(src), src_step, n,
                           static_cast<std::int64_t>(item_size(to)));
  else
    detail::convert_row<Arch>(static_cast<char*>(dst), to, dst_step, static_cast<const char*>(src), from, src_step, n);
}

}  // namespace tenon::cpu
