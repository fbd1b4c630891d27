// Matrix products: packed micro-kernels for float and double, 16-bit floats and integers by way of these, simple
// blocked loops for the other dtypes.
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

}  // namespace tenon::cpu
