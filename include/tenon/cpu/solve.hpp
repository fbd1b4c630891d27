// Linear equations on the CPU, from factors and from matrices.
#pragma once
#include <tenon/composite/solve_shapes.hpp>
#include <tenon/cpu/factorization.hpp>

namespace tenon::cpu::detail {

using composite::equations::is_vector;

inline Tensor conjugated(const Tensor& t) {
  Tensor out = make_tensor(t.sizes(), {}, t.dtype());
  copy_elements(out, t);
  visit_scalar_type(t.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (is_complex_v<T>) {
      auto z = static_cast<T*>(out.data_ptr());
      for (std::int64_t i = 0, n = out.numel(); i < n; ++i) z[i].im = -z[i].im;
    }
  });
  return out;
}
/// x becomes the solution of op(A) x = x for the factors of A; batches of the factors are repeated.
template <class T>
void solve_factored(const char* name, const char* op, const Matrices& lu, const std::int32_t* pivots,
                    const Matrices& x) {
  int n = lapack::as_int(name, lu.rows), count = lapack::as_int(name, x.columns), la = lu.lead(), lx = x.lead();
  if (n == 0 || count == 0) return;
  IntArrayRef batch = batch_sizes(x.tensor), from = batch_sizes(lu.tensor);
  each_matrix(x.count, n, [&](std::int64_t i) {
    std::int64_t at = broadcast_place(i, batch, from);
    int info = 0;
    if constexpr (std::is_floating_point_v<T>)
      if (n >= kSmallestBlocks)
        return solve_lu(lu.at<T>(at), la, n, pivots + at * n, *op != 'N', x.at<T>(i), lx, count);
    lapack::routines<T>::getrs(op, &n, &count, lu.at<T>(at), &la, pivots + at * n, x.at<T>(i), &lx, &info, 1);
  });
}
inline DimVector turned_sizes(IntArrayRef sizes) {
  DimVector out(sizes);
  std::swap(out[out.size() - 1], out[out.size() - 2]);
  return out;
}
/// A tensor seen with one more dimension, of size 1, at the end.
inline Tensor as_columns(const Tensor& t) {
  DimVector sizes(t.sizes()), strides(t.strides());
  sizes.push_back(1);
  strides.push_back(1);
  return make_alias(t, sizes, strides, t.storage_offset());
}
inline void solve_ex_cpu(const Tensor& A, const Tensor& B, bool left, bool check_errors, const Tensor& result,
                         const Tensor& LU, const Tensor& pivots, const Tensor& info) {
  bool vector = is_vector<std::int64_t>(A, B);
  Tensor b = vector ? as_columns(B) : B;
  DimVector sizes(result.sizes());
  if (vector) sizes.push_back(1);
  // X A = B is solved as A' X' = B'.
  Matrices a = Matrices::copy(A), x = left ? Matrices::copy(b, sizes, A.dtype())
                                           : Matrices::copy(matrix_transposed(b), turned_sizes(sizes), A.dtype());
  Tensor places = make_tensor(pivots.sizes(), {}, kInt);
  Infos infos(a.count);
  visit_lapack("linalg.solve", A.dtype(), [&]<class T>(type_tag<T>) {
    lu_factor<T>("linalg.solve", a, places, infos);
    solve_factored<T>("linalg.solve", left ? "N" : "T", a, static_cast<const std::int32_t*>(places.data_ptr()), x);
  });
  copy_elements(vector ? as_columns(result) : result, left ? x.tensor : matrix_transposed(x.tensor));
  copy_elements(LU, a.tensor);
  copy_elements(pivots, places);
  infos.give(info);
  if (check_errors) raise_for_infos(infos.tensor, "torch.linalg.solve_ex", A.dim() == 2);
}
inline void lu_solve_cpu(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint,
                         const Tensor& out) {
  Tensor places = row_major(pivots);
  Matrices lu = Matrices::of(LU);
  auto p = static_cast<const std::int32_t*>(places.data_ptr());
  // From the right the equation is transposed; with the adjoint on the right it is conjugated too.
  bool conjugate = !left && adjoint && LU.is_complex();
  Tensor b = conjugate ? conjugated(B) : B;
  Matrices x = left ? Matrices::copy(b, out.sizes(), B.dtype())
                    : Matrices::copy(matrix_transposed(b), turned_sizes(out.sizes()), B.dtype());
  visit_lapack("linalg.lu_solve", LU.dtype(), [&]<class T>(type_tag<T>) {
    for (std::int64_t i = 0; i < places.numel(); ++i)
      TENON_CHECK(p[i] >= 1 && p[i] <= lu.rows, ValueError,
                  "Pivots given to lu_solve must all be greater or equal to 1. Did you properly pass the result of "
                  "lu_factor?");
    const char* op = left ? (!adjoint ? "N" : is_complex_v<T> ? "C" : "T") : adjoint ? "N" : "T";
    solve_factored<T>("linalg.lu_solve", op, lu, p, x);
  });
  Tensor solution = left ? x.tensor : matrix_transposed(x.tensor);
  copy_elements(out, conjugate ? conjugated(solution) : solution);
}
inline void inv_ex_cpu(const Tensor& A, bool check_errors, const Tensor& inverse, const Tensor& info) {
  Matrices a = Matrices::copy(A), x = Matrices::for_result(inverse, A.dtype());
  DimVector shape(A.sizes().slice(0, A.sizes().size() - 1));
  Tensor places = make_tensor(shape, {}, kInt);
  Infos infos(a.count);
  visit_lapack("linalg.inv", A.dtype(), [&]<class T>(type_tag<T>) {
    for (std::int64_t i = 0; i < x.count; ++i)
      for (std::int64_t j = 0; j < x.columns; ++j)
        for (std::int64_t k = 0; k < x.rows; ++k) x.at<T>(i)[j * x.rows + k] = j == k ? T(1) : T{};
    lu_factor<T>("linalg.inv", a, places, infos);
    solve_factored<T>("linalg.inv", "N", a, static_cast<const std::int32_t*>(places.data_ptr()), x);
  });
  finish(inverse, x.tensor);
  infos.give(info);
  if (check_errors) raise_for_infos(infos.tensor, "linalg.inv_ex", A.dim() == 2);
}
/// Refuses pivots that LAPACK would follow out of the matrix: negative ones stand in equal pairs.
inline void check_block_pivots(const std::int32_t* p, std::int64_t count, std::int64_t n) {
  for (std::int64_t i = 0; i < count;) {
    bool pair = p[i] < 0, fits = p[i] != 0 && p[i] <= n && p[i] >= -n;
    if (pair) fits = fits && i % n + 1 < n && p[i + 1] == p[i];
    TENON_CHECK(fits, ValueError, "linalg.ldl_solve: pivots are not those that linalg.ldl_factor returns");
    i += pair ? 2 : 1;
  }
}
inline void ldl_solve_cpu(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian, const Tensor& out) {
  Tensor places = row_major(pivots);
  Matrices a = Matrices::of(LD), x = Matrices::copy(B, out.sizes(), B.dtype());
  visit_lapack("linalg.ldl_solve", LD.dtype(), [&]<class T>(type_tag<T>) {
    int n = lapack::as_int("linalg.ldl_solve", a.rows), count = lapack::as_int("linalg.ldl_solve", x.columns),
        la = a.lead(), lx = x.lead();
    if (n == 0 || count == 0) return;
    auto p = static_cast<const std::int32_t*>(places.data_ptr());
    check_block_pivots(p, places.numel(), n);
    auto solve = hermitian ? lapack::routines<T>::hetrs : lapack::routines<T>::sytrs;
    each_matrix(x.count, n, [&](std::int64_t i) {
      std::int64_t at = broadcast_place(i, batch_sizes(x.tensor), batch_sizes(a.tensor));
      int info = 0;
      solve("L", &n, &count, a.at<T>(at), &la, p + at * n, x.at<T>(i), &lx, &info, 1);
    });
  });
  copy_elements(out, x.tensor);
}
inline void cholesky_solve_cpu(const Tensor& self, const Tensor& input2, bool upper, const Tensor& out) {
  Matrices a = Matrices::of(input2), x = Matrices::copy(self, out.sizes(), self.dtype());
  visit_lapack("cholesky_solve", self.dtype(), [&]<class T>(type_tag<T>) {
    int n = lapack::as_int("cholesky_solve", a.rows), count = lapack::as_int("cholesky_solve", x.columns),
        la = a.lead(), lx = x.lead();
    if (n == 0 || count == 0) return;
    each_matrix(x.count, n, [&](std::int64_t i) {
      std::int64_t at = broadcast_place(i, batch_sizes(x.tensor), batch_sizes(a.tensor));
      int info = 0;
      if constexpr (std::is_floating_point_v<T>)
        if (n >= kSmallestBlocks)
          return solve_cholesky<T>({{a.at<T>(at), 1, la}, n, upper, false}, {x.at<T>(i), 1, lx}, count);
      lapack::routines<T>::potrs(upper ? "U" : "L", &n, &count, a.at<T>(at), &la, x.at<T>(i), &lx, &info, 1);
    });
  });
  copy_elements(out, x.tensor);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::copy, ops::_linalg_solve_ex_base, ops::linalg_lu_solve_base,
                      ops::linalg_inv_ex_base, ops::linalg_ldl_solve_base, ops::cholesky_solve_base>();
  install_kernels_for<&KernelTables::gemm, ops::_linalg_solve_ex_base, ops::linalg_lu_solve_base,
                      ops::linalg_inv_ex_base, ops::cholesky_solve_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(_linalg_solve_ex_base, CPU, cpu::detail::solve_ex_cpu);
TENON_STRUCTURED_KERNEL(linalg_lu_solve_base, CPU, cpu::detail::lu_solve_cpu);
TENON_STRUCTURED_KERNEL(linalg_inv_ex_base, CPU, cpu::detail::inv_ex_cpu);
TENON_STRUCTURED_KERNEL(linalg_ldl_solve_base, CPU, cpu::detail::ldl_solve_cpu);
TENON_STRUCTURED_KERNEL(cholesky_solve_base, CPU, cpu::detail::cholesky_solve_cpu);

}  // namespace tenon::ops
