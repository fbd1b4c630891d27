// Elements side by side, read and written 16 bytes at a time; rows that a block keeps in registers.
#pragma once
#include <cstdint>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// So many elements are 16 bytes.
template <class T>
inline constexpr int kPackOf = 16 / static_cast<int>(sizeof(T));

/// A lane's share of a row, as the type that elements are summed in: packs as far apart as the block has lanes.
template <class T>
struct HeldRow {
  using S = sum_t<T>;
  static constexpr int kPack = kPackOf<T>, kPacks = 4;
  static constexpr std::int64_t kMost = std::int64_t{kRowLanes} * kPacks * kPack;
  S at[kPacks * kPack];

  /// f(place in the row, the place's number among the lane's) for the first element of every pack of the lane.
  template <class L, class F>
  TENON_HOST_DEVICE static void each_pack(L& lane, std::int64_t size, F f) {
    TENON_UNROLLED
    for (int k = 0; k < kPacks; ++k) {
      std::int64_t i = (lane.thread() + std::int64_t{k} * lane.threads()) * kPack;
      if (i < size) f(i, k * kPack);
    }
  }
  /// f(place in the row, element) for every element of the lane.
  template <class L, class F>
  TENON_HOST_DEVICE void each(L& lane, std::int64_t size, F f) {
    each_pack(lane, size, [&](std::int64_t i, int first) {
      TENON_UNROLLED
      for (int p = 0; p < kPack; ++p) f(i + p, at[first + p]);
    });
  }
  template <class L>
  TENON_HOST_DEVICE void load(L& lane, const T* row, std::int64_t size) {
    each_pack(lane, size, [&](std::int64_t i, int first) {
      Pack<T, kPack> pack = lane.template load<kPack>(row + i);
      TENON_UNROLLED
      for (int p = 0; p < kPack; ++p) at[first + p] = static_cast<S>(pack.at[p]);
    });
  }
  template <class L>
  TENON_HOST_DEVICE void store(L& lane, T* row, std::int64_t size) const {
    each_pack(lane, size, [&](std::int64_t i, int first) {
      Pack<T, kPack> pack;
      TENON_UNROLLED
      for (int p = 0; p < kPack; ++p) pack.at[p] = static_cast<T>(at[first + p]);
      lane.store(row + i, pack);
    });
  }
};
/// Whether rows of `size` elements that follow one another, `in` and `out`, can be held.
template <class T>
bool can_hold(std::int64_t size, const void* in, const void* out) {
  return size % kPackOf<T> == 0 && size <= HeldRow<T>::kMost && is_on_pack(in) && is_on_pack(out);
}
/// The lanes of a block that holds a row.
template <class T>
unsigned lanes_to_hold(std::int64_t size) {
  return threads_for(size / kPackOf<T>, kRowLanes);
}

}  // namespace tenon::cuda
