// Householder's reflections of large real matrices a block at a time, so that nearly all of it is matrix products.
#pragma once
#include <algorithm>
#include <vector>

#include <tenon/cpu/detail/triangular_blocks.hpp>

namespace tenon::cpu::detail {

/// The product I - V F V' of the reflections below the diagonal of a column-major matrix's first columns: Schreiber and
/// Van Loan, SIAM J. Sci. Stat. Comput. 10:1, 1989.
template <class T>
class ReflectionBlock {
 public:
  ReflectionBlock(const T* a, std::int64_t lead, std::int64_t m, std::int64_t count, const T* tau)
      : m_(m), count_(count), v_(static_cast<std::size_t>(m * count)), f_(static_cast<std::size_t>(count * count)) {
    for (std::int64_t j = 0; j < count; ++j) {
      T* column = v_.data() + j * m;
      column[j] = T(1);
      std::copy(a + j * lead + j + 1, a + j * lead + m, column + j + 1);
    }
    std::vector<T> products(f_.size());
    multiply<T>(count, count, m, matrix<T>(v_.data(), m, 1), matrix<T>(v_.data(), 1, m), T(0),
                matrix<T>(products.data(), 1, count));
    for (std::int64_t i = 0; i < count; ++i) {
      T* column = f_.data() + i * count;
      for (std::int64_t r = 0; r < i; ++r) {
        T sum = 0;
        for (std::int64_t k = r; k < i; ++k)
          sum += f_[static_cast<std::size_t>(k * count + r)] * products[static_cast<std::size_t>(i * count + k)];
        column[r] = -tau[i] * sum;
      }
      column[i] = tau[i];
    }
  }
  /// c = H c, or H' c, for c of m x n.
  void apply(T* c, std::int64_t lead, std::int64_t n, bool transposed) const {
    std::vector<T> w(static_cast<std::size_t>(count_ * n)), u(w.size());
    const GemmCall::Part f = transposed ? matrix<T>(f_.data(), count_, 1) : matrix<T>(f_.data(), 1, count_),
                         first = matrix<T>(w.data(), 1, count_), second = matrix<T>(u.data(), 1, count_);
    multiply<T>(count_, n, m_, matrix<T>(v_.data(), m_, 1), matrix<T>(c, 1, lead), T(0), first);
    multiply<T>(count_, n, count_, f, first, T(0), second);
    subtract_product<T>({c, 1, lead}, m_, n, {v_.data(), 1, m_}, {u.data(), 1, count_}, count_);
  }

 private:
  std::int64_t m_, count_;
  std::vector<T> v_, f_;  // V of m x count and F of count x count, column by column
};

/// LAPACK's geqrf of a column-major matrix of m x n in its place.
template <class T>
void factor_qr(T* a, std::int64_t lead, std::int64_t m, std::int64_t n, T* tau) {
  constexpr std::int64_t leaf = 8, widest = 32;
  const std::int64_t all = std::min(m, n);
  if (all <= leaf) {
    int rows = static_cast<int>(m), columns = static_cast<int>(n), step = static_cast<int>(lead), info = 0;
    std::vector<T> work(static_cast<std::size_t>(std::max<std::int64_t>(n, 1)));
    int size = static_cast<int>(work.size());
    lapack::routines<T>::geqrf(&rows, &columns, a, &step, tau, work.data(), &size, &info);
    return;
  }
  const std::int64_t count = std::min((all / 2 + leaf - 1) / leaf * leaf, widest);
  factor_qr(a, lead, m, count, tau);
  T* right = a + count * lead;
  ReflectionBlock<T>(a, lead, m, count, tau).apply(right, lead, n - count, true);
  factor_qr(right + count, lead, m - count, n - count, tau + count);
}
/// LAPACK's orgqr: the first n columns of the product of the `count` reflections in a's first columns, in its place.
template <class T>
void product_of_blocks(T* a, std::int64_t lead, std::int64_t m, std::int64_t n, std::int64_t count, const T* tau) {
  constexpr std::int64_t widest = 32;
  std::vector<T> q(static_cast<std::size_t>(m * n));
  for (std::int64_t j = 0; j < std::min(m, n); ++j) q[static_cast<std::size_t>(j * m + j)] = T(1);
  for (std::int64_t first = (count - 1) / widest * widest; first >= 0; first -= widest) {
    const std::int64_t here = std::min(widest, count - first);
    ReflectionBlock<T>(a + first * lead + first, lead, m - first, here, tau + first)
        .apply(q.data() + first * m + first, m, n - first, false);
  }
  for (std::int64_t j = 0; j < n; ++j) std::copy_n(q.data() + j * m, m, a + j * lead);
}

}  // namespace tenon::cpu::detail
