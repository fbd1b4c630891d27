// Elementwise functions: exponential, logarithmic, trigonometric, hyperbolic.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace math_family {

TENON_OPERATORS(exp, (base, "aten::exp(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS(log, (base, "aten::log(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS(sqrt, (base, "aten::sqrt(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(rsqrt, (base, "aten::rsqrt(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                        Tag::core, Tag::pointwise));
TENON_OPERATORS(sin, (base, "aten::sin(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS(cos, (base, "aten::cos(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS(tan, (base, "aten::tan(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS(asin, (base, "aten::asin(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(acos, (base, "aten::acos(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(atan, (base, "aten::atan(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(sinh, (base, "aten::sinh(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(cosh, (base, "aten::cosh(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(tanh, (base, "aten::tanh(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(asinh,
                (base, "aten::asinh(Tensor self) -> Tensor", with_method, inplace_function, Tag::core, Tag::pointwise));
TENON_OPERATORS(acosh,
                (base, "aten::acosh(Tensor self) -> Tensor", with_method, inplace_function, Tag::core, Tag::pointwise));
TENON_OPERATORS(atanh,
                (base, "aten::atanh(Tensor self) -> Tensor", with_method, inplace_function, Tag::core, Tag::pointwise));
TENON_OPERATORS(log1p, (base, "aten::log1p(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                        Tag::core, Tag::pointwise));
TENON_OPERATORS(log2, (base, "aten::log2(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(log10, (base, "aten::log10(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                        Tag::core, Tag::pointwise));
TENON_OPERATORS(expm1, (base, "aten::expm1(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                        Tag::core, Tag::pointwise));
TENON_OPERATORS(exp2, (base, "aten::exp2(Tensor self) -> Tensor", with_method, inplace_function, Tag::pointwise));
TENON_OPERATORS(atan2, (base, "aten::atan2(Tensor self, Tensor other) -> Tensor", with_method, no_device_check,
                        Tag::core, Tag::pointwise, out_tags({Tag::core, Tag::pointwise})));
TENON_OPERATORS(hypot, (base, "aten::hypot(Tensor self, Tensor other) -> Tensor", with_method, no_device_check,
                        Tag::pointwise));
TENON_OPERATORS(float_power,
                (Tensor_Tensor, "aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                 inplace_overload("Tensor"), with_method, Tag::pointwise),
                (Tensor_Scalar, "aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                 inplace_overload("Scalar"), with_method, Tag::pointwise),
                (Scalar, "aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", Tag::pointwise));
TENON_OPERATORS(ldexp, (Tensor, "aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor", "out", inplace_overload(""),
                        with_method, inplace_function, Tag::pointwise));
TENON_OPERATORS_OUT(
    frexp,
    (Tensor, "aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
     "aten::frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent) -> (Tensor(a!) mantissa, Tensor(b!) exponent)",
     with_method, Tag::pointwise));
TENON_OPERATORS(deg2rad, (base, "aten::deg2rad(Tensor self) -> Tensor", with_method, inplace_function, Tag::pointwise));
TENON_OPERATORS(rad2deg, (base, "aten::rad2deg(Tensor self) -> Tensor", with_method, inplace_function, Tag::pointwise));
TENON_OPERATORS_OUT(logaddexp,
                    (base, "aten::logaddexp(Tensor self, Tensor other) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS_OUT(logaddexp2,
                    (base, "aten::logaddexp2(Tensor self, Tensor other) -> Tensor", with_method, Tag::pointwise));

}  // namespace math_family
}  // namespace tenon::ops
