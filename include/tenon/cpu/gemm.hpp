// Matrix products: packed micro-kernels for float and double, 16-bit floats and integers by way of these, simple
// blocked loops for the other dtypes, batches.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/math/arithmetic.hpp>
#include <tenon/math/vec.hpp>
#include <tenon/cpu/transpose.hpp>

namespace tenon::cpu {

/// A matrix in memory: element (i, j) at data[i * row + j * column]; steps count elements.
template <class T>
struct Matrix {
  T* data = nullptr;
  std::int64_t row = 0, column = 0;
  Matrix transposed() const { return {data, column, row}; }
  Matrix at(std::int64_t i, std::int64_t j) const { return {data + i * row + j * column, row, column}; }
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/gemm_bfloat16_impl.hpp>
#include <tenon/cpu/detail/gemm_impl.hpp>
#include <tenon/cpu/detail/gemm_long_impl.hpp>
#include <tenon/cpu/detail/gemm_simple_impl.hpp>
#include <tenon/cpu/detail/gemm_widened_impl.hpp>

namespace tenon::cpu {

/// C = alpha * A B + beta * C for A of m x k, B of k x n, C of m x n. With beta == 0, C is only written, so NaN in it
/// does not spread; with k == 0, C becomes beta * C. Dtypes: all but bool and complex32; 16-bit floats accumulate in
/// float, integers wrap. Strides: any, also 0 and for transposed operands; C's elements are distinct. Aliasing: C
/// overlaps neither A nor B. Cost: 2 m n k operations near the processor's peak for float and double; scratch memory of
/// a few MB per thread, kept.
template <class Arch, class T>
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, Matrix<const T> b, T beta,
          Matrix<T> c) {
  if (m <= 0 || n <= 0) return;
  if (k <= 0 || alpha == T(0)) return detail::scale_matrix<Arch>(m, n, beta, c);
  if constexpr (std::is_floating_point_v<T>)
    detail::Gemm<T, Arch>::run(m, n, k, alpha, a, b, beta, c);
  else if constexpr (std::is_same_v<compute_t<T>, float>) {
#if TENON_CPU_AVX512
    if constexpr (std::is_same_v<T, BFloat16> && std::is_same_v<Arch, avx512>)
      if (detail::BFloat16Gemm::serves(m, n, k)) return detail::BFloat16Gemm::run(m, n, k, alpha, a, b, beta, c);
#endif
    detail::gemm_halves<Arch>(m, n, k, alpha, a, b, beta, c);
  } else {
    if constexpr (std::is_integral_v<T>)
      if (static_cast<double>(m * n) * static_cast<double>(k) > 20000) {  // else copies take longer than the product
        if constexpr (sizeof(T) <= 4) {
          return detail::gemm_integers<Arch>(m, n, k, alpha, a, b, beta, c);
        } else if constexpr (vec<T, Arch>::size > 2) {  // two lanes multiply no faster than the processor alone
          if (m >= 4 && n >= 4) return detail::gemm_long<Arch>(m, n, k, alpha, a, b, beta, c);
        }
      }
    detail::gemm_simple<Arch>(m, n, k, alpha, a, b, beta, c);
  }
}

/// `count` products of one shape; matrix i of an operand begins i steps (in elements) behind its data. A step of 0
/// repeats the operand, for A and B.
template <class Arch, class T>
void gemm_batched(std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a,
                  std::int64_t a_step, Matrix<const T> b, std::int64_t b_step, T beta, Matrix<T> c,
                  std::int64_t c_step) {
  // One operand for all of them: the rows, or columns, of the others are those of one product.
  if (count > 1 && b_step == 0) {
    if (m == 1)
      return gemm<Arch, T>(count, n, k, alpha, {a.data, a_step, a.column}, b, beta, {c.data, c_step, c.column});
    if (a_step == m * a.row && c_step == m * c.row) return gemm<Arch, T>(count * m, n, k, alpha, a, b, beta, c);
  }
  if (count > 1 && a_step == 0 && n == 1)
    return gemm<Arch, T>(count, m, k, alpha, {b.data, b_step, b.row}, {a.data, a.column, a.row}, beta,
                         {c.data, c_step, c.row});
  auto one = [&](std::int64_t i) {
    gemm<Arch, T>(m, n, k, alpha, {a.data + i * a_step, a.row, a.column}, {b.data + i * b_step, b.row, b.column}, beta,
                  {c.data + i * c_step, c.row, c.column});
  };
  // Few large products use the threads one by one, many small ones side by side.
  double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  if (count == 1 || (count < get_num_threads() && work > 1e6)) {
    for (std::int64_t i = 0; i < count; ++i) one(i);
    return;
  }
  parallel_for(0, count, static_cast<std::int64_t>(2e5 / (work + 1)) + 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) one(i);
  });
}

}  // namespace tenon::cpu
