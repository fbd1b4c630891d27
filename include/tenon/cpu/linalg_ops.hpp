// Products of matrices and vectors on the CPU.
#pragma once
#include <cmath>

#include <tenon/base/checked_element.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/gemm_kernels.hpp>
#include <tenon/ops/linalg.hpp>
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
  active_tables().gemm->run(call);
}
[[noreturn, gnu::cold, gnu::noinline]] inline void wrong_shapes(const char* name, const Tensor& a, const Tensor& b) {
  fail<ValueError>(name, ": mat1 and mat2 shapes cannot be multiplied (", a.sym_size(0), "x", a.sym_size(1), " and ",
                   b.sym_size(0), "x", b.sym_size(1), ")");
}
/// Whether a tensor of shape `from` can be read as one of shape `to`; throws in PyTorch's words.
template <class Int>
void check_expandable(ArrayRef<Int> from, ArrayRef<Int> to) {
  TENON_CHECK(from.size() <= to.size(), ValueError, "The number of sizes provided (", to.size(),
              ") must be greater or equal to the number of dimensions in the tensor (", from.size(), ")");
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t d = to.size() - 1 - i;
    const Int& have = from[from.size() - 1 - i];
    TENON_CHECK(known_equal(have, Int(1)) || have == to[d] || have == 1, ValueError,
                "The expanded size of the tensor (", to[d], ") must match the existing size (", have,
                ") at non-singleton dimension ", d, ".  Target sizes: ", to, ".  Tensor sizes: ", from);
  }
}
/// Result of an accumulating product before the product is added: `self` spread over it.
inline void start_from(const Tensor& self, const Scalar& beta, const Tensor& out) {
  if (!out.is_same(self) && !beta.equal(0)) copy_elements(out, self);
}

struct mm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat2) const {
    TENON_CHECK(self.dim() == 2, ValueError, "mm: self must be a matrix, got ", self.dim(), "-D tensor");
    TENON_CHECK(mat2.dim() == 2, ValueError, "mm: mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
    if (sizes_of<Int>(self)[1] != sizes_of<Int>(mat2)[0]) wrong_shapes("mm", self, mat2);
    TENON_CHECK(self.dtype() == mat2.dtype(), TypeError, "mm: self and mat2 must have the same dtype, but got ",
                self.dtype(), " and ", mat2.dtype());
    Int sizes[] = {sizes_of<Int>(self)[0], sizes_of<Int>(mat2)[1]};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};
inline void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  product("addmm_impl_cpu_", 1, self.sizes()[0], mat2.sizes()[1], self.sizes()[1], Scalar(1), self, mat2, Scalar(0),
          out);
}
struct addmm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar&,
                  const Scalar&) const {
    TENON_CHECK(mat1.dim() == 2, ValueError, "addmm: mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
    TENON_CHECK(mat2.dim() == 2, ValueError, "addmm: mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
    if (sizes_of<Int>(mat1)[1] != sizes_of<Int>(mat2)[0]) wrong_shapes("addmm", mat1, mat2);
    TENON_CHECK(mat1.dtype() == mat2.dtype(), TypeError, "mat1 and mat2 must have the same dtype, but got ",
                mat1.dtype(), " and ", mat2.dtype());
    TENON_CHECK(self.dtype() == mat2.dtype(), TypeError, "self and mat2 must have the same dtype, but got ",
                self.dtype(), " and ", mat2.dtype());
    Int sizes[] = {sizes_of<Int>(mat1)[0], sizes_of<Int>(mat2)[1]};
    check_expandable<Int>(sizes_of<Int>(self), sizes);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, mat1.dtype(), mat1.device());
  }
};
inline void addmm_cpu(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                      const Scalar& alpha, const Tensor& out) {
  start_from(self, beta, out);
  product("addmm_impl_cpu_", 1, mat1.sizes()[0], mat2.sizes()[1], mat1.sizes()[1], alpha, mat1, mat2, beta, out);
}
template <class Int>
void check_batches(const Tensor& a, const Tensor& b) {
  TENON_CHECK(a.dim() == 3, ValueError, "batch1 must be a 3D tensor");
  TENON_CHECK(b.dim() == 3, ValueError, "batch2 must be a 3D tensor");
  Int expected[] = {sizes_of<Int>(a)[0], sizes_of<Int>(a)[2]};
  TENON_CHECK(sizes_of<Int>(b)[0] == expected[0] && sizes_of<Int>(b)[1] == expected[1], ValueError,
              "Expected size for first two dimensions of batch2 tensor to be: ", ArrayRef<Int>(expected),
              " but got: ", sizes_of<Int>(b).slice(0, 2), ".");
  TENON_CHECK(a.dtype() == b.dtype(), TypeError, "batch1 and batch2 must have the same dtype, but got ", a.dtype(),
              " and ", b.dtype());
}
struct bmm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat2) const {
    check_batches<Int>(self, mat2);
    Int sizes[] = {sizes_of<Int>(self)[0], sizes_of<Int>(self)[1], sizes_of<Int>(mat2)[2]};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};
inline void bmm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  product("bmm", self.sizes()[0], self.sizes()[1], mat2.sizes()[2], self.sizes()[2], Scalar(1), self, mat2, Scalar(0),
          out);
}
struct baddbmm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar&,
                  const Scalar&) const {
    check_batches<Int>(batch1, batch2);
    TENON_CHECK(self.dtype() == batch1.dtype(), TypeError, "Input dtypes must be the same, got: input ", self.dtype(),
                ", batch1: ", batch1.dtype(), ", batch2: ", batch2.dtype());
    Int sizes[] = {sizes_of<Int>(batch1)[0], sizes_of<Int>(batch1)[1], sizes_of<Int>(batch2)[2]};
    check_expandable<Int>(sizes_of<Int>(self), sizes);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, batch1.dtype(), batch1.device());
  }
};
inline void baddbmm_cpu(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                        const Scalar& alpha, const Tensor& out) {
  start_from(self, beta, out);
  product("baddbmm", batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2], alpha, batch1, batch2,
          beta, out);
}
template <class Int>
void check_matrix_vector(const Tensor& mat, const Tensor& vec, std::int64_t self_dim, const Int& self_numel) {
  TENON_CHECK(mat.dim() == 2 && vec.dim() == 1 && self_dim <= 1, ValueError, "vector + matrix @ vector expected, got ",
              self_dim, ", ", mat.dim(), ", ", vec.dim());
  TENON_CHECK(
      sizes_of<Int>(mat)[1] == sizes_of<Int>(vec)[0] && (self_numel == sizes_of<Int>(mat)[0] || self_numel == 1),
      ValueError, "size mismatch, got input (", self_numel, "), mat (", sizes_of<Int>(mat)[0], "x",
      sizes_of<Int>(mat)[1], "), vec (", sizes_of<Int>(vec)[0], ")");
  TENON_CHECK(mat.dtype() == vec.dtype(), TypeError, "mat and vec must have the same dtype, but got ", mat.dtype(),
              " and ", vec.dtype());
}
struct mv_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& vec) const {
    check_matrix_vector<Int>(self, vec, 1, self.dim() ? sizes_of<Int>(self)[0] : Int(1));
    out.set_output_raw_strided(0, sizes_of<Int>(self).slice(0, 1), {}, self.dtype(), self.device());
  }
};
inline void mv_cpu(const Tensor& self, const Tensor& vec, const Tensor& out) {
  product("addmv_impl_cpu", 1, self.sizes()[0], 1, self.sizes()[1], Scalar(1), self, vec, Scalar(0), out);
}
struct addmv_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar&,
                  const Scalar&) const {
    check_matrix_vector<Int>(mat, vec, self.dim(), numel_of<Int>(self));
    TENON_CHECK(self.dtype() == mat.dtype(), TypeError, "self and mat must have the same dtype, but got ", self.dtype(),
                " and ", mat.dtype());
    out.set_output_raw_strided(0, sizes_of<Int>(mat).slice(0, 1), {}, mat.dtype(), mat.device());
  }
};
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
struct dot_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& tensor) const {
    TENON_CHECK(self.dim() == 1 && tensor.dim() == 1, ValueError, "1D tensors expected, but got ", self.dim(), "D and ",
                tensor.dim(), "D tensors");
    TENON_CHECK(self.dtype() == tensor.dtype(), TypeError, "dot : expected both vectors to have same dtype, but found ",
                self.dtype(), " and ", tensor.dtype());
    TENON_CHECK(numel_of<Int>(self) == numel_of<Int>(tensor), ValueError, "inconsistent tensor size, expected tensor ",
                sizes_of<Int>(self), " and src ", sizes_of<Int>(tensor),
                " to have the same number of elements, but got ", numel_of<Int>(self), " and ", numel_of<Int>(tensor),
                " elements respectively");
    out.set_output_raw_strided(0, {}, {}, self.dtype(), self.device());
  }
};
inline void dot_cpu(const Tensor& self, const Tensor& tensor, const Tensor& out) {
  if (out.dim() != 0) return;
  std::int64_t one[] = {1, self.numel()}, steps[] = {self.numel() * self.strides()[0], self.strides()[0]};
  product("dot", 1, 1, 1, self.numel(), Scalar(1), make_alias(self, one, steps, self.storage_offset()), tensor,
          Scalar(0), out);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::gemm, ops::mm_base, ops::addmm_base, ops::bmm_base, ops::baddbmm_base,
                      ops::mv_base, ops::addmv_base, ops::dot_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(mm_base, cpu::detail::mm_meta);
TENON_STRUCTURED_KERNEL(mm_base, CPU, cpu::detail::mm_cpu);
TENON_STRUCTURED_OF(addmm_base, cpu::detail::addmm_meta);
TENON_STRUCTURED_KERNEL(addmm_base, CPU, cpu::detail::addmm_cpu);
TENON_STRUCTURED_OF(bmm_base, cpu::detail::bmm_meta);
TENON_STRUCTURED_KERNEL(bmm_base, CPU, cpu::detail::bmm_cpu);
TENON_STRUCTURED_OF(baddbmm_base, cpu::detail::baddbmm_meta);
TENON_STRUCTURED_KERNEL(baddbmm_base, CPU, cpu::detail::baddbmm_cpu);
TENON_STRUCTURED_OF(mv_base, cpu::detail::mv_meta);
TENON_STRUCTURED_KERNEL(mv_base, CPU, cpu::detail::mv_cpu);
TENON_STRUCTURED_OF(addmv_base, cpu::detail::addmv_meta);
TENON_STRUCTURED_KERNEL(addmv_base, CPU, cpu::detail::addmv_cpu);
TENON_STRUCTURED_OF(dot_base, cpu::detail::dot_meta);
TENON_STRUCTURED_KERNEL(dot_base, CPU, cpu::detail::dot_cpu);

}  // namespace tenon::ops
