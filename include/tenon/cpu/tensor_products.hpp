// Products on the CPU that add several matrices, outer products and cross products.
#pragma once
#include <tenon/base/checked_element.hpp>
#include <tenon/composite/tensor_product_shapes.hpp>
#include <tenon/cpu/products.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/tensor_products.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/promotion.hpp>

namespace tenon::cpu::detail {

inline void addbmm_cpu(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                       const Scalar& alpha, const Tensor& out) {
  start_from(self, beta, out);
  IntArrayRef a = batch1.sizes(), b = batch2.sizes();
  auto matrix = [](const Tensor& t, std::int64_t i) {
    return make_alias(t, t.sizes().slice(1, 2), t.strides().slice(1, 2), t.storage_offset() + i * t.strides()[0]);
  };
  if (a[0] == 0 || a[2] == 0) return product("addmm_impl_cpu_", 1, a[1], b[2], 0, alpha, batch1, batch2, beta, out);
  for (std::int64_t i = 0; i < a[0]; ++i)
    product("addmm_impl_cpu_", 1, a[1], b[2], a[2], alpha, matrix(batch1, i), matrix(batch2, i),
            i == 0 ? beta : Scalar(1), out);
}

/// In place, `self` takes the shape of the product, as an out tensor does.
inline Tensor& addbmm_inplace(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                              const Scalar& alpha) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor sum = ops::addbmm(self, batch1, batch2, beta, alpha);
  if (self.sym_sizes() != sum.sym_sizes()) ops::resize_(self, sum.sym_sizes());
  return ops::copy_(self, sum);
}

/// beta * self + (alpha * vec1) * vec2, in elements of the common dtype.
inline void addr_cpu(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                     const Scalar& alpha, const Tensor& out) {
  ScalarType dtype = composite::addr_meta::common_dtype(self, vec1, vec2);
  Tensor x = row_major(vec1, dtype), y = row_major(vec2, dtype), sum = make_tensor(out.sizes(), {}, dtype);
  bool reads = !beta.equal(0);
  if (reads) copy_elements(sum, self);
  std::int64_t rows = x.numel(), columns = y.numel();
  auto run = [&]<class T>(type_tag<T>) {
    auto a = static_cast<const T*>(x.data_ptr()), b = static_cast<const T*>(y.data_ptr());
    auto s = static_cast<T*>(sum.data_ptr());
    if constexpr (std::is_same_v<T, bool>) {
      bool add = alpha.to<bool>(), keep = reads && beta.to<bool>();
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j, ++s) *s = (keep && *s) || (add && a[i] && b[j]);
    } else {
      T p = checked_element<T>(alpha), q = checked_element<T>(beta);
      for (std::int64_t i = 0; i < rows; ++i) {
        T factor = static_cast<T>(p * a[i]);
        for (std::int64_t j = 0; j < columns; ++j, ++s) {
          T add = static_cast<T>(factor * b[j]);
          *s = reads ? static_cast<T>(static_cast<T>(q * *s) + add) : add;
        }
      }
    }
  };
  visit_scalar_type(dtype, run);
  copy_elements(out, sum);
}

inline void cross_cpu(const Tensor& self, const Tensor& other, std::int64_t dim, const Tensor& out) {
  if (out.dtype() == kBool || !has_arithmetic(out.dtype())) not_implemented_for("cross", out.dtype());
  if (out.numel() == 0) return;
  std::int64_t d = wrap_dim(dim, out.dim());
  Tensor a = make_tensor(out.sizes(), {}, out.dtype()), b = make_tensor(out.sizes(), {}, out.dtype()),
         to = out.is_contiguous() && !out.is_same(self) ? out : make_tensor(out.sizes(), {}, out.dtype());
  copy_elements(a, self);
  copy_elements(b, other);
  Cut cut(out.sizes(), d);
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto x = static_cast<const T*>(a.data_ptr()), y = static_cast<const T*>(b.data_ptr());
    auto z = static_cast<T*>(to.data_ptr());
    parallel_for(0, cut.outer * cut.inner, 1 << 13, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        std::int64_t at = i / cut.inner * 3 * cut.inner + i % cut.inner, step = cut.inner;
        C p[3], q[3];
        for (int k = 0; k < 3; ++k) {
          p[k] = static_cast<C>(x[at + k * step]);
          q[k] = static_cast<C>(y[at + k * step]);
        }
        for (int k = 0; k < 3; ++k) {
          int u = (k + 1) % 3, v = (k + 2) % 3;
          // Both products are elements: in 16 bits they are rounded before one is taken from the other.
          T plus = static_cast<T>(p[u] * q[v]), minus = static_cast<T>(p[v] * q[u]);
          z[at + k * step] = static_cast<T>(static_cast<C>(plus) - static_cast<C>(minus));
        }
      }
    });
  });
  if (!to.is_same(out)) copy_elements(out, to);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::gemm, ops::addbmm_base>();
  install_kernels_for<&KernelTables::copy, ops::addbmm_base, ops::addr_base, ops::linalg_cross_base>();
  m.def<ops::addbmm_base_>();
  m.impl<ops::addbmm_base_, &detail::addbmm_inplace>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(addbmm_base, CPU, cpu::detail::addbmm_cpu);
TENON_STRUCTURED_KERNEL(addr_base, CPU, cpu::detail::addr_cpu);
TENON_STRUCTURED_KERNEL(linalg_cross_base, CPU, cpu::detail::cross_cpu);

}  // namespace tenon::ops
