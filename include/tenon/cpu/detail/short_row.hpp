// Rows that a few vectors hold.
#pragma once
#include <cstdint>

#include <tenon/cpu/detail/reduce_lanes.hpp>
#include <tenon/math/vec.hpp>

namespace tenon::cpu::detail {

template <class T, int W>
struct LaneNumbers {
  alignas(64) T number[W];
  constexpr LaneNumbers() : number() {
    for (int l = 0; l < W; ++l) number[l] = static_cast<T>(l);
  }
};
template <class T, int W>
inline constexpr LaneNumbers<T, W> lane_numbers{};

/// The first `count` lanes of `v`, the others of `rest`.
template <class T, class Arch>
vec<T, Arch> first_lanes(int count, vec<T, Arch> v, vec<T, Arch> rest) {
  using V = vec<T, Arch>;
  return select(V::load(lane_numbers<T, V::size>.number) < V(static_cast<T>(count)), v, rest);
}

/// A row that K vectors hold, so that nothing passes through memory: the same operations on the same lanes as in longer
/// rows, whose trees leave the total in each lane.
template <class Arch, class T, int K>
struct ShortRow {
  using V = vec<T, Arch>;
  static constexpr int W = V::size;
  struct Row {
    V v[K];
  };

  std::int64_t n;
  int left(int k) const { return static_cast<int>(n) - k * W; }
  Row load(const T* p) const {
    Row r;
    _Pragma("GCC unroll 8") for (int k = 0; k < K; ++k) r.v[k] = left(k) >= W  ? V::load(p + k * W)
                                                                 : left(k) > 0 ? V::load_partial(p + k * W, left(k))
                                                                               : V(T(0));
    return r;
  }
  void store(const Row& r, T* p) const {
    _Pragma("GCC unroll 8") for (int k = 0; k < K; ++k) {
      if (left(k) >= W)
        r.v[k].store(p + k * W);
      else if (left(k) > 0)
        r.v[k].store_partial(p + k * W, left(k));
    }
  }
  template <class F>
  static Row map(F f, Row a, const Row& b) {
    _Pragma("GCC unroll 8") for (int k = 0; k < K; ++k) a.v[k] = f(a.v[k], b.v[k]);
    return a;
  }
  /// The levels of the tree above a vector's width.
  template <class Op>
  V folded(const Op& op, Row r) const {
    _Pragma("GCC unroll 8") for (int k = 0; k < K; ++k) {
      if (left(k) < W) r.v[k] = first_lanes(left(k), r.v[k], V(Op::identity()));
      r.v[k] = op.combine(V(Op::identity()), r.v[k]);
    }
    _Pragma("GCC unroll 4") for (int half = K / 2; half > 0; half /= 2) if (n > half * W)
        _Pragma("GCC unroll 8") for (int k = 0; k < half; ++k) r.v[k] = op.combine(r.v[k], r.v[k + half]);
    return r.v[0];
  }
  template <class Op>
  V total(const Op& op, const Row& r) const {
    return fold_register<W / 2>(op, folded(op, r), n);
  }
};

/// Calls f(row) for a row of n elements that registers hold; false if they do not.
template <class Arch, class T, int K = 1, class F>
bool in_registers(std::int64_t n, F f) {
  constexpr std::int64_t most = K * vec<T, Arch>::size;
  if constexpr (K > 8 || most > kLanes) {
    return false;
  } else {
    if (n <= most) return f(ShortRow<Arch, T, K>{n}), true;
    return in_registers<Arch, T, 2 * K>(n, f);
  }
}

}  // namespace tenon::cpu::detail
