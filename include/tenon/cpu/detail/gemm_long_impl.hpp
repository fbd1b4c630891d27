// Matrix products of 64-bit integers, which wrap: tiles of C in registers, B packed by panels of columns.
#pragma once

namespace tenon::cpu::detail {

/// A register of integers without sign: the compiler knows the best multiplication of each set.
template <class Arch>
struct long_lanes {
  static constexpr std::int64_t bytes = static_cast<std::int64_t>(vec<std::int64_t, Arch>::size) * 8;
  typedef std::uint64_t type __attribute__((vector_size(bytes)));
};

/// Sums of products for four rows of A and two registers of columns of B, added to `sums`.
template <class Arch>
void long_tile(std::int64_t depth, const std::int64_t* const (&rows)[4], std::int64_t step, const std::uint64_t* b,
               std::uint64_t* (&sums)[4]) {
  using Lanes = typename long_lanes<Arch>::type;
  constexpr std::int64_t lanes = long_lanes<Arch>::bytes / 8;
  Lanes sum[4][2] = {};
  for (std::int64_t p = 0; p < depth; ++p, b += 2 * lanes) {
    Lanes low, high;
    std::memcpy(&low, b, sizeof low);
    std::memcpy(&high, b + lanes, sizeof high);
#pragma GCC unroll 4  // else the sums lie in memory
    for (int r = 0; r < 4; ++r) {
      const Lanes x = Lanes{} + static_cast<std::uint64_t>(rows[r][p * step]);
      sum[r][0] += x * low;
      sum[r][1] += x * high;
    }
  }
  for (int r = 0; r < 4; ++r)
    for (std::int64_t half = 0; half < 2; ++half) {
      Lanes before;
      std::memcpy(&before, sums[r] + half * lanes, sizeof before);
      before += sum[r][half];
      std::memcpy(sums[r] + half * lanes, &before, sizeof before);
    }
}

/// Tasks are blocks of rows by panels of columns; each packs its part of B, a block of k at a time.
template <class Arch>
void gemm_long(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t alpha, Matrix<const std::int64_t> a,
               Matrix<const std::int64_t> b, std::int64_t beta, Matrix<std::int64_t> c) {
  constexpr std::int64_t width = long_lanes<Arch>::bytes / 4, height = 256, depth = 512;
  const std::int64_t panels = (n + width - 1) / width, blocks = (m + height - 1) / height;
  parallel_for(0, panels * blocks, 1, [&](std::int64_t first, std::int64_t last) {
    auto* packed = static_cast<std::uint64_t*>(
        scratch<Arch>(2, static_cast<std::size_t>(width * (depth + height + 4)) * sizeof(std::uint64_t)));
    std::uint64_t* sums = packed + width * depth;  // of a block's rows, and of four that nobody reads
    for (std::int64_t task = first; task < last; ++task) {
      const std::int64_t j0 = task / blocks * width, i0 = task % blocks * height;
      const std::int64_t columns = n - j0 < width ? n - j0 : width, rows = m - i0 < height ? m - i0 : height;
      for (std::int64_t i = 0; i < rows * width; ++i) sums[i] = 0;
      for (std::int64_t p0 = 0; p0 < k; p0 += depth) {
        const std::int64_t count = k - p0 < depth ? k - p0 : depth;
        for (std::int64_t p = 0; p < count; ++p)
          for (std::int64_t j = 0; j < width; ++j)
            packed[p * width + j] =
                j < columns ? static_cast<std::uint64_t>(b.data[(p0 + p) * b.row + (j0 + j) * b.column]) : 0;
        for (std::int64_t i = 0; i < rows; i += 4) {
          const std::int64_t* of_a[4];
          std::uint64_t* of_sums[4];
          for (std::int64_t r = 0; r < 4; ++r) {
            const std::int64_t row = i + r < rows ? i + r : rows - 1;
            of_a[r] = a.data + (i0 + row) * a.row + p0 * a.column;
            of_sums[r] = sums + (i + r < rows ? i + r : height + r) * width;
          }
          long_tile<Arch>(count, of_a, a.column, packed, of_sums);
        }
      }
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
          std::int64_t& to = c.data[(i0 + i) * c.row + (j0 + j) * c.column];
          const std::int64_t product = math::times(alpha, static_cast<std::int64_t>(sums[i * width + j]));
          to = beta == 0 ? product : math::plus(product, math::times(beta, to));
        }
    }
  });
}

}  // namespace tenon::cpu::detail
