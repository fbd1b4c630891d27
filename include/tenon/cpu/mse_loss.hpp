// The mean squared error on the CPU.
#pragma once
#include <tenon/composite/mse_loss.hpp>
#include <tenon/cpu/reduction.hpp>

namespace tenon::cpu::detail {

/// The operand in row-major order of a shape that it broadcasts to.
inline Tensor spread(const Tensor& t, IntArrayRef sizes, ScalarType dtype) {
  if (t.sizes() == sizes) return row_major(t, dtype);
  Tensor fresh = make_tensor(sizes, {}, dtype);
  copy_elements(fresh, t);
  return fresh;
}
inline void mse_loss_cpu(const Tensor& self, const Tensor& target, std::int64_t reduction, const Tensor& out) {
  ScalarType dtype = result_type(self, target);
  DimVector sizes = broadcast_shapes(self.sizes(), target.sizes());
  Tensor a = spread(self, sizes, dtype), b = spread(target, sizes, dtype);
  bool direct = reduction == composite::kNoReduction && out.is_contiguous() && out.dtype() == dtype;
  Tensor losses = direct ? out : make_tensor(sizes, {}, dtype);
  std::int64_t n = losses.numel();
  visit_floating(dtype, "mse_cpu", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto x = static_cast<const T*>(a.data_ptr()), y = static_cast<const T*>(b.data_ptr());
    auto z = static_cast<T*>(losses.data_ptr());
    parallel_for(0, n, 1 << 15, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        // The difference is an element, rounded as such: so do PyTorch's 16-bit floats.
        C d = static_cast<C>(static_cast<T>(static_cast<C>(x[i]) - static_cast<C>(y[i])));
        z[i] = static_cast<T>(d * d);
      }
    });
  });
  if (reduction == composite::kNoReduction) return direct ? void() : copy_elements(out, losses);
  ScalarType wide = dtype == kDouble ? kDouble : kFloat;
  std::uint64_t all = tenon::reduction::dim_mask(std::nullopt, losses.dim());
  reduction == composite::kMeanReduction ? reduce_by<tenon::reduction::mean>(wide, losses, all, false, out)
                                         : reduce_by<tenon::reduction::sum>(wide, losses, all, false, out);
}
inline void mse_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                                  const Tensor& out) {
  ScalarType dtype = result_type(self, target);
  Tensor a = spread(self, out.sizes(), dtype), b = spread(target, out.sizes(), dtype);
  bool one = grad.numel() == 1, direct = out.is_contiguous() && out.dtype() == dtype;
  Tensor g = one ? row_major(grad, dtype) : spread(grad, out.sizes(), dtype),
         to = direct ? out : make_tensor(out.sizes(), {}, dtype);
  visit_floating(dtype, "mse_backward_cpu_out", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto rounded = [](C v) { return static_cast<C>(static_cast<T>(v)); };
    C factor =
        rounded(static_cast<C>(reduction == composite::kMeanReduction ? 2.0 / static_cast<double>(self.numel()) : 2.0));
    auto x = static_cast<const T*>(a.data_ptr()), y = static_cast<const T*>(b.data_ptr()),
         d = static_cast<const T*>(g.data_ptr());
    auto z = static_cast<T*>(to.data_ptr());
    parallel_for(0, to.numel(), 1 << 15, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i)
        z[i] = static_cast<T>(rounded(factor * rounded(static_cast<C>(x[i]) - static_cast<C>(y[i]))) *
                              static_cast<C>(d[one ? 0 : i]));
    });
  });
  if (!direct) copy_elements(out, to);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_reduce_kernels(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(mse_loss_base, CPU, cpu::detail::mse_loss_cpu);
TENON_STRUCTURED_KERNEL(mse_loss_backward_base, CPU, cpu::detail::mse_loss_backward_cpu);

}  // namespace tenon::ops
