// Elements as a quantised dtype would hold them, for every back end: steps of `scale` from `zero_point`, within bounds.
#pragma once
#include <cmath>
#include <tuple>
#include <vector>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/fake_quantize.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/types.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

/// One scale and zero point, or one for each channel, shaped so that they broadcast; scales are float.
struct QuantSteps {
  Tensor scale, zero_point;
  std::int64_t min, max;
};
/// The numbers of steps without bounds. 16-bit elements are counted in float; zero points that are no integers are
/// added before rounding.
inline Tensor count_steps(const Tensor& self, const QuantSteps& by) {
  Tensor steps =
      ops::mul(is_reduced_floating_type(self.dtype()) ? ops::to(self, kFloat) : self, ops::reciprocal(by.scale));
  if (is_integral_type(by.zero_point.dtype(), false))
    ops::add_(ops::round_(steps), by.zero_point);
  else
    ops::round_(ops::add_(steps, by.zero_point));
  return steps;
}
inline std::tuple<Tensor, Tensor> fake_quantize(const Tensor& self, const QuantSteps& by, const char* name) {
  if (!is_floating_type(self.dtype()) || !has_arithmetic(self.dtype())) not_implemented_for(name, self.dtype());
  Tensor steps = count_steps(self, by);
  Tensor mask = ops::logical_and(ops::ge(steps, Scalar(by.min)), ops::le(steps, Scalar(by.max)));
  Tensor held = ops::mul(ops::sub_(ops::clamp_(steps, Scalar(by.min), Scalar(by.max)), by.zero_point), by.scale);
  return {ops::to(held, self.dtype()), mask};
}
inline void check_bounds(std::int64_t min, std::int64_t max) {
  TENON_CHECK(min <= max, ValueError, "`quant_min` should be less than or equal to `quant_max`.");
}
inline QuantSteps steps_of_number(const Tensor& self, double scale, std::int64_t zero_point, std::int64_t min,
                                  std::int64_t max) {
  check_bounds(min, max);
  TENON_CHECK(zero_point >= min && zero_point <= max, ValueError,
              "`zero_point` must be between `quant_min` and `quant_max`.");
  return {ops::full({}, scale, "dtype"_a = kFloat, "device"_a = self.device()),
          ops::full({}, zero_point, "dtype"_a = kLong, "device"_a = self.device()), min, max};
}
inline Tensor along(const Tensor& self, const Tensor& channels, std::int64_t axis) {
  SymDimVector sizes(static_cast<std::size_t>(self.dim()), SymInt(1));
  sizes[static_cast<std::size_t>(axis)] = channels.sym_numel();
  return ops::view(channels, SymIntArrayRef(sizes));
}
/// Checks what is the same for all kinds of zero points; returns the axis counted from the first one.
inline std::int64_t check_channels(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t axis,
                                   std::int64_t min, std::int64_t max) {
  TENON_CHECK(scale.dim() == 1, ValueError, "scale should be a 1-D tensor");
  TENON_CHECK(zero_point.dim() == 1, ValueError, "zero point should be a 1-D tensor");
  TENON_CHECK(scale.sym_numel() == zero_point.sym_numel(), ValueError,
              "scale and zero-point need to have the same dimensions");
  std::int64_t at = wrap_dim(axis, self.dim());
  TENON_CHECK(scale.sym_numel() == self.sym_size(at), ValueError,
              "dimensions of scale and zero-point are not consistent with input tensor");
  check_bounds(min, max);
  TENON_CHECK(axis >= 0, ValueError, "`axis` must be between 0 and number of dimensions of input");
  return at;
}
inline QuantSteps steps_of_channels(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                    std::int64_t axis, std::int64_t min, std::int64_t max) {
  TENON_CHECK(scale.dtype() == kFloat || scale.dtype() == kBFloat16, TypeError,
              "Scale must be Float or BFloat16, found ", enumerator_name(scale.dtype()));
  TENON_CHECK(zero_point.dtype() == kInt || zero_point.dtype() == kFloat || zero_point.dtype() == kHalf, TypeError,
              "Zero-point must be Int32, Float or Half, found ", enumerator_name(zero_point.dtype()));
  axis = check_channels(self, scale, zero_point, axis, min, max);
  if (zero_point.dtype() == kInt && !zero_point.is_meta() && zero_point.numel() > 0)
    TENON_CHECK(ops::amin(zero_point).item<std::int64_t>() >= min && ops::amax(zero_point).item<std::int64_t>() <= max,
                ValueError, "`zero_point` must be between `quant_min` and `quant_max`.");
  return {along(self, ops::to(scale, kFloat), axis), along(self, zero_point, axis), min, max};
}

inline std::tuple<Tensor, Tensor> fake_quantize_by_number(const Tensor& self, double scale, std::int64_t zero_point,
                                                          std::int64_t min, std::int64_t max) {
  return fake_quantize(self, steps_of_number(self, scale, zero_point, min, max),
                       "fake_quantize_tensor_cachemask_kernel_type_handling");
}
inline std::tuple<Tensor, Tensor> fake_quantize_if_enabled(const Tensor& self, const Tensor& scale,
                                                           const Tensor& zero_point, const Tensor& enabled,
                                                           std::int64_t min, std::int64_t max) {
  check_bounds(min, max);
  if (enabled.item<std::int64_t>() == 0) return {ops::clone(self), ops::ones_like(self, kBool)};
  return fake_quantize(
      self,
      {ops::full({}, scale.item<double>(), "dtype"_a = kFloat, "device"_a = self.device()),
       ops::full({}, zero_point.item<std::int64_t>(), "dtype"_a = kLong, "device"_a = self.device()), min, max},
      "fake_quantize_tensor_cachemask_kernel_type_handling");
}
inline std::tuple<Tensor, Tensor> fake_quantize_by_channel(const Tensor& self, const Tensor& scale,
                                                           const Tensor& zero_point, std::int64_t axis,
                                                           std::int64_t min, std::int64_t max) {
  return fake_quantize(self, steps_of_channels(self, scale, zero_point, axis, min, max),
                       "fake_quantize_channel_cachemask_cpu_type_handling");
}
inline Tensor fake_quantize_per_tensor(const Tensor& self, double scale, std::int64_t zero_point, std::int64_t min,
                                       std::int64_t max) {
  return std::get<0>(ops::fake_quantize_per_tensor_affine_cachemask(self, scale, zero_point, min, max));
}
inline Tensor fake_quantize_per_tensor_by(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                          std::int64_t min, std::int64_t max) {
  // Read where there is something to read.
  Tensor enabled = ops::ones({1}, "dtype"_a = kLong, "device"_a = self.is_meta() ? Device(kCPU) : self.device());
  return std::get<0>(
      ops::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(self, scale, zero_point, enabled, min, max));
}
inline Tensor fake_quantize_per_channel(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                        std::int64_t axis, std::int64_t min, std::int64_t max) {
  return std::get<0>(ops::fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, axis, min, max));
}
inline Tensor gradient_within(const Tensor& grad, const Tensor& mask) {
  TENON_CHECK(mask.dtype() == kBool, TypeError, "fake_quantize: expected a mask of dtype Bool, got ",
              enumerator_name(mask.dtype()));
  TENON_CHECK(mask.sym_numel() == grad.sym_numel(), ValueError,
              "`mask` and `dY` are not the same size: `mask` is size ", mask.sym_numel(), " and `dY` is size ",
              grad.sym_numel());
  if (grad.sym_numel() == 0) return grad;
  return ops::mul(grad, mask);
}

// --- Scales and zero points with gradients (Jain et al., Trained Quantization Thresholds; Bhalgat et al., LSQ+) ---

/// Zero points are rounded and held within the bounds.
inline QuantSteps steps_learned(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t min,
                                std::int64_t max) {
  check_bounds(min, max);
  Tensor first = ops::select(zero_point, 0, 0);
  if (is_floating_type(first.dtype())) first = ops::floor(ops::add(first, 0.5));
  (void)self;
  return {ops::to(ops::select(scale, 0, 0), kFloat), ops::clamp(ops::to(first, kLong), Scalar(min), Scalar(max)), min,
          max};
}
inline QuantSteps steps_learned_by_channel(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                           std::int64_t axis, std::int64_t min, std::int64_t max) {
  axis = check_channels(self, scale, zero_point, axis, min, max);
  Tensor rounded =
      ops::to(ops::clamp(ops::to(ops::round(ops::to(zero_point, kFloat)), kLong), Scalar(min), Scalar(max)), kInt);
  return {along(self, scale, axis), along(self, rounded, axis), min, max};
}
inline Tensor learnable_per_tensor(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t min,
                                   std::int64_t max, double) {
  return std::get<0>(fake_quantize(self, steps_learned(self, scale, zero_point, min, max),
                                   "fake_quantize_tensor_cachemask_kernel_type_handling"));
}
inline Tensor learnable_per_channel(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                    std::int64_t axis, std::int64_t min, std::int64_t max, double) {
  return std::get<0>(fake_quantize(self, steps_learned_by_channel(self, scale, zero_point, axis, min, max),
                                   "fake_quantize_channel_cachemask_cpu_type_handling"));
}
/// Gradients of elements, scale and zero point; the last two for each element.
inline std::array<Tensor, 3> learned_gradients(const Tensor& grad, const Tensor& self, const QuantSteps& by,
                                               double factor) {
  TENON_CHECK(grad.dtype() == kFloat && self.dtype() == kFloat, TypeError,
              "fake_quantize: expected gradient and elements of dtype Float, got ", enumerator_name(grad.dtype()),
              " and ", enumerator_name(self.dtype()));
  TENON_CHECK(grad.sym_numel() == self.sym_numel(), ValueError, "`X` and `dY` are not the same size");
  Tensor steps = count_steps(self, by), low = ops::lt(steps, Scalar(by.min)), high = ops::gt(steps, Scalar(by.max));
  Tensor out = ops::logical_or(low, high);
  Tensor zero_point = ops::to(by.zero_point, kFloat);
  Tensor held = ops::sub(ops::clamp(steps, Scalar(by.min), Scalar(by.max)), zero_point);
  Tensor inside = ops::mul(ops::sub(ops::mul(held, by.scale), self), ops::reciprocal(by.scale));
  Tensor scaled = ops::mul(grad, Scalar(factor));
  return {ops::masked_fill(grad, out, 0), ops::mul(scaled, ops::where(out, held, inside)),
          ops::masked_fill(ops::neg(ops::mul(scaled, by.scale)), ops::logical_not(out), 0)};
}
inline std::tuple<Tensor, Tensor, Tensor> learnable_per_tensor_backward(const Tensor& grad, const Tensor& self,
                                                                        const Tensor& scale, const Tensor& zero_point,
                                                                        std::int64_t min, std::int64_t max,
                                                                        double factor) {
  if (self.sym_numel() == 0) return {self, scale, zero_point};
  auto [x, s, z] = learned_gradients(grad, self, steps_learned(self, scale, zero_point, min, max), factor);
  return {x, ops::unsqueeze(ops::sum(s), 0), ops::unsqueeze(ops::sum(z), 0)};
}
inline std::tuple<Tensor, Tensor, Tensor> learnable_per_channel_backward(const Tensor& grad, const Tensor& self,
                                                                         const Tensor& scale, const Tensor& zero_point,
                                                                         std::int64_t axis, std::int64_t min,
                                                                         std::int64_t max, double factor) {
  QuantSteps by = steps_learned_by_channel(self, scale, zero_point, axis, min, max);
  if (self.sym_numel() == 0) return {self, scale, zero_point};
  auto [x, s, z] = learned_gradients(grad, self, by, factor);
  DimVector others;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (d != axis) others.push_back(d);
  auto each = [&](const Tensor& t) { return others.empty() ? t : Tensor(ops::sum(t, IntArrayRef(others))); };
  return {x, each(s), each(z)};
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr auto all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::fake_quantize_per_tensor_affine_base>().def<ops::fake_quantize_per_tensor_affine_tensor_qparams>();
  m.def<ops::fake_quantize_per_channel_affine_base>();
  m.def<ops::fake_quantize_per_tensor_affine_cachemask_backward_base>();
  m.def<ops::fake_quantize_per_channel_affine_cachemask_backward_base>();
  m.def<ops::_fake_quantize_learnable_per_tensor_affine_backward_base>();
  m.def<ops::_fake_quantize_learnable_per_channel_affine_backward_base>();
  define_with_copied_out(m, ops::fake_quantize_per_tensor_affine_cachemask_base);
  define_with_copied_out(m, ops::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams_base);
  define_with_copied_out(m, ops::fake_quantize_per_channel_affine_cachemask_base);
  define_with_copied_out(m, ops::_fake_quantize_learnable_per_tensor_affine_base);
  define_with_copied_out(m, ops::_fake_quantize_learnable_per_channel_affine_base);
  m.impl<ops::fake_quantize_per_tensor_affine_cachemask_base, &fake_quantize_by_number>(all);
  m.impl<ops::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams_base, &fake_quantize_if_enabled>(all);
  m.impl<ops::fake_quantize_per_channel_affine_cachemask_base, &fake_quantize_by_channel>(all);
  m.impl<ops::_fake_quantize_learnable_per_tensor_affine_base, &learnable_per_tensor>(all);
  m.impl<ops::_fake_quantize_learnable_per_channel_affine_base, &learnable_per_channel>(all);
  m.impl<ops::fake_quantize_per_tensor_affine_base, &fake_quantize_per_tensor>();
  m.impl<ops::fake_quantize_per_tensor_affine_tensor_qparams, &fake_quantize_per_tensor_by>();
  m.impl<ops::fake_quantize_per_channel_affine_base, &fake_quantize_per_channel>();
  m.impl<ops::fake_quantize_per_tensor_affine_cachemask_backward_base, &gradient_within>();
  m.impl<ops::fake_quantize_per_channel_affine_cachemask_backward_base, &gradient_within>();
  m.impl<ops::_fake_quantize_learnable_per_tensor_affine_backward_base, &learnable_per_tensor_backward>(all);
  m.impl<ops::_fake_quantize_learnable_per_channel_affine_backward_base, &learnable_per_channel_backward>(all);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(fake_quantize_per_tensor_affine_cachemask_base,
                 TENON_WRT((self), (grad, mask), fake_quantize_per_tensor_affine_cachemask_backward(grad, mask)));
TENON_DERIVATIVE(_fake_quantize_per_tensor_affine_cachemask_tensor_qparams_base,
                 TENON_WRT((self), (grad, mask), fake_quantize_per_tensor_affine_cachemask_backward(grad, mask)));
TENON_DERIVATIVE(fake_quantize_per_channel_affine_cachemask_base,
                 TENON_WRT((self), (grad, mask), fake_quantize_per_channel_affine_cachemask_backward(grad, mask)));
TENON_DERIVATIVE(_fake_quantize_learnable_per_tensor_affine_base,
                 TENON_WRT((self, scale, zero_point),
                           (grad, self, scale, zero_point, quant_min, quant_max, grad_factor),
                           _fake_quantize_learnable_per_tensor_affine_backward(grad, self, scale, zero_point, quant_min,
                                                                               quant_max, grad_factor)));
TENON_DERIVATIVE(_fake_quantize_learnable_per_channel_affine_base,
                 TENON_WRT((self, scale, zero_point),
                           (grad, self, scale, zero_point, axis, quant_min, quant_max, grad_factor),
                           _fake_quantize_learnable_per_channel_affine_backward(grad, self, scale, zero_point, axis,
                                                                                quant_min, quant_max, grad_factor)));

}  // namespace tenon::ops
