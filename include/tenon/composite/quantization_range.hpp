// Scales and zero points of quantisation, chosen from the range of the elements.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/fake_quantize.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/quantization_range.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

struct QuantParameters {
  double scale;
  std::int64_t zero_point;
};
/// Steps that reach from `least` to `greatest`, whose range is widened to hold 0, in [min, max]. A symmetric range has
/// 0 in the middle of its steps. An observer's step is rounded before the zero point is taken from it, as in PyTorch.
inline QuantParameters steps_for_range(float least, float greatest, std::int64_t min, std::int64_t max, bool symmetric,
                                       bool rounded) {
  const auto width = static_cast<double>(max - min);
  if (symmetric && least < 0 && greatest > 0) {
    const std::int64_t half = (max - min) / 2;
    const auto low = static_cast<double>(-half - 1), high = static_cast<double>(half);
    const double scale = std::max(std::fabs(least / low), std::fabs(greatest / high));
    least = static_cast<float>(scale * low);
    greatest = static_cast<float>(scale * high);
  }
  least = std::min(least, 0.0F);
  greatest = std::max(greatest, 0.0F);
  TENON_CHECK(min < max, ValueError, "In ChooseQuantizationParams, qmin should be less than qmax");
  double scale = (static_cast<double>(greatest) - least) / width;
  if (rounded) scale = static_cast<float>(scale);
  // Steps whose reciprocal is infinite are no steps: PyTorch takes 0.1.
  if (static_cast<float>(scale) == 0 || std::isinf(1 / static_cast<float>(scale))) scale = rounded ? 0.1F : 0.1;
  // PyTorch's smallest scale: 2 to the power of -14, the smallest normal number of half precision, as it writes it.
  constexpr float smallest = 6.1e-5F;
  if (scale < smallest) {
    const auto before = static_cast<float>(scale);
    scale = smallest;
    if (least == 0) {
      greatest = static_cast<float>(smallest * width);
    } else if (greatest == 0) {
      least = static_cast<float>(-smallest * width);
    } else {
      least *= smallest / before;
      greatest *= smallest / before;
    }
  }
  const auto low = static_cast<double>(min), high = static_cast<double>(max);
  // From the end at which less is lost by rounding.
  const bool from_least = std::fabs(low) - std::fabs(least / scale) < std::fabs(high) - std::fabs(greatest / scale);
  double zero_point = from_least ? low - least / scale : high - greatest / scale;
  if (symmetric && least < 0 && greatest > 0) zero_point = (low + high) / 2;
  return {scale, static_cast<std::int64_t>(std::nearbyint(std::clamp(zero_point, low, high)))};
}
inline std::tuple<double, std::int64_t> choose_qparams_per_tensor(const Tensor& self, bool reduce_range) {
  auto [scale, zero_point] = steps_for_range(ops::min(self).item<float>(), ops::max(self).item<float>(), 0,
                                             reduce_range ? 127 : 255, false, false);
  return {scale, zero_point};
}

/// The elements of a float tensor in row-major order.
inline std::vector<float> read_floats(const Tensor& self) {
  TENON_CHECK(self.dtype() == kFloat, TypeError, "expected scalar type Float but found ",
              enumerator_name(self.dtype()));
  Tensor plain = ops::contiguous(ops::to(tenon::detail::in_memory(self), kCPU));
  const auto* data = static_cast<const float*>(plain.data_ptr());
  return {data, data + plain.numel()};
}
/// Writes numbers over what a vector of statistics holds.
template <class T>
void write_numbers(Tensor& to, const std::vector<T>& numbers, ScalarType dtype) {
  Tensor held = ops::empty({static_cast<std::int64_t>(numbers.size())}, "dtype"_a = dtype);
  std::copy(numbers.begin(), numbers.end(), static_cast<T*>(held.data_ptr()));
  ops::copy_(to, ops::view(held, to.sizes()));
}
inline float rounded_to_half(float x) { return static_cast<float>(Half(x)); }
/// The distance between elements and what `bits` bits hold of them, with range and scale in half precision.
inline float quantization_loss(const std::vector<float>& elements, float least, float greatest, std::int64_t bits) {
  least = rounded_to_half(least);
  const float range = greatest - least, most = static_cast<float>((std::int64_t{1} << bits) - 1);
  const float scale = range == 0 ? 1.0F : rounded_to_half(range / most), inverse = scale == 0 ? 1.0F : 1.0F / scale;
  float sum = 0;
  for (float x : elements) {
    const float off = x - (std::clamp(std::nearbyint((x - least) * inverse), 0.0F, most) * scale + least);
    sum += off * off;
  }
  return std::sqrt(sum);
}
/// Greatest and least element of the range that loses least, found by moving its ends inwards, the better one first.
inline std::tuple<Tensor, Tensor> choose_qparams_optimized(const Tensor& input, std::int64_t numel, std::int64_t bins,
                                                           double ratio, std::int64_t bits) {
  TENON_CHECK(numel >= 0 && numel <= input.numel() && input.numel() > 0, ValueError,
              "numel is out of the bound of input tensor");
  TENON_CHECK(bits > 0 && bits < 32, ValueError, "choose_qparams_optimized(): expected 1 to 31 bits, got ", bits);
  TENON_CHECK(bins > 0, ValueError, "choose_qparams_optimized(): expected a positive number of bins, got ", bins);
  std::vector<float> elements = read_floats(input);
  // None of them is one, as in PyTorch: the range starts at the first.
  const auto last = elements.begin() + std::max<std::int64_t>(numel, 1);
  float least = *std::min_element(elements.begin(), last), greatest = *std::max_element(elements.begin(), last);
  elements.resize(static_cast<std::size_t>(numel));
  const float step = (greatest - least) / static_cast<float>(bins);
  const auto kept = static_cast<int>(static_cast<double>(bins) * (1.0 - static_cast<float>(ratio)));
  const float narrowest = static_cast<float>(kept) * step;
  auto loss_of = [&](float low, float high) { return quantization_loss(elements, low, high, bits); };
  float low = least, high = greatest, loss = loss_of(low, high), best = loss;
  while (low + narrowest < high) {
    const float left = loss_of(low + step, high), right = loss_of(low, high - step);
    if (loss < left && loss < right && loss < best) {
      best = loss;
      least = low;
      greatest = high;
    }
    // A step that rounding swallows would never end.
    if (low + step == low || high - step == high) break;
    if (left < right) {
      low += step;
      loss = left;
    } else {
      high -= step;
      loss = right;
    }
  }
  return {ops::full({1}, greatest, "dtype"_a = kFloat), ops::full({1}, least, "dtype"_a = kFloat)};
}

/// Moves a statistic towards what these elements show; one that is infinite has seen nothing yet.
inline void move_average(Tensor& running, const Tensor& seen, double constant) {
  std::vector<float> now = read_floats(seen), moved = read_floats(running);
  TENON_CHECK(moved.size() == now.size(), ValueError,
              "dimensions of scale and zero-point are not consistent with input tensor");
  const auto by = static_cast<float>(constant);
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] = std::isinf(moved[i]) ? now[i] : moved[i] + by * (now[i] - moved[i]);
  write_numbers(running, moved, kFloat);
}
inline void observe(const Tensor& self, Tensor& running_min, Tensor& running_max, double constant, std::int64_t axis,
                    bool by_row) {
  TENON_CHECK(self.dtype() == kFloat, TypeError, "expected scalar type Float but found ",
              enumerator_name(self.dtype()));
  TENON_CHECK(!by_row || axis == 0, ValueError,
              "Per-channel FakeQuant in fused_moving_avg_obs_fake_quant is only supported on axis == 0");
  auto [least, greatest] = by_row ? ops::aminmax(ops::flatten(self, 1), 1) : ops::aminmax(self);
  move_average(running_min, least, constant);
  move_average(running_max, greatest, constant);
}
inline void check_observed_axis(const Tensor& self, std::int64_t axis) {
  TENON_CHECK(axis < self.dim(), ValueError,
              "Error in fused_moving_avg_obs_fake_quant_cpu: ch_axis must be < self.dim()");
}
/// What is observed has no elements on Meta, and the ranges keep theirs.
inline std::tuple<Tensor, Tensor> observe_meta(const Tensor& self, const Tensor&, const Tensor&, Tensor&, Tensor&,
                                               Tensor&, Tensor&, double, std::int64_t, std::int64_t, std::int64_t axis,
                                               bool, bool) {
  check_observed_axis(self, axis);
  return {make_tensor_symbolic(self.sym_sizes(), {}, self.dtype(), self.device()),
          make_tensor_symbolic(self.sym_sizes(), {}, kBool, self.device())};
}
inline std::tuple<Tensor, Tensor> observe_and_fake_quantize(const Tensor& self, const Tensor& observer_on,
                                                            const Tensor& fake_quant_on, Tensor& running_min,
                                                            Tensor& running_max, Tensor& scale, Tensor& zero_point,
                                                            double constant, std::int64_t min, std::int64_t max,
                                                            std::int64_t axis, bool by_row, bool symmetric) {
  check_observed_axis(self, axis);
  AutoDispatchBelowADInplaceOrView guard;
  if (by_row && running_min.numel() == 0) {
    const std::int64_t rows[] = {self.size(axis)};
    constexpr double none = std::numeric_limits<double>::infinity();
    ops::fill_(ops::resize_(running_min, IntArrayRef(rows)), Scalar(none));
    ops::fill_(ops::resize_(running_max, IntArrayRef(rows)), Scalar(-none));
    ops::fill_(ops::resize_(scale, IntArrayRef(rows)), Scalar(1));
    ops::fill_(ops::resize_(zero_point, IntArrayRef(rows)), Scalar(0));
  }
  if (observer_on.item<std::int64_t>() != 0) observe(self, running_min, running_max, constant, axis, by_row);
  if (fake_quant_on.item<std::int64_t>() == 0) return {ops::clone(self), ops::ones_like(self, kBool)};
  const std::vector<float> least = read_floats(running_min), greatest = read_floats(running_max);
  std::vector<float> scales;
  std::vector<std::int32_t> zero_points;
  for (std::size_t i = 0; i < least.size() && i < greatest.size(); ++i) {
    QuantParameters chosen = steps_for_range(least[i], greatest[i], min, max, symmetric, true);
    scales.push_back(static_cast<float>(chosen.scale));
    zero_points.push_back(static_cast<std::int32_t>(chosen.zero_point));
  }
  TENON_CHECK(scale.numel() == std::ssize(scales) && zero_point.numel() == std::ssize(scales), ValueError,
              "_fused_moving_avg_obs_fq_helper(): expected as many scales and zero points as running ranges, ",
              scales.size(), ", got ", scale.numel(), " and ", zero_point.numel());
  write_numbers(scale, scales, kFloat);
  write_numbers(zero_point, zero_points, kInt);
  if (by_row) return ops::fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, axis, min, max);
  return ops::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(self, scale, zero_point, fake_quant_on, min,
                                                                        max);
}
inline Tensor observed_fake_quantize(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on,
                                     Tensor& running_min, Tensor& running_max, Tensor& scale, Tensor& zero_point,
                                     double constant, std::int64_t min, std::int64_t max, std::int64_t axis,
                                     bool by_row, bool symmetric) {
  if (self.sym_numel() == 0) return ops::clone(self);
  return std::get<0>(ops::_fused_moving_avg_obs_fq_helper(self, observer_on, fake_quant_on, running_min, running_max,
                                                          scale, zero_point, constant, min, max, axis, by_row,
                                                          symmetric));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::_fused_moving_avg_obs_fq_helper_base);
  implement_out_by_copy<ops::_fused_moving_avg_obs_fq_helper_base_op>(m, CallSite::now());
  m.impl<ops::_fused_moving_avg_obs_fq_helper_base, &observe_and_fake_quantize>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::_fused_moving_avg_obs_fq_helper_base, &observe_meta>(DispatchKey::Meta);
  m.def<ops::fused_moving_avg_obs_fake_quant_base>();
  m.impl<ops::fused_moving_avg_obs_fake_quant_base, &observed_fake_quantize>();
  m.def<ops::choose_qparams_optimized_base>().def<ops::_choose_qparams_per_tensor_base>();
  m.impl<ops::choose_qparams_optimized_base, &choose_qparams_optimized>();
  m.impl<ops::_choose_qparams_per_tensor_base, &choose_qparams_per_tensor>();
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(_fused_moving_avg_obs_fq_helper_base,
                 TENON_WRT((self), (grad, mask), fake_quantize_per_tensor_affine_cachemask_backward(grad, mask)));

}  // namespace tenon::ops
