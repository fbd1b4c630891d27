// Cholesky, LU and LDL factorizations on the CPU.
#pragma once
#include <tenon/composite/factorization_shapes.hpp>
#include <tenon/cpu/detail/cholesky_blocks.hpp>
#include <tenon/cpu/detail/matrices.hpp>
#include <tenon/cpu/detail/triangular_blocks.hpp>

namespace tenon::cpu::detail {

/// Zeros above (or below) the diagonal.
template <class T>
void clear_triangle(T* a, std::int64_t rows, std::int64_t columns, bool upper) {
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = upper ? 0 : j + 1; i < (upper ? (j < rows ? j : rows) : rows); ++i) a[j * rows + i] = T{};
}
inline void cholesky_ex_cpu(const Tensor& self, bool upper, bool check_errors, const Tensor& L, const Tensor& info) {
  Matrices a = Matrices::for_result(L, self.dtype());
  copy_elements(a.tensor, self);
  Infos infos(a.count);
  visit_lapack("linalg.cholesky", self.dtype(), [&]<class T>(type_tag<T>) {
    int n = lapack::as_int("linalg.cholesky", a.rows), lead = a.lead();
    if (n == 0) return;
    each_matrix(a.count, n, [&](std::int64_t i) {
      bool blocks = false;
      if constexpr (std::is_floating_point_v<T>) {
        blocks = !upper && n >= kSmallestBlocks;
        if (blocks) infos.at(i) = CholeskyBlocks<T>(lead).factor(a.at<T>(i), n);
      }
      if (!blocks) lapack::routines<T>::potrf(upper ? "U" : "L", &n, a.at<T>(i), &lead, &infos.at(i), 1);
      clear_triangle(a.at<T>(i), n, n, !upper);
    });
  });
  finish(L, a.tensor);
  infos.give(info);
  if (check_errors) raise_for_infos(infos.tensor, "linalg.cholesky_ex", self.dim() == 2);
}
inline void cholesky_inverse_cpu(const Tensor& self, bool upper, const Tensor& out) {
  Matrices a = Matrices::for_result(out, self.dtype());
  copy_elements(a.tensor, self);
  Infos infos(a.count);
  visit_lapack("cholesky_inverse", self.dtype(), [&]<class T>(type_tag<T>) {
    int n = lapack::as_int("cholesky_inverse", a.rows), lead = a.lead();
    if (n == 0) return;
    each_matrix(a.count, n, [&](std::int64_t i) {
      T* p = a.at<T>(i);
      if constexpr (std::is_floating_point_v<T>)
        if (n >= kSmallestBlocks) {
          const std::vector<T> kept(p, p + std::int64_t{n} * lead);
          const Triangle<T> factor{{kept.data(), 1, lead}, n, upper, false};
          if (!factor.has_zero()) {
            for (std::int64_t j = 0; j < n; ++j)
              for (std::int64_t k = 0; k < n; ++k) p[j * lead + k] = T(j == k);
            solve_cholesky<T>(factor, {p, 1, lead}, n);
            for (std::int64_t j = 0; j < n; ++j)  // to the last bit, too
              for (std::int64_t k = 0; k < j; ++k) p[j * lead + k] = p[k * lead + j];
            return;
          }
        }
      lapack::routines<T>::potri(upper ? "U" : "L", &n, p, &lead, &infos.at(i), 1);
      // LAPACK writes one triangle; the other is its mirror image.
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t k = 0; k < j; ++k) {
          T &above = p[j * n + k], &below = p[k * n + j];
          auto conjugate = [](T x) {
            if constexpr (is_complex_v<T>)
              return T{x.re, -x.im};
            else
              return x;
          };
          upper ? void(below = conjugate(above)) : void(above = conjugate(below));
        }
    });
  });
  raise_for_infos(infos.tensor, "cholesky_inverse", self.dim() == 2);
  finish(out, a.tensor);
}
/// Factors every matrix of a batch in place; pivots count rows from 1.
template <class T>
void lu_factor(const char* name, const Matrices& a, const Tensor& pivots, const Infos& infos) {
  int m = lapack::as_int(name, a.rows), n = lapack::as_int(name, a.columns), lead = a.lead();
  std::int64_t k = m < n ? m : n;
  if (k == 0) return;
  auto p = static_cast<std::int32_t*>(pivots.data_ptr());
  each_matrix(a.count, k, [&](std::int64_t i) {
    if constexpr (std::is_floating_point_v<T>)
      if (k >= kSmallestBlocks) {
        infos.at(i) = factor_lu(a.at<T>(i), lead, m, n, p + i * k);
        return;
      }
    lapack::routines<T>::getrf(&m, &n, a.at<T>(i), &lead, p + i * k, &infos.at(i));
  });
}
inline void lu_factor_ex_cpu(const Tensor& A, bool pivot, bool check_errors, const Tensor& LU, const Tensor& pivots,
                             const Tensor& info) {
  TENON_CHECK(pivot, NotImplementedError, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  Matrices a = Matrices::for_result(LU, A.dtype());
  copy_elements(a.tensor, A);
  Tensor places = make_tensor(pivots.sizes(), {}, kInt);
  Infos infos(a.count);
  visit_lapack("linalg.lu_factor", A.dtype(),
               [&]<class T>(type_tag<T>) { lu_factor<T>("linalg.lu_factor", a, places, infos); });
  finish(LU, a.tensor);
  copy_elements(pivots, places);
  infos.give(info);
  if (check_errors) raise_for_infos(infos.tensor, "torch.linalg.lu_factor_ex", A.dim() == 2);
}

/// The order of the rows that a list of exchanges leaves: row i of P's product is row order[i].
inline std::vector<std::int64_t> row_order(const std::int32_t* pivots, std::int64_t count, std::int64_t rows) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) order[static_cast<std::size_t>(i)] = i;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t with = pivots[i] - 1;
    TENON_CHECK(with >= 0 && with < rows, ValueError,
                "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the "
                "result of lu_factor?");
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(with)]);
  }
  return order;
}
template <class T>
void unpack_factors(const T* lu, std::int64_t m, std::int64_t n, T* l, T* u) {
  std::int64_t k = m < n ? m : n;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < k; ++j) l[i * k + j] = i == j ? T(1) : i > j ? lu[i * n + j] : T{};
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < n; ++j) u[i * n + j] = i <= j ? lu[i * n + j] : T{};
}
inline void unpack_permutation(const Tensor& pivots, std::int64_t rows, const Tensor& P) {
  fill_elements(P, Scalar(0));
  Tensor places = row_major(pivots, kInt), dense = make_tensor(P.sizes(), {}, P.dtype());
  fill_elements(dense, Scalar(0));
  std::int64_t k = places.sizes().back();
  visit_scalar_type(P.dtype(), [&]<class T>(type_tag<T>) {
    auto p = static_cast<T*>(dense.data_ptr());
    auto from = static_cast<const std::int32_t*>(places.data_ptr());
    for (std::int64_t b = 0, count = count_of(P.sizes(), 2); b < count; ++b, p += rows * rows) {
      std::vector<std::int64_t> order = row_order(from + b * k, k, rows);
      for (std::int64_t i = 0; i < rows; ++i) p[order[static_cast<std::size_t>(i)] * rows + i] = T(1);
    }
  });
  copy_elements(P, dense);
}
inline void lu_unpack_cpu(const Tensor& LU, const Tensor& pivots, bool data, bool places, const Tensor& P,
                          const Tensor& L, const Tensor& U) {
  std::int64_t m = LU.sizes()[LU.dim() - 2], n = LU.sizes()[LU.dim() - 1], k = m < n ? m : n;
  if (data) {
    Tensor from = row_major(LU), l = make_tensor(L.sizes(), {}, LU.dtype()), u = make_tensor(U.sizes(), {}, LU.dtype());
    visit_scalar_type(LU.dtype(), [&]<class T>(type_tag<T>) {
      for (std::int64_t b = 0, count = count_of(LU.sizes(), 2); b < count; ++b)
        unpack_factors(static_cast<const T*>(from.data_ptr()) + b * m * n, m, n,
                       static_cast<T*>(l.data_ptr()) + b * m * k, static_cast<T*>(u.data_ptr()) + b * k * n);
    });
    copy_elements(L, l);
    copy_elements(U, u);
  }
  if (places) unpack_permutation(pivots, m, P);
}
inline void linalg_lu_cpu(const Tensor& A, bool pivot, const Tensor& P, const Tensor& L, const Tensor& U) {
  TENON_CHECK(pivot, NotImplementedError, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  Matrices a = Matrices::copy(A);
  DimVector shape(A.sizes().slice(0, A.sizes().size() - 1));
  shape.back() = a.rows < a.columns ? a.rows : a.columns;
  Tensor places = make_tensor(shape, {}, kInt);
  Infos infos(a.count);
  visit_lapack("linalg.lu", A.dtype(), [&]<class T>(type_tag<T>) { lu_factor<T>("linalg.lu", a, places, infos); });
  lu_unpack_cpu(a.tensor, places, true, true, P, L, U);
}
inline void ldl_factor_ex_cpu(const Tensor& self, bool hermitian, bool check_errors, const Tensor& LD,
                              const Tensor& pivots, const Tensor& info) {
  Matrices a = Matrices::for_result(LD, self.dtype());
  copy_elements(a.tensor, self);
  Tensor places = make_tensor(pivots.sizes(), {}, kInt);
  Infos infos(a.count);
  visit_lapack("linalg.ldl_factor_ex", self.dtype(), [&]<class T>(type_tag<T>) {
    int n = lapack::as_int("linalg.ldl_factor_ex", a.rows), lead = a.lead(), ask = -1;
    if (n == 0) return;
    auto factor = hermitian ? lapack::routines<T>::hetrf : lapack::routines<T>::sytrf;
    auto p = static_cast<std::int32_t*>(places.data_ptr());
    T best{};
    int status = 0;
    factor("L", &n, a.at<T>(0), &lead, p, &best, &ask, &status, 1);
    int size = work_size(best);
    each_matrix(a.count, n, [&](std::int64_t i) {
      std::vector<T> work(static_cast<std::size_t>(size));
      factor("L", &n, a.at<T>(i), &lead, p + i * n, work.data(), &size, &infos.at(i), 1);
      clear_triangle(a.at<T>(i), n, n, true);
    });
  });
  finish(LD, a.tensor);
  copy_elements(pivots, places);
  infos.give(info);
  if (check_errors) raise_for_infos(infos.tensor, "torch.linalg.ldl_factor_ex", self.dim() == 2);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::copy, ops::linalg_cholesky_ex_base, ops::cholesky_inverse_base,
                      ops::linalg_lu_factor_ex_base, ops::lu_unpack_base, ops::linalg_lu_base,
                      ops::linalg_ldl_factor_ex_base>();
  install_kernels_for<&KernelTables::gemm, ops::linalg_cholesky_ex_base, ops::cholesky_inverse_base,
                      ops::linalg_lu_factor_ex_base, ops::linalg_lu_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(linalg_cholesky_ex_base, CPU, cpu::detail::cholesky_ex_cpu);
TENON_STRUCTURED_KERNEL(cholesky_inverse_base, CPU, cpu::detail::cholesky_inverse_cpu);
TENON_STRUCTURED_KERNEL(linalg_lu_factor_ex_base, CPU, cpu::detail::lu_factor_ex_cpu);
TENON_STRUCTURED_KERNEL(lu_unpack_base, CPU, cpu::detail::lu_unpack_cpu);
TENON_STRUCTURED_KERNEL(linalg_lu_base, CPU, cpu::detail::linalg_lu_cpu);
TENON_STRUCTURED_KERNEL(linalg_ldl_factor_ex_base, CPU, cpu::detail::ldl_factor_ex_cpu);

}  // namespace tenon::ops
