// What the lanes of a block find together: a value of all, and of all lanes before each.
#pragma once
#include <cstdint>

#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

inline constexpr unsigned kRowLanes = 512;  // the most that share a row

/// Shared memory for a value of each warp.
template <class T>
struct WarpValues {
  alignas(16) unsigned char bytes[kWarp * sizeof(T)];
  TENON_HOST_DEVICE T* at() { return reinterpret_cast<T*>(bytes); }
};
/// The value of all lanes of a block combined, for lane 0. `Memory` is that of WarpValues; lanes without elements bring
/// the identity. The block is whole warps.
template <class L, class T, class Memory, class Combine>
TENON_HOST_DEVICE T combine_block(L& lane, T value, Memory& memory, Combine combine, T identity) {
  for (unsigned n = kWarp / 2; n > 0; n /= 2) value = combine(value, lane.shfl_xor(kFullWarp, value, n));
  unsigned warp = lane.thread() / kWarp, warps = lane.threads() / kWarp;
  if (lane.thread() % kWarp == 0) memory.at()[warp] = value;
  lane.sync();
  if (warp == 0) {
    value = lane.thread() < warps ? memory.at()[lane.thread()] : identity;
    for (unsigned n = kWarp / 2; n > 0; n /= 2) value = combine(value, lane.shfl_xor(kFullWarp, value, n));
  }
  return value;
}

/// One value of a block for all of its lanes.
template <class S>
struct RowMemory {
  WarpValues<S> warps;
  alignas(16) unsigned char result[sizeof(S)];
};
template <class L, class S, class Combine>
TENON_HOST_DEVICE S combine_for_all(L& lane, S value, RowMemory<S>& memory, Combine combine, S identity) {
  value = combine_block(lane, value, memory.warps, combine, identity);
  S& result = *reinterpret_cast<S*>(memory.result);
  if (lane.thread() == 0) result = value;
  lane.sync();
  // Whoever writes the result again has come to the next call's first barrier, and so have all who read it here.
  return result;
}
template <class L, class S>
TENON_HOST_DEVICE S sum_for_all(L& lane, S value, RowMemory<S>& memory) {
  return combine_for_all(
      lane, value, memory, [](S a, S b) { return a + b; }, S(0));
}

/// The values of all lanes before this one combined, in their order, behind `carry`, which was before the block;
/// `carry` becomes what is before the next one.
template <class L, class T, class Combine>
TENON_HOST_DEVICE T scan_block(L& lane, T value, T& carry, WarpValues<T>& memory, Combine combine, T identity) {
  T total = value, front = identity;
  for (unsigned n = 1; n < kWarp; n *= 2) {
    T other = lane.shfl_xor(kFullWarp, total, n);
    bool behind = lane.thread() & n;
    if (behind) front = combine(other, front);
    total = behind ? combine(other, total) : combine(total, other);
  }
  unsigned warp = lane.thread() / kWarp, warps = lane.threads() / kWarp;
  if (lane.thread() % kWarp == 0) memory.at()[warp] = total;
  lane.sync();
  T before = carry;
  for (unsigned w = 0; w < warps; ++w) {
    if (w == warp) before = carry;
    carry = combine(carry, memory.at()[w]);
  }
  lane.sync();  // before the memory is written again
  return combine(before, front);
}

}  // namespace tenon::cuda
