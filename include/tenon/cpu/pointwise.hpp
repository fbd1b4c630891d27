// The pointwise operators for CPU and Meta tensors: what each computes with, refuses and returns. The loops are in
// pointwise_loops.hpp.
#pragma once
#include <tenon/cpu/pointwise_run.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/special.hpp>

#include <tenon/cpu/detail/pointwise_rules.hpp>

// Operators whose rule says all: declared name, loops, promotion, check.
// clang-format off
#define TENON_CPU_POINTWISE_PLAIN(X)                                    \
  X(abs_base, abs, ComplexToReal, check_abs)                            \
  X(neg_base, neg, Same, check_neg)                                     \
  X(exp_base, exp, IntToFloat, nullptr)                                 \
  X(log_base, log, IntToFloat, nullptr)                                 \
  X(sqrt_base, sqrt, IntToFloat, nullptr)                               \
  X(tanh_base, tanh, IntToFloat, nullptr)                               \
  X(sigmoid_base, sigmoid, IntToFloat, nullptr)                         \
  X(relu_base, relu, Same, check_relu)                                  \
  X(reciprocal_base, reciprocal, IntToFloat, nullptr)                   \
  X(rsqrt_base, rsqrt, IntToFloat, nullptr)                             \
  X(sin_base, sin, IntToFloat, nullptr)                                 \
  X(cos_base, cos, IntToFloat, nullptr)                                 \
  X(tan_base, tan, IntToFloat, nullptr)                                 \
  X(asin_base, asin, IntToFloat, nullptr)                               \
  X(acos_base, acos, IntToFloat, nullptr)                               \
  X(atan_base, atan, IntToFloat, nullptr)                               \
  X(sinh_base, sinh, IntToFloat, nullptr)                               \
  X(cosh_base, cosh, IntToFloat, nullptr)                               \
  X(log1p_base, log1p, IntToFloat, nullptr)                             \
  X(log2_base, log2, IntToFloat, nullptr)                               \
  X(log10_base, log10, IntToFloat, nullptr)                             \
  X(expm1_base, expm1, IntToFloat, nullptr)                             \
  X(exp2_base, exp2, IntToFloat, nullptr)                               \
  X(erf_base, erf, IntToFloat, nullptr)                                 \
  X(erfc_base, erfc, IntToFloat, nullptr)                               \
  X(floor_base, floor, Same, check_no_complex)                          \
  X(ceil_base, ceil, Same, check_no_complex)                            \
  X(trunc_base, trunc, Same, check_no_complex)                          \
  X(round_base, round, Same, check_no_complex)                          \
  X(sign_base, sign, Same, check_sign)                                  \
  X(mul_Tensor, mul, Same, nullptr)                                     \
  X(div_Tensor, div, IntToFloat, nullptr)                               \
  X(maximum_base, maximum, Same, check_not_for_complex)                 \
  X(minimum_base, minimum, Same, check_not_for_complex)                 \
  X(eq_Tensor, eq, Compare, nullptr)                                    \
  X(ne_Tensor, ne, Compare, nullptr)                                    \
  X(lt_Tensor, lt, Compare, nullptr)                                    \
  X(le_Tensor, le, Compare, nullptr)                                    \
  X(gt_Tensor, gt, Compare, nullptr)                                    \
  X(ge_Tensor, ge, Compare, nullptr)                                    \
  X(sigmoid_backward_base, sigmoid_backward, Same, nullptr)             \
  X(tanh_backward_base, tanh_backward, Same, nullptr)                   \
  X(threshold_backward_base, threshold_backward, Same, nullptr)         \
  X(pow_Tensor_Tensor, pow, Same, nullptr)
// clang-format on

// The same for operators whose first number is an operand.
// clang-format off
#define TENON_CPU_POINTWISE_NUMBER(X)                                   \
  X(div_Scalar, div, IntToFloat, nullptr)                               \
  X(eq_Scalar, eq, Compare, nullptr)                                    \
  X(ne_Scalar, ne, Compare, nullptr)                                    \
  X(lt_Scalar, lt, Compare, nullptr)                                    \
  X(le_Scalar, le, Compare, nullptr)                                    \
  X(gt_Scalar, gt, Compare, nullptr)                                    \
  X(ge_Scalar, ge, Compare, nullptr)
// clang-format on

namespace tenon::cpu::detail {

#define TENON_INTERNAL_RULE(NAME, LOOPS, PROMOTE, CHECK) \
  inline constexpr PointwiseRule NAME##_rule{            \
      .name = #LOOPS, .promote = Promote::PROMOTE, .op = index_of(PointwiseOp::LOOPS), .check = CHECK};
TENON_CPU_POINTWISE_PLAIN(TENON_INTERNAL_RULE)
#undef TENON_INTERNAL_RULE
#define TENON_INTERNAL_RULE(NAME, LOOPS, PROMOTE, CHECK)                         \
  inline constexpr PointwiseRule NAME##_rule{.name = #LOOPS,                     \
                                             .promote = Promote::PROMOTE,        \
                                             .number_operands = 1,               \
                                             .op = index_of(PointwiseOp::LOOPS), \
                                             .check = CHECK};
TENON_CPU_POINTWISE_NUMBER(TENON_INTERNAL_RULE)
#undef TENON_INTERNAL_RULE

}  // namespace tenon::cpu::detail

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace d = tenon::cpu::detail;
  using tenon::cpu::add_pointwise;
  tenon::cpu::install_kernels<&tenon::cpu::KernelTables::pointwise>();
  tenon::cpu::install_kernels<&tenon::cpu::KernelTables::copy>();
#define TENON_INTERNAL_ADD(NAME, ...) add_pointwise<ops::NAME, d::NAME##_rule>(m);
  TENON_CPU_POINTWISE_PLAIN(TENON_INTERNAL_ADD)
  TENON_CPU_POINTWISE_NUMBER(TENON_INTERNAL_ADD)
#undef TENON_INTERNAL_ADD
  add_pointwise<ops::add_Tensor, d::add_rule>(m);
  add_pointwise<ops::sub_Tensor, d::sub_rule>(m);
  add_pointwise<ops::add_Scalar, d::add_number_rule>(m);
  add_pointwise<ops::sub_Scalar, d::sub_number_rule>(m);
  add_pointwise<ops::mul_Scalar, d::mul_number_rule, d::mul_number_inplace_rule>(m);
  add_pointwise<ops::div_Tensor_mode, d::div_mode_rule>(m);
  add_pointwise<ops::div_Scalar_mode, d::div_mode_number_rule>(m);
  add_pointwise<ops::pow_Tensor_Scalar, d::pow_number_rule>(m);
  add_pointwise<ops::pow_Scalar, d::pow_base_rule>(m);
  add_pointwise<ops::where_self, d::where_rule>(m);
  add_pointwise<ops::_conj_physical_base, d::conj_rule>(m);
  tenon::cpu::add_pointwise_inplace<ops::conj_physical_base_, ops::_conj_physical_base, d::conj_rule>(m);
  m.def<ops::conj_physical_base>();
  m.impl<ops::conj_physical_base, &d::conj_physical>();
  define_forms(m, ops::square_base);
  m.impl<ops::square_base, &d::square>()
      .impl<ops::square_base_, &d::square_>()
      .impl<ops::square_base_out, &d::square_out>();
  m.def<ops::where_ScalarOther>().def<ops::where_ScalarSelf>().def<ops::where_Scalar>();
  m.impl<ops::where_ScalarOther, &d::where_ScalarOther>()
      .impl<ops::where_ScalarSelf, &d::where_ScalarSelf>()
      .impl<ops::where_Scalar, &d::where_Scalar>();
}
