// Registers products of matrices and vectors on CUDA.
#include <tenon/composite/tensor_product_shapes.hpp>
#include <tenon/cuda/products.hpp>
#include <tenon/ops/copy.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The places of a batch of matrices in a tensor of 1 (a column), 2 or 3 dimensions.
GemmCall::Part part_of(const Tensor& t) {
  IntArrayRef s = t.strides();
  switch (s.size()) {
    case 3: return {t.data_ptr(), s[0], s[1], s[2]};
    case 2: return {t.data_ptr(), 0, s[0], s[1]};
    case 1: return {t.data_ptr(), 0, s[0], 1};
    default: return {t.data_ptr(), 0, 1, 1};
  }
}
/// out = alpha a b + beta out for `count` products of m x k by k x n matrices.
void product(const char* name, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k, const Scalar& alpha,
             const Tensor& a, const Tensor& b, const Scalar& beta, const Tensor& out) {
  if (out.numel() == 0) return;
  ScalarType dtype = out.dtype();
  // Small integers wrap as wide ones do that are narrowed.
  if (is_integral_type(dtype, false) && item_size(dtype) < 4 && (is_signed_type(dtype) || dtype == kByte)) {
    Tensor wide = make_tensor(out.sizes(), {}, kInt, out.device());
    if (!beta.equal(0)) copy_elements(wide, out);
    product(name, count, m, n, k, alpha, row_major(a, kInt), row_major(b, kInt), beta, wide);
    return copy_elements(out, wide);
  }
  // A written matrix that is also read takes a copy.
  auto reads = [&](const Tensor& t) { return t->storage() == out->storage(); };
  Tensor x = reads(a) ? row_major(ops::clone(a)) : a, y = reads(b) ? row_major(ops::clone(b)) : b;
  GemmCall c{dtype, count, m, n, k, part_of(x), part_of(y), part_of(out), alpha, beta};
  if (auto library = product_library().load())
    if (auto p = library_product(c); p && library(*p, runtime::current_stream())) return;
  if (!gemm(c, runtime::current_stream())) not_implemented_for(name, dtype);
  runtime::check_launch(name);
}
/// Result of an accumulating product before the product is added: `self` spread over it.
void start_from(const Tensor& self, const Scalar& beta, const Tensor& out) {
  if (!out.is_same(self) && !beta.equal(0)) copy_elements(out, self);
}
void mm(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  product("addmm_cuda", 1, self.sizes()[0], mat2.sizes()[1], self.sizes()[1], Scalar(1), self, mat2, Scalar(0), out);
}
void addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha,
           const Tensor& out) {
  start_from(self, beta, out);
  product("addmm_cuda", 1, mat1.sizes()[0], mat2.sizes()[1], mat1.sizes()[1], alpha, mat1, mat2, beta, out);
}
void bmm(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  product("baddbmm_cuda", self.sizes()[0], self.sizes()[1], mat2.sizes()[2], self.sizes()[2], Scalar(1), self, mat2,
          Scalar(0), out);
}
void baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha,
             const Tensor& out) {
  start_from(self, beta, out);
  product("baddbmm_cuda", batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2], batch1.sizes()[2], alpha, batch1,
          batch2, beta, out);
}
/// One product after the other: each is added to the sum of those before it.
void addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha,
            const Tensor& out) {
  start_from(self, beta, out);
  IntArrayRef a = batch1.sizes(), b = batch2.sizes();
  auto matrix = [](const Tensor& t, std::int64_t i) {
    return make_alias(t, t.sizes().slice(1, 2), t.strides().slice(1, 2), t.storage_offset() + i * t.strides()[0]);
  };
  // Without products the sum alone is scaled.
  if (a[0] == 0 || a[2] == 0) return product("addmm_cuda", 1, a[1], b[2], 0, alpha, batch1, batch2, beta, out);
  for (std::int64_t i = 0; i < a[0]; ++i)
    product("addmm_cuda", 1, a[1], b[2], a[2], alpha, matrix(batch1, i), matrix(batch2, i), i == 0 ? beta : Scalar(1),
            out);
}
void int_mm(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  product("_int_mm_out_cuda", 1, self.sizes()[0], mat2.sizes()[1], self.sizes()[1], Scalar(1), row_major(self, kInt),
          row_major(mat2, kInt), Scalar(0), out);
}
void mv(const Tensor& self, const Tensor& vec, const Tensor& out) {
  product("addmv_cuda", 1, self.sizes()[0], 1, self.sizes()[1], Scalar(1), self, vec, Scalar(0), out);
}
void addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
           const Tensor& out) {
  start_from(self, beta, out);
  product("addmv_cuda", 1, mat.sizes()[0], 1, mat.sizes()[1], alpha, mat, vec, beta, out);
}
void dot(const Tensor& self, const Tensor& tensor, const Tensor& out) {
  if (out.dim() != 0) return;
  std::int64_t one[] = {1, self.numel()}, steps[] = {0, self.strides()[0]};
  product("dot", 1, 1, 1, self.numel(), Scalar(1), make_alias(self, one, steps, self.storage_offset()), tensor,
          Scalar(0), out);
}
void vdot(const Tensor& self, const Tensor& other, const Tensor& out) {
  if (!self.is_complex()) return dot(self, other, out);
  Tensor conjugate = make_tensor(self.sizes(), {}, self.dtype(), self.device());
  copy_elements(conjugate, self, true);
  dot(conjugate, other, out);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(mm_base, CUDA, cuda::mm);
TENON_STRUCTURED_KERNEL(addmm_base, CUDA, cuda::addmm);
TENON_STRUCTURED_KERNEL(bmm_base, CUDA, cuda::bmm);
TENON_STRUCTURED_KERNEL(baddbmm_base, CUDA, cuda::baddbmm);
TENON_STRUCTURED_KERNEL(addbmm_base, CUDA, cuda::addbmm);
TENON_STRUCTURED_KERNEL(_int_mm_base, CUDA, cuda::int_mm);
TENON_STRUCTURED_KERNEL(mv_base, CUDA, cuda::mv);
TENON_STRUCTURED_KERNEL(addmv_base, CUDA, cuda::addmv);
TENON_STRUCTURED_KERNEL(dot_base, CUDA, cuda::dot);
TENON_STRUCTURED_KERNEL(vdot_base, CUDA, cuda::vdot);

}  // namespace tenon::ops
