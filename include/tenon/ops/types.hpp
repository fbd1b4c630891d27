// Questions about dtypes as operators, for programs that are data.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

// Their functions stand above this namespace: `result_type`, `promote_types`, `can_cast`.
TENON_OPERATOR_TAGS(plain, result_type, (Tensor, "aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType"),
                    (Scalar, "aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType"),
                    (Scalar_Tensor, "aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType"),
                    (Scalar_Scalar, "aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType"));
TENON_OPERATOR_TAGS(plain, promote_types, "aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType");
TENON_OPERATOR_TAGS(plain, can_cast, "aten::can_cast(ScalarType from_, ScalarType to) -> bool");

}  // namespace tenon::ops
