// The packed matrix product: panels of A and B in cache, a micro-kernel of MR x NV vectors in registers.
#pragma once

#define TENON_INTERNAL_UNROLL _Pragma("GCC unroll 16")

namespace tenon::cpu::detail {

template <class Arch>
struct gemm_shape {
  static constexpr int rows = 4, vectors = 2;
};  // 8 sums, 2 of B, 1 of A in 16 registers
template <>
struct gemm_shape<avx2> {
  static constexpr int rows = 6, vectors = 2;
};
template <>
struct gemm_shape<avx512> {
  static constexpr int rows = 14, vectors = 2;
};
template <>
struct gemm_shape<neon64> {
  static constexpr int rows = 12, vectors = 2;
};

template <class Arch, class T>
void scale_matrix(std::int64_t m, std::int64_t n, T beta, Matrix<T> c) {
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T& x = c.data[i * c.row + j * c.column];
      x = beta == T(0) ? T(0) : static_cast<T>(beta * x);
    }
}

template <class T, class Arch>
struct Gemm {
  using V = vec<T, Arch>;
  static constexpr int W = V::size, MR = gemm_shape<Arch>::rows, NV = gemm_shape<Arch>::vectors, NR = NV * W;
  // A's panels are padded to whole transposing networks.
  static constexpr int net = W, AP = (MR + net - 1) / net * net;
  static constexpr std::int64_t KC = 320, MC = MR * 20, NC = 2048;

  struct Tile {
    const T* a;
    std::int64_t a_row, a_column;  // packed: 1, AP
    const T* b;
    std::int64_t b_row;
    T* c;
    std::int64_t c_row;
    int rows, columns;  // of C to be written
    T alpha, beta;
  };
  using Kernel = void (*)(std::int64_t k, const Tile& t);

  /// M rows by N vectors; rows beyond `t.rows` repeat the last and are dropped.
  template <int M, int N, bool packed>
  static void kernel(std::int64_t k, const Tile& t) {
    V sum[M][N];
    TENON_INTERNAL_UNROLL
    for (int i = 0; i < M; ++i) TENON_INTERNAL_UNROLL
    for (int j = 0; j < N; ++j) sum[i][j] = V(T(0));
    const T* b = t.b;
    if constexpr (packed) {
      const T* a = t.a;
      TENON_INTERNAL_UNROLL
      for (int i = 0; i < M; ++i)
        if (i < t.rows) __builtin_prefetch(t.c + i * t.c_row, 1);
      for (std::int64_t p = 0; p < k; ++p, a += AP, b += NR) {
        V column[N];
        TENON_INTERNAL_UNROLL
        for (int j = 0; j < N; ++j) column[j] = V::load(b + j * W);
        __builtin_prefetch(b + 8 * NR);
        TENON_INTERNAL_UNROLL
        for (int i = 0; i < M; ++i) {
          V x = a[i];
          TENON_INTERNAL_UNROLL
          for (int j = 0; j < N; ++j) sum[i][j] = fma(x, column[j], sum[i][j]);
        }
      }
    } else {
      const T* a[M];
      TENON_INTERNAL_UNROLL
      for (int i = 0; i < M; ++i) a[i] = t.a + (i < t.rows ? i : t.rows - 1) * t.a_row;
      std::int64_t at = 0;
      for (std::int64_t p = 0; p < k; ++p, at += t.a_column, b += t.b_row) {
        V column[N];
        TENON_INTERNAL_UNROLL
        for (int j = 0; j < N; ++j) column[j] = V::load(b + j * W);
        TENON_INTERNAL_UNROLL
        for (int i = 0; i < M; ++i) {
          V x = a[i][at];
          TENON_INTERNAL_UNROLL
          for (int j = 0; j < N; ++j) sum[i][j] = fma(x, column[j], sum[i][j]);
        }
      }
    }
    const V alpha = t.alpha, beta = t.beta;
    const bool add = t.beta != T(0);
    TENON_INTERNAL_UNROLL
    for (int i = 0; i < M; ++i) {
      if (i >= t.rows) return;
      T* c = t.c + i * t.c_row;
      TENON_INTERNAL_UNROLL
      for (int j = 0; j < N; ++j, c += W) {
        int left = t.columns - j * W;
        V r = sum[i][j] * alpha;
        if (left >= W) {
          if (add) r = fma(beta, V::load(c), r);
          r.store(c);
        } else if (left > 0) {
          if (add) r = fma(beta, V::load_partial(c, left), r);
          r.store_partial(c, left);
        }
      }
    }
  }
  /// The smallest kernel that holds `rows` rows and `columns` columns.
  template <bool packed, int N>
  static Kernel choose_rows(int rows) {
    if (rows == 1) return &kernel<1, N, packed>;
    if (rows == 2) return &kernel<2, N, packed>;
    // Of powers of two 8 rows are the commonest rest.
    constexpr int half = MR > 8 ? 8 : (MR + 1) / 2;
    if constexpr (half == 8)
      if (rows <= 4) return &kernel<4, N, packed>;
    if (rows <= half) return &kernel<half, N, packed>;
    return &kernel<MR, N, packed>;
  }
  template <bool packed>
  static Kernel choose(int rows, int columns) {
    return columns <= W ? choose_rows<packed, 1>(rows) : choose_rows<packed, NV>(rows);
  }

  /// k x n of B as panels of NR columns, padded with zeros.
  static void pack_b(T* to, Matrix<const T> b, std::int64_t k, std::int64_t n) {
    for (std::int64_t j = 0; j < n; j += NR, to += k * NR) {
      int width = n - j < NR ? static_cast<int>(n - j) : NR;
      const T* from = b.data + j * b.column;
      if (b.column == 1) {
        if (width == NR) {
          for (std::int64_t p = 0; p < k; ++p)
            for (int v = 0; v < NV; ++v) V::load(from + p * b.row + v * W).store(to + p * NR + v * W);
          continue;
        }
        for (std::int64_t p = 0; p < k; ++p)
          for (int v = 0; v < NV; ++v) {
            int left = width - v * W;
            V x = left >= W  ? V::load(from + p * b.row + v * W)
                  : left > 0 ? V::load_partial(from + p * b.row + v * W, left)
                             : V(T(0));
            x.store(to + p * NR + v * W);
          }
        continue;
      }
      if (b.row == 1) {
        turn_over(to, NR, from, b.column, k, width);
      } else {
        for (std::int64_t p = 0; p < k; ++p)
          for (int q = 0; q < width; ++q) to[p * NR + q] = from[p * b.row + q * b.column];
      }
      if (width < NR)
        for (std::int64_t p = 0; p < k; ++p)
          for (int q = width; q < NR; ++q) to[p * NR + q] = T(0);
    }
  }
  /// m x k of A as panels of MR rows, AP apart; `below` rows exist behind the last and may be read.
  static void pack_a(T* to, Matrix<const T> a, std::int64_t m, std::int64_t k, std::int64_t below) {
    for (std::int64_t i = 0; i < m; i += MR, to += k * AP) {
      int height = m - i < MR ? static_cast<int>(m - i) : MR;
      const T* from = a.data + i * a.row;
      bool whole = m - i + below >= AP;
      if (a.column == 1) {
        turn_over(to, AP, from, a.row, k, whole ? AP : height);
      } else if (a.row == 1 && whole) {
        for (std::int64_t p = 0; p < k; ++p)
          for (int v = 0; v < AP; v += W) V::load(from + p * a.column + v).store(to + p * AP + v);
      } else {
        for (std::int64_t p = 0; p < k; ++p)
          for (int q = 0; q < height; ++q) to[p * AP + q] = from[q * a.row + p * a.column];
      }
    }
  }
  static void turn_over(T* to, std::int64_t to_row, const T* from, std::int64_t from_row, std::int64_t rows,
                        std::int64_t columns) {
    using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    transpose_tile<Arch>(reinterpret_cast<U*>(to), to_row, reinterpret_cast<const U*>(from), from_row, rows, columns);
  }

  /// Small products: A is read where it lies; B too where its rows are contiguous and its panels whole.
  static void small(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, Matrix<const T> b,
                    T beta, Matrix<T> c) {
    bool direct = b.column == 1;
    std::int64_t whole = direct ? n / NR * NR : 0;
    T* packed = nullptr;
    if (whole < n) {
      packed = static_cast<T*>(scratch<Arch>(2, static_cast<std::size_t>((n - whole + NR) * k) * sizeof(T)));
      pack_b(packed, b.at(0, whole), k, n - whole);
    }
    for (std::int64_t j = 0; j < n; j += NR) {
      int columns = n - j < NR ? static_cast<int>(n - j) : NR;
      Tile t{nullptr, a.row, a.column, nullptr, 0, nullptr, c.row, 0, columns, alpha, beta};
      t.b = j < whole ? b.data + j : packed + (j - whole) * k;
      t.b_row = j < whole ? b.row : NR;
      for (std::int64_t i = 0; i < m; i += MR) {
        t.rows = m - i < MR ? static_cast<int>(m - i) : MR;
        t.a = a.data + i * a.row;
        t.c = c.data + i * c.row + j;
        choose<false>(t.rows, columns)(k, t);
      }
    }
  }

  /// The length of the next block of k, of which `left` are left: the last two share what there is.
  static std::int64_t next_depth(std::int64_t left) { return left <= KC ? left : left < 2 * KC ? (left + 1) / 2 : KC; }

  /// One thread's block of C, which has contiguous rows; `a_below` rows of A exist behind the block's.
  static void block(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, std::int64_t a_below,
                    Matrix<const T> b, T beta, Matrix<T> c) {
    std::int64_t nc_max = n < NC ? (n + NR - 1) / NR * NR : NC, kc_max = k < KC ? k : KC,
                 mc_max = m < MC ? (m + MR - 1) / MR * MR : MC;
    T* pb = static_cast<T*>(scratch<Arch>(2, static_cast<std::size_t>(nc_max * kc_max + 16 * NR) * sizeof(T)));
    T* pa = static_cast<T*>(scratch<Arch>(3, static_cast<std::size_t>(mc_max / MR * AP * kc_max + AP) * sizeof(T)));
    for (std::int64_t jc = 0; jc < n; jc += NC) {
      std::int64_t nc = n - jc < NC ? n - jc : NC;
      for (std::int64_t pc = 0; pc < k;) {
        std::int64_t kc = next_depth(k - pc);
        pack_b(pb, b.at(pc, jc), kc, nc);
        T beta_now = pc == 0 ? beta : T(1);
        for (std::int64_t ic = 0; ic < m; ic += MC) {
          std::int64_t mc = m - ic < MC ? m - ic : MC;
          pack_a(pa, a.at(ic, pc), mc, kc, m - ic - mc + a_below);
          for (std::int64_t j = 0; j < nc; j += NR) {
            int columns = nc - j < NR ? static_cast<int>(nc - j) : NR;
            Tile t{nullptr, 1, AP, pb + j * kc, NR, nullptr, c.row, 0, columns, alpha, beta_now};
            for (std::int64_t i = 0; i < mc; i += MR) {
              t.rows = mc - i < MR ? static_cast<int>(mc - i) : MR;
              t.a = pa + i / MR * AP * kc;
              t.c = c.data + (ic + i) * c.row + jc + j;
              choose<true>(t.rows, columns)(kc, t);
            }
          }
        }
        pc += kc;
      }
    }
  }

  /// y = alpha A x + beta y.
  static void matrix_vector(std::int64_t m, std::int64_t k, T alpha, Matrix<const T> a, const T* x, std::int64_t x_step,
                            T beta, T* y, std::int64_t y_step) {
    const T* xs = x;
    if (x_step != 1) {
      T* copy = static_cast<T*>(scratch<Arch>(2, static_cast<std::size_t>(k) * sizeof(T)));
      for (std::int64_t p = 0; p < k; ++p) copy[p] = x[p * x_step];
      xs = copy;
    }
    auto put = [&](std::int64_t i, T value) {
      T& to = y[i * y_step];
      to = beta == T(0) ? alpha * value : alpha * value + beta * to;
    };
    std::int64_t grain = 65536 / (k + 1) + 1;
    if (a.column == 1) {
      parallel_for(0, m, grain, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
          const T* row = a.data + i * a.row;
          V sum[4] = {V(T(0)), V(T(0)), V(T(0)), V(T(0))};
          std::int64_t p = 0;
          for (; p + 4 * W <= k; p += 4 * W)
            for (int q = 0; q < 4; ++q) sum[q] = fma(V::load(row + p + q * W), V::load(xs + p + q * W), sum[q]);
          for (; p + W <= k; p += W) sum[0] = fma(V::load(row + p), V::load(xs + p), sum[0]);
          if (int rest = static_cast<int>(k - p))
            sum[1] = fma(V::load_partial(row + p, rest), V::load_partial(xs + p, rest), sum[1]);
          put(i, hsum((sum[0] + sum[1]) + (sum[2] + sum[3])));
        }
      });
      return;
    }
    // Columns of A are added in blocks of y that stay in the L1 cache.
    parallel_for(0, m, grain < 64 ? 64 : grain, [&](std::int64_t first, std::int64_t last) {
      constexpr std::int64_t length = 1024;
      alignas(64) T sum[length];
      for (std::int64_t i = first; i < last; i += length) {
        std::int64_t rows = last - i < length ? last - i : length;
        for (std::int64_t q = 0; q < rows; ++q) sum[q] = T(0);
        for (std::int64_t p = 0; p < k; ++p) {
          const T* column = a.data + i * a.row + p * a.column;
          const T factor = xs[p];
          if (a.row == 1) {
            std::int64_t q = 0;
            const V f = factor;
            for (; q + W <= rows; q += W) fma(V::load(column + q), f, V::load(sum + q)).store(sum + q);
            for (; q < rows; ++q) sum[q] += column[q] * factor;
          } else {
            for (std::int64_t q = 0; q < rows; ++q) sum[q] += column[q * a.row] * factor;
          }
        }
        for (std::int64_t q = 0; q < rows; ++q) put(i + q, sum[q]);
      }
    });
  }

  static void run(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, Matrix<const T> b, T beta,
                  Matrix<T> c) {
    if (n == 1) return matrix_vector(m, k, alpha, a, b.data, b.row, beta, c.data, c.row);
    if (m == 1) return matrix_vector(n, k, alpha, b.transposed(), a.data, a.column, beta, c.data, c.column);
    if (c.column != 1) {
      if (c.row == 1) return run(n, m, k, alpha, b.transposed(), a.transposed(), beta, c.transposed());
      // No contiguous direction: into memory of its own and back.
      T* own = static_cast<T*>(::operator new(static_cast<std::size_t>(m * n) * sizeof(T)));
      run(m, n, k, alpha, a, b, T(0), {own, n, 1});
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          T& to = c.data[i * c.row + j * c.column];
          to = beta == T(0) ? own[i * n + j] : own[i * n + j] + beta * to;
        }
      ::operator delete(own);
      return;
    }
    double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    if (work <= 64.0 * 64 * 64 * 2) return small(m, n, k, alpha, a, b, beta, c);
    // Few panels of B do not pay for a copy of A, unless its rows take each other's place in the cache. Asked of the
    // whole, so that the sums are the same for any number of threads.
    const bool direct = n <= 16 * NR && k <= 2 * KC && a.column == 1 &&
                        (MR <= 8 || a.row * static_cast<std::int64_t>(sizeof(T)) % 4096 != 0);
    // A grid of blocks with whole panels, split where the panels are longest.
    std::int64_t threads = in_parallel_region() ? 1 : get_num_threads(), rows = 1, columns = 1;
    while (rows * columns < threads && work / static_cast<double>(rows * columns) > 2e6) {
      if (m / rows >= n / columns && m / rows > MR)
        rows *= 2;
      else if (n / columns > NR)
        columns *= 2;
      else
        break;
    }
    if (rows * columns == 1)
      return direct ? small(m, n, k, alpha, a, b, beta, c) : block(m, n, k, alpha, a, 0, b, beta, c);
    std::int64_t height = (m + rows - 1) / rows, width = (n + columns - 1) / columns;
    height = (height + MR - 1) / MR * MR;
    width = (width + NR - 1) / NR * NR;
    rows = (m + height - 1) / height;
    columns = (n + width - 1) / width;
    parallel_for(0, rows * columns, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t g = first; g < last; ++g) {
        std::int64_t i = g / columns * height, j = g % columns * width;
        std::int64_t h = m - i < height ? m - i : height, w = n - j < width ? n - j : width;
        if (direct)
          small(h, w, k, alpha, a.at(i, 0), b.at(0, j), beta, c.at(i, j));
        else
          block(h, w, k, alpha, a.at(i, 0), m - i - h, b.at(0, j), beta, c.at(i, j));
      }
    });
  }
};

}  // namespace tenon::cpu::detail
#undef TENON_INTERNAL_UNROLL
