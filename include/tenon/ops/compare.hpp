// Elementwise comparisons, tests, choices and limits.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace compare_family {

TENON_OPERATORS(eq,
                (Tensor, "aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise, inplace_tags()),
                (Scalar, "aten::eq.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(ne,
                (Tensor, "aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise, inplace_tags()),
                (Scalar, "aten::ne.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(lt,
                (Tensor, "aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise, inplace_tags()),
                (Scalar, "aten::lt.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(le,
                (Tensor, "aten::le.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise, inplace_tags()),
                (Scalar, "aten::le.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(gt,
                (Tensor, "aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise, inplace_tags()),
                (Scalar, "aten::gt.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(ge,
                (Tensor, "aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise, inplace_tags()),
                (Scalar, "aten::ge.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(greater,
                (Tensor, "aten::greater.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method),
                (Scalar, "aten::greater.Scalar(Tensor self, Scalar other) -> Tensor", with_method));
TENON_OPERATORS(greater_equal,
                (Tensor, "aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method),
                (Scalar, "aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor", with_method));
TENON_OPERATORS(less, (Tensor, "aten::less.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method),
                (Scalar, "aten::less.Scalar(Tensor self, Scalar other) -> Tensor", with_method));
TENON_OPERATORS(less_equal,
                (Tensor, "aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method),
                (Scalar, "aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor", with_method));
TENON_OPERATORS(not_equal,
                (Tensor, "aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method),
                (Scalar, "aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor", with_method));
TENON_OPERATORS_OUT(where,
                    (self, "aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", with_method,
                     no_device_check, Tag::core, Tag::pointwise, out_tags()),
                    (ScalarOther, "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
                     no_out, with_method),
                    (ScalarSelf, "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
                     no_out),
                    (Scalar, "aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", no_out),
                    (base, "aten::where(Tensor condition) -> Tensor[]", no_out, no_device_check));
TENON_OPERATORS_OUT(isnan, (base, "aten::isnan(Tensor self) -> Tensor", with_method, no_device_check, no_device_guard,
                            Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(isinf, (base, "aten::isinf(Tensor self) -> Tensor", with_method, no_device_check, no_device_guard,
                            Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(isposinf, (base, "aten::isposinf(Tensor self) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS_OUT(isneginf, (base, "aten::isneginf(Tensor self) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS_PLAIN(isfinite, (base, "aten::isfinite(Tensor self) -> Tensor", with_method, no_device_check,
                                 no_device_guard, Tag::pointwise));
TENON_OPERATORS_PLAIN(isreal, (base, "aten::isreal(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_OUT(signbit, (base, "aten::signbit(Tensor self) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS_OUT(maximum, (base, "aten::maximum(Tensor self, Tensor other) -> Tensor", with_method, no_device_check,
                              Tag::core, Tag::pointwise));
TENON_OPERATORS_OUT(minimum, (base, "aten::minimum(Tensor self, Tensor other) -> Tensor", with_method, no_device_check,
                              Tag::core, Tag::pointwise));
TENON_OPERATORS_OUT(fmax, (base, "aten::fmax(Tensor self, Tensor other) -> Tensor", with_method, no_device_check,
                           Tag::pointwise));
TENON_OPERATORS_OUT(fmin, (base, "aten::fmin(Tensor self, Tensor other) -> Tensor", with_method, no_device_check,
                           Tag::pointwise));
TENON_OPERATORS(clamp,
                (base, "aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", with_method,
                 inplace_function, no_device_check, Tag::core, Tag::pointwise),
                (Tensor, "aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", "Tensor_out",
                 with_method, inplace_function, Tag::core, Tag::pointwise));
TENON_OPERATORS(clamp_min,
                (base, "aten::clamp_min(Tensor self, Scalar min) -> Tensor", with_method, inplace_function,
                 no_device_check, Tag::pointwise),
                (Tensor, "aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", "Tensor_out", with_method,
                 inplace_function, Tag::pointwise));
TENON_OPERATORS(clamp_max,
                (base, "aten::clamp_max(Tensor self, Scalar max) -> Tensor", with_method, inplace_function,
                 no_device_check, Tag::pointwise),
                (Tensor, "aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", "Tensor_out", with_method,
                 inplace_function, Tag::pointwise));
TENON_OPERATORS(nan_to_num,
                (base,
                 "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
                 with_method, inplace_function, Tag::pointwise));

}  // namespace compare_family
}  // namespace tenon::ops
