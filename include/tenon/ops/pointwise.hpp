// Elementwise arithmetic, functions, comparisons and selection.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_FORMS(abs_base, "aten::abs(Tensor self) -> Tensor");
TENON_FUNCTION(abs, abs_base, abs_base_out);
TENON_FUNCTION(abs_, abs_base_);
TENON_OPERATOR_FORMS(neg_base, "aten::neg(Tensor self) -> Tensor");
TENON_FUNCTION(neg, neg_base, neg_base_out);
TENON_FUNCTION(neg_, neg_base_);
TENON_OPERATOR_FORMS(exp_base, "aten::exp(Tensor self) -> Tensor");
TENON_FUNCTION(exp, exp_base, exp_base_out);
TENON_FUNCTION(exp_, exp_base_);
TENON_OPERATOR_FORMS(log_base, "aten::log(Tensor self) -> Tensor");
TENON_FUNCTION(log, log_base, log_base_out);
TENON_FUNCTION(log_, log_base_);
TENON_OPERATOR_FORMS(sqrt_base, "aten::sqrt(Tensor self) -> Tensor");
TENON_FUNCTION(sqrt, sqrt_base, sqrt_base_out);
TENON_FUNCTION(sqrt_, sqrt_base_);
TENON_OPERATOR_FORMS(tanh_base, "aten::tanh(Tensor self) -> Tensor");
TENON_FUNCTION(tanh, tanh_base, tanh_base_out);
TENON_FUNCTION(tanh_, tanh_base_);
TENON_OPERATOR_FORMS(sigmoid_base, "aten::sigmoid(Tensor self) -> Tensor");
TENON_FUNCTION(sigmoid, sigmoid_base, sigmoid_base_out);
TENON_FUNCTION(sigmoid_, sigmoid_base_);
TENON_OPERATOR_FORMS(relu_base, "aten::relu(Tensor self) -> Tensor");
TENON_FUNCTION(relu, relu_base, relu_base_out);
TENON_FUNCTION(relu_, relu_base_);
TENON_OPERATOR_FORMS(reciprocal_base, "aten::reciprocal(Tensor self) -> Tensor");
TENON_FUNCTION(reciprocal, reciprocal_base, reciprocal_base_out);
TENON_FUNCTION(reciprocal_, reciprocal_base_);
TENON_OPERATOR_FORMS(rsqrt_base, "aten::rsqrt(Tensor self) -> Tensor");
TENON_FUNCTION(rsqrt, rsqrt_base, rsqrt_base_out);
TENON_FUNCTION(rsqrt_, rsqrt_base_);
TENON_OPERATOR_FORMS(sin_base, "aten::sin(Tensor self) -> Tensor");
TENON_FUNCTION(sin, sin_base, sin_base_out);
TENON_FUNCTION(sin_, sin_base_);
TENON_OPERATOR_FORMS(cos_base, "aten::cos(Tensor self) -> Tensor");
TENON_FUNCTION(cos, cos_base, cos_base_out);
TENON_FUNCTION(cos_, cos_base_);
TENON_OPERATOR_FORMS(tan_base, "aten::tan(Tensor self) -> Tensor");
TENON_FUNCTION(tan, tan_base, tan_base_out);
TENON_FUNCTION(tan_, tan_base_);
TENON_OPERATOR_FORMS(asin_base, "aten::asin(Tensor self) -> Tensor");
TENON_FUNCTION(asin, asin_base, asin_base_out);
TENON_FUNCTION(asin_, asin_base_);
TENON_OPERATOR_FORMS(acos_base, "aten::acos(Tensor self) -> Tensor");
TENON_FUNCTION(acos, acos_base, acos_base_out);
TENON_FUNCTION(acos_, acos_base_);
TENON_OPERATOR_FORMS(atan_base, "aten::atan(Tensor self) -> Tensor");
TENON_FUNCTION(atan, atan_base, atan_base_out);
TENON_FUNCTION(atan_, atan_base_);
TENON_OPERATOR_FORMS(sinh_base, "aten::sinh(Tensor self) -> Tensor");
TENON_FUNCTION(sinh, sinh_base, sinh_base_out);
TENON_FUNCTION(sinh_, sinh_base_);
TENON_OPERATOR_FORMS(cosh_base, "aten::cosh(Tensor self) -> Tensor");
TENON_FUNCTION(cosh, cosh_base, cosh_base_out);
TENON_FUNCTION(cosh_, cosh_base_);
TENON_OPERATOR_FORMS(log1p_base, "aten::log1p(Tensor self) -> Tensor");
TENON_FUNCTION(log1p, log1p_base, log1p_base_out);
TENON_FUNCTION(log1p_, log1p_base_);
TENON_OPERATOR_FORMS(log2_base, "aten::log2(Tensor self) -> Tensor");
TENON_FUNCTION(log2, log2_base, log2_base_out);
TENON_FUNCTION(log2_, log2_base_);
TENON_OPERATOR_FORMS(log10_base, "aten::log10(Tensor self) -> Tensor");
TENON_FUNCTION(log10, log10_base, log10_base_out);
TENON_FUNCTION(log10_, log10_base_);
TENON_OPERATOR_FORMS(expm1_base, "aten::expm1(Tensor self) -> Tensor");
TENON_FUNCTION(expm1, expm1_base, expm1_base_out);
TENON_FUNCTION(expm1_, expm1_base_);
TENON_OPERATOR_FORMS(exp2_base, "aten::exp2(Tensor self) -> Tensor");
TENON_FUNCTION(exp2, exp2_base, exp2_base_out);
TENON_FUNCTION(exp2_, exp2_base_);
TENON_OPERATOR_FORMS(erf_base, "aten::erf(Tensor self) -> Tensor");
TENON_FUNCTION(erf, erf_base, erf_base_out);
TENON_FUNCTION(erf_, erf_base_);
TENON_OPERATOR_FORMS(erfc_base, "aten::erfc(Tensor self) -> Tensor");
TENON_FUNCTION(erfc, erfc_base, erfc_base_out);
TENON_FUNCTION(erfc_, erfc_base_);
TENON_OPERATOR_FORMS(floor_base, "aten::floor(Tensor self) -> Tensor");
TENON_FUNCTION(floor, floor_base, floor_base_out);
TENON_FUNCTION(floor_, floor_base_);
TENON_OPERATOR_FORMS(ceil_base, "aten::ceil(Tensor self) -> Tensor");
TENON_FUNCTION(ceil, ceil_base, ceil_base_out);
TENON_FUNCTION(ceil_, ceil_base_);
TENON_OPERATOR_FORMS(trunc_base, "aten::trunc(Tensor self) -> Tensor");
TENON_FUNCTION(trunc, trunc_base, trunc_base_out);
TENON_FUNCTION(trunc_, trunc_base_);
TENON_OPERATOR_FORMS(round_base, "aten::round(Tensor self) -> Tensor");
TENON_FUNCTION(round, round_base, round_base_out);
TENON_FUNCTION(round_, round_base_);
TENON_OPERATOR_FORMS(square_base, "aten::square(Tensor self) -> Tensor");
TENON_FUNCTION(square, square_base, square_base_out);
TENON_FUNCTION(square_, square_base_);
TENON_OPERATOR_FORMS(sign_base, "aten::sign(Tensor self) -> Tensor");
TENON_FUNCTION(sign, sign_base, sign_base_out);
TENON_FUNCTION(sign_, sign_base_);
TENON_OPERATOR_FORMS(add_Tensor, "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
TENON_OPERATOR_FORMS(add_Scalar, "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(add, add_Tensor, add_Scalar, add_Tensor_out, add_Scalar_out);
TENON_FUNCTION(add_, add_Tensor_, add_Scalar_);
TENON_OPERATOR_FORMS(sub_Tensor, "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
TENON_OPERATOR_FORMS(sub_Scalar, "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(sub, sub_Tensor, sub_Scalar, sub_Tensor_out, sub_Scalar_out);
TENON_FUNCTION(sub_, sub_Tensor_, sub_Scalar_);
TENON_OPERATOR_FORMS(mul_Tensor, "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR_FORMS(mul_Scalar, "aten::mul.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(mul, mul_Tensor, mul_Scalar, mul_Tensor_out, mul_Scalar_out);
TENON_FUNCTION(mul_, mul_Tensor_, mul_Scalar_);
TENON_OPERATOR_FORMS(div_Tensor, "aten::div.Tensor(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR_FORMS(div_Scalar, "aten::div.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_OPERATOR_FORMS(div_Tensor_mode,
                     "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", "out_mode");
TENON_OPERATOR_FORMS(div_Scalar_mode,
                     "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor");
TENON_FUNCTION(div, div_Tensor, div_Scalar, div_Tensor_out, div_Tensor_mode, div_Scalar_mode, div_Scalar_out,
               div_Tensor_mode_out, div_Scalar_mode_out);
TENON_FUNCTION(div_, div_Tensor_, div_Scalar_, div_Tensor_mode_, div_Scalar_mode_);
TENON_OPERATOR_OUT(pow_Tensor_Tensor, "aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor");
TENON_OPERATOR(pow_Scalar_inplace, "aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)");
TENON_OPERATOR(pow_Tensor_inplace, "aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)");
TENON_OPERATOR_OUT(pow_Tensor_Scalar, "aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor");
TENON_OPERATOR_OUT(pow_Scalar, "aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor");
TENON_FUNCTION(pow, pow_Tensor_Scalar, pow_Tensor_Tensor, pow_Scalar, pow_Tensor_Scalar_out, pow_Tensor_Tensor_out,
               pow_Scalar_out);
TENON_FUNCTION(pow_, pow_Tensor_inplace, pow_Scalar_inplace);
TENON_OPERATOR_OUT(maximum_base, "aten::maximum(Tensor self, Tensor other) -> Tensor");
TENON_FUNCTION(maximum, maximum_base, maximum_base_out);
TENON_OPERATOR_OUT(minimum_base, "aten::minimum(Tensor self, Tensor other) -> Tensor");
TENON_FUNCTION(minimum, minimum_base, minimum_base_out);
TENON_OPERATOR_FORMS(eq_Tensor, "aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out");
TENON_OPERATOR_FORMS(eq_Scalar, "aten::eq.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(eq, eq_Tensor, eq_Scalar, eq_Tensor_out, eq_Scalar_out);
TENON_FUNCTION(eq_, eq_Tensor_, eq_Scalar_);
TENON_OPERATOR_FORMS(ne_Tensor, "aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out");
TENON_OPERATOR_FORMS(ne_Scalar, "aten::ne.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(ne, ne_Tensor, ne_Scalar, ne_Tensor_out, ne_Scalar_out);
TENON_FUNCTION(ne_, ne_Tensor_, ne_Scalar_);
TENON_OPERATOR_FORMS(lt_Tensor, "aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out");
TENON_OPERATOR_FORMS(lt_Scalar, "aten::lt.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(lt, lt_Tensor, lt_Scalar, lt_Tensor_out, lt_Scalar_out);
TENON_FUNCTION(lt_, lt_Tensor_, lt_Scalar_);
TENON_OPERATOR_FORMS(le_Tensor, "aten::le.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out");
TENON_OPERATOR_FORMS(le_Scalar, "aten::le.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(le, le_Tensor, le_Scalar, le_Tensor_out, le_Scalar_out);
TENON_FUNCTION(le_, le_Tensor_, le_Scalar_);
TENON_OPERATOR_FORMS(gt_Tensor, "aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out");
TENON_OPERATOR_FORMS(gt_Scalar, "aten::gt.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(gt, gt_Tensor, gt_Scalar, gt_Tensor_out, gt_Scalar_out);
TENON_FUNCTION(gt_, gt_Tensor_, gt_Scalar_);
TENON_OPERATOR_FORMS(ge_Tensor, "aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out");
TENON_OPERATOR_FORMS(ge_Scalar, "aten::ge.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(ge, ge_Tensor, ge_Scalar, ge_Tensor_out, ge_Scalar_out);
TENON_FUNCTION(ge_, ge_Tensor_, ge_Scalar_);
TENON_OPERATOR_OUT(where_self, "aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR(where_ScalarOther, "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor");
TENON_OPERATOR(where_ScalarSelf, "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor");
TENON_OPERATOR(where_Scalar, "aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor");
TENON_FUNCTION(where, where_self, where_ScalarOther, where_ScalarSelf, where_Scalar, where_self_out);
TENON_OPERATOR_OUT_AS(
    sigmoid_backward_base, "aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
    "aten::sigmoid_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)");
TENON_OPERATOR_OUT_AS(
    tanh_backward_base, "aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
    "aten::tanh_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)");
TENON_OPERATOR_OUT_AS(
    threshold_backward_base, "aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
    "aten::threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!)");
TENON_FUNCTION(sigmoid_backward, sigmoid_backward_base);
TENON_FUNCTION(tanh_backward, tanh_backward_base);
TENON_FUNCTION(threshold_backward, threshold_backward_base);
TENON_OPERATOR(conj_physical_base, "aten::conj_physical(Tensor self) -> Tensor");
TENON_OPERATOR(conj_physical_inplace, "aten::conj_physical_(Tensor(a!) self) -> Tensor(a!)");
// What conj_physical is for complex tensors; the form with `out` has the public name.
TENON_OPERATOR_OUT_AS(_conj_physical_base, "aten::_conj_physical(Tensor self) -> Tensor",
                      "aten::conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(conj_physical, conj_physical_base);
TENON_FUNCTION(conj_physical_, conj_physical_inplace);
TENON_FUNCTION(_conj_physical, _conj_physical_base);

}  // namespace tenon::ops
