// Small matrices turned over by shuffles: how operands whose unit stride lies across the rows are read.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/math/arch.hpp>

namespace tenon::cpu {
namespace detail {

/// Turns a W x W block: dst[r * dst_row + c] = src[c * src_row + r]; W = 1 where the set has no network for the size.
template <class U, class Arch>
struct turn {
  static constexpr int width = 1;
  static void block(U* dst, std::int64_t, const U* src, std::int64_t) { *dst = *src; }
};

#if TENON_CPU_X86
template <>
struct turn<std::uint32_t, sse2> {
  static constexpr int width = 4;
  static void block(std::uint32_t* dst, std::int64_t dst_row, const std::uint32_t* src, std::int64_t src_row) {
    __m128 r[4];
    for (int i = 0; i < 4; ++i)
      r[i] = _mm_castsi128_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i * src_row)));
    _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]);
    for (int i = 0; i < 4; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i * dst_row), _mm_castps_si128(r[i]));
  }
};
template <>
struct turn<std::uint64_t, sse2> {
  static constexpr int width = 2;
  static void block(std::uint64_t* dst, std::int64_t dst_row, const std::uint64_t* src, std::int64_t src_row) {
    __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src)),
            b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + src_row));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst), _mm_unpacklo_epi64(a, b));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + dst_row), _mm_unpackhi_epi64(a, b));
  }
};
#endif
#if TENON_CPU_AVX2
template <>
struct turn<std::uint32_t, avx2> {
  static constexpr int width = 8;
  static void block(std::uint32_t* dst, std::int64_t dst_row, const std::uint32_t* src, std::int64_t src_row) {
    __m256i r[8], t[8];
    // Rows i and i + 4 share a register from the start, so that no shuffle has to cross lanes later.
    for (int i = 0; i < 4; ++i) {
      auto half = [&](int row, int part) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + row * src_row + 4 * part));
      };
      r[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(half(i, 0)), half(i + 4, 0), 1);
      r[i + 4] = _mm256_inserti128_si256(_mm256_castsi128_si256(half(i, 1)), half(i + 4, 1), 1);
    }
    for (int g = 0; g < 8; g += 4) {
      t[g] = _mm256_unpacklo_epi32(r[g], r[g + 1]);
      t[g + 1] = _mm256_unpackhi_epi32(r[g], r[g + 1]);
      t[g + 2] = _mm256_unpacklo_epi32(r[g + 2], r[g + 3]);
      t[g + 3] = _mm256_unpackhi_epi32(r[g + 2], r[g + 3]);
      r[g] = _mm256_unpacklo_epi64(t[g], t[g + 2]);
      r[g + 1] = _mm256_unpackhi_epi64(t[g], t[g + 2]);
      r[g + 2] = _mm256_unpacklo_epi64(t[g + 1], t[g + 3]);
      r[g + 3] = _mm256_unpackhi_epi64(t[g + 1], t[g + 3]);
    }
    for (int i = 0; i < 8; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + i * dst_row), r[i]);
  }
};
template <>
struct turn<std::uint64_t, avx2> {
  static constexpr int width = 4;
  static void block(std::uint64_t* dst, std::int64_t dst_row, const std::uint64_t* src, std::int64_t src_row) {
    __m256i r[4];
    for (int i = 0; i < 4; ++i) r[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + i * src_row));
    __m256i a = _mm256_unpacklo_epi64(r[0], r[1]), b = _mm256_unpackhi_epi64(r[0], r[1]);
    __m256i c = _mm256_unpacklo_epi64(r[2], r[3]), d = _mm256_unpackhi_epi64(r[2], r[3]);
    auto put = [&](int row, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + row * dst_row), v); };
    put(0, _mm256_permute2x128_si256(a, c, 0x20));
    put(1, _mm256_permute2x128_si256(b, d, 0x20));
    put(2, _mm256_permute2x128_si256(a, c, 0x31));
    put(3, _mm256_permute2x128_si256(b, d, 0x31));
  }
};
#endif
#if TENON_CPU_AVX512
template <>
struct turn<std::uint32_t, avx512> {
  static constexpr int width = 16;
  static void block(std::uint32_t* dst, std::int64_t dst_row, const std::uint32_t* src, std::int64_t src_row) {
    __m512i r[16], t[16];
    for (int i = 0; i < 16; ++i) r[i] = _mm512_loadu_si512(src + i * src_row);
    // 4 x 4 turns inside the 128-bit quarters, then a 4 x 4 turn of the quarters.
    for (int g = 0; g < 16; g += 4) {
      t[g] = _mm512_unpacklo_epi32(r[g], r[g + 1]);
      t[g + 1] = _mm512_unpackhi_epi32(r[g], r[g + 1]);
      t[g + 2] = _mm512_unpacklo_epi32(r[g + 2], r[g + 3]);
      t[g + 3] = _mm512_unpackhi_epi32(r[g + 2], r[g + 3]);
      r[g] = _mm512_unpacklo_epi64(t[g], t[g + 2]);
      r[g + 1] = _mm512_unpackhi_epi64(t[g], t[g + 2]);
      r[g + 2] = _mm512_unpacklo_epi64(t[g + 1], t[g + 3]);
      r[g + 3] = _mm512_unpackhi_epi64(t[g + 1], t[g + 3]);
    }
    for (int i = 0; i < 4; ++i) {
      t[0] = _mm512_shuffle_i32x4(r[i], r[4 + i], 0x88);
      t[1] = _mm512_shuffle_i32x4(r[i], r[4 + i], 0xdd);
      t[2] = _mm512_shuffle_i32x4(r[8 + i], r[12 + i], 0x88);
      t[3] = _mm512_shuffle_i32x4(r[8 + i], r[12 + i], 0xdd);
      _mm512_storeu_si512(dst + i * dst_row, _mm512_shuffle_i32x4(t[0], t[2], 0x88));
      _mm512_storeu_si512(dst + (8 + i) * dst_row, _mm512_shuffle_i32x4(t[0], t[2], 0xdd));
      _mm512_storeu_si512(dst + (4 + i) * dst_row, _mm512_shuffle_i32x4(t[1], t[3], 0x88));
      _mm512_storeu_si512(dst + (12 + i) * dst_row, _mm512_shuffle_i32x4(t[1], t[3], 0xdd));
    }
  }
};
template <>
struct turn<std::uint64_t, avx512> {
  static constexpr int width = 8;
  static void block(std::uint64_t* dst, std::int64_t dst_row, const std::uint64_t* src, std::int64_t src_row) {
    __m512i r[8], t[4];
    for (int i = 0; i < 8; ++i) r[i] = _mm512_loadu_si512(src + i * src_row);
    for (int i = 0; i < 8; i += 2) {
      __m512i lo = _mm512_unpacklo_epi64(r[i], r[i + 1]), hi = _mm512_unpackhi_epi64(r[i], r[i + 1]);
      r[i] = lo;
      r[i + 1] = hi;
    }
    for (int i = 0; i < 2; ++i) {
      t[0] = _mm512_shuffle_i64x2(r[i], r[2 + i], 0x88);
      t[1] = _mm512_shuffle_i64x2(r[i], r[2 + i], 0xdd);
      t[2] = _mm512_shuffle_i64x2(r[4 + i], r[6 + i], 0x88);
      t[3] = _mm512_shuffle_i64x2(r[4 + i], r[6 + i], 0xdd);
      _mm512_storeu_si512(dst + i * dst_row, _mm512_shuffle_i64x2(t[0], t[2], 0x88));
      _mm512_storeu_si512(dst + (4 + i) * dst_row, _mm512_shuffle_i64x2(t[0], t[2], 0xdd));
      _mm512_storeu_si512(dst + (2 + i) * dst_row, _mm512_shuffle_i64x2(t[1], t[3], 0x88));
      _mm512_storeu_si512(dst + (6 + i) * dst_row, _mm512_shuffle_i64x2(t[1], t[3], 0xdd));
    }
  }
};
#endif

}  // namespace detail

/// dst[r * dst_row + c] = src[c * src_row + r] for r < rows, c < columns; steps count elements. For tiles that fit the
/// L1 or L2 cache; the two matrices do not overlap.
template <class Arch, class U>
void transpose_tile(U* dst, std::int64_t dst_row, const U* src, std::int64_t src_row, std::int64_t rows,
                    std::int64_t columns) {
  using net = detail::turn<U, Arch>;
  constexpr int W = net::width;
  std::int64_t r = 0;
  if constexpr (W > 1) {
    for (; r + W <= rows; r += W) {
      std::int64_t c = 0;
      for (; c + W <= columns; c += W) net::block(dst + r * dst_row + c, dst_row, src + c * src_row + r, src_row);
      for (; c < columns; ++c)
        for (int i = 0; i < W; ++i) dst[(r + i) * dst_row + c] = src[c * src_row + r + i];
    }
  } else {
    // Squares of 8 keep both sides within a few cache lines.
    for (; r + 8 <= rows; r += 8)
      for (std::int64_t c = 0; c < columns; ++c)
        for (int i = 0; i < 8; ++i) dst[(r + i) * dst_row + c] = src[c * src_row + r + i];
  }
  for (; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) dst[r * dst_row + c] = src[c * src_row + r];
}

namespace detail {
struct sixteen {
  std::uint64_t a, b;
};
template <class Arch, class U>
void transpose_as(void* dst, std::int64_t dst_row, const void* src, std::int64_t src_row, std::int64_t rows,
                  std::int64_t columns) {
  constexpr std::int64_t size = sizeof(U);
  if (src_row % size == 0 && dst_row % size == 0)
    return transpose_tile<Arch>(static_cast<U*>(dst), dst_row / size, static_cast<const U*>(src), src_row / size, rows,
                                columns);
  for (std::int64_t r = 0; r < rows; ++r)  // real parts of complex numbers and the like
    for (std::int64_t c = 0; c < columns; ++c)
      std::memcpy(static_cast<char*>(dst) + r * dst_row + c * size,
                  static_cast<const char*>(src) + c * src_row + r * size, sizeof(U));
}
}  // namespace detail

/// As transpose_tile for elements of `item` bytes (1, 2, 4, 8 or 16), steps in bytes.
template <class Arch>
void transpose_bytes(void* dst, std::int64_t dst_row, const void* src, std::int64_t src_row, std::int64_t rows,
                     std::int64_t columns, std::int64_t item) {
  switch (item) {
    case 1: return detail::transpose_as<Arch, std::uint8_t>(dst, dst_row, src, src_row, rows, columns);
    case 2: return detail::transpose_as<Arch, std::uint16_t>(dst, dst_row, src, src_row, rows, columns);
    case 4: return detail::transpose_as<Arch, std::uint32_t>(dst, dst_row, src, src_row, rows, columns);
    case 8: return detail::transpose_as<Arch, std::uint64_t>(dst, dst_row, src, src_row, rows, columns);
    default: return detail::transpose_as<Arch, detail::sixteen>(dst, dst_row, src, src_row, rows, columns);
  }
}

}  // namespace tenon::cpu
