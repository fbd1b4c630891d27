// Copies and fills as kernels: any two dtypes and strides, and tiles through shared memory where the order of the
// elements turns over.
#pragma once
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// An element with its sign or that of its imaginary part turned.
template <class T>
TENON_HOST_DEVICE T turned(T x, bool conjugate, bool negate) {
  if constexpr (is_complex_v<T>) {
    if (negate) x = T(-x.re, -x.im);
    if (conjugate) x = T(x.re, -x.im);
  } else if constexpr (std::is_floating_point_v<T> || (std::is_integral_v<T> && std::is_signed_v<T>)) {
    if (negate) x = static_cast<T>(-x);
  }
  return x;
}

/// f(where to write, where to read) for every element of a call of two operands.
template <class L, class F>
TENON_HOST_DEVICE void each_pair(L& lane, const Elementwise& c, F f) {
  each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
    Offsets<2> offsets(c.walk, i);
    const Operand& o = c.at[1];
    f(c.at[0].data + offsets.at[0], o.data ? static_cast<const void*>(o.data + offsets.at[1]) : o.element);
  });
}

/// Through a wide type of the kind of T: signed and unsigned integers, floating and complex numbers.
template <class Wide>
struct convert_elements {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const CopyCall& call) const {
    const Elementwise& c = call.elements;
    each_pair(lane, c, [&](char* to, const void* from) {
      store_as(to, c.at[0].dtype, turned(load_as<Wide>(from, c.at[1].dtype), call.conjugate, call.negate));
    });
  }
};

/// Elements of N bytes, as they are.
template <class Bytes>
struct move_elements {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const Elementwise& c) const {
    each_pair(lane, c,
              [](char* to, const void* from) { *reinterpret_cast<Bytes*>(to) = *static_cast<const Bytes*>(from); });
  }
};
/// What lies outside of the triangle is zero.
template <class Bytes>
struct keep_triangle {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const TriangleCall& t) const {
    const Elementwise& c = t.elements;
    each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
      Offsets<2> offsets(c.walk, i);
      std::int64_t column = i % t.columns, row = i / t.columns % t.rows, edge = row + t.diagonal + (t.upper ? 0 : 1);
      Bytes element{};
      if ((column < edge) != t.upper) element = *reinterpret_cast<const Bytes*>(c.at[1].data + offsets.at[1]);
      *reinterpret_cast<Bytes*>(c.at[0].data + offsets.at[0]) = element;
    });
  }
};
/// Sixteen bytes from and to dense memory, or of one element.
struct move_packs {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, char* out, const char* in, Pack<std::uint32_t, 4> pattern,
                                    std::int64_t packs) const {
    using Word = std::uint32_t;
    each_of_grid(lane, packs, [&](std::int64_t i) {
      lane.store(reinterpret_cast<Word*>(out + i * 16),
                 in ? lane.template load<4>(reinterpret_cast<const Word*>(in + i * 16)) : pattern);
    });
  }
};

/// The shape of a matrix that is written by rows and read by columns, `count` times.
struct Transposition {
  char* out;
  const char* in;
  std::int64_t rows, columns, count;
  std::int64_t out_row, in_column, out_batch, in_batch;  // bytes; elements follow one another in the other direction
};
/// A tile of 32 by 32 elements for each block of 8 warps: read along columns, written along rows.
template <class Bytes>
struct transpose_tile {
  static constexpr int kTile = 32, kRows = 8;
  struct Memory {
    Bytes at[kTile][kTile + 1];  // one more: a column then lies in all banks
  };
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const Transposition& t) const {
    auto& tile = lane.template shared<Memory>();
    std::int64_t across = (t.columns + kTile - 1) / kTile, down = (t.rows + kTile - 1) / kTile;
    std::int64_t block = lane.block(), batch = block / (across * down);
    std::int64_t r0 = block / across % down * kTile, c0 = block % across * kTile;
    auto x = static_cast<int>(lane.thread() % kTile), y = static_cast<int>(lane.thread() / kTile);
    const char* in = t.in + batch * t.in_batch;
    char* out = t.out + batch * t.out_batch;
    for (int c = y; c < kTile; c += kRows)
      if (c0 + c < t.columns && r0 + x < t.rows)
        tile.at[c][x] = reinterpret_cast<const Bytes*>(in + (c0 + c) * t.in_column)[r0 + x];
    lane.sync();
    for (int r = y; r < kTile; r += kRows)
      if (r0 + r < t.rows && c0 + x < t.columns)
        reinterpret_cast<Bytes*>(out + (r0 + r) * t.out_row)[c0 + x] = tile.at[x][r];
  }
};

}  // namespace tenon::cuda
