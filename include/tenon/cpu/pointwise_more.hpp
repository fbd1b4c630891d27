// The further pointwise operators for CPU and Meta tensors.
#pragma once
#include <cmath>

#include <tenon/cpu/pointwise_run.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/special.hpp>

#include <tenon/cpu/detail/pointwise_rules_more.hpp>

// Declared name, loops, numbers that are operands, promotion, check.
// clang-format off
#define TENON_CPU_POINTWISE_FURTHER(X)                                         \
  X(acosh_base, acosh, 0, IntToFloat, nullptr)                                 \
  X(asinh_base, asinh, 0, IntToFloat, nullptr)                                 \
  X(atanh_base, atanh, 0, IntToFloat, nullptr)                                 \
  X(deg2rad_base, deg2rad, 0, IntToFloat, nullptr)                             \
  X(rad2deg_base, rad2deg, 0, IntToFloat, nullptr)                             \
  X(frac_base, frac, 0, Same, check_no_complex)                                \
  X(lgamma_base, lgamma, 0, IntToFloat, nullptr)                               \
  X(digamma_base, digamma, 0, IntToFloat, nullptr)                             \
  X(sgn_base, sgn, 0, Same, nullptr)                                           \
  X(sinc_base, sinc, 0, IntToFloat, nullptr)                                   \
  X(logical_not_base, logical_not, 0, Compare, nullptr)                        \
  X(bitwise_not_base, bitwise_not, 0, Same, check_bits)                        \
  X(isnan_base, isnan, 0, Compare, nullptr)                                    \
  X(isinf_base, isinf, 0, Compare, nullptr)                                    \
  X(isfinite_base, isfinite, 0, Compare, nullptr)                              \
  X(isposinf_base, isposinf, 0, Compare, check_no_complex)                     \
  X(isneginf_base, isneginf, 0, Compare, check_no_complex)                     \
  X(isreal_base, isreal, 0, Compare, nullptr)                                  \
  X(silu_base, silu, 0, Same, nullptr)                                         \
  X(mish_base, mish, 0, Same, nullptr)                                         \
  X(hardswish_base, hardswish, 0, Same, nullptr)                               \
  X(hardsigmoid_base, hardsigmoid, 0, Same, nullptr)                           \
  X(log_sigmoid_base, log_sigmoid, 0, Same, nullptr)                           \
  X(fmax_base, fmax, 0, Same, check_not_for_complex)                           \
  X(fmin_base, fmin, 0, Same, check_not_for_complex)                           \
  X(logaddexp_base, logaddexp, 0, Same, nullptr)                               \
  X(logaddexp2_base, logaddexp2, 0, Same, nullptr)                             \
  X(atan2_base, atan2, 0, IntToFloat, nullptr)                                 \
  X(hypot_base, hypot, 0, Same, nullptr)                                       \
  X(nextafter_base, nextafter, 0, Same, nullptr)                               \
  X(copysign_Tensor, copysign, 0, IntToFloat, nullptr)                         \
  X(copysign_Scalar, copysign, 1, IntToFloat, nullptr)                         \
  X(gcd_base, gcd, 0, Same, nullptr)                                           \
  X(lcm_base, lcm, 0, Same, nullptr)                                           \
  X(heaviside_base, heaviside, 0, Same, check_same_dtype)                      \
  X(xlogy_Tensor, xlogy, 0, IntToFloat, nullptr)                               \
  X(fmod_Tensor, fmod, 0, Same, nullptr)                                       \
  X(fmod_Scalar, fmod, 1, Same, nullptr)                                       \
  X(remainder_Tensor, remainder, 0, Same, nullptr)                             \
  X(remainder_Scalar, remainder, 1, Same, nullptr)                             \
  X(floor_divide_base, div_floor, 0, Same, nullptr)                            \
  X(logical_and_base, logical_and, 0, Compare, nullptr)                        \
  X(logical_or_base, logical_or, 0, Compare, nullptr)                          \
  X(logical_xor_base, logical_xor, 0, Compare, nullptr)                        \
  X(bitwise_and_Tensor, bitwise_and, 0, Same, check_bits)                      \
  X(bitwise_and_Scalar, bitwise_and, 1, Same, check_bits)                      \
  X(bitwise_or_Tensor, bitwise_or, 0, Same, check_bits)                        \
  X(bitwise_or_Scalar, bitwise_or, 1, Same, check_bits)                        \
  X(bitwise_xor_Tensor, bitwise_xor, 0, Same, check_bits)                      \
  X(bitwise_xor_Scalar, bitwise_xor, 1, Same, check_bits)                      \
  X(bitwise_left_shift_Tensor, bitwise_left_shift, 0, Same, check_bits)        \
  X(bitwise_left_shift_Tensor_Scalar, bitwise_left_shift, 1, Same, check_bits) \
  X(bitwise_right_shift_Tensor, bitwise_right_shift, 0, Same, check_bits)      \
  X(bitwise_right_shift_Tensor_Scalar, bitwise_right_shift, 1, Same, check_bits) \
  X(clamp_min_base, maximum, 1, Same, check_limits<0>)                         \
  X(clamp_min_Tensor, maximum, 0, Same, check_not_for_complex)                 \
  X(clamp_max_base, minimum, 1, Same, check_limits<1>)                         \
  X(clamp_max_Tensor, minimum, 0, Same, check_not_for_complex)                 \
  X(lerp_Scalar, lerp_number, 0, Same, check_same_dtype)                       \
  X(lerp_Tensor, lerp, 0, Same, check_same_dtype)                              \
  X(addcmul_base, addcmul, 0, Same, check_numbers)                             \
  X(addcdiv_base, addcdiv, 0, Same, check_addcdiv)                             \
  X(rsub_Scalar, rsub, 1, Same, check_sub)                                     \
  X(softplus_base, softplus, 0, Same, check_numbers)                           \
  X(softshrink_base, softshrink, 0, Same, check_numbers)                       \
  X(hardshrink_base, hardshrink, 0, Same, check_numbers)                       \
  X(leaky_relu_base, leaky_relu, 0, Same, check_numbers)                       \
  X(elu_base, elu, 0, Same, check_numbers)                                     \
  X(hardtanh_base, hardtanh, 0, Same, check_numbers)
// clang-format on

namespace tenon::cpu::detail {

namespace further {
#define TENON_INTERNAL_RULE(NAME, LOOPS, NUMBERS, PROMOTE, CHECK)                \
  inline constexpr PointwiseRule NAME##_rule{.name = #LOOPS,                     \
                                             .promote = Promote::PROMOTE,        \
                                             .number_operands = NUMBERS,         \
                                             .op = index_of(PointwiseOp::LOOPS), \
                                             .check = CHECK};
TENON_CPU_POINTWISE_FURTHER(TENON_INTERNAL_RULE)
#undef TENON_INTERNAL_RULE
}  // namespace further

template <class Int>
void round_decimals_meta(Outputs& out, const Tensor& self, std::int64_t) {
  if (!is_floating_type(self.dtype()) || !has_arithmetic(self.dtype())) not_implemented_for("round_cpu", self.dtype());
  const Tensor* operands[] = {&self};
  dims_t<Int> sizes(sizes_of<Int>(self)), strides;
  if (!self.is_contiguous()) strides = tenon::detail::result_strides(sizes, operands, 1);
  out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device(), OutputCast::Allowed);
}
/// 16-bit floats are rounded as float.
inline void round_decimals_cpu(const Tensor& self, std::int64_t decimals, const Tensor& out) {
  Tensor x = is_reduced_floating_type(self.dtype()) ? ops::to(self, kFloat) : self;
  double power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  Tensor rounded =
      decimals < 0 ? ops::mul(ops::round(ops::div(x, power)), power) : ops::div(ops::round(ops::mul(x, power)), power);
  copy_elements(out, ops::to(rounded, self.dtype()));
}

inline Tensor positive(const Tensor& self) {
  TENON_CHECK(self.dtype() != kBool, TypeError, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

}  // namespace tenon::cpu::detail

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace d = tenon::cpu::detail;
  using tenon::cpu::add_pointwise;
  tenon::cpu::install_kernels<&tenon::cpu::KernelTables::pointwise>();
  tenon::cpu::install_kernels<&tenon::cpu::KernelTables::copy>();
#define TENON_INTERNAL_ADD(NAME, ...) add_pointwise<ops::NAME, d::further::NAME##_rule>(m);
  TENON_CPU_POINTWISE_FURTHER(TENON_INTERNAL_ADD)
#undef TENON_INTERNAL_ADD
  add_pointwise<ops::rsub_Tensor, d::rsub_rule>(m);
  add_pointwise<ops::clamp_base, d::clamp_rule>(m);
  add_pointwise<ops::clamp_Tensor, d::clamp_tensors_rule>(m);
  add_pointwise<ops::nan_to_num_base, d::nan_to_num_rule>(m);
  add_pointwise<ops::logit_base, d::logit_rule>(m);
  add_pointwise<ops::polygamma_base, d::polygamma_rule>(m);
  add_pointwise<ops::gelu_base, d::gelu_rule>(m);
  add_pointwise<ops::signbit_base, d::signbit_rule>(m);
  tenon::define_structured<ops::round_decimals, &d::round_decimals_meta<std::int64_t>, &d::round_decimals_cpu,
                           &d::round_decimals_meta<tenon::SymInt>>(m);
  m.def<ops::positive_base>();
  m.impl<ops::positive_base, &d::positive>();
  d::add_alias<ops::special_polygamma_base, ops::polygamma_base>(m);
  d::add_alias<ops::multiply_Tensor, ops::mul_Tensor>(m);
  d::add_alias<ops::subtract_Tensor, ops::sub_Tensor>(m);
  d::add_alias<ops::divide_Tensor, ops::div_Tensor>(m);
  d::add_alias<ops::divide_Tensor_mode, ops::div_Tensor_mode>(m);
  d::add_alias<ops::true_divide_Tensor, ops::div_Tensor>(m);
}
