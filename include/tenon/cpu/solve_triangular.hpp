// Triangular equations, determinants and least squares on the CPU.
#pragma once
#include <cmath>

#include <tenon/cpu/solve.hpp>

namespace tenon::cpu::detail {

/// Substitution where the diagonal holds a zero: infinities and not-a-numbers, as PyTorch has them.
template <class T>
void substitute(const T* a, T* x, std::int64_t n, std::int64_t count, bool upper, bool transposed, bool unit) {
  auto element = [&](std::int64_t i, std::int64_t j) { return transposed ? a[i * n + j] : a[j * n + i]; };
  bool backwards = upper != transposed;
  for (std::int64_t c = 0; c < count; ++c, x += n)
    for (std::int64_t s = 0; s < n; ++s) {
      std::int64_t i = backwards ? n - 1 - s : s;
      T sum = x[i];
      for (std::int64_t j = backwards ? i + 1 : 0; j < (backwards ? n : i); ++j) sum = sum - element(i, j) * x[j];
      x[i] = unit ? sum : sum / element(i, i);
    }
}
/// x becomes the solution of A x = x, or of A' x = x, for triangular A.
inline void solve_triangles(const char* name, const Matrices& a, const Matrices& x, bool upper, bool transposed,
                            bool unit) {
  visit_lapack(name, a.tensor.dtype(), [&]<class T>(type_tag<T>) {
    int n = lapack::as_int(name, a.rows), count = lapack::as_int(name, x.columns), la = a.lead(), lx = x.lead();
    if (n == 0 || count == 0) return;
    each_matrix(x.count, n, [&](std::int64_t i) {
      std::int64_t at = broadcast_place(i, batch_sizes(x.tensor), batch_sizes(a.tensor));
      int info = 0;
      if constexpr (std::is_floating_point_v<T>)
        if (const Triangle<T> stored{{a.at<T>(at), 1, la}, n, upper, unit}; n >= kSmallestBlocks && !stored.has_zero())
          return (transposed ? stored.transposed() : stored).solve({x.at<T>(i), 1, lx}, count);
      lapack::routines<T>::trtrs(upper ? "U" : "L", transposed ? "T" : "N", unit ? "U" : "N", &n, &count, a.at<T>(at),
                                 &la, x.at<T>(i), &lx, &info, 1, 1, 1);
      if (info > 0) substitute(a.at<T>(at), x.at<T>(i), n, count, upper, transposed, unit);
    });
  });
}
inline void solve_triangular_cpu(const Tensor& self, const Tensor& B, bool upper, bool left, bool unitriangular,
                                 const Tensor& out) {
  Matrices a = Matrices::of(self), x = left
                                           ? Matrices::copy(B, out.sizes(), B.dtype())
                                           : Matrices::copy(matrix_transposed(B), turned_sizes(out.sizes()), B.dtype());
  solve_triangles("linalg.solve_triangular", a, x, upper, !left, unitriangular);
  copy_elements(out, left ? x.tensor : matrix_transposed(x.tensor));
}
inline void triangular_solve_cpu(const Tensor& self, const Tensor& A, bool upper, bool transpose, bool unitriangular,
                                 const Tensor& solution, const Tensor& coefficient) {
  Matrices a = Matrices::copy(A, coefficient.sizes(), A.dtype()),
           x = Matrices::copy(self, solution.sizes(), self.dtype());
  solve_triangles("triangular_solve", a, x, upper, transpose, unitriangular);
  copy_elements(solution, x.tensor);
  copy_elements(coefficient, a.tensor);
}

/// The sign that a list of exchanges has.
inline bool is_odd(const std::int32_t* pivots, std::int64_t n) {
  bool odd = false;
  for (std::int64_t i = 0; i < n; ++i) odd ^= pivots[i] != i + 1;
  return odd;
}
/// What is factored for a determinant: of rows, the transpose, which has the same one and lies as LAPACK wants it.
inline Tensor read_by_columns(const Tensor& A) {
  if (A.is_complex() || !A.is_contiguous()) return A;
  DimVector strides(A.strides());
  std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
  return make_alias(A, A.sizes(), strides, A.storage_offset());
}
/// Factors A or its transpose; then f(i, the diagonal of its factors, whether rows were exchanged an odd number of
/// times).
template <class F>
void each_diagonal(const char* name, const Tensor& A, const Tensor& LU, const Tensor& pivots, F f) {
  Matrices a = Matrices::copy(read_by_columns(A));
  Tensor places = make_tensor(pivots.sizes(), {}, kInt);
  Infos infos(a.count);
  visit_lapack(name, A.dtype(), [&]<class T>(type_tag<T>) {
    lu_factor<T>(name, a, places, infos);
    std::vector<T> diagonal(static_cast<std::size_t>(a.rows));
    for (std::int64_t i = 0; i < a.count; ++i) {
      for (std::int64_t k = 0; k < a.rows; ++k) diagonal[static_cast<std::size_t>(k)] = a.at<T>(i)[k * a.rows + k];
      f(i, diagonal, is_odd(static_cast<const std::int32_t*>(places.data_ptr()) + i * a.rows, a.rows));
    }
  });
  copy_elements(LU, a.tensor);
  copy_elements(pivots, places);
}
inline void linalg_det_cpu(const Tensor& A, const Tensor& result, const Tensor& LU, const Tensor& pivots) {
  Tensor dense = make_tensor(result.sizes(), {}, A.dtype());
  each_diagonal("linalg.det", A, LU, pivots, [&]<class T>(std::int64_t i, const std::vector<T>& diagonal, bool odd) {
    T product(1);
    for (T d : diagonal) product = product * d;
    static_cast<T*>(dense.data_ptr())[i] = odd ? -product : product;
  });
  copy_elements(result, dense);
}
inline void linalg_slogdet_cpu(const Tensor& A, const Tensor& sign, const Tensor& logabsdet, const Tensor& LU,
                               const Tensor& pivots) {
  Tensor signs = make_tensor(sign.sizes(), {}, A.dtype()),
         logs = make_tensor(sign.sizes(), {}, to_real_type(A.dtype()));
  each_diagonal("linalg.slogdet", A, LU, pivots,
                [&]<class T>(std::int64_t i, const std::vector<T>& diagonal, bool odd) {
                  using R = real_of_t<T>;
                  T s(odd ? R(-1) : R(1));
                  R log = 0;
                  for (T d : diagonal) {
                    R size;
                    if constexpr (is_complex_v<T>) {
                      size = std::hypot(d.re, d.im);
                      s = size == 0 ? T{} : s * T{d.re / size, d.im / size};
                    } else {
                      size = std::abs(d);
                      s = d == 0 ? T(0) : d < 0 ? -s : s;
                    }
                    log += std::log(size);
                  }
                  static_cast<T*>(signs.data_ptr())[i] = s;
                  static_cast<R*>(logs.data_ptr())[i] = log;
                });
  copy_elements(sign, signs);
  copy_elements(logabsdet, logs);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::copy, ops::linalg_solve_triangular_base, ops::triangular_solve_base,
                      ops::_linalg_det_base, ops::_linalg_slogdet_base>();
  install_kernels_for<&KernelTables::gemm, ops::linalg_solve_triangular_base, ops::triangular_solve_base,
                      ops::_linalg_det_base, ops::_linalg_slogdet_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(linalg_solve_triangular_base, CPU, cpu::detail::solve_triangular_cpu);
TENON_STRUCTURED_KERNEL(triangular_solve_base, CPU, cpu::detail::triangular_solve_cpu);
TENON_STRUCTURED_KERNEL(_linalg_det_base, CPU, cpu::detail::linalg_det_cpu);
TENON_STRUCTURED_KERNEL(_linalg_slogdet_base, CPU, cpu::detail::linalg_slogdet_cpu);

}  // namespace tenon::ops
