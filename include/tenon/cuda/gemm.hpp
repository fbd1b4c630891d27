// Products of matrices as a kernel: tiles in shared memory, any strides.
#pragma once
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// A product with its factors as numbers of the type that is added in.
template <class S>
struct Product {
  std::int64_t m, n, k;
  GemmCall::Part a, b, out;
  S alpha, beta;
  bool adds;  ///< beta is not 0: the result is read
};

/// A block of 16 by 16 lanes makes a tile of the result, an element a lane; T in memory, added in S.
template <class T, class S>
struct multiply_tiles {
  static constexpr int kTile = 16;
  struct Memory {
    alignas(16) unsigned char a[kTile * (kTile + 1) * sizeof(S)];
    alignas(16) unsigned char b[kTile * (kTile + 1) * sizeof(S)];
  };
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const Product<S>& p) const {
    auto& memory = lane.template shared<Memory>();
    S *ta = reinterpret_cast<S*>(memory.a), *tb = reinterpret_cast<S*>(memory.b);
    std::int64_t across = (p.n + kTile - 1) / kTile, down = (p.m + kTile - 1) / kTile;
    std::int64_t batch = lane.block() / (across * down), tile = lane.block() % (across * down);
    int x = static_cast<int>(lane.thread() % kTile), y = static_cast<int>(lane.thread() / kTile);
    std::int64_t row = tile / across * kTile + y, column = tile % across * kTile + x;
    const T* a = static_cast<const T*>(p.a.data) + batch * p.a.step;
    const T* b = static_cast<const T*>(p.b.data) + batch * p.b.step;
    S sum(0.0f);
    for (std::int64_t k0 = 0; k0 < p.k; k0 += kTile) {
      // What lies outside counts as zero.
      ta[y * (kTile + 1) + x] = row < p.m && k0 + x < p.k ? cast<S>(a[row * p.a.row + (k0 + x) * p.a.column]) : S(0.0f);
      tb[y * (kTile + 1) + x] =
          k0 + y < p.k && column < p.n ? cast<S>(b[(k0 + y) * p.b.row + column * p.b.column]) : S(0.0f);
      lane.sync();
      for (int i = 0; i < kTile; ++i) sum = sum + ta[y * (kTile + 1) + i] * tb[i * (kTile + 1) + x];
      lane.sync();
    }
    if (row >= p.m || column >= p.n) return;
    T* out = const_cast<T*>(static_cast<const T*>(p.out.data)) + batch * p.out.step + row * p.out.row +
             column * p.out.column;
    S result = p.alpha * sum;
    if (p.adds) result = result + p.beta * cast<S>(*out);
    *out = cast<T>(result);
  }
};

}  // namespace tenon::cuda
