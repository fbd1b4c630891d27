// Elementwise special functions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS(erf, (base, "aten::erf(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS(erfc, (base, "aten::erfc(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::pointwise));
TENON_OPERATORS(lgamma, (base, "aten::lgamma(Tensor self) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(digamma, (base, "aten::digamma(Tensor self) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(polygamma, (base, "aten::polygamma(int n, Tensor self) -> Tensor", with_method, no_device_check,
                                Tag::pointwise));
TENON_OPERATORS_OUT(special_polygamma, "aten::special_polygamma(int n, Tensor self) -> Tensor");
TENON_OPERATORS(erfinv, (base, "aten::erfinv(Tensor self) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(sinc, (base, "aten::sinc(Tensor self) -> Tensor", with_method, inplace_function, Tag::pointwise));
TENON_OPERATORS(xlogy, (Tensor, "aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", "OutTensor", with_method,
                        inplace_function, no_device_check, Tag::pointwise));
TENON_OPERATORS(logit, (base, "aten::logit(Tensor self, float? eps=None) -> Tensor", with_method, inplace_function,
                        Tag::pointwise));

}  // namespace tenon::ops
