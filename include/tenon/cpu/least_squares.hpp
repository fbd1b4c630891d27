// Least squares on the CPU.
#pragma once
#include <cmath>
#include <limits>
#include <utility>

#include <tenon/cpu/solve.hpp>

namespace tenon::cpu::detail {

using composite::equations::least_squares_driver;
using composite::equations::LeastSquares;
using composite::equations::LeastSquaresResult;
using composite::equations::LeastSquaresShape;

/// One call of the driver: x holds the right sides, then the solution in its first n rows.
template <class T, class R>
int least_squares(LeastSquares kind, int m, int n, int k, T* a, T* x, int lx, R* s, R rcond, int* rank) {
  int info = 0, ask = -1, la = m > 1 ? m : 1, small = m < n ? m : n;
  std::vector<int> places(static_cast<std::size_t>(n > 0 ? n : 1), 0), iwork(1);
  std::vector<R> rwork(static_cast<std::size_t>(5 * small + 2 * n + 1));
  T best{};
  R rbest{};
  auto run = [&](T* work, int size, [[maybe_unused]] R* r, int* i) {
    using L = lapack::routines<T>;
    if (kind == LeastSquares::Gels) return L::gels("N", &m, &n, &k, a, &la, x, &lx, work, &size, &info, 1);
    if constexpr (is_complex_v<T>) {
      if (kind == LeastSquares::Gelsy)
        return L::gelsy(&m, &n, &k, a, &la, x, &lx, places.data(), &rcond, rank, work, &size, r, &info);
      if (kind == LeastSquares::Gelsd)
        return L::gelsd(&m, &n, &k, a, &la, x, &lx, s, &rcond, rank, work, &size, r, i, &info);
      L::gelss(&m, &n, &k, a, &la, x, &lx, s, &rcond, rank, work, &size, r, &info);
    } else {
      if (kind == LeastSquares::Gelsy)
        return L::gelsy(&m, &n, &k, a, &la, x, &lx, places.data(), &rcond, rank, work, &size, &info);
      if (kind == LeastSquares::Gelsd)
        return L::gelsd(&m, &n, &k, a, &la, x, &lx, s, &rcond, rank, work, &size, i, &info);
      L::gelss(&m, &n, &k, a, &la, x, &lx, s, &rcond, rank, work, &size, &info);
    }
  };
  int ibest = 1;
  run(&best, ask, kind == LeastSquares::Gelsd ? &rbest : rwork.data(), &ibest);
  std::vector<T> work(static_cast<std::size_t>(work_size(best)));
  if (kind == LeastSquares::Gelsd) {
    if (static_cast<std::size_t>(work_size(rbest)) > rwork.size())
      rwork.resize(static_cast<std::size_t>(work_size(rbest)));
    iwork.resize(static_cast<std::size_t>(ibest > 1 ? ibest : 1));
  }
  run(work.data(), static_cast<int>(work.size()), rwork.data(), iwork.data());
  return info;
}
/// LAPACK ends the process where its divide and conquer meets a number that is not finite.
template <class T>
void check_finite(const T* x, std::int64_t n) {
  bool finite = true;
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (is_complex_v<T>)
      finite = finite && std::isfinite(std::hypot(x[i].re, x[i].im));
    else
      finite = finite && std::isfinite(x[i]);
  }
  TENON_CHECK(finite, ValueError,
              "torch.linalg.lstsq: driver `gelsd` expects finite elements in input, got infinity or NaN");
}
inline LeastSquaresResult lstsq_cpu(const Tensor& self, const Tensor& b, std::optional<double> rcond,
                                    std::optional<std::string_view> driver) {
  LeastSquaresShape<std::int64_t> s(self, b);
  LeastSquares kind = least_squares_driver(driver);
  ScalarType dtype = self.dtype(), real = to_real_type(dtype);
  bool ranks = kind != LeastSquares::Gels, values = kind == LeastSquares::Gelsd || kind == LeastSquares::Gelss;
  std::int64_t small = smaller(s.m, s.n), large = s.m > s.n ? s.m : s.n;
  Matrices a = Matrices::copy(self, s.with({s.m, s.n}), dtype), x(s.with({large, s.k}), dtype);
  fill_elements(x.tensor, Scalar(0));
  Tensor top = make_alias(x.tensor, s.with({s.m, s.k}), x.tensor.strides(), 0);
  copy_elements(top, s.vector ? as_columns(b) : b);
  DimVector none{0};
  Tensor rank = make_tensor(ranks ? IntArrayRef(s.batch) : IntArrayRef(none), {}, kLong),
         singular = make_tensor(values ? s.with({small}) : none, {}, real);
  Infos infos(a.count);
  bool full = true;
  visit_lapack("torch.linalg.lstsq", dtype, [&]<class T>(type_tag<T>) {
    using R = real_of_t<T>;
    auto limit = static_cast<R>(
        rcond ? *rcond : static_cast<double>(std::numeric_limits<R>::epsilon()) * static_cast<double>(large));
    int m = lapack::as_int("torch.linalg.lstsq", s.m), n = lapack::as_int("torch.linalg.lstsq", s.n),
        k = lapack::as_int("torch.linalg.lstsq", s.k), lx = x.lead();
    std::vector<int> found(static_cast<std::size_t>(a.count), 0);
    if (kind == LeastSquares::Gelsd) check_finite(static_cast<const T*>(a.tensor.data_ptr()), a.tensor.numel());
    if (small > 0)
      each_matrix(a.count, 2 * small, [&](std::int64_t i) {
        std::vector<R> s_of(static_cast<std::size_t>(small));
        infos.at(i) = least_squares<T, R>(kind, m, n, k, a.at<T>(i), x.at<T>(i), lx, s_of.data(), limit,
                                          &found[static_cast<std::size_t>(i)]);
        if (values)
          for (std::int64_t j = 0; j < small; ++j)
            static_cast<R*>(singular.data_ptr())[i * small + j] = s_of[static_cast<std::size_t>(j)];
      });
    for (std::int64_t i = 0; i < a.count; ++i) {
      if (ranks) static_cast<std::int64_t*>(rank.data_ptr())[i] = found[static_cast<std::size_t>(i)];
      full = full && (!ranks || found[static_cast<std::size_t>(i)] == n);
    }
  });
  raise_for_infos(infos.tensor, "torch.linalg.lstsq", self.dim() == 2);
  // Rows below the solution hold what is left of the right sides, but for a driver that does not leave it there.
  Tensor residuals = make_tensor(none, {}, real);
  if (s.m > s.n && kind != LeastSquares::Gelsy && full) {
    residuals = make_tensor(s.with({s.k}), {}, real);
    visit_scalar_type(dtype, [&]<class T>(type_tag<T>) {
      if constexpr (is_floating_type(scalar_type_v<T>) || is_complex_v<T>) {
        using R = real_of_t<T>;
        if constexpr (std::is_floating_point_v<R>)
          for (std::int64_t i = 0; i < x.count; ++i)
            for (std::int64_t j = 0; j < s.k; ++j) {
              R sum = 0;
              for (std::int64_t r = s.n; r < s.m; ++r) {
                T v = x.at<T>(i)[j * x.rows + r];
                if constexpr (is_complex_v<T>)
                  sum += v.re * v.re + v.im * v.im;
                else
                  sum += v * v;
              }
              static_cast<R*>(residuals.data_ptr())[i * s.k + j] = sum;
            }
      }
    });
  }
  // The solution lies over the first rows of the right sides.
  DimVector strides(x.tensor.strides());
  if (s.vector) strides.pop_back();
  Tensor solution = make_alias(x.tensor, s.solution(), strides, 0);
  return {solution, residuals, rank, singular};
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::_linalg_check_errors_base>();
  m.impl<ops::_linalg_check_errors_base, &detail::raise_for_infos>();
  install_kernels_for<&KernelTables::copy, ops::linalg_lstsq_base>();
  m.impl<ops::linalg_lstsq_base, &detail::lstsq_cpu>(DispatchKey::CPU);
}

}  // namespace tenon::cpu
