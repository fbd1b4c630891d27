// Triangular equations and LU factors of large real matrices by halves, so that nearly all of it is matrix products.
#pragma once
#include <algorithm>
#include <utility>

#include <tenon/cpu/detail/multiply.hpp>
#include <tenon/cpu/lapack.hpp>

namespace tenon::cpu::detail {

/// From here on faster than LAPACK without a tuned BLAS.
inline constexpr std::int64_t kSmallestBlocks = 64;

/// c -= a b, for a of m x k.
template <class T>
void subtract_product(Matrix<T> c, std::int64_t m, std::int64_t n, Matrix<const T> a, Matrix<const T> b,
                      std::int64_t k) {
  multiply<T>(m, n, k, matrix(a.data, a.row, a.column), matrix(b.data, b.row, b.column), T(1),
              matrix(c.data, c.row, c.column), T(-1));
}

/// One triangle of a matrix of n x n in memory; a lower one read across is an upper one.
template <class T>
struct Triangle {
  static constexpr std::int64_t kLeaf = 16, kColumns = 16;
  Matrix<const T> a;
  std::int64_t n;
  bool upper, unit;

  Triangle transposed() const { return {a.transposed(), n, !upper, unit}; }
  bool has_zero() const {
    for (std::int64_t i = 0; i < n && !unit; ++i)
      if (*a.at(i, i).data == T(0)) return true;
    return false;
  }
  /// x becomes the solution of this times it, for x of n x count.
  void solve(Matrix<T> x, std::int64_t count) const {
    if (n <= kLeaf) return substitute(x, count);
    const std::int64_t half = (n / 2 + kLeaf - 1) / kLeaf * kLeaf, rest = n - half;
    const Triangle first{a, half, upper, unit}, second{a.at(half, half), rest, upper, unit};
    Matrix<T> low = x.at(half, 0);
    if (upper) {
      second.solve(low, count);
      subtract_product<T>(x, half, count, a.at(0, half), {low.data, low.row, low.column}, rest);
      first.solve(x, count);
    } else {
      first.solve(x, count);
      subtract_product<T>(low, rest, count, a.at(half, 0), {x.data, x.row, x.column}, half);
      second.solve(low, count);
    }
  }

 private:
  void substitute(Matrix<T> x, std::int64_t count) const {
    for (std::int64_t c = 0; c < count; c += kColumns) {
      const std::int64_t columns = std::min(kColumns, count - c);
      T rows[kLeaf][kColumns] = {};
      for (std::int64_t s = 0; s < n; ++s) {
        const std::int64_t i = upper ? n - 1 - s : s;
        for (std::int64_t k = 0; k < columns; ++k) rows[i][k] = *x.at(i, c + k).data;
        for (std::int64_t j = upper ? i + 1 : 0; j < (upper ? n : i); ++j) {
          const T factor = *a.at(i, j).data;
          for (std::int64_t k = 0; k < kColumns; ++k) rows[i][k] -= factor * rows[j][k];
        }
        if (!unit) {
          const T diagonal = *a.at(i, i).data;
          for (std::int64_t k = 0; k < kColumns; ++k) rows[i][k] /= diagonal;
        }
        for (std::int64_t k = 0; k < columns; ++k) *x.at(i, c + k).data = rows[i][k];
      }
    }
  }
};

/// x becomes the solution of A x = x for Cholesky's factor of A: L of L L', or U of U' U.
template <class T>
void solve_cholesky(const Triangle<T>& factor, Matrix<T> x, std::int64_t count) {
  const Triangle<T> turned = factor.transposed();
  (factor.upper ? turned : factor).solve(x, count);
  (factor.upper ? factor : turned).solve(x, count);
}

/// Exchanges row i of a column-major matrix with row pivots[i] - 1, for each i in turn or in the opposite one.
template <class T>
void exchange_rows(T* a, std::int64_t lead, std::int64_t columns, const std::int32_t* pivots, std::int64_t count,
                   bool backwards = false) {
  for (; columns > 0; --columns, a += lead)
    for (std::int64_t s = 0; s < count; ++s) {
      const std::int64_t i = backwards ? count - 1 - s : s;
      std::swap(a[i], a[pivots[i] - 1]);
    }
}

/// The factors P L U of a column-major matrix of m x n in its place; pivots count rows from 1. Returns LAPACK's status:
/// the first pivot that is zero.
template <class T>
int factor_lu(T* a, std::int64_t lead, std::int64_t m, std::int64_t n, std::int32_t* pivots) {
  constexpr std::int64_t leaf = 8;
  const std::int64_t all = std::min(m, n);
  if (all <= leaf) {
    int rows = static_cast<int>(m), columns = static_cast<int>(n), step = static_cast<int>(lead), info = 0;
    lapack::routines<T>::getrf(&rows, &columns, a, &step, pivots, &info);
    return info;
  }
  const std::int64_t half = (all / 2 + leaf - 1) / leaf * leaf, below = m - half, right = n - half;
  T *top = a + half * lead, *corner = top + half;
  int info = factor_lu(a, lead, m, half, pivots);
  exchange_rows(top, lead, right, pivots, half);
  Triangle<T>{{a, 1, lead}, half, false, true}.solve({top, 1, lead}, right);
  subtract_product<T>({corner, 1, lead}, below, right, {a + half, 1, lead}, {top, 1, lead}, half);
  const int later = factor_lu(corner, lead, below, right, pivots + half);
  if (info == 0 && later != 0) info = later + static_cast<int>(half);
  exchange_rows(a + half, lead, half, pivots + half, std::min(below, right));
  for (std::int64_t i = half; i < all; ++i) pivots[i] += static_cast<std::int32_t>(half);
  return info;
}

/// x becomes the solution of A x = x, or of A' x = x, for the factors of A of n x n.
template <class T>
void solve_lu(const T* lu, std::int64_t lead, std::int64_t n, const std::int32_t* pivots, bool transposed, T* x,
              std::int64_t x_lead, std::int64_t count) {
  const Triangle<T> lower{{lu, 1, lead}, n, false, true}, upper{{lu, 1, lead}, n, true, false};
  if (!transposed) exchange_rows(x, x_lead, count, pivots, n);
  (transposed ? upper.transposed() : lower).solve({x, 1, x_lead}, count);
  (transposed ? lower.transposed() : upper).solve({x, 1, x_lead}, count);
  if (transposed) exchange_rows(x, x_lead, count, pivots, n, true);
}

}  // namespace tenon::cpu::detail
