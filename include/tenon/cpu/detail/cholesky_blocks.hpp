// Cholesky's factorization of large real matrices by halves, so that nearly all of it is matrix products.
#pragma once
#include <algorithm>

#include <tenon/cpu/detail/triangular_blocks.hpp>

namespace tenon::cpu::detail {

/// Lower triangles of column-major matrices, `lead` elements from column to column.
template <class T>
class CholeskyBlocks {
 public:
  explicit CholeskyBlocks(std::int64_t lead) : lead_(lead) {}

  /// a = L L^T in place; what stands above the diagonal is overwritten. Returns LAPACK's status.
  int factor(T* a, std::int64_t n) const {
    if (n <= kLeaf) {
      int size = static_cast<int>(n), lead = static_cast<int>(lead_), info = 0;
      lapack::routines<T>::potrf("L", &size, a, &lead, &info, 1);
      return info;
    }
    const std::int64_t half = split(n);
    if (int info = factor(a, half)) return info;
    divide(a + half, n - half, a, half);
    subtract_square(a + half * lead_ + half, n - half, a + half, half);
    const int info = factor(a + half * lead_ + half, n - half);
    return info == 0 ? 0 : info + static_cast<int>(half);
  }

 private:
  static constexpr std::int64_t kLeaf = 8, kSquare = 64;
  static std::int64_t split(std::int64_t n) { return (n / 2 + kLeaf - 1) / kLeaf * kLeaf; }

  /// c -= a b^T for c of m x n.
  void subtract(T* c, std::int64_t m, std::int64_t n, const T* a, const T* b, std::int64_t k) const {
    subtract_product<T>({c, 1, lead_}, m, n, {a, 1, lead_}, {b, lead_, 1}, k);
  }
  /// The lower triangle of c -= a a^T for c of n x n.
  void subtract_square(T* c, std::int64_t n, const T* a, std::int64_t k) const {
    if (n <= kSquare) return subtract(c, n, n, a, a, k);
    const std::int64_t half = split(n);
    subtract_square(c, half, a, k);
    subtract(c + half, n - half, half, a + half, a, k);
    subtract_square(c + half * lead_ + half, n - half, a + half, k);
  }
  /// b = b L^-T for b of m x n.
  void divide(T* b, std::int64_t m, const T* l, std::int64_t n) const {
    if (n > kLeaf) {
      const std::int64_t half = split(n);
      divide(b, m, l, half);
      subtract(b + half * lead_, m, n - half, b, l + half, half);
      return divide(b + half * lead_, m, l + half * lead_ + half, n - half);
    }
    constexpr std::int64_t rows = 16;
    for (std::int64_t i = 0; i < m; i += rows) {
      const std::int64_t count = std::min(rows, m - i);
      T x[kLeaf][rows] = {};
      for (std::int64_t j = 0; j < n; ++j) {
        T* to = b + j * lead_ + i;
        std::copy_n(to, count, x[j]);
        for (std::int64_t k = 0; k < j; ++k) {
          const T factor = l[k * lead_ + j];
          for (std::int64_t r = 0; r < rows; ++r) x[j][r] -= factor * x[k][r];
        }
        const T below = l[j * lead_ + j];
        for (std::int64_t r = 0; r < rows; ++r) x[j][r] /= below;
        std::copy_n(x[j], count, to);
      }
    }
  }

  std::int64_t lead_;
};

}  // namespace tenon::cpu::detail
