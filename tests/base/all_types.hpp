// Every dtype, in the order of the table.
#pragma once
#include <tenon/base/scalar_type.hpp>

namespace test {

inline constexpr tenon::ScalarType all_types[] = {
#define X(CPP, NAME, ...) tenon::ScalarType::NAME,
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
};

}  // namespace test
