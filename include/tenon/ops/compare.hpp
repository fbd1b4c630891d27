// Elementwise comparisons, tests, choices and limits.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS(eq, (Tensor, "aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::eq.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(ne, (Tensor, "aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::ne.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(lt, (Tensor, "aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::lt.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(le, (Tensor, "aten::le.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::le.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(gt, (Tensor, "aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::gt.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(ge, (Tensor, "aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::ge.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(greater, (Tensor, "aten::greater.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::greater.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(greater_equal,
                (Tensor, "aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(less, (Tensor, "aten::less.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::less.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(less_equal, (Tensor, "aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(not_equal, (Tensor, "aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS_OUT(where, (self, "aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"),
                    (ScalarOther, "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
                     no_out),
                    (ScalarSelf, "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
                     no_out),
                    (Scalar, "aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", no_out));
TENON_OPERATORS_OUT(isnan, "aten::isnan(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(isinf, "aten::isinf(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(isposinf, "aten::isposinf(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(isneginf, "aten::isneginf(Tensor self) -> Tensor");
TENON_OPERATORS_PLAIN(isfinite, "aten::isfinite(Tensor self) -> Tensor");
TENON_OPERATORS_PLAIN(isreal, "aten::isreal(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(signbit, "aten::signbit(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(maximum, "aten::maximum(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(minimum, "aten::minimum(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(fmax, "aten::fmax(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(fmin, "aten::fmin(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS(clamp, "aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
                (Tensor, "aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                 "Tensor_out"));
TENON_OPERATORS(clamp_min, "aten::clamp_min(Tensor self, Scalar min) -> Tensor",
                (Tensor, "aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", "Tensor_out"));
TENON_OPERATORS(clamp_max, "aten::clamp_max(Tensor self, Scalar max) -> Tensor",
                (Tensor, "aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", "Tensor_out"));
TENON_OPERATORS(nan_to_num,
                "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor");

}  // namespace tenon::ops
