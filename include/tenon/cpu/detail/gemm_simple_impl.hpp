// Matrix products of the dtypes without a micro-kernel.
#pragma once

namespace tenon::cpu::detail {

/// Rows of C in blocks of columns: C[i, :] += A[i, p] * B[p, :], with B's block contiguous.
template <class Arch, class T>
void gemm_simple(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, Matrix<const T> b, T beta,
                 Matrix<T> c) {
  constexpr std::int64_t columns = 128, depth = 64;
  std::int64_t blocks = (n + columns - 1) / columns, grain = 32768 / (k * columns + 1) + 1;
  parallel_for(0, blocks * m, grain, [&](std::int64_t first, std::int64_t last) {
    alignas(64) T sum[columns];
    T* packed = static_cast<T*>(scratch<Arch>(2, static_cast<std::size_t>(columns * k) * sizeof(T)));
    std::int64_t have = -1;
    for (std::int64_t task = first; task < last; ++task) {
      std::int64_t block = task / m, i = task % m, j0 = block * columns, width = n - j0 < columns ? n - j0 : columns;
      if (have != block && b.column != 1) {
        for (std::int64_t p0 = 0; p0 < k; p0 += depth)
          for (std::int64_t j = 0; j < width; ++j)
            for (std::int64_t p = p0; p < p0 + depth && p < k; ++p)
              packed[p * columns + j] = b.data[p * b.row + (j0 + j) * b.column];
        have = block;
      }
      const T* rows = b.column == 1 ? b.data + j0 : packed;
      std::int64_t step = b.column == 1 ? b.row : columns;
      for (std::int64_t j = 0; j < width; ++j) sum[j] = T(0);
      for (std::int64_t p = 0; p < k; ++p) {
        const T x = a.data[i * a.row + p * a.column];
        const T* row = rows + p * step;
        for (std::int64_t j = 0; j < width; ++j) sum[j] = math::plus(sum[j], math::times(x, row[j]));
      }
      for (std::int64_t j = 0; j < width; ++j) {
        T& to = c.data[i * c.row + (j0 + j) * c.column];
        const T product = math::times(alpha, sum[j]);
        to = beta == T(0) ? product : math::plus(product, math::times(beta, to));
      }
    }
  });
}

}  // namespace tenon::cpu::detail
