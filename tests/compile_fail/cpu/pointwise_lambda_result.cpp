// expect-error: operator_cannot_be_made<same_op, .*lambda_returns_neither_number_nor_comparison,
// .*found<std::(__1::)?tuple
#include <tenon/tenon.hpp>

#include <tenon/cpu/pointwise_operator.hpp>

#ifdef FIXED
TENON_POINTWISE(same, "my::same(Tensor a) -> Tensor", [](auto a) { return a; });
#else
TENON_POINTWISE(same, "my::same(Tensor a) -> Tensor", [](auto a) { return std::make_tuple(a); });
#endif
