// Elementwise functions: exponential, logarithmic, trigonometric, hyperbolic.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS(exp, "aten::exp(Tensor self) -> Tensor");
TENON_OPERATORS(log, "aten::log(Tensor self) -> Tensor");
TENON_OPERATORS(sqrt, "aten::sqrt(Tensor self) -> Tensor");
TENON_OPERATORS(rsqrt, "aten::rsqrt(Tensor self) -> Tensor");
TENON_OPERATORS(sin, "aten::sin(Tensor self) -> Tensor");
TENON_OPERATORS(cos, "aten::cos(Tensor self) -> Tensor");
TENON_OPERATORS(tan, "aten::tan(Tensor self) -> Tensor");
TENON_OPERATORS(asin, "aten::asin(Tensor self) -> Tensor");
TENON_OPERATORS(acos, "aten::acos(Tensor self) -> Tensor");
TENON_OPERATORS(atan, "aten::atan(Tensor self) -> Tensor");
TENON_OPERATORS(sinh, "aten::sinh(Tensor self) -> Tensor");
TENON_OPERATORS(cosh, "aten::cosh(Tensor self) -> Tensor");
TENON_OPERATORS(tanh, "aten::tanh(Tensor self) -> Tensor");
TENON_OPERATORS(asinh, "aten::asinh(Tensor self) -> Tensor");
TENON_OPERATORS(acosh, "aten::acosh(Tensor self) -> Tensor");
TENON_OPERATORS(atanh, "aten::atanh(Tensor self) -> Tensor");
TENON_OPERATORS(log1p, "aten::log1p(Tensor self) -> Tensor");
TENON_OPERATORS(log2, "aten::log2(Tensor self) -> Tensor");
TENON_OPERATORS(log10, "aten::log10(Tensor self) -> Tensor");
TENON_OPERATORS(expm1, "aten::expm1(Tensor self) -> Tensor");
TENON_OPERATORS(exp2, "aten::exp2(Tensor self) -> Tensor");
TENON_OPERATORS(atan2, "aten::atan2(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS(hypot, "aten::hypot(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS(deg2rad, "aten::deg2rad(Tensor self) -> Tensor");
TENON_OPERATORS(rad2deg, "aten::rad2deg(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(logaddexp, "aten::logaddexp(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(logaddexp2, "aten::logaddexp2(Tensor self, Tensor other) -> Tensor");

}  // namespace tenon::ops
