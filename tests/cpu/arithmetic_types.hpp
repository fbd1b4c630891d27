// The dtypes that loops compute with and convert.
#pragma once
#include <tenon/base/scalar_type.hpp>

namespace test {

inline constexpr tenon::ScalarType arithmetic_types[] = {
    tenon::kByte,     tenon::kChar,   tenon::kShort,       tenon::kInt,          tenon::kLong,          tenon::kHalf,
    tenon::kFloat,    tenon::kDouble, tenon::kComplexHalf, tenon::kComplexFloat, tenon::kComplexDouble, tenon::kBool,
    tenon::kBFloat16, tenon::kUInt16, tenon::kUInt32,      tenon::kUInt64};

}  // namespace test
