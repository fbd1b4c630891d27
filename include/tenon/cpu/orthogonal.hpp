// Householder reflections on the CPU: QR factorizations and products with their orthogonal factor.
#pragma once
#include <tenon/cpu/detail/matrices.hpp>
#include <tenon/cpu/detail/reflection_blocks.hpp>
#include <tenon/ops/factorization.hpp>

namespace tenon::cpu::detail {

struct geqrf_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self) const {
    check_matrix("torch.geqrf", self, "self");
    check_lapack_type("torch.geqrf", self.dtype());
    Int k = smaller<Int>(rows_of<Int>(self), columns_of<Int>(self));
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(self)), self.dtype(), self.device(), OutputCast::Allowed);
    set_dense<Int>(out, 1, batch_of<Int>(self, 2, {k}), self.dtype(), self.device(), OutputCast::Allowed);
  }
};
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

enum class QrMode { Reduced, Complete, OnlyR };
inline QrMode qr_mode(std::string_view mode) {
  if (mode == "reduced") return QrMode::Reduced;
  if (mode == "complete") return QrMode::Complete;
  TENON_CHECK(mode == "r", ValueError, "qr received unrecognized mode '", mode,
              "' but expected one of 'reduced' (default), 'r', or 'complete'");
  return QrMode::OnlyR;
}
struct linalg_qr_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, std::string_view mode) const {
    check_matrix("linalg.qr", A);
    check_lapack_type("linalg.qr", A.dtype());
    QrMode kind = qr_mode(mode);
    Int m = rows_of<Int>(A), n = columns_of<Int>(A), k = kind == QrMode::Complete ? m : smaller<Int>(m, n);
    if (kind == QrMode::OnlyR)
      set_dense<Int>(out, 0, {Int(0)}, A.dtype(), A.device());
    else
      set_matrices<Int>(out, 0, batch_of<Int>(A, 2, {m, k}), A.dtype(), A.device());
    set_matrices<Int>(out, 1, batch_of<Int>(A, 2, {k, n}), A.dtype(), A.device());
  }
};
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

template <class Int>
void check_reflections(const char* name, const Tensor& input, const Tensor& tau) {
  TENON_CHECK(input.dim() >= 2, ValueError, name, ": input must have at least 2 dimensions.");
  TENON_CHECK(columns_of<Int>(input) >= sizes_of<Int>(tau)[tau.dim() - 1], ValueError, name,
              ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
  TENON_CHECK(input.dim() - tau.dim() == 1, ValueError, name,
              ": Expected tau to have one dimension less than input, but got tau.ndim equal to ", tau.dim(),
              " and input.ndim is equal to ", input.dim());
  for (std::int64_t d = 0; d + 2 < input.dim(); ++d)
    TENON_CHECK(sizes_of<Int>(input)[d] == sizes_of<Int>(tau)[d], ValueError, name,
                ": Expected batch dimensions of tau to be equal to input.shape[:-2], but got ", tau.sym_sizes());
  TENON_CHECK(tau.dtype() == input.dtype(), TypeError, name, ": tau dtype ", tau.dtype(),
              " does not match input dtype ", input.dtype());
}
struct householder_product_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const Tensor& tau) const {
    const char* name = "torch.linalg.householder_product";
    TENON_CHECK(input.dim() >= 2, ValueError, name, ": input must have at least 2 dimensions.");
    TENON_CHECK(rows_of<Int>(input) >= columns_of<Int>(input), ValueError, name,
                ": input.shape[-2] must be greater than or equal to input.shape[-1]");
    TENON_CHECK(tau.dim() >= 1, ValueError, name, ": tau must have at least 1 dimension.");
    check_reflections<Int>(name, input, tau);
    check_lapack_type(name, input.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(input)), input.dtype(), input.device(), OutputCast::Allowed);
  }
};
inline void householder_product_cpu(const Tensor& input, const Tensor& tau, const Tensor& out) {
  Tensor t = row_major(tau);
  Matrices q = Matrices::for_result(out, input.dtype());
  copy_elements(q.tensor, input);
  const char* name = "torch.linalg.householder_product";
  visit_lapack(name, input.dtype(),
               [&]<class T>(type_tag<T>) { product_of_reflections<T>(name, q, tau.sizes().back(), t); });
  finish(out, q.tensor);
}

struct ormqr_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool) const {
    const char* name = "torch.ormqr";
    TENON_CHECK(other.dim() >= 2, ValueError, name, ": other must have at least 2 dimensions.");
    TENON_CHECK(tau.dim() >= 1 && self.dim() >= 2, ValueError, name, ": input must have at least 2 dimensions.");
    const Int& size = left ? rows_of<Int>(other) : columns_of<Int>(other);
    TENON_CHECK(size >= sizes_of<Int>(tau)[tau.dim() - 1], ValueError, name, ": other.shape[", left ? -2 : -1,
                "] must be greater than or equal to tau.shape[-1]");
    TENON_CHECK(size == rows_of<Int>(self), ValueError, name, ": other.shape[", left ? -2 : -1,
                "] must be equal to input.shape[-2]");
    check_reflections<Int>(name, self, tau);
    TENON_CHECK(self.dim() == other.dim(), ValueError, name,
                ": Expected other to have the same number of dimensions as input, but got other.ndim equal to ",
                other.dim(), " and input.ndim is equal to ", self.dim());
    for (std::int64_t d = 0; d + 2 < self.dim(); ++d)
      TENON_CHECK(sizes_of<Int>(self)[d] == sizes_of<Int>(other)[d], ValueError, name,
                  ": Expected batch dimensions of other to be equal to input.shape[:-2], but got ", other.sym_sizes());
    check_same_type(name, self, other, "input", "other");
    check_lapack_type(name, self.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(other)), other.dtype(), other.device());
  }
};
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

TENON_STRUCTURED_OF(geqrf_base, cpu::detail::geqrf_meta);
TENON_STRUCTURED_KERNEL(geqrf_base, CPU, cpu::detail::geqrf_cpu);
TENON_STRUCTURED_OF(linalg_qr_base, cpu::detail::linalg_qr_meta);
TENON_STRUCTURED_KERNEL(linalg_qr_base, CPU, cpu::detail::linalg_qr_cpu);
TENON_STRUCTURED_OF(linalg_householder_product_base, cpu::detail::householder_product_meta);
TENON_STRUCTURED_KERNEL(linalg_householder_product_base, CPU, cpu::detail::householder_product_cpu);
TENON_STRUCTURED_OF(ormqr_base, cpu::detail::ormqr_meta);
TENON_STRUCTURED_KERNEL(ormqr_base, CPU, cpu::detail::ormqr_cpu);

}  // namespace tenon::ops
