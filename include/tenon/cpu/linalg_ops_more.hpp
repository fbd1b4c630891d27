// Outer and conjugated products, triangles and traces on the CPU.
#pragma once
#include <tenon/cpu/linalg_ops_composite.hpp>
#include <tenon/ops/arithmetic.hpp>

namespace tenon::cpu::detail {

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
inline void check_outer(const Tensor& self, const Tensor& vec2) {
  TENON_CHECK(self.dim() == 1, ValueError, "outer: Expected 1-D argument self, but got ", self.dim(), "-D");
  TENON_CHECK(vec2.dim() == 1, ValueError, "outer: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
}
inline Tensor outer(const Tensor& self, const Tensor& vec2) {
  check_outer(self, vec2);
  return ops::mul(ops::reshape(self, {self.sym_size(0), 1}), vec2);
}
inline Tensor& outer_out(const Tensor& self, const Tensor& vec2, Tensor& out) {
  check_outer(self, vec2);
  return ops::mul(ops::reshape(self, {self.sym_size(0), 1}), vec2, "out"_a = out);
}

struct triangle_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const SymInt&) const {
    TENON_CHECK(self.dim() >= 2, ValueError, "triu/tril: input tensor must have at least 2 dimensions");
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};
template <bool Upper>
void triangle_cpu(const Tensor& self, std::int64_t diagonal, const Tensor& out) {
  if (out.numel() == 0) return;
  std::int64_t last_dim = self.dim() - 1, rows = self.sizes()[last_dim - 1], n = self.sizes().back(),
               a = self.strides().back(), b = out.strides().back();
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, line_count(self.sizes(), last_dim), (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(self.sizes(), last_dim, {self.strides(), out.strides()}, first, last,
                [&](const std::int64_t* at, std::int64_t line) {
                  // Columns below `edge` belong to the lower triangle.
                  std::int64_t edge = line % rows + diagonal + (Upper ? 0 : 1);
                  for (std::int64_t k = 0; k < n; ++k) y[at[1] + k * b] = (k < edge) != Upper ? x[at[0] + k * a] : T{};
                });
    });
  });
}

inline void trace_meta(Outputs& out, const Tensor& self) {
  TENON_CHECK(self.dim() == 2, ValueError, "trace: expected a matrix, but got tensor with dim ", self.dim());
  out.set_output_raw_strided(0, {}, {}, is_integral_type(self.dtype(), true) ? kLong : self.dtype(), self.device());
}
inline void trace_cpu(const Tensor& self, const Tensor& out) {
  std::int64_t n = self.sizes()[0] < self.sizes()[1] ? self.sizes()[0] : self.sizes()[1],
               step = self.strides()[0] + self.strides()[1];
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    using A = std::conditional_t<is_integral_type(scalar_type_v<T>, true), std::int64_t, compute_t<T>>;
    auto x = static_cast<const T*>(self.data_ptr());
    A sum{};
    for (std::int64_t i = 0; i < n; ++i) sum = sum + static_cast<A>(x[i * step]);
    if constexpr (std::is_same_v<A, std::int64_t>)
      *static_cast<A*>(out.data_ptr()) = sum;
    else
      *static_cast<T*>(out.data_ptr()) = static_cast<T>(sum);
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels_for<&KernelTables::gemm, ops::vdot_base>();
  m.def<ops::outer_base>().def<ops::outer_base_out>();
  m.impl<ops::outer_base, &detail::outer>().impl<ops::outer_base_out, &detail::outer_out>(
      DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(vdot_base, cpu::detail::dot_meta);
TENON_STRUCTURED_KERNEL(vdot_base, CPU, cpu::detail::vdot_cpu);
TENON_STRUCTURED_OF(tril_base, cpu::detail::triangle_meta);
TENON_STRUCTURED_KERNEL(tril_base, CPU, cpu::detail::triangle_cpu<false>);
TENON_STRUCTURED_OF(triu_base, cpu::detail::triangle_meta);
TENON_STRUCTURED_KERNEL(triu_base, CPU, cpu::detail::triangle_cpu<true>);
TENON_STRUCTURED_OF(trace_base, cpu::detail::trace_meta);
TENON_STRUCTURED_KERNEL(trace_base, CPU, cpu::detail::trace_cpu);

}  // namespace tenon::ops
