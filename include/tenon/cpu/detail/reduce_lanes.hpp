// Virtual lanes and trees: the order in which reductions combine elements.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/math/vec.hpp>

namespace tenon::cpu::detail {

/// Element i of a chunk belongs to lane i mod 64 whatever the vector width. The lanes of floating numbers are emptied
/// into others after each block, so that rounding errors grow with the number of blocks; lanes and chunks meet in fixed
/// binary trees.
inline constexpr std::int64_t kLanes = 64, kBlock = 1024, kChunk = 16384, kRowChunk = 1024, kColumns = 1024;
/// From here on, counted in elements, the input lies beyond the caches.
inline constexpr std::int64_t kFarElements = 1 << 20;
/// Whether fetching by instruction what lies far ahead pays: the prefetchers of Intel's cores stop at the end of a
/// page. AMD's go on, and then it only takes their place: 64 MiB are added at 24 GB/s with it on Zen 4, at 35 without.
inline bool fetches_ahead() noexcept {
#if TENON_CPU_X86
  return __builtin_cpu_is("intel") != 0;
#else
  return true;
#endif
}
/// Elements that one thread should have to do.
inline constexpr std::int64_t kReduceGrain = 32768;

template <class T>
inline constexpr bool lanes_in_vectors = std::is_floating_point_v<T>;

/// lanes[l] = combine(lanes[l], map(x[l] of every row)), for small elements without a vector form: compilers keep
/// pieces of an array that nothing else can point to in registers, and make more of bytes than of bools.
template <class Op, class T>
void accumulate_lanes(const Op& op, T* lanes, const T* x, std::int64_t row, std::int64_t rows) {
  using E = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  constexpr int W = 32 / static_cast<int>(sizeof(T)), K = static_cast<int>(kLanes) / W;
  E own[K][W];
  std::memcpy(own, lanes, sizeof own);
  for (; rows > 0; --rows, x += row) _Pragma("GCC unroll 8") for (int k = 0; k < K; ++k) for (int l = 0; l < W; ++l) {
      const E element = reinterpret_cast<const E*>(x)[k * W + l];
      own[k][l] = static_cast<T>(op.combine(static_cast<T>(own[k][l]), op.map(static_cast<T>(element))));
    }
  std::memcpy(lanes, own, sizeof own);
}
template <class T>
inline constexpr bool lanes_in_pieces = std::is_integral_v<T> && sizeof(T) <= 4;

/// lanes[i mod 64] = combine(lanes[i mod 64], map(x[i])).
template <class Arch, class Op, class T>
void accumulate(const Op& op, T* lanes, const T* x, std::int64_t n) {
  std::int64_t i = 0;
  if constexpr (lanes_in_vectors<T>) {
    using V = vec<T, Arch>;
    constexpr int W = V::size, K = static_cast<int>(kLanes) / W;
    if (n >= kLanes) {
      if constexpr (K <= 8) {
        V acc[K];
        _Pragma("GCC unroll 16") for (int k = 0; k < K; ++k) acc[k] = V::load(lanes + k * W);
        for (; i + kLanes <= n; i += kLanes)
          _Pragma("GCC unroll 16") for (int k = 0; k < K; ++k) acc[k] =
              op.combine(acc[k], op.map(V::load(x + i + k * W)));
        _Pragma("GCC unroll 16") for (int k = 0; k < K; ++k) acc[k].store(lanes + k * W);
      } else {
        // More lanes than registers: a group of lanes at a time over a stretch that stays in the L1 cache.
        constexpr int G = 8;
        for (std::int64_t from = 0; from + kLanes <= n;) {
          std::int64_t to = from + 2048 <= n ? from + 2048 : n - (n - from) % kLanes;
          for (int g = 0; g < K; g += G) {
            V acc[G];
            _Pragma("GCC unroll 16") for (int k = 0; k < G; ++k) acc[k] = V::load(lanes + (g + k) * W);
            for (std::int64_t j = from; j < to; j += kLanes)
              _Pragma("GCC unroll 16") for (int k = 0; k < G; ++k) acc[k] =
                  op.combine(acc[k], op.map(V::load(x + j + (g + k) * W)));
            _Pragma("GCC unroll 16") for (int k = 0; k < G; ++k) acc[k].store(lanes + (g + k) * W);
          }
          from = i = to;
        }
      }
    }
    T* lane = lanes;
    for (; i + W <= n; i += W, lane += W) op.combine(V::load(lane), op.map(V::load(x + i))).store(lane);
    // Through vectors too: a scalar function may round otherwise.
    if (int rest = static_cast<int>(n - i))
      op.combine(V::load(lane), op.map(V::load_partial(x + i, rest))).store_partial(lane, rest);
  } else {
    if constexpr (lanes_in_pieces<T>) {
      if (n >= kLanes) accumulate_lanes(op, lanes, x, kLanes, n / kLanes);
      i = n / kLanes * kLanes;
    }
    for (; i + kLanes <= n; i += kLanes)
      for (int l = 0; l < kLanes; ++l) lanes[l] = static_cast<T>(op.combine(lanes[l], op.map(x[i + l])));
    for (int l = 0; i < n; ++i, ++l) lanes[l] = static_cast<T>(op.combine(lanes[l], op.map(x[i])));
  }
}
/// to[l] = from[l], combined with what is there already where `add`; `from` becomes the identity.
template <class Arch, class Op, class T>
void move_lanes(const Op& op, T* to, T* from, bool add) {
  using V = vec<T, Arch>;
  const V identity = Op::identity();
  for (int l = 0; l < kLanes; l += V::size) {
    V v = V::load(from + l);
    (add ? op.combine(V::load(to + l), v) : v).store(to + l);
    identity.store(from + l);
  }
}
/// The lanes of n elements as one value; levels of the tree without a second operand are left out.
template <int width, class Arch, class Op, class T>
void fold_level(const Op& op, T* lanes) {
  using V = vec<T, Arch>;
  if constexpr (width >= V::size) {
    _Pragma("GCC unroll 16") for (int l = 0; l < width; l += V::size)
        op.combine(V::load(lanes + l), V::load(lanes + l + width))
            .store(lanes + l);
  }
}
/// The levels below a vector's width, in a register; only the lower lanes matter.
template <int width, class Op, class T, class Arch>
vec<T, Arch> fold_register(const Op& op, vec<T, Arch> v, std::int64_t n) {
  if constexpr (width == 0) {
    (void)op;
    (void)n;
    return v;
  } else {
    if (n > width)
      v = op.combine(v,
                     vec<T, Arch>(typename vec<T, Arch>::batch_type(raw<T, Arch>::template swap_halves<width>(v.v))));
    return fold_register<width / 2>(op, v, n);
  }
}
template <class Arch, class Op, class T>
T fold_lanes(const Op& op, T* lanes, std::int64_t n) {
  if (n <= 0) return Op::identity();
  if constexpr (lanes_in_vectors<T>) {
    using V = vec<T, Arch>;
    if (n > 32) fold_level<32, Arch>(op, lanes);
    if (V::size <= 16 && n > 16) fold_level<16, Arch>(op, lanes);
    if (V::size <= 8 && n > 8) fold_level<8, Arch>(op, lanes);
    if (V::size <= 4 && n > 4) fold_level<4, Arch>(op, lanes);
    if (V::size <= 2 && n > 2) fold_level<2, Arch>(op, lanes);
    // All of it: what one lane alone wrote would be read only once it has left the processor.
    fold_register<V::size / 2>(op, V::load(lanes), n).store(lanes);
    return lanes[0];
  } else {
    for (std::int64_t width = kLanes / 2; width > 0; width /= 2) {
      if (width >= n) continue;
      for (std::int64_t l = 0; l < width; ++l) lanes[l] = static_cast<T>(op.combine(lanes[l], lanes[l + width]));
    }
    return lanes[0];
  }
}
/// A list of partial results as one, by a binary tree of neighbours; `step` is the distance of two of them.
template <class Arch, class Op, class T>
T fold_tree(const Op& op, T* p, std::int64_t count, std::int64_t step = 1) {
  for (; count > 1; count = (count + 1) / 2) {
    for (std::int64_t i = 0; 2 * i + 1 < count; ++i)
      p[i * step] = static_cast<T>(op.combine(p[2 * i * step], p[(2 * i + 1) * step]));
    if (count % 2) p[count / 2 * step] = p[(count - 1) * step];
  }
  return p[0];
}

/// a[c] = combine(a[c], x of every row): rows in eights by a tree, so that few sums pass through memory.
template <class Arch, class Op, class T>
void accumulate_rows(const Op& op, T* a, const T* x, std::int64_t row, std::int64_t rows, std::int64_t columns) {
  std::int64_t r = 0;
  if constexpr (lanes_in_vectors<T>) {
    using V = vec<T, Arch>;
    constexpr int W = V::size;
    auto eight = [&](const T* p, V sum, auto load) {
      V v[8];
      _Pragma("GCC unroll 16") for (int k = 0; k < 8; ++k) v[k] = op.map(load(p + k * row));
      v[0] = op.combine(op.combine(op.combine(v[0], v[1]), op.combine(v[2], v[3])),
                        op.combine(op.combine(v[4], v[5]), op.combine(v[6], v[7])));
      return op.combine(sum, v[0]);
    };
    auto fewer = [&](const T* p, V sum, int count, auto load) {
      for (int k = 0; k < count; ++k) sum = op.combine(sum, op.map(load(p + k * row)));
      return sum;
    };
    auto full = [](const T* p) { return V::load(p); };
    while (r < rows) {
      int count = rows - r < 8 ? static_cast<int>(rows - r) : 8;
      const T* p = x + r * row;
      std::int64_t c = 0;
      if (count == 8)
        for (; c + W <= columns; c += W) eight(p + c, V::load(a + c), full).store(a + c);
      else
        for (; c + W <= columns; c += W) fewer(p + c, V::load(a + c), count, full).store(a + c);
      if (int rest = static_cast<int>(columns - c)) {
        auto part = [rest](const T* q) { return V::load_partial(q, rest); };
        (count == 8 ? eight(p + c, V::load_partial(a + c, rest), part)
                    : fewer(p + c, V::load_partial(a + c, rest), count, part))
            .store_partial(a + c, rest);
      }
      r += count;
    }
  } else {
    std::int64_t whole = 0;
    if constexpr (lanes_in_pieces<T>)
      for (; whole + kLanes <= columns; whole += kLanes) accumulate_lanes(op, a + whole, x + whole, row, rows);
    for (; r < rows; ++r)
      for (std::int64_t c = whole; c < columns; ++c) a[c] = static_cast<T>(op.combine(a[c], op.map(x[r * row + c])));
  }
}

}  // namespace tenon::cpu::detail
