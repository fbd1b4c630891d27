// Householder reflections on the CPU: QR factorizations and products with their orthogonal factor.
#pragma once
#include <tenon/composite/factorization_shapes.hpp>
#include <tenon/cpu/detail/matrices.hpp>
#include <tenon/cpu/detail/reflection_blocks.hpp>

namespace tenon::cpu::detail {

using composite::factorizations::qr_mode;
using composite::factorizations::QrMode;
/// Factors every matrix of a batch in place; `tau` is dense.
template <class T>
void reflections_of(const char* name, const Matrices& a, const Tensor& tau) {
  int m = lapack::as_int(name, a.rows), n = lapack::as_int(name, a.columns), lead = a.lead(), ask = -1, status = 0;
  std::int64_t k = m < n ? m : n;
  if (k == 0 || a.count == 0) return;
  auto t = static_cast<T*>(tau.data_ptr());
  if constexpr (std::is_floating_point_v<T>)
    if (k >= kSmallestBlocks)
      return each_matrix(a.count, k, [&](std::int64_t i) { factor_qr<T>(a.at<T>(i), lead, m, n, t + i * k); });
  T best{};
  lapack::routines<T>::geqrf(&m, &n, a.at<T>(0), &lead, t, &best, &ask, &status);
  int size = work_size(best);
  each_matrix(a.count, k, [&](std::int64_t i) {
    std::vector<T> work(static_cast<std::size_t>(size));
    int info = 0;
    lapack::routines<T>::geqrf(&m, &n, a.at<T>(i), &lead, t + i * k, work.data(), &size, &info);
  });
}
/// Turns the reflections in the first `k` columns of every matrix into the first columns of their product.
template <class T>
void product_of_reflections(const char* name, const Matrices& a, std::int64_t k, const Tensor& tau) {
  int m = lapack::as_int(name, a.rows), n = lapack::as_int(name, a.columns), lead = a.lead(), ask = -1, status = 0,
      count = static_cast<int>(k);
  if (m == 0 || n == 0 || a.count == 0) return;
  auto t = static_cast<const T*>(tau.data_ptr());
  if constexpr (std::is_floating_point_v<T>)
    if (k >= kSmallestBlocks)
      return each_matrix(a.count, n,
                         [&](std::int64_t i) { product_of_blocks<T>(a.at<T>(i), lead, m, n, k, t + i * k); });
  T best{};
  lapack::routines<T>::orgqr(&m, &n, &count, a.at<T>(0), &lead, t, &best, &ask, &status);
  int size = work_size(best);
  each_matrix(a.count, n, [&](std::int64_t i) {
    std::vector<T> work(static_cast<std::size_t>(size));
    int info = 0;
    lapack::routines<T>::orgqr(&m, &n, &count, a.at<T>(i), &lead, t + i * k, work.data(), &size, &info);
  });
}
inline void geqrf_cpu(const Tensor& self, const Tensor& a, const Tensor& tau) {
  Matrices x = Matrices::for_result(a, self.dtype());
  copy_elements(x.tensor, self);
  Tensor t = make_tensor(tau.sizes(), {}, self.dtype());
  visit_lapack("torch.geqrf", self.dtype(), [&]<class T>(type_tag<T>) { reflections_of<T>("torch.geqrf", x, t); });
  finish(a, x.tensor);
  copy_elements(tau, t);
}
inline void linalg_qr_cpu(const Tensor& A, std::string_view mode, const Tensor& Q, const Tensor& R) {
  QrMode kind = qr_mode(mode);
  Matrices a = Matrices::copy(A), r(R.sizes(), A.dtype());
  std::int64_t k = a.rows < a.columns ? a.rows : a.columns;
  DimVector tau_sizes(A.sizes().slice(0, A.sizes().size() - 1));
  tau_sizes.back() = k;
  Tensor tau = make_tensor(tau_sizes, {}, A.dtype());
  visit_lapack("linalg.qr", A.dtype(), [&]<class T>(type_tag<T>) {
    reflections_of<T>("linalg.qr", a, tau);
    for (std::int64_t b = 0; b < a.count; ++b)
      for (std::int64_t j = 0; j < r.columns; ++j)
        for (std::int64_t i = 0; i < r.rows; ++i)
          r.at<T>(b)[j * r.rows + i] = i <= j ? a.at<T>(b)[j * a.rows + i] : T{};
    if (kind == QrMode::OnlyR) return;
    Matrices q = Matrices::for_result(Q, A.dtype());
    for (std::int64_t b = 0; b < a.count; ++b)
      for (std::int64_t i = 0; i < q.rows * q.columns; ++i) q.at<T>(b)[i] = i < a.rows * k ? a.at<T>(b)[i] : T{};
    product_of_reflections<T>("linalg.qr", q, k, tau);
    finish(Q, q.tensor);
  });
  copy_elements(R, r.tensor);
}
inline void householder_product_cpu(const Tensor& input, const Tensor& tau, const Tensor& out) {
  Tensor t = row_major(tau);
  Matrices q = Matrices::for_result(out, input.dtype());
  copy_elements(q.tensor, input);
  const char* name = "torch.linalg.householder_product";
  visit_lapack(name, input.dtype(),
               [&]<class T>(type_tag<T>) { product_of_reflections<T>(name, q, tau.sizes().back(), t); });
  finish(out, q.tensor);
}
inline void ormqr_cpu(const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool transpose,
                      const Tensor& out) {
  Tensor t = row_major(tau);
  Matrices a = Matrices::copy(self), c = Matrices::for_result(out, other.dtype());
  copy_elements(c.tensor, other);
  visit_lapack("torch.ormqr", other.dtype(), [&]<class T>(type_tag<T>) {
    int m = lapack::as_int("torch.ormqr", c.rows), n = lapack::as_int("torch.ormqr", c.columns),
        k = static_cast<int>(t.sizes().back()), la = a.lead(), lc = c.lead(), ask = -1, status = 0;
    if (m == 0 || n == 0 || c.count == 0 || k == 0) return;
    const char *side = left ? "L" : "R", *turn = !transpose ? "N" : is_complex_v<T> ? "C" : "T";
    auto p = static_cast<const T*>(t.data_ptr());
    T best{};
    lapack::routines<T>::ormqr(side, turn, &m, &n, &k, a.at<T>(0), &la, p, c.at<T>(0), &lc, &best, &ask, &status, 1, 1);
    int size = work_size(best);
    each_matrix(c.count, m, [&](std::int64_t i) {
      std::vector<T> work(static_cast<std::size_t>(size));
      int info = 0;
      lapack::routines<T>::ormqr(side, turn, &m, &n, &k, a.at<T>(i), &la, p + i * k, c.at<T>(i), &lc, work.data(),
                                 &size, &info, 1, 1);
    });
  });
  finish(out, c.tensor);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::copy, ops::geqrf_base, ops::linalg_qr_base, ops::linalg_householder_product_base,
                      ops::ormqr_base>();
  install_kernels_for<&KernelTables::gemm, ops::geqrf_base, ops::linalg_qr_base,
                      ops::linalg_householder_product_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(geqrf_base, CPU, cpu::detail::geqrf_cpu);
TENON_STRUCTURED_KERNEL(linalg_qr_base, CPU, cpu::detail::linalg_qr_cpu);
TENON_STRUCTURED_KERNEL(linalg_householder_product_base, CPU, cpu::detail::householder_product_cpu);
TENON_STRUCTURED_KERNEL(ormqr_base, CPU, cpu::detail::ormqr_cpu);

}  // namespace tenon::ops
