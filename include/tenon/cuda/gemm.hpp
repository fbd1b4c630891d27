// Products of matrices as a kernel: tiles in shared memory, any strides.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

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

/// A block of 16 by 16 lanes makes a tile of a product, an element a lane. What lies outside counts as zero.
template <class S>
struct ProductTile {
  static constexpr int kTile = 16;
  struct Memory {
    alignas(16) unsigned char a[kTile * (kTile + 1) * sizeof(S)];
    alignas(16) unsigned char b[kTile * (kTile + 1) * sizeof(S)];
  };
  static constexpr std::int64_t tiles(std::int64_t n) { return (n + kTile - 1) / kTile; }
  /// `a(row, k)` and `b(k, column)` give the factors' elements, `write(row, column, sum)` takes the result's.
  template <class L, class A, class B, class W>
  TENON_HOST_DEVICE static void run(L& lane, std::int64_t tile, std::int64_t m, std::int64_t n, std::int64_t k, A a,
                                    B b, W write) {
    auto& memory = lane.template shared<Memory>();
    S *ta = reinterpret_cast<S*>(memory.a), *tb = reinterpret_cast<S*>(memory.b);
    int x = static_cast<int>(lane.thread() % kTile), y = static_cast<int>(lane.thread() / kTile);
    std::int64_t across = tiles(n), row = tile / across * kTile + y, column = tile % across * kTile + x;
    S sum(0.0f);
    for (std::int64_t k0 = 0; k0 < k; k0 += kTile) {
      ta[y * (kTile + 1) + x] = row < m && k0 + x < k ? a(row, k0 + x) : S(0.0f);
      tb[y * (kTile + 1) + x] = k0 + y < k && column < n ? b(k0 + y, column) : S(0.0f);
      lane.sync();
      // The sum of a tile by itself: of many tiles each rounds it once.
      S part(0.0f);
      for (int i = 0; i < kTile; ++i) part = added(part, ta[y * (kTile + 1) + i], tb[i * (kTile + 1) + x]);
      sum = sum + part;
      lane.sync();
    }
    if (row < m && column < n) write(row, column, sum);
  }

 private:
  /// sum + a b, of real numbers rounded once, as devices do by themselves.
  TENON_HOST_DEVICE static S added(S sum, S a, S b) {
    if constexpr (std::is_floating_point_v<S>)
      return std::fma(a, b, sum);
    else
      return sum + a * b;
  }
};

/// T in memory, added in S.
template <class T, class S>
struct multiply_tiles {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const Product<S>& p) const {
    using Tile = ProductTile<S>;
    std::int64_t each = Tile::tiles(p.n) * Tile::tiles(p.m), batch = lane.block() / each;
    const T* a = static_cast<const T*>(p.a.data) + batch * p.a.step;
    const T* b = static_cast<const T*>(p.b.data) + batch * p.b.step;
    T* out = const_cast<T*>(static_cast<const T*>(p.out.data)) + batch * p.out.step;
    Tile::run(
        lane, lane.block() % each, p.m, p.n, p.k,
        [&](std::int64_t row, std::int64_t k) { return cast<S>(a[row * p.a.row + k * p.a.column]); },
        [&](std::int64_t k, std::int64_t column) { return cast<S>(b[k * p.b.row + column * p.b.column]); },
        [&](std::int64_t row, std::int64_t column, S sum) {
          T& to = out[row * p.out.row + column * p.out.column];
          S result = p.alpha * sum;
          if (p.adds) result = result + p.beta * cast<S>(to);
          to = cast<T>(result);
        });
  }
};

}  // namespace tenon::cuda
