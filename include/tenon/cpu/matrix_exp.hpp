// The exponential of matrices on the CPU.
#pragma once
#include <cmath>

#include <tenon/composite/matrix_exp_shapes.hpp>
#include <tenon/cpu/products.hpp>
#include <tenon/cpu/detail/matrices.hpp>

namespace tenon::cpu::detail {
/// The largest sum of magnitudes of a column.
template <class T>
double one_norm(const T* a, std::int64_t n) {
  double most = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (is_complex_v<T>)
        sum += std::hypot(a[i * n + j].re, a[i * n + j].im);
      else
        sum += std::abs(a[i * n + j]);
    }
    if (!(sum <= most)) most = sum;
  }
  return most;
}
/// exp(A) by scaling and squaring: Taylor's polynomial of degree 16 of A / 2^s, whose norm is at most 0.7, where the
/// rest is below a rounding of double; evaluated with six products (Paterson and Stockmeyer, SIAM J. Comput. 2:1,
/// 1973).
inline Tensor matrix_exponential(const Tensor& a) {
  std::int64_t n = a.sizes()[0];
  ScalarType dtype = a.dtype();
  auto fresh = [&] { return make_tensor(a.sizes(), {}, dtype); };
  auto times = [&](const Tensor& x, const Tensor& y) {
    Tensor out = fresh();
    product("linalg_matrix_exp", 1, n, n, n, Scalar(1), x, y, Scalar(0), out);
    return out;
  };
  Tensor out;
  auto run = [&]<class T>(type_tag<T>) {
    double norm = one_norm(static_cast<const T*>(a.data_ptr()), n);
    int squarings = 0;
    if (std::isfinite(norm) && norm > 0.7) squarings = static_cast<int>(std::ceil(std::log2(norm / 0.7)));
    Tensor power[5];
    power[1] = fresh();
    auto p = static_cast<T*>(power[1].data_ptr());
    for (std::int64_t i = 0; i < n * n; ++i)
      p[i] = static_cast<const T*>(a.data_ptr())[i] * T(std::ldexp(1.0, -squarings));
    power[2] = times(power[1], power[1]);
    power[3] = times(power[2], power[1]);
    power[4] = times(power[2], power[2]);
    double factor[17] = {1};
    for (int k = 1; k <= 16; ++k) factor[k] = factor[k - 1] / k;
    for (int block = 3; block >= 0; --block) {
      Tensor sum = block == 3 ? fresh() : times(out, power[4]);
      auto s = static_cast<T*>(sum.data_ptr());
      for (std::int64_t i = 0; i < n * n; ++i) {
        T add = i % (n + 1) == 0 ? T(factor[4 * block]) : T{};
        for (int k = 1; k < (block == 3 ? 5 : 4); ++k)
          add = add + static_cast<const T*>(power[k].data_ptr())[i] * T(factor[4 * block + k]);
        s[i] = block == 3 ? add : s[i] + add;
      }
      out = sum;
    }
    for (int k = 0; k < squarings; ++k) out = times(out, out);
  };
  if (dtype == kComplexDouble)
    run(type_tag<Complex<double>>{});
  else
    run(type_tag<double>{});
  return out;
}
inline void matrix_exp_cpu(const Tensor& self, const Tensor& out) {
  if (out.numel() == 0) return;
  ScalarType wide = self.is_complex() ? kComplexDouble : kDouble;
  Tensor from = row_major(self, wide), to = make_tensor(self.sizes(), {}, wide);
  std::int64_t n = self.sizes().back();
  IntArrayRef sizes = from.sizes().slice(from.sizes().size() - 2, 2),
              strides = from.strides().slice(from.sizes().size() - 2, 2);
  each_matrix(count_of(self.sizes(), 2), 8 * n, [&](std::int64_t i) {
    copy_elements(make_alias(to, sizes, strides, i * n * n),
                  matrix_exponential(make_alias(from, sizes, strides, from.storage_offset() + i * n * n)));
  });
  copy_elements(out, to);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::copy, ops::linalg_matrix_exp_base>();
  install_kernels_for<&KernelTables::gemm, ops::linalg_matrix_exp_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(linalg_matrix_exp_base, CPU, cpu::detail::matrix_exp_cpu);

}  // namespace tenon::ops
