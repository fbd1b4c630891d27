// expect-error: operator_cannot_be_made<same_op, .*lambda_returns_no_complex_number, .*found<float
#include <tenon/tenon.hpp>

#include <tenon/cpu/pointwise_operator.hpp>

#ifdef FIXED
TENON_POINTWISE(same, "my::same(Tensor a) -> Tensor", complex_too([](auto a) { return a * 2; }));
#else
TENON_POINTWISE(same, "my::same(Tensor a) -> Tensor", complex_too([](auto a) { return abs(a); }));
#endif
