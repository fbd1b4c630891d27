// Eigenvalues and singular values on the CPU.
#pragma once
#include <cmath>

#include <tenon/composite/spectral_shapes.hpp>
#include <tenon/cpu/detail/matrices.hpp>

namespace tenon::cpu::detail {

using composite::spectra::eigvals_meta;
using composite::spectra::triangle_of;
/// Calls `heevd`, whose complex form takes one workspace more.
template <class T, class R>
int eigh(const char* job, const char* uplo, int n, T* a, int lead, R* w, std::vector<T>& work, std::vector<R>& rwork,
         std::vector<int>& iwork) {
  int info = 0, lw = -1, lr = -1, li = -1, one = 1;
  T best{};
  R rbest{};
  auto run = [&](T* x, int nx, [[maybe_unused]] R* r, [[maybe_unused]] int nr, int* i, int ni) {
    if constexpr (is_complex_v<T>)
      lapack::routines<T>::heevd(job, uplo, &n, a, &lead, w, x, &nx, r, &nr, i, &ni, &info, 1, 1);
    else
      lapack::routines<T>::heevd(job, uplo, &n, a, &lead, w, x, &nx, i, &ni, &info, 1, 1);
  };
  if (work.empty()) {
    run(&best, lw, &rbest, lr, &one, li);
    work.resize(static_cast<std::size_t>(work_size(best)));
    rwork.resize(static_cast<std::size_t>(work_size(rbest)));
    iwork.resize(static_cast<std::size_t>(one > 1 ? one : 1));
  }
  run(work.data(), static_cast<int>(work.size()), rwork.data(), static_cast<int>(rwork.size()), iwork.data(),
      static_cast<int>(iwork.size()));
  return info;
}
inline void eigh_cpu(const Tensor& A, std::string_view uplo, bool vectors, const Tensor& values,
                     const Tensor& vector_columns) {
  Matrices a = Matrices::copy(A);
  Tensor w = make_tensor(values.sizes(), {}, to_real_type(A.dtype()));
  Infos infos(a.count);
  char triangle[] = {triangle_of(uplo), 0};
  visit_lapack("linalg.eigh", A.dtype(), [&]<class T>(type_tag<T>) {
    using R = real_of_t<T>;
    int n = lapack::as_int("linalg.eigh", a.rows), lead = a.lead();
    if (n == 0) return;
    each_matrix(a.count, 2 * n, [&](std::int64_t i) {
      std::vector<T> work;
      std::vector<R> rwork;
      std::vector<int> iwork;
      infos.at(i) = eigh<T, R>(vectors ? "V" : "N", triangle, n, a.at<T>(i), lead,
                               static_cast<R*>(w.data_ptr()) + i * n, work, rwork, iwork);
    });
  });
  raise_for_infos(infos.tensor, "linalg.eigh", A.dim() == 2);
  copy_elements(values, w);
  if (vectors) copy_elements(vector_columns, a.tensor);
}
template <class T>
bool is_finite(T x) {
  if constexpr (is_complex_v<T>)
    return std::isfinite(x.re) && std::isfinite(x.im);
  else
    return std::isfinite(x);
}
/// Eigenvalues of one matrix, and its eigenvectors unless `v` is null; `a` is destroyed.
template <class R>
int eig(int n, Complex<R>* a, Complex<R>* w, Complex<R>* v) {
  using T = Complex<R>;
  int info = 0, ask = -1, lv = v ? n : 1;
  std::vector<R> rwork(static_cast<std::size_t>(2 * n));
  T best{}, none{};
  auto run = [&](T* work, int size) {
    lapack::routines<T>::geev("N", v ? "V" : "N", &n, a, &n, w, &none, &lv, v ? v : &none, &lv, work, &size,
                              rwork.data(), &info, 1, 1);
  };
  run(&best, ask);
  std::vector<T> work(static_cast<std::size_t>(work_size(best)));
  run(work.data(), static_cast<int>(work.size()));
  return info;
}
template <class R>
int eig(int n, R* a, Complex<R>* w, Complex<R>* v) {
  int info = 0, ask = -1, lv = v ? n : 1;
  auto size = static_cast<std::size_t>(n);
  std::vector<R> re(size), im(size), columns(v ? size * size : 1);
  R best{}, none{};
  auto run = [&](R* work, int count) {
    lapack::routines<R>::geev("N", v ? "V" : "N", &n, a, &n, re.data(), im.data(), &none, &lv, columns.data(), &lv,
                              work, &count, &info, 1, 1);
  };
  run(&best, ask);
  std::vector<R> work(static_cast<std::size_t>(work_size(best)));
  run(work.data(), static_cast<int>(work.size()));
  for (std::size_t j = 0; j < size; ++j) w[j] = {re[j], im[j]};
  if (!v) return info;
  // A conjugate pair shares two columns: real and imaginary parts.
  for (std::size_t j = 0; j < size; ++j) {
    bool pair = im[j] != 0 && j + 1 < size;
    for (std::size_t i = 0; i < size; ++i) {
      R x = columns[j * size + i], y = pair ? columns[(j + 1) * size + i] : R(0);
      v[j * size + i] = {x, y};
      if (pair) v[(j + 1) * size + i] = {x, -y};
    }
    if (pair) ++j;
  }
  return info;
}
inline void eig_into(const char* name, const Tensor& self, const Tensor& values, const Tensor* vectors) {
  ScalarType dtype = to_complex_type(self.dtype());
  Matrices a = Matrices::copy(self), v(vectors ? self.sizes() : IntArrayRef(DimVector{0, 0}), dtype);
  Tensor w = make_tensor(values.sizes(), {}, dtype);
  Infos infos(a.count);
  visit_lapack(name, self.dtype(), [&]<class T>(type_tag<T>) {
    using C = Complex<real_of_t<T>>;
    int n = lapack::as_int(name, a.rows);
    if (n == 0) return;
    for (std::int64_t i = 0; i < a.tensor.numel(); ++i)
      TENON_CHECK(is_finite(a.at<T>(0)[i]), ValueError, "torch.", name,
                  ": input tensor should not contain infs or NaNs.");
    each_matrix(a.count, 3 * n, [&](std::int64_t i) {
      infos.at(i) = eig(n, a.at<T>(i), static_cast<C*>(w.data_ptr()) + i * n, vectors ? v.at<C>(i) : nullptr);
    });
  });
  raise_for_infos(infos.tensor, name, self.dim() == 2);
  copy_elements(values, w);
  if (vectors) copy_elements(*vectors, v.tensor);
}
inline void eig_cpu(const Tensor& self, const Tensor& values, const Tensor& vectors) {
  eig_into("linalg.eig", self, values, &vectors);
}
inline Tensor eigvals_cpu(const Tensor& self) {
  Tensor out = eigvals_meta<std::int64_t>(self);
  eig_into("linalg.eigvals", self, out, nullptr);
  return out;
}
template <class T, class R>
int svd(const char* job, int m, int n, T* a, R* s, T* u, int lu, T* vt, int lv) {
  int info = 0, ask = -1, la = m > 1 ? m : 1, k = m < n ? m : n, large = m < n ? n : m;
  std::vector<int> iwork(static_cast<std::size_t>(8 * k));
  [[maybe_unused]] std::vector<R> rwork;
  if constexpr (is_complex_v<T>) {
    std::int64_t few = 7 * static_cast<std::int64_t>(k), mn = k,
                 many = mn * (5 * mn + 7 > 2 * std::int64_t{large} + 2 * mn + 1 ? 5 * mn + 7
                                                                                : 2 * std::int64_t{large} + 2 * mn + 1);
    rwork.resize(static_cast<std::size_t>(job[0] == 'N' ? few : many));
  }
  T best{};
  auto run = [&](T* work, int size) {
    if constexpr (is_complex_v<T>)
      lapack::routines<T>::gesdd(job, &m, &n, a, &la, s, u, &lu, vt, &lv, work, &size, rwork.data(), iwork.data(),
                                 &info, 1);
    else
      lapack::routines<T>::gesdd(job, &m, &n, a, &la, s, u, &lu, vt, &lv, work, &size, iwork.data(), &info, 1);
  };
  run(&best, ask);
  std::vector<T> work(static_cast<std::size_t>(work_size(best)));
  run(work.data(), static_cast<int>(work.size()));
  return info;
}
inline void svd_cpu(const Tensor& A, bool full, bool vectors, std::optional<std::string_view>, const Tensor& U,
                    const Tensor& S, const Tensor& Vh) {
  Matrices a = Matrices::copy(A);
  DimVector none{0, 0};
  Matrices u(vectors ? U.sizes() : IntArrayRef(none), A.dtype()),
      v(vectors ? Vh.sizes() : IntArrayRef(none), A.dtype());
  Tensor s = make_tensor(S.sizes(), {}, to_real_type(A.dtype()));
  Infos infos(a.count);
  visit_lapack("linalg.svd", A.dtype(), [&]<class T>(type_tag<T>) {
    using R = real_of_t<T>;
    int m = lapack::as_int("linalg.svd", a.rows), n = lapack::as_int("linalg.svd", a.columns), k = m < n ? m : n;
    if (k == 0) {  // a full factor of no columns is the identity
      for (Matrices* q : {&u, &v})
        for (std::int64_t i = 0; vectors && i < q->count && q->rows == q->columns; ++i)
          for (std::int64_t j = 0; j < q->rows * q->columns; ++j) q->at<T>(i)[j] = j % (q->rows + 1) == 0 ? T(1) : T{};
      return;
    }
    each_matrix(a.count, 3 * k, [&](std::int64_t i) {
      T nothing{};
      infos.at(i) = svd<T, R>(vectors ? (full ? "A" : "S") : "N", m, n, a.at<T>(i),
                              static_cast<R*>(s.data_ptr()) + i * k, vectors ? u.at<T>(i) : &nothing,
                              vectors ? u.lead() : 1, vectors ? v.at<T>(i) : &nothing, vectors ? v.lead() : 1);
    });
  });
  raise_for_infos(infos.tensor, "linalg.svd", A.dim() == 2);
  copy_elements(S, s);
  if (!vectors) return;
  copy_elements(U, u.tensor);
  copy_elements(Vh, v.tensor);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::copy, ops::_linalg_eigh_base, ops::linalg_eig_base, ops::_linalg_eigvals_base,
                      ops::_linalg_svd_base>();
  m.impl<ops::_linalg_eigvals_base, &detail::eigvals_cpu>(DispatchKey::CPU);
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(_linalg_eigh_base, CPU, cpu::detail::eigh_cpu);
TENON_STRUCTURED_KERNEL(linalg_eig_base, CPU, cpu::detail::eig_cpu);
TENON_STRUCTURED_KERNEL(_linalg_svd_base, CPU, cpu::detail::svd_cpu);

}  // namespace tenon::ops
