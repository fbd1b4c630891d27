// Questions about dtypes as operators, for programs that are data.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace types_family {

// Their functions stand above this namespace: `result_type`, `promote_types`, `can_cast`.
TENON_OPERATOR_TAGS(plain, result_type, (Tensor, "aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType"),
                    (Scalar, "aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType"),
                    (Scalar_Tensor, "aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType"),
                    (Scalar_Scalar, "aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType"));
TENON_OPERATOR_TAGS(plain, promote_types, "aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType");
TENON_OPERATOR_TAGS(plain, can_cast, "aten::can_cast(ScalarType from_, ScalarType to) -> bool");
TENON_OPERATORS_PLAIN(is_complex,
                      (base, "aten::is_complex(Tensor self) -> bool", with_method, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(is_signed,
                      (base, "aten::is_signed(Tensor self) -> bool", with_method, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(is_floating_point, (base, "aten::is_floating_point(Tensor self) -> bool", with_method,
                                          no_device_check, no_device_guard));

}  // namespace types_family
}  // namespace tenon::ops
