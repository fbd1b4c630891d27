// Vectors of random words: their numbers as floats, and sets that round alike.
#pragma once
#include <cstdint>

#include <tenon/math/vec.hpp>

namespace tenon::cpu::detail {

/// An instruction set without fused multiply-add, so that all sets round alike.
template <class Arch>
struct unfused {
  using xsimd_arch = typename Arch::xsimd_arch;
};
template <class T, class Arch>
struct raw<T, unfused<Arch>> : raw<T, Arch> {
  using batch = xsimd::batch<T, typename Arch::xsimd_arch>;
  static batch fma(batch a, batch b, batch c) { return a * b + c; }
};

}  // namespace tenon::cpu::detail

namespace tenon::math {

/// Words below 2^24 as floats, exactly.
template <class Arch>
vec<float, Arch> to_float(vec<std::uint32_t, Arch> words) {
  auto bits = xsimd::batch_cast<std::int32_t>(words.v);
  return typename vec<float, Arch>::batch_type(xsimd::to_float(bits));
}

}  // namespace tenon::math
