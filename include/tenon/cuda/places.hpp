// The extremes of lines and where they are, as a kernel.
#pragma once
#include <cstdint>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>

namespace tenon::cuda {

/// An element and its place in a line; none where that is below zero.
template <class T>
struct PlacedElement {
  T value;
  std::int64_t place;
};
template <class V>
inline constexpr bool is_placed = false;
template <class T>
inline constexpr bool is_placed<PlacedElement<T>> = true;

/// A block for each line.
template <class T, bool Largest>
struct find_extreme {
  using V = PlacedElement<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LinesCall& c) const {
    auto& memory = lane.template shared<WarpValues<V>>();
    Offsets<3> at(c.lines, lane.block());
    V best{T(0), -1};
    each_of_block(lane, c.size, [&](std::int64_t i) {
      best = better(best, {load_as<T>(c.in + at.at[2] + i * c.step[2], c.dtype), i});
    });
    best = combine_block(
        lane, best, memory, [](V a, V b) { return better(a, b); }, V{T(0), -1});
    if (lane.thread() != 0) return;
    *reinterpret_cast<std::int64_t*>(c.places + at.at[1]) = best.place;
    if (c.out) store_as(c.out + at.at[0], c.out_dtype, best.value);
  }

 private:
  TENON_HOST_DEVICE static V better(V a, V b) {
    if (a.place < 0 || b.place < 0) return a.place < 0 ? b : a;
    bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    if (a_nan != b_nan) return a_nan ? a : b;
    if (a_nan || a.value == b.value) return a.place < b.place ? a : b;
    return (a.value > b.value) == Largest ? a : b;
  }
};

}  // namespace tenon::cuda
