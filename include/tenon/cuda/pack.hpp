// What device and host lanes share: the size of a warp, and elements that move as one.
#pragma once
#include <cstdint>

namespace tenon::cuda {

inline constexpr unsigned kWarp = 32;  // lanes
inline constexpr unsigned kFullWarp = 0xffffffffu;

/// Elements that one load or store of at most 16 bytes moves.
template <class T, int N>
struct alignas(sizeof(T) * N > 16 ? 16 : sizeof(T) * N) Pack {
  T at[N];
};

/// Sixteen bytes of any meaning, where elements only move.
struct Bytes16 {
  std::uint64_t low, high;
};

}  // namespace tenon::cuda
