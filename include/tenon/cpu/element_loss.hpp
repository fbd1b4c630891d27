// Losses that are a function of an input element and its target's, on the CPU: the loops over them.
#pragma once
#include <tenon/composite/element_loss.hpp>
#include <tenon/cpu/reduction.hpp>

namespace tenon::cpu::detail {

/// The operand in row-major order of a shape that it broadcasts to.
inline Tensor spread(const Tensor& t, IntArrayRef sizes, ScalarType dtype) {
  if (t.sizes() == sizes) return row_major(t, dtype);
  Tensor fresh = make_tensor(sizes, {}, dtype);
  copy_elements(fresh, t);
  return fresh;
}
/// Stores f(i) at z[i] for first <= i < last. Blocks of a length that the compiler knows pass through an array that no
/// operand overlaps: of such loops it makes vectors.
template <class T, class F>
void store_each(T* z, std::int64_t first, std::int64_t last, const F& f) {
  constexpr std::int64_t kLength = 64;
  std::int64_t i = first;
  for (; i + kLength <= last; i += kLength) {
    T block[kLength];
    for (std::int64_t k = 0; k < kLength; ++k) block[k] = static_cast<T>(f(i + k));
    for (std::int64_t k = 0; k < kLength; ++k) z[i + k] = block[k];
  }
  for (; i < last; ++i) z[i] = static_cast<T>(f(i));
}
/// `rule.value<T>(x, y)`, times a weight unless that is undefined, for each element; then the mean, the sum or neither.
template <class Rule>
void element_loss(const char* name, const Rule& rule, const Tensor& self, const Tensor& target, const Tensor& weight,
                  std::int64_t reduction, const Tensor& out) {
  ScalarType dtype = result_type(self, target);
  DimVector sizes = broadcast_shapes(self.sizes(), target.sizes());
  Tensor a = spread(self, sizes, dtype), b = spread(target, sizes, dtype),
         c = weight.defined() ? spread(weight, sizes, dtype) : Tensor();
  bool direct = reduction == composite::kNoReduction && out.is_contiguous() && out.dtype() == dtype;
  Tensor losses = direct ? out : make_tensor(sizes, {}, dtype);
  visit_floating(dtype, name, [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto x = static_cast<const T*>(a.data_ptr()), y = static_cast<const T*>(b.data_ptr());
    auto w = c.defined() ? static_cast<const T*>(c.data_ptr()) : nullptr;
    auto z = static_cast<T*>(losses.data_ptr());
    parallel_for(0, losses.numel(), 1 << 15, [&](std::int64_t first, std::int64_t last) {
      store_each(z, first, last,
                 [=](std::int64_t i) { return rule.template value<T>(static_cast<C>(x[i]), static_cast<C>(y[i])); });
      if (w) store_each(z, first, last, [=](std::int64_t i) { return static_cast<C>(z[i]) * static_cast<C>(w[i]); });
    });
  });
  if (reduction == composite::kNoReduction) return direct ? void() : copy_elements(out, losses);
  ScalarType wide = dtype == kDouble ? kDouble : kFloat;
  std::uint64_t all = tenon::reduction::dim_mask(std::nullopt, losses.dim());
  reduction == composite::kMeanReduction ? reduce_by<tenon::reduction::mean>(wide, losses, all, false, out)
                                         : reduce_by<tenon::reduction::sum>(wide, losses, all, false, out);
}
/// `rule.slope<T>(x, y, norm)`, the derivative by x times `norm`, times the gradient and the weight.
template <class Rule>
void element_loss_backward(const char* name, const Rule& rule, const Tensor& grad, const Tensor& self,
                           const Tensor& target, const Tensor& weight, std::int64_t reduction, const Tensor& out) {
  ScalarType dtype = result_type(self, target);
  Tensor a = spread(self, out.sizes(), dtype), b = spread(target, out.sizes(), dtype),
         c = weight.defined() ? spread(weight, out.sizes(), dtype) : Tensor();
  bool one = grad.numel() == 1, direct = out.is_contiguous() && out.dtype() == dtype;
  Tensor g = one ? row_major(grad, dtype) : spread(grad, out.sizes(), dtype),
         to = direct ? out : make_tensor(out.sizes(), {}, dtype);
  double norm = reduction == composite::kMeanReduction ? 1.0 / static_cast<double>(self.numel()) : 1.0;
  visit_floating(dtype, name, [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    C factor = static_cast<C>(static_cast<T>(static_cast<C>(norm)));
    auto x = static_cast<const T*>(a.data_ptr()), y = static_cast<const T*>(b.data_ptr()),
         d = static_cast<const T*>(g.data_ptr());
    auto w = c.defined() ? static_cast<const T*>(c.data_ptr()) : nullptr;
    auto z = static_cast<T*>(to.data_ptr());
    parallel_for(0, to.numel(), 1 << 15, [&](std::int64_t first, std::int64_t last) {
      auto slope = [=](std::int64_t i) {
        return rule.template slope<T>(static_cast<C>(x[i]), static_cast<C>(y[i]), factor);
      };
      if (one)
        store_each(z, first, last, [=, by = static_cast<C>(d[0])](std::int64_t i) { return slope(i) * by; });
      else
        store_each(z, first, last, [=](std::int64_t i) { return slope(i) * static_cast<C>(d[i]); });
      if (w) store_each(z, first, last, [=](std::int64_t i) { return static_cast<C>(z[i]) * static_cast<C>(w[i]); });
    });
  });
  if (!direct) copy_elements(out, to);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_reduce_kernels(); }

}  // namespace tenon::cpu
