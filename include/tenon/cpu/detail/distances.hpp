// Distances from one row to many, by the vector.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/math/vec.hpp>

namespace tenon::cpu {

/// Distances between rows of float or double: from `from` to each of `rows` rows of `width` elements that lie one after
/// the other. False, with nothing done, for a norm that is none of 0, 1, 2 and infinity.
using DistancesKernel = bool (*)(ScalarType dtype, double p, const void* from, const void* to, std::int64_t rows,
                                 std::int64_t width, void* out);

namespace detail {

/// `add(sum, size of a difference)` over each row; four rows at a time, which share what is read of the first one.
template <class Arch, class T, class Add, class Finish>
void distances_by(const T* from, const T* to, std::int64_t rows, std::int64_t width, T* out, Add add, Finish finish) {
  using V = vec<T, Arch>;
  constexpr std::int64_t W = V::size;
  const std::int64_t whole = width / W * W;
  const int rest = static_cast<int>(width - whole);
  auto some = [&]<int R>(std::integral_constant<int, R>) {
    V sums[R];
    for (V& s : sums) s = V(T(0));
    for (std::int64_t k = 0; k < whole; k += W) {
      const V x = V::load(from + k);
      for (int r = 0; r < R; ++r) sums[r] = add(sums[r], abs(x - V::load(to + r * width + k)));
    }
    if (rest > 0) {
      const V x = V::load_partial(from + whole, rest);
      for (int r = 0; r < R; ++r) sums[r] = add(sums[r], abs(x - V::load_partial(to + r * width + whole, rest)));
    }
    for (int r = 0; r < R; ++r) out[r] = finish(sums[r]);
    to += R * width;
    out += R;
  };
  for (; rows >= 4; rows -= 4) some(std::integral_constant<int, 4>());
  for (; rows > 0; --rows) some(std::integral_constant<int, 1>());
}
template <class Arch, class T>
bool distances_of(double p, const T* from, const T* to, std::int64_t rows, std::int64_t width, T* out) {
  using V = vec<T, Arch>;
  auto by = [&](auto add, auto finish) {
    distances_by<Arch>(from, to, rows, width, out, add, finish);
    return true;
  };
  auto total = [](V sum) { return hsum(sum); };
  if (p == 0) return by([](V sum, V size) { return sum + select(size == V(T(0)), V(T(0)), V(T(1))); }, total);
  if (p == 1) return by([](V sum, V size) { return sum + size; }, total);
  if (p == 2) return by([](V sum, V size) { return fma(size, size, sum); }, [](V sum) { return std::sqrt(hsum(sum)); });
  if (std::isinf(p)) return by([](V sum, V size) { return maximum(sum, size); }, [](V sum) { return hmax(sum); });
  return false;
}
template <class Arch>
bool distances(ScalarType dtype, double p, const void* from, const void* to, std::int64_t rows, std::int64_t width,
               void* out) {
  auto of = [&]<class T>(T) {
    return distances_of<Arch>(p, static_cast<const T*>(from), static_cast<const T*>(to), rows, width,
                              static_cast<T*>(out));
  };
  return dtype == kFloat ? of(0.0f) : of(0.0);
}

}  // namespace detail
}  // namespace tenon::cpu
