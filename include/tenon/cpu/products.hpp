// Products of matrices and vectors on the CPU.
#pragma once
#include <cmath>

#include <tenon/base/checked_element.hpp>
#include <tenon/composite/products.hpp>
#include <tenon/cpu/cblas_products.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::cpu::detail {

inline void check_product_dtype(ScalarType t, const char* name) {
  bool known = (is_floating_type(t) && has_arithmetic(t)) || t == kComplexFloat || t == kComplexDouble || t == kByte ||
               t == kChar || t == kShort || t == kInt || t == kLong;
  if (!known) not_implemented_for(name, t);
}
/// The places of a batch of matrices in a tensor of 1 (a column), 2 or 3 dimensions.
inline GemmCall::Part part_of(const Tensor& t) {
  GemmCall::Part p;
  p.data = t.data_ptr();
  IntArrayRef s = t.strides();
  switch (s.size()) {
    case 3: p.step = s[0], p.row = s[1], p.column = s[2]; break;
    case 2: p.row = s[0], p.column = s[1]; break;
    case 1: p.row = s[0], p.column = 1; break;
    default: p.row = p.column = 1;
  }
  return p;
}
/// out = alpha a b + beta out for `count` products of m x k by k x n matrices.
inline void product(const char* name, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k,
                    const Scalar& alpha, const Tensor& a, const Tensor& b, const Scalar& beta, const Tensor& out) {
  if (out.numel() == 0) return;
  ScalarType dtype = out.dtype();
  check_product_dtype(dtype, name);
  bool in_float = !is_exact(alpha, dtype) || !is_exact(beta, dtype);
  // A written matrix that is also read, and factors that 16 bits do not hold, take a copy.
  bool shared = memory_overlap(out, a) != Overlap::None || memory_overlap(out, b) != Overlap::None;
  if (in_float || shared) {
    ScalarType wide = in_float ? kFloat : dtype;
    Tensor x = in_float ? row_major(a, wide) : a, y = in_float ? row_major(b, wide) : b,
           z = make_tensor(out.sizes(), {}, wide);
    if (!beta.equal(0)) copy_elements(z, out);
    product(name, count, m, n, k, alpha, x, y, beta, z);
    return copy_elements(out, z);
  }
  alignas(16) char factors[2][16];
  visit_scalar_type(dtype, [&]<class T>(type_tag<T>) {
    // Without products their factor is not asked for.
    *reinterpret_cast<T*>(factors[0]) = k == 0 ? T(0) : checked_element<T>(alpha);
    *reinterpret_cast<T*>(factors[1]) = checked_element<T>(beta);
  });
  GemmCall call{dtype, count, m, n, k, part_of(a), part_of(b), part_of(out), factors[0], factors[1]};
  run_products(call);
}
/// Result of an accumulating product before the product is added: `self` spread over it.
inline void start_from(const Tensor& self, const Scalar& beta, const Tensor& out) {
  if (!out.is_same(self) && !beta.equal(0)) copy_elements(out, self);
}
inline void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  product("addmm_impl_cpu_", 1, self.sizes()[0], mat2.sizes()[1], self.sizes()[1], Scalar(1), self, mat2, Scalar(0),
          out);
}
/// By way of float, in which sums of 512 products of 8 bits are exact; the 32 bits wrap beyond 2^16 terms.
inline void int_mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  const std::int64_t m = self.sizes()[0], n = mat2.sizes()[1], k = self.sizes()[1], most = 512;
  Tensor a = row_major(self, kFloat), b = row_major(mat2, kFloat), part = make_tensor(out.sizes(), {}, kFloat);
  auto block = [&](std::int64_t p) {
    const std::int64_t count = k - p < most ? k - p : most;
    product("_int_mm_out_cpu", 1, m, n, count, Scalar(1), make_alias(a, {m, count}, a.strides(), p),
            make_alias(b, {count, n}, b.strides(), p * n), Scalar(0), part);
  };
  block(0);
  if (k <= most) return copy_elements(out, part);
  Tensor sums = make_tensor(out.sizes(), {}, kInt);
  copy_elements(sums, part);
  for (std::int64_t p = most; p < k; p += most) {
    block(p);
    const float* from = part.data_ptr<float>();
    auto* to = reinterpret_cast<std::uint32_t*>(sums.data_ptr<std::int32_t>());
    for (std::int64_t i = 0; i < m * n; ++i) to[i] += static_cast<std::uint32_t>(static_cast<std::int32_t>(from[i]));
  }
  copy_elements(out, sums);
}
inline void addmm_cpu(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                      const Scalar& alpha, const Tensor& out) {
  start_from(self, beta, out);
  product("addmm_impl_cpu_", 1, mat1.sizes()[0], mat2.sizes()[1], mat1.sizes()[1], alpha, mat1, mat2, beta, out);
}
inline void bmm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  product("bmm", self.sizes()[0], self.sizes()[1], mat2.sizes()[2], self.sizes()[2], Scalar(1), self, mat2, Scalar(0),
          out);
}
inline void baddbmm_cpu(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                        const Scalar& alpha, const Tensor& out) {
  start_from(self, beta, out);
  product("baddbmm", batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2], alpha, batch1, batch2,
          beta, out);
}
inline void mv_cpu(const Tensor& self, const Tensor& vec, const Tensor& out) {
  product("addmv_impl_cpu", 1, self.sizes()[0], 1, self.sizes()[1], Scalar(1), self, vec, Scalar(0), out);
}
/// In 16 bits the factors are elements, the scaled vector is rounded before anything is added to it, and so is the
/// product if the matrix is column-major: what PyTorch's two routines do.
inline void addmv_in_16_bits(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta,
                             const Scalar& alpha, bool rounds_product, const Tensor& out) {
  std::int64_t m = mat.sizes()[0];
  Tensor sum = make_tensor({&m, 1}, {}, kFloat);
  product("addmv_impl_cpu", 1, m, 1, mat.sizes()[1], Scalar(1), row_major(mat, kFloat), row_major(vec, kFloat),
          Scalar(0), sum);
  auto run = [&]<class T>(type_tag<T>) {
    auto element = [](float x) { return static_cast<float>(static_cast<T>(x)); };
    float a = element(alpha.to<float>()), b = element(beta.to<float>());
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    auto p = static_cast<const float*>(sum.data_ptr());
    std::int64_t from = self.numel() == 1 ? 0 : self.strides()[0], to = out.strides()[0];
    for (std::int64_t i = 0; i < m; ++i) {
      float start = b == 0 ? 0 : element(b * static_cast<float>(x[i * from])), add = a * p[i];
      y[i * to] = static_cast<T>(start + (rounds_product ? element(add) : add));
    }
  };
  if (out.dtype() == kHalf)
    run(type_tag<Half>{});
  else
    run(type_tag<BFloat16>{});
}
inline void addmv_cpu(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
                      const Tensor& out) {
  ScalarType dtype = out.dtype();
  if (is_reduced_floating_type(dtype) && mat.numel() != 0) {
    IntArrayRef sizes = mat.sizes(), strides = mat.strides();
    bool column_major = strides[0] == 1 && (sizes[1] == 1 || strides[1] >= sizes[0]);
    bool plain = is_exact(alpha, dtype) && (beta.equal(0) || (beta.equal(1) && !column_major));
    if (!plain) return addmv_in_16_bits(self, mat, vec, beta, alpha, column_major, out);
  }
  start_from(self, beta, out);
  product("addmv_impl_cpu", 1, mat.sizes()[0], 1, mat.sizes()[1], alpha, mat, vec, beta, out);
}
inline void dot_cpu(const Tensor& self, const Tensor& tensor, const Tensor& out) {
  if (out.dim() != 0) return;
  std::int64_t one[] = {1, self.numel()}, steps[] = {self.numel() * self.strides()[0], self.strides()[0]};
  product("dot", 1, 1, 1, self.numel(), Scalar(1), make_alias(self, one, steps, self.storage_offset()), tensor,
          Scalar(0), out);
}
inline void vdot_cpu(const Tensor& self, const Tensor& other, const Tensor& out) {
  if (!self.is_complex()) return dot_cpu(self, other, out);
  Tensor conjugate = make_tensor(self.sizes(), {}, self.dtype());
  copy_elements(conjugate, self);
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (is_complex_v<T>) {
      auto z = static_cast<T*>(conjugate.data_ptr());
      for (std::int64_t i = 0; i < conjugate.numel(); ++i) z[i].im = -z[i].im;
    }
  });
  dot_cpu(conjugate, other, out);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::gemm, ops::mm_base, ops::_int_mm_base, ops::addmm_base, ops::bmm_base,
                      ops::baddbmm_base, ops::mv_base, ops::addmv_base, ops::dot_base, ops::vdot_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(mm_base, CPU, cpu::detail::mm_cpu);
TENON_STRUCTURED_KERNEL(_int_mm_base, CPU, cpu::detail::int_mm_cpu);
TENON_STRUCTURED_KERNEL(addmm_base, CPU, cpu::detail::addmm_cpu);
TENON_STRUCTURED_KERNEL(bmm_base, CPU, cpu::detail::bmm_cpu);
TENON_STRUCTURED_KERNEL(baddbmm_base, CPU, cpu::detail::baddbmm_cpu);
TENON_STRUCTURED_KERNEL(mv_base, CPU, cpu::detail::mv_cpu);
TENON_STRUCTURED_KERNEL(addmv_base, CPU, cpu::detail::addmv_cpu);
TENON_STRUCTURED_KERNEL(dot_base, CPU, cpu::detail::dot_cpu);
TENON_STRUCTURED_KERNEL(vdot_base, CPU, cpu::detail::vdot_cpu);

}  // namespace tenon::ops
