// Further elementwise functions: limits, remainders, bits, truth, special functions, activations.
#pragma once
#include <tenon/ops/pointwise.hpp>

namespace tenon::ops {

#define TENON_INTERNAL_UNARY(NAME)                                             \
  TENON_OPERATOR_FORMS(NAME##_base, "aten::" #NAME "(Tensor self) -> Tensor"); \
  TENON_FUNCTION(NAME, NAME##_base, NAME##_base_out);                          \
  TENON_FUNCTION(NAME##_, NAME##_base_)
#define TENON_INTERNAL_TEST(NAME)                                            \
  TENON_OPERATOR_OUT(NAME##_base, "aten::" #NAME "(Tensor self) -> Tensor"); \
  TENON_FUNCTION(NAME, NAME##_base, NAME##_base_out)
#define TENON_INTERNAL_BINARY(NAME)                                                          \
  TENON_OPERATOR_FORMS(NAME##_base, "aten::" #NAME "(Tensor self, Tensor other) -> Tensor"); \
  TENON_FUNCTION(NAME, NAME##_base, NAME##_base_out);                                        \
  TENON_FUNCTION(NAME##_, NAME##_base_)
#define TENON_INTERNAL_BINARY_OUT(NAME)                                                    \
  TENON_OPERATOR_OUT(NAME##_base, "aten::" #NAME "(Tensor self, Tensor other) -> Tensor"); \
  TENON_FUNCTION(NAME, NAME##_base, NAME##_base_out)
// With a second overload that takes a number.
#define TENON_INTERNAL_BINARY_OR_NUMBER(NAME)                                                                       \
  TENON_OPERATOR_FORMS(NAME##_Tensor, "aten::" #NAME ".Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"); \
  TENON_OPERATOR_FORMS(NAME##_Scalar, "aten::" #NAME ".Scalar(Tensor self, Scalar other) -> Tensor");               \
  TENON_FUNCTION(NAME, NAME##_Tensor, NAME##_Scalar, NAME##_Tensor_out, NAME##_Scalar_out);                         \
  TENON_FUNCTION(NAME##_, NAME##_Tensor_, NAME##_Scalar_)

TENON_INTERNAL_UNARY(acosh);
TENON_INTERNAL_UNARY(asinh);
TENON_INTERNAL_UNARY(atanh);
TENON_INTERNAL_UNARY(deg2rad);
TENON_INTERNAL_UNARY(rad2deg);
TENON_INTERNAL_UNARY(frac);
TENON_INTERNAL_UNARY(lgamma);
TENON_INTERNAL_UNARY(digamma);
TENON_INTERNAL_UNARY(sgn);
TENON_INTERNAL_UNARY(sinc);
TENON_INTERNAL_UNARY(logical_not);
TENON_INTERNAL_UNARY(bitwise_not);
TENON_INTERNAL_UNARY(silu);
TENON_INTERNAL_UNARY(mish);
TENON_INTERNAL_UNARY(hardswish);
TENON_INTERNAL_UNARY(hardsigmoid);
TENON_INTERNAL_TEST(signbit);
TENON_OPERATOR_FORMS(round_decimals, "aten::round.decimals(Tensor self, *, int decimals) -> Tensor", "decimals_out");
TENON_INTERNAL_TEST(isnan);
TENON_INTERNAL_TEST(isinf);
TENON_INTERNAL_TEST(isposinf);
TENON_INTERNAL_TEST(isneginf);
TENON_INTERNAL_TEST(log_sigmoid);
TENON_OPERATOR(isfinite_base, "aten::isfinite(Tensor self) -> Tensor");
TENON_FUNCTION(isfinite, isfinite_base);
TENON_OPERATOR(isreal_base, "aten::isreal(Tensor self) -> Tensor");
TENON_FUNCTION(isreal, isreal_base);
TENON_OPERATOR(positive_base, "aten::positive(Tensor(a) self) -> Tensor(a)");
TENON_FUNCTION(positive, positive_base);

TENON_INTERNAL_BINARY_OUT(fmax);
TENON_INTERNAL_BINARY_OUT(fmin);
TENON_INTERNAL_BINARY_OUT(logaddexp);
TENON_INTERNAL_BINARY_OUT(logaddexp2);
TENON_INTERNAL_BINARY(atan2);
TENON_INTERNAL_BINARY(hypot);
TENON_INTERNAL_BINARY(nextafter);
TENON_INTERNAL_BINARY(gcd);
TENON_INTERNAL_BINARY(lcm);
TENON_INTERNAL_BINARY(logical_and);
TENON_INTERNAL_BINARY(logical_or);
TENON_INTERNAL_BINARY(logical_xor);
TENON_INTERNAL_BINARY_OR_NUMBER(fmod);
TENON_INTERNAL_BINARY_OR_NUMBER(remainder);
TENON_INTERNAL_BINARY_OR_NUMBER(bitwise_and);
TENON_INTERNAL_BINARY_OR_NUMBER(bitwise_or);
TENON_INTERNAL_BINARY_OR_NUMBER(bitwise_xor);
#undef TENON_INTERNAL_UNARY
#undef TENON_INTERNAL_TEST
#undef TENON_INTERNAL_BINARY
#undef TENON_INTERNAL_BINARY_OUT
#undef TENON_INTERNAL_BINARY_OR_NUMBER

TENON_OPERATOR_FORMS(heaviside_base, "aten::heaviside(Tensor self, Tensor values) -> Tensor");
TENON_FUNCTION(heaviside, heaviside_base, heaviside_base_out);
TENON_FUNCTION(heaviside_, heaviside_base_);
TENON_OPERATOR_FORMS(bitwise_left_shift_Tensor, "aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor",
                     "Tensor_out");
TENON_OPERATOR_FORMS(bitwise_left_shift_Tensor_Scalar,
                     "aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(bitwise_left_shift, bitwise_left_shift_Tensor, bitwise_left_shift_Tensor_Scalar,
               bitwise_left_shift_Tensor_out);
TENON_FUNCTION(bitwise_left_shift_, bitwise_left_shift_Tensor_, bitwise_left_shift_Tensor_Scalar_);
TENON_OPERATOR_FORMS(bitwise_right_shift_Tensor,
                     "aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out");
TENON_OPERATOR_FORMS(bitwise_right_shift_Tensor_Scalar,
                     "aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(bitwise_right_shift, bitwise_right_shift_Tensor, bitwise_right_shift_Tensor_Scalar,
               bitwise_right_shift_Tensor_out);
TENON_FUNCTION(bitwise_right_shift_, bitwise_right_shift_Tensor_, bitwise_right_shift_Tensor_Scalar_);
TENON_OPERATOR_FORMS(copysign_Tensor, "aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR_FORMS(copysign_Scalar, "aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor");
TENON_FUNCTION(copysign, copysign_Tensor, copysign_Scalar, copysign_Tensor_out);
TENON_FUNCTION(copysign_, copysign_Tensor_, copysign_Scalar_);
TENON_OPERATOR_FORMS(xlogy_Tensor, "aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", "OutTensor");
TENON_FUNCTION(xlogy, xlogy_Tensor, xlogy_Tensor_out);
TENON_FUNCTION(xlogy_, xlogy_Tensor_);
TENON_OPERATOR_OUT(floor_divide_base, "aten::floor_divide(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR(floor_divide_Tensor_, "aten::floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
TENON_FUNCTION(floor_divide, floor_divide_base, floor_divide_base_out);
TENON_FUNCTION(floor_divide_, floor_divide_Tensor_);
TENON_OPERATOR_OUT(rsub_Tensor, "aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                   "Tensor_out");
TENON_OPERATOR_OUT(rsub_Scalar, "aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(rsub, rsub_Tensor, rsub_Scalar);

TENON_OPERATOR_FORMS(addcmul_base,
                     "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor");
TENON_FUNCTION(addcmul, addcmul_base, addcmul_base_out);
TENON_FUNCTION(addcmul_, addcmul_base_);
TENON_OPERATOR_FORMS(addcdiv_base,
                     "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor");
TENON_FUNCTION(addcdiv, addcdiv_base, addcdiv_base_out);
TENON_FUNCTION(addcdiv_, addcdiv_base_);
TENON_OPERATOR_FORMS(lerp_Scalar, "aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor");
TENON_OPERATOR_FORMS(lerp_Tensor, "aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", "Tensor_out");
TENON_FUNCTION(lerp, lerp_Scalar, lerp_Tensor, lerp_Scalar_out, lerp_Tensor_out);
TENON_FUNCTION(lerp_, lerp_Scalar_, lerp_Tensor_);
TENON_OPERATOR_FORMS(clamp_base, "aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor");
TENON_OPERATOR_FORMS(clamp_Tensor, "aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                     "Tensor_out");
TENON_FUNCTION(clamp, clamp_base, clamp_Tensor, clamp_base_out, clamp_Tensor_out);
TENON_FUNCTION(clamp_, clamp_base_, clamp_Tensor_);
TENON_OPERATOR_FORMS(clamp_min_base, "aten::clamp_min(Tensor self, Scalar min) -> Tensor");
TENON_OPERATOR_FORMS(clamp_min_Tensor, "aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", "Tensor_out");
TENON_FUNCTION(clamp_min, clamp_min_base, clamp_min_Tensor, clamp_min_base_out, clamp_min_Tensor_out);
TENON_FUNCTION(clamp_min_, clamp_min_base_, clamp_min_Tensor_);
TENON_OPERATOR_FORMS(clamp_max_base, "aten::clamp_max(Tensor self, Scalar max) -> Tensor");
TENON_OPERATOR_FORMS(clamp_max_Tensor, "aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", "Tensor_out");
TENON_FUNCTION(clamp_max, clamp_max_base, clamp_max_Tensor, clamp_max_base_out, clamp_max_Tensor_out);
TENON_FUNCTION(clamp_max_, clamp_max_base_, clamp_max_Tensor_);
TENON_OPERATOR_FORMS(
    nan_to_num_base,
    "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor");
TENON_FUNCTION(nan_to_num, nan_to_num_base, nan_to_num_base_out);
TENON_FUNCTION(nan_to_num_, nan_to_num_base_);
TENON_OPERATOR_FORMS(logit_base, "aten::logit(Tensor self, float? eps=None) -> Tensor");
TENON_FUNCTION(logit, logit_base, logit_base_out);
TENON_FUNCTION(logit_, logit_base_);

TENON_OPERATOR_OUT(polygamma_base, "aten::polygamma(int n, Tensor self) -> Tensor");
TENON_FUNCTION(polygamma, polygamma_base, polygamma_base_out);
TENON_OPERATOR_OUT(special_polygamma_base, "aten::special_polygamma(int n, Tensor self) -> Tensor");
TENON_FUNCTION(special_polygamma, special_polygamma_base, special_polygamma_base_out);

TENON_OPERATOR_FORMS(gelu_base, "aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor");
TENON_FUNCTION(gelu, gelu_base, gelu_base_out);
TENON_FUNCTION(gelu_, gelu_base_);
TENON_OPERATOR_OUT(softplus_base, "aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor");
TENON_FUNCTION(softplus, softplus_base, softplus_base_out);
TENON_OPERATOR_OUT(softshrink_base, "aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor");
TENON_FUNCTION(softshrink, softshrink_base, softshrink_base_out);
TENON_OPERATOR_OUT(hardshrink_base, "aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor");
TENON_FUNCTION(hardshrink, hardshrink_base, hardshrink_base_out);
TENON_OPERATOR_FORMS(leaky_relu_base, "aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor");
TENON_FUNCTION(leaky_relu, leaky_relu_base, leaky_relu_base_out);
TENON_FUNCTION(leaky_relu_, leaky_relu_base_);
TENON_OPERATOR_FORMS(elu_base,
                     "aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor");
TENON_FUNCTION(elu, elu_base, elu_base_out);
TENON_FUNCTION(elu_, elu_base_);
TENON_OPERATOR_FORMS(hardtanh_base, "aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor");
TENON_FUNCTION(hardtanh, hardtanh_base, hardtanh_base_out);
TENON_FUNCTION(hardtanh_, hardtanh_base_);

// Other names of the same operators.
TENON_OPERATOR_FORMS(multiply_Tensor, "aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor");
TENON_FUNCTION(multiply, multiply_Tensor, multiply_Tensor_out);
TENON_FUNCTION(multiply_, multiply_Tensor_);
TENON_OPERATOR_FORMS(subtract_Tensor, "aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
TENON_FUNCTION(subtract, subtract_Tensor, subtract_Tensor_out);
TENON_FUNCTION(subtract_, subtract_Tensor_);
TENON_OPERATOR_FORMS(divide_Tensor, "aten::divide.Tensor(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR_FORMS(divide_Tensor_mode,
                     "aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
                     "out_mode");
TENON_FUNCTION(divide, divide_Tensor, divide_Tensor_mode, divide_Tensor_out);
TENON_FUNCTION(divide_, divide_Tensor_, divide_Tensor_mode_);
TENON_OPERATOR_FORMS(true_divide_Tensor, "aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor");
TENON_FUNCTION(true_divide, true_divide_Tensor, true_divide_Tensor_out);
TENON_FUNCTION(true_divide_, true_divide_Tensor_);

}  // namespace tenon::ops
