// Products of bfloat16 by the processor's own instruction, which adds two products at once in float.
#pragma once

#if TENON_CPU_AVX512
#define TENON_INTERNAL_UNROLL _Pragma("GCC unroll 16")

namespace tenon::cpu::detail {

/// C = alpha A B + beta C, summed in float and rounded once. The instruction takes numbers below 2^-126 as 0.
class BFloat16Gemm {
  using T = BFloat16;
  using Pair = std::uint32_t;  // two neighbours along k
  static constexpr int MR = 14, AP = 16, NR = 32;
  static constexpr std::int64_t KC = 480, MC = MR * 8, NC = NR * 16;

 public:
  /// Whether the machine has the instruction, and the product is large enough for its panels.
  static bool serves(std::int64_t m, std::int64_t n, std::int64_t k) {
    return m >= 4 && n >= 8 && k >= 8 && __builtin_cpu_supports("avx512bf16");
  }

  static void run(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, Matrix<const T> b, T beta,
                  Matrix<T> c) {
    const std::int64_t panels = (n + NR - 1) / NR, pairs = (k + 1) / 2;
    auto* pb = static_cast<Pair*>(scratch<avx512>(3, static_cast<std::size_t>(panels * NR * pairs) * sizeof(Pair)));
    // Blocks of k one after the other, in each its panels.
    parallel_for(0, panels, 65536 / (pairs * NR) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = 0; p < k; p += KC) {
        const std::int64_t depth = k - p < KC ? k - p : KC, block = (depth + 1) / 2;
        for (std::int64_t j = first; j < last; ++j)
          pack_b(pb + p / 2 * panels * NR + j * block * NR, b.at(p, j * NR), depth,
                 n - j * NR < NR ? static_cast<int>(n - j * NR) : NR);
      }
    });
    const std::int64_t rows = (m + MC - 1) / MC, columns = (n + NC - 1) / NC;
    const double work = 2.0 * static_cast<double>(MC * (n < NC ? n : NC)) * static_cast<double>(k);
    parallel_for(0, rows * columns, static_cast<std::int64_t>(2e6 / work) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t at = first; at < last; ++at) {
                     const std::int64_t i = at / columns * MC, j = at % columns * NC;
                     tile(m - i < MC ? m - i : MC, n - j < NC ? n - j : NC, k, static_cast<float>(alpha), a.at(i, 0),
                          pb, panels, j / NR, static_cast<float>(beta), c.at(i, j));
                   }
                 });
  }

 private:
  static Pair pair(T first, T second) { return first.bits | static_cast<Pair>(second.bits) << 16; }
  static bool in_pairs(const T* at, std::int64_t step) {
    return step % 2 == 0 && reinterpret_cast<std::uintptr_t>(at) % sizeof(Pair) == 0;
  }
  /// Lines along k, `lines` of them `step` apart, as columns of pairs `to_row` apart.
  static void turn_over(Pair* to, std::int64_t to_row, const T* from, std::int64_t step, std::int64_t along,
                        std::int64_t k, int lines) {
    std::int64_t p = 0;
    if (along == 1 && in_pairs(from, step)) {
      transpose_tile<avx512>(to, to_row, reinterpret_cast<const Pair*>(from), step / 2, k / 2, lines);
      p = k / 2;
    }
    for (; 2 * p < k; ++p)
      for (int q = 0; q < lines; ++q) {
        const T* at = from + q * step + 2 * p * along;
        to[p * to_row + q] = pair(at[0], 2 * p + 1 < k ? at[along] : T(0.0f));
      }
  }
  static void pack_b(Pair* to, Matrix<const T> b, std::int64_t k, int width) {
    std::int64_t p = 0;
    if (b.column == 1 && width == NR) {
      alignas(64) std::uint16_t order[2 * NR];
      for (int q = 0; q < NR; ++q) {
        order[2 * q] = static_cast<std::uint16_t>(q);
        order[2 * q + 1] = static_cast<std::uint16_t>(NR + q);
      }
      const __m512i low = _mm512_load_si512(order), high = _mm512_load_si512(order + NR);
      for (; 2 * p + 1 < k; ++p) {
        const __m512i even = _mm512_loadu_si512(b.data + 2 * p * b.row),
                      odd = _mm512_loadu_si512(b.data + (2 * p + 1) * b.row);
        _mm512_storeu_si512(to + p * NR, _mm512_permutex2var_epi16(even, low, odd));
        _mm512_storeu_si512(to + p * NR + NR / 2, _mm512_permutex2var_epi16(even, high, odd));
      }
    }
    turn_over(to + p * NR, NR, b.data + 2 * p * b.row, b.column, b.row, k - 2 * p, width);
    for (; width < NR; ++width)
      for (p = 0; 2 * p < k; ++p) to[p * NR + width] = 0;
  }

  /// The sums of a block of C, over all of k.
  static void tile(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, Matrix<const T> a, const Pair* pb,
                   std::int64_t panels, std::int64_t panel, float beta, Matrix<T> c) {
    constexpr std::int64_t floats = MC * NC, packed = MC / MR * AP * (KC / 2);
    auto* sums = static_cast<float*>(scratch<avx512>(2, (floats + packed) * sizeof(float)));
    auto* pa = reinterpret_cast<Pair*>(sums + floats);
    for (std::int64_t p = 0; p < k; p += KC) {
      const std::int64_t depth = k - p < KC ? k - p : KC, block = (depth + 1) / 2;
      for (std::int64_t i = 0; i < m; i += MR)
        turn_over(pa + i / MR * AP * block, AP, a.data + i * a.row + p * a.column, a.row, a.column, depth,
                  m - i < MR ? static_cast<int>(m - i) : MR);
      for (std::int64_t j = 0; j < n; j += NR)
        for (std::int64_t i = 0; i < m; i += MR) {
          auto kernel = m - i <= 4 ? &kernel_of<4> : m - i <= 8 ? &kernel_of<8> : &kernel_of<MR>;
          kernel(block, pa + i / MR * AP * block, pb + p / 2 * panels * NR + (panel + j / NR) * block * NR,
                 sums + i * NC + j, p > 0);
        }
    }
    for (std::int64_t i = 0; i < m; ++i) {
      float* from = sums + i * NC;
      T* to = c.data + i * c.row;
      if (beta != 0)
        for (std::int64_t j = 0; j < n; ++j) from[j] = alpha * from[j] + beta * static_cast<float>(to[j * c.column]);
      else if (alpha != 1)
        for (std::int64_t j = 0; j < n; ++j) from[j] *= alpha;
      convert<avx512>(to, kBFloat16, c.column * static_cast<std::int64_t>(sizeof(T)), from, kFloat, sizeof(float), n);
    }
  }
  template <int M>
  [[gnu::target("avx512bf16")]] static void kernel_of(std::int64_t pairs, const Pair* a, const Pair* b, float* c,
                                                      bool add) {
    __m512 sum[M][2];
    TENON_INTERNAL_UNROLL
    for (int i = 0; i < M; ++i) TENON_INTERNAL_UNROLL
    for (int j = 0; j < 2; ++j) sum[i][j] = add ? _mm512_loadu_ps(c + i * NC + j * 16) : _mm512_setzero_ps();
    for (std::int64_t p = 0; p < pairs; ++p, a += AP, b += NR) {
      const auto first = reinterpret_cast<__m512bh>(_mm512_loadu_si512(b)),
                 second = reinterpret_cast<__m512bh>(_mm512_loadu_si512(b + 16));
      TENON_INTERNAL_UNROLL
      for (int i = 0; i < M; ++i) {
        const auto x = reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(a[i])));
        sum[i][0] = _mm512_dpbf16_ps(sum[i][0], x, first);
        sum[i][1] = _mm512_dpbf16_ps(sum[i][1], x, second);
      }
    }
    TENON_INTERNAL_UNROLL
    for (int i = 0; i < M; ++i) TENON_INTERNAL_UNROLL
    for (int j = 0; j < 2; ++j) _mm512_storeu_ps(c + i * NC + j * 16, sum[i][j]);
  }
};

}  // namespace tenon::cpu::detail
#undef TENON_INTERNAL_UNROLL
#endif
